//! The sound as a WAV file.
//!
//! Its header is that of [`super::wav_header`], its integers are those of `pcm.rs`. Floats are stored as they are
//! mixed. The samples are read once the run has ended and their peak is known.

use super::{
    Stream,
    container::{Contained, Container},
    pcm::Quantiser,
    wav_header::Header,
};
use crate::{mix::Bus, sound::Sound};
use hamiltone_plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes the sound of a bus to a WAV file.
pub type Wav = Contained<WavFile>;

/// The container.
pub struct WavFile;

/// The size of the header, bytes, at most.
const HEADER: u128 = 128;
/// How many bytes of samples are written at once.
const BUFFER: usize = 1 << 14;

impl Container for WavFile {
    fn size(plan: &Plan, bus: usize) -> u128 {
        let frame = plan.channels(bus) * plan.output.format.bytes();
        HEADER + plan.frames as u128 * frame as u128
    }

    fn check(plan: &Plan, bus: usize, _: &Path) -> Result<(), String> {
        let (channels, bytes) = (plan.channels(bus), plan.output.format.bytes());
        // A frame has 16 bits for its size in the header.
        if channels * bytes > usize::from(u16::MAX) {
            return Err(format!(
                "{channels} channels of {bytes} bytes are more than a WAV file can store: at most 65535 bytes a frame"
            ));
        }
        Ok(())
    }

    fn begin<'w>(
        out: &'w mut BufWriter<File>,
        sound: &Sound,
        bus: usize,
        format: SampleFormat,
    ) -> io::Result<Box<dyn Stream + 'w>> {
        Ok(Box::new(WavStream::new(out, sound, bus, format)?))
    }
}

/// Writes a bus of a sound as a WAV file.
///
/// # Errors
/// Those of `out`, and where the samples cannot be read.
pub fn write(out: &mut impl Write, sound: &Sound, bus: usize, format: SampleFormat) -> io::Result<()> {
    let mut stream = Box::new(WavStream::new(out, sound, bus, format)?);
    sound.mixed(sound.frames(), |number, frame| if number == bus { stream.push(frame) } else { Ok(()) })?;
    stream.finish()
}

/// Writes all buses of a sound as WAV files, one each, in one reading of its samples.
///
/// # Errors
/// Those of the files, and where the samples cannot be read.
pub fn write_all(files: &mut [impl Write], sound: &Sound, format: SampleFormat) -> io::Result<()> {
    let files = files.iter_mut().enumerate();
    let streams = files.map(|(bus, out)| WavStream::new(out, sound, bus, format).map(Box::new));
    let mut streams = streams.collect::<io::Result<Vec<_>>>()?;
    sound.mixed(sound.frames(), |bus, frame| {
        streams.get_mut(bus).map_or(Ok(()), |stream| stream.push(frame))
    })?;
    streams.into_iter().try_for_each(Stream::finish)
}

/// A WAV file that is being written.
struct WavStream<'w, W> {
    out: &'w mut W,
    format: SampleFormat,
    quantiser: Quantiser,
    bytes: Vec<u8>,
    /// Whether the samples have an odd number of bytes, and one more follows.
    is_odd: bool,
}

impl<'w, W: Write> WavStream<'w, W> {
    /// Writes the header.
    fn new(out: &'w mut W, sound: &Sound, bus: usize, format: SampleFormat) -> io::Result<Self> {
        let none = Bus::default();
        let bus = sound.mix.buses.get(bus).unwrap_or(&none);
        let (channels, rate) = (bus.channels.len() as u16, sound.rate.round() as u32);
        let header = Header { format, channels, rate, frames: sound.frames() };
        header.write(out)?;
        let bytes = Vec::with_capacity(BUFFER + 8);
        Ok(Self {
            out,
            format,
            quantiser: Quantiser::new(format, bus),
            bytes,
            is_odd: header.data() % 2 == 1,
        })
    }
}

impl<W: Write> Stream for WavStream<'_, W> {
    fn push(&mut self, frame: &[f64]) -> io::Result<()> {
        let Self { out, format, quantiser, bytes, .. } = self;
        for &x in frame {
            match format {
                SampleFormat::Float64 => bytes.extend(x.to_le_bytes()),
                SampleFormat::Float32 => bytes.extend((x as f32).to_le_bytes()),
                SampleFormat::Int24 => {
                    let [low, middle, high, _] = quantiser.next(x).to_le_bytes();
                    bytes.extend([low, middle, high]);
                }
                SampleFormat::Int16 => {
                    let [low, high, ..] = quantiser.next(x).to_le_bytes();
                    bytes.extend([low, high]);
                }
            }
            if bytes.len() >= BUFFER {
                out.write_all(bytes)?;
                bytes.clear();
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.out.write_all(&[0][..usize::from(self.is_odd)])
    }
}
