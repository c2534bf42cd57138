//! FLAC streams (RFC 9639) of 16 or 24 bits: lossless, for the sounds of this project a tenth to a half of the size of WAV.
//!
//! | part | what it is |
//! |---|---|
//! | `bits.rs` | bits, most significant first, and the checksums CRC-8 and CRC-16 |
//! | `rice.rs` | residuals in Rice codes with a parameter for each partition |
//! | `subframe.rs` | one channel of a block: constant, verbatim, or the best fixed predictor of order 0 … 4 |
//! | `frame.rs` | one block: left and right, or their sum and difference, with header and checksum |
//!
//! It is the part of the format that whole numbers describe: no predictor with coefficients, whose choice would depend on
//! floating-point arithmetic. The same samples give the same bytes on every machine, one block is in memory at a time, and
//! every rate and number of channels of the format is there.

mod bits;
mod frame;
mod rice;
mod subframe;

use frame::{BLOCK, Coding};
use md5::{Digest, Md5};
use std::io::{self, Seek, SeekFrom, Write};

/// The bytes before the first frame: `fLaC`, and the header and the 34 bytes of STREAMINFO.
pub const HEADER: u64 = 42;
/// The most channels.
pub const MAX_CHANNELS: usize = 8;
/// The highest sample rate, Hz: 20 bits.
pub const MAX_RATE: u32 = (1 << 20) - 1;
/// The most frames of a stream whose length is stated: 36 bits.
pub const MAX_FRAMES: u64 = (1 << 36) - 1;

/// What a stream holds.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The sample rate, Hz, at most [`MAX_RATE`].
    pub rate: u32,
    /// The number of channels, 1 to [`MAX_CHANNELS`].
    pub channels: usize,
    /// The bits of a sample, 16 or 24.
    pub bits: u32,
}

/// The most bytes of a stream of so many frames: samples as they are, and the headers and checksums of blocks.
pub fn largest(format: Format, frames: u128) -> u128 {
    let frame = format.channels as u128 * u128::from(format.bits) / 8;
    u128::from(HEADER) + frames * frame + frames.div_ceil(BLOCK as u128) * (20 + format.channels as u128)
}

/// Writes a stream, frame by frame.
pub struct Encoder<'w, W> {
    out: &'w mut W,
    format: Format,
    /// The samples of the block so far, channel by channel.
    block: Vec<Vec<i32>>,
    /// The bytes of a frame that is written.
    bytes: Vec<u8>,
    /// How many blocks are written.
    blocks: u64,
    /// How many samples each channel has in them.
    samples: u64,
    /// The smallest and the largest frame, bytes.
    sizes: Option<(u32, u32)>,
    /// Of all samples, interleaved, little-endian.
    digest: Md5,
}

impl<'w, W: Write + Seek> Encoder<'w, W> {
    /// Begins a stream. Its header is written by [`Encoder::finish`].
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(out: &'w mut W, format: Format) -> io::Result<Self> {
        out.write_all(&[0; HEADER as usize])?;
        let block = vec![Vec::with_capacity(BLOCK); format.channels];
        Ok(Self {
            out,
            format,
            block,
            bytes: Vec::new(),
            blocks: 0,
            samples: 0,
            sizes: None,
            digest: Md5::new(),
        })
    }

    /// Takes one sample of each channel.
    ///
    /// # Errors
    /// Those of writing.
    pub fn push(&mut self, row: &[i32]) -> io::Result<()> {
        for (channel, x) in self.block.iter_mut().zip(row) {
            channel.push(*x);
            self.digest.update(&x.to_le_bytes()[..self.format.bits as usize / 8]);
        }
        if self.block.first().is_some_and(|channel| channel.len() == BLOCK) { self.write() } else { Ok(()) }
    }

    /// Writes the block.
    fn write(&mut self) -> io::Result<()> {
        let length = self.block.first().map_or(0, Vec::len);
        if length == 0 {
            return Ok(());
        }
        self.bytes.clear();
        Coding::best(&self.block, self.format.bits).write(&mut self.bytes, self.format.rate, self.blocks);
        self.out.write_all(&self.bytes)?;
        let size = self.bytes.len() as u32;
        let (least, most) = self.sizes.unwrap_or((size, size));
        self.sizes = Some((least.min(size), most.max(size)));
        self.blocks += 1;
        self.samples += length as u64;
        self.block.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// Writes what is left, and the header.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.write()?;
        let Format { rate, channels, bits } = self.format;
        let (least, most) = self.sizes.unwrap_or_default();
        let mut header = b"fLaC".to_vec();
        // STREAMINFO, the last block of metadata, 34 bytes.
        header.extend([0x80, 0, 0, 34]);
        header.extend([BLOCK as u16; 2].map(u16::to_be_bytes).concat());
        header.extend([least, most].into_iter().flat_map(|size| size.to_be_bytes()[1..].to_vec()));
        let samples = if self.samples > MAX_FRAMES { 0 } else { self.samples };
        let packed =
            u64::from(rate) << 44 | (channels as u64 - 1) << 41 | u64::from(bits - 1) << 36 | samples;
        header.extend(packed.to_be_bytes());
        header.extend(self.digest.finalize());
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        self.out.seek(SeekFrom::End(0)).map(|_| ())
    }
}
