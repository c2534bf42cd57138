//! The header of a WAV file: everything before its samples.
//!
//! RIFF with a `fmt ` chunk (tag 1 integer, 3 float, or 0xFFFE extensible beyond two channels or 16 bits of integer), a
//! `fact` chunk for floats, and `data`. Where a size does not fit into 32 bits, it is RF64 (EBU Tech 3306): the first chunk
//! is `ds64` with the sizes in 64 bits, and the fields of 32 bits hold 0xFFFFFFFF.

use hamiltone_plan::SampleFormat;
use std::io::{self, Write};

/// What a field of 32 bits holds where `ds64` has the value.
const ELSEWHERE: u32 = u32::MAX;
/// The size of the `ds64` chunk without a table, bytes.
const DS64: u32 = 28;

/// What a WAV file holds.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// How samples are stored.
    pub format: SampleFormat,
    /// The number of channels.
    pub channels: u16,
    /// The sample rate, Hz.
    pub rate: u32,
    /// The number of frames.
    pub frames: u64,
}

impl Header {
    fn integers(&self) -> bool {
        matches!(self.format, SampleFormat::Int16 | SampleFormat::Int24)
    }

    fn bits(&self) -> u32 {
        8 * self.format.bytes() as u32
    }

    /// The bytes of a frame.
    fn frame(&self) -> u32 {
        u32::from(self.channels) * self.bits() / 8
    }

    fn extensible(&self) -> bool {
        self.channels > 2 || (self.integers() && self.bits() > 16)
    }

    /// The bytes of all samples.
    pub fn data(&self) -> u64 {
        self.frames * u64::from(self.frame())
    }

    /// The size of the `fmt ` chunk, bytes.
    fn fmt(&self) -> u32 {
        if self.extensible() { 40 } else { 16 + 2 * u32::from(!self.integers()) }
    }

    /// The bytes from `WAVE` to the end of a file of the old form.
    fn riff(&self) -> u64 {
        let fact = if self.integers() { 0 } else { 12 };
        u64::from(4 + 8 + self.fmt() + fact + 8) + self.data() + self.data() % 2
    }

    /// Whether the sizes need 64 bits.
    pub fn is_rf64(&self) -> bool {
        self.riff() >= u64::from(ELSEWHERE)
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        // A size that fits into 32 bits unless the file is RF64.
        let size = |size: u64| if self.is_rf64() { ELSEWHERE } else { size as u32 };
        out.write_all(if self.is_rf64() { b"RF64" } else { b"RIFF" })?;
        out.write_all(&size(self.riff()).to_le_bytes())?;
        out.write_all(b"WAVE")?;
        if self.is_rf64() {
            out.write_all(b"ds64")?;
            out.write_all(&DS64.to_le_bytes())?;
            for size in [self.riff() + u64::from(8 + DS64), self.data(), self.frames] {
                out.write_all(&size.to_le_bytes())?;
            }
            // No table: no chunk but `data` is larger than 4 GB.
            out.write_all(&0_u32.to_le_bytes())?;
        }
        self.write_format(out)?;
        if !self.integers() {
            out.write_all(b"fact")?;
            out.write_all(&4_u32.to_le_bytes())?;
            out.write_all(&size(self.frames).to_le_bytes())?;
        }
        out.write_all(b"data")?;
        out.write_all(&size(self.data()).to_le_bytes())
    }

    fn write_format(&self, out: &mut impl Write) -> io::Result<()> {
        let tag: u16 = if self.integers() { 1 } else { 3 };
        let bits = (self.bits() as u16).to_le_bytes();
        out.write_all(b"fmt ")?;
        out.write_all(&self.fmt().to_le_bytes())?;
        out.write_all(&if self.extensible() { 0xfffe } else { tag }.to_le_bytes())?;
        out.write_all(&self.channels.to_le_bytes())?;
        out.write_all(&self.rate.to_le_bytes())?;
        out.write_all(&self.rate.saturating_mul(self.frame()).to_le_bytes())?;
        out.write_all(&(self.frame() as u16).to_le_bytes())?;
        out.write_all(&bits)?;
        if self.extensible() {
            // Centre, or left and right; more pickups have no loudspeaker positions.
            let speakers: u32 = [0, 4, 3].get(usize::from(self.channels)).copied().unwrap_or(0);
            out.write_all(&22_u16.to_le_bytes())?;
            out.write_all(&bits)?;
            out.write_all(&speakers.to_le_bytes())?;
            out.write_all(&tag.to_le_bytes())?;
            out.write_all(&[0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])?;
        } else if !self.integers() {
            out.write_all(&0_u16.to_le_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SampleFormat::{Float32, Float64, Int16};

    fn written(format: SampleFormat, frames: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Header { format, channels: 1, rate: 44_100, frames }.write(&mut bytes).unwrap();
        bytes
    }

    fn short(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    /// The largest sound of the old form, and one frame more: 36 bytes lie between its size and that of the samples.
    #[test]
    fn sizes_beyond_32_bits_are_in_a_ds64_chunk() {
        let largest = (u64::from(u32::MAX) - 36 - 1) / 2;
        let old = written(Int16, largest);
        assert_eq!((&old[..4], old.len()), (&b"RIFF"[..], 44));
        assert_eq!((short(&old, 4), short(&old, 40)), (36 + 2 * largest as u32, 2 * largest as u32));

        let new = written(Int16, largest + 1);
        assert_eq!((&new[..4], &new[8..16], new.len()), (&b"RF64"[..], &b"WAVEds64"[..], 80));
        assert_eq!((short(&new, 4), short(&new, 16), short(&new, 76)), (u32::MAX, 28, u32::MAX));
        let data = 2 * (largest + 1);
        assert_eq!([20, 28, 36].map(|at| long(&new, at)), [80 - 8 + data, data, largest + 1]);
        assert_eq!((short(&new, 44), &new[48..52], &new[72..76]), (0, &b"fmt "[..], &b"data"[..]));
    }

    /// Ten hours of one channel of 64-bit floats: 12.7 GB; the chunk `fact` refers to `ds64`, too.
    #[test]
    fn the_count_of_float_samples_is_in_the_ds64_chunk() {
        let frames = 10 * 3600 * 44_100;
        let bytes = written(Float64, frames);
        let fact = bytes.windows(4).position(|name| name == b"fact").unwrap();
        assert_eq!(short(&bytes, fact + 8), u32::MAX);
        assert_eq!([28, 36].map(|at| long(&bytes, at)), [8 * frames, frames]);
        assert_eq!(long(&bytes, 20), bytes.len() as u64 - 8 + 8 * frames);
        let old = written(Float32, 1000);
        assert_eq!(short(&old, 4) as usize + 8, old.len() + 4000);
    }

    /// An odd size is followed by a byte that the size of the file counts, and that of the chunk does not.
    #[test]
    fn an_odd_size_is_padded() {
        let header = Header { format: SampleFormat::Int24, channels: 1, rate: 8000, frames: 3 };
        let mut bytes = Vec::new();
        header.write(&mut bytes).unwrap();
        assert_eq!(header.data(), 9);
        assert_eq!(short(&bytes, 4) as usize + 8, bytes.len() + 10);
        assert_eq!(short(&bytes, bytes.len() - 4), 9);
    }
}
