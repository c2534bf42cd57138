//! The sound as a FLAC file (RFC 9639): the integers of the WAV file, losslessly compressed to a tenth to a half of its size.
//!
//! `flac-codec` writes it with fixed predictors only: linear predictors, whose coefficients depend on floating-point arithmetic, are
//! off. One logarithm is left, ⌈log₂(Σ|e|/n)⌉ for the Rice parameter of n ≤ 2¹² residuals |e| < 2²⁹. The ratio is 2ᵏ, whose
//! logarithm is exact, or differs from it by more than 2⁻⁴¹ of it; logarithms of systems err by about 2⁻⁴⁸ there. So the same samples
//! give the same bytes on every machine. One block is in memory at a time, and 24 bytes for each block before.

use super::{
    Stream,
    container::{Contained, Container},
    pcm::Quantiser,
};
use crate::{mix::Bus, sound::Sound};
use flac_codec::{
    Error,
    encode::{FlacSampleWriter, Options},
};
use hamiltone_plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::Path,
};

/// The bytes before the first frame: `fLaC`, and the header and the 34 bytes of STREAMINFO.
const HEADER: u128 = 42;
/// The samples of a block; only the last one has fewer.
const BLOCK: u16 = 4096;
/// The largest p of the 2ᵖ parts of a block that have Rice parameters of their own, as far as the encoder has it.
const MAX_PARTITION_ORDER: u32 = 6;
/// The most channels.
const MAX_CHANNELS: usize = 8;
/// The highest sample rate, Hz: 20 bits.
const MAX_RATE: u32 = (1 << 20) - 1;
/// The most samples of a channel: 36 bits.
const MAX_FRAMES: u64 = (1 << 36) - 1;

/// Writes the sound of a bus to a FLAC file.
pub type Flac = Contained<FlacFile>;

/// The container.
pub struct FlacFile;

impl Container for FlacFile {
    fn size(plan: &Plan, bus: usize) -> u128 {
        // Samples as they are, and the headers and checksums of blocks.
        let (channels, frames) = (plan.channels(bus) as u128, plan.frames as u128);
        let samples = channels * plan.output.format.bytes() as u128 * frames;
        HEADER + samples + frames.div_ceil(u128::from(BLOCK)) * (20 + channels)
    }

    fn check(plan: &Plan, bus: usize, path: &Path) -> Result<(), String> {
        let (channels, wav) = (plan.channels(bus), path.with_extension("wav"));
        let other = format!("or write a WAV file, {}", wav.display());
        if !plan.output.format.is_integer() {
            return Err(format!(
                "FLAC stores integers, not floats: write format = \"24-bit\" in [output], {other}"
            ));
        }
        if channels > MAX_CHANNELS {
            return Err(format!(
                "FLAC stores at most {MAX_CHANNELS} channels, not {channels}: write channels = \"stereo\" in [output], {other}"
            ));
        }
        if plan.sample_rate.round() > f64::from(MAX_RATE) || plan.sample_rate.round() < 1.0 {
            return Err(format!(
                "FLAC stores sample rates of 1 to {MAX_RATE} Hz, not {} Hz: use a lower rate, {other}",
                plan.sample_rate
            ));
        }
        if plan.frames as u64 > MAX_FRAMES {
            return Err(format!(
                "FLAC stores at most {MAX_FRAMES} samples: render a shorter duration, {other}"
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
        Ok(Box::new(FlacStream::new(out, sound, bus, format)?))
    }
}

/// Writes a bus of a sound as a FLAC stream of 16 or 24 bits at the beginning of `out`.
///
/// # Errors
/// Those of `out`, and where the samples cannot be read.
pub fn write(
    out: &mut (impl Write + Seek),
    sound: &Sound,
    bus: usize,
    format: SampleFormat,
) -> io::Result<()> {
    let mut stream = Box::new(FlacStream::new(out, sound, bus, format)?);
    sound.mixed(sound.frames(), |number, frame| if number == bus { stream.push(frame) } else { Ok(()) })?;
    stream.finish()
}

/// A FLAC file that is being written.
struct FlacStream<'w, W: Write + Seek> {
    quantiser: Quantiser,
    encoder: FlacSampleWriter<&'w mut W>,
    levels: Vec<i32>,
}

impl<'w, W: Write + Seek> FlacStream<'w, W> {
    fn new(out: &'w mut W, sound: &Sound, bus: usize, samples: SampleFormat) -> io::Result<Self> {
        let none = Bus::default();
        let bus = sound.mix.buses.get(bus).unwrap_or(&none);
        let (channels, rate) = (bus.channels.len(), sound.rate.round() as u32);
        let options = Options::default().no_padding().no_seektable().block_size(BLOCK);
        let options = options.and_then(|options| options.max_lpc_order(None));
        let options = options.and_then(|options| options.max_partition_order(MAX_PARTITION_ORDER));
        let options = options.map_err(io::Error::other)?;
        let bits = 8 * samples.bytes() as u32;
        let encoder = FlacSampleWriter::new(out, options, rate, bits, channels as u8, None).map_err(plain)?;
        Ok(Self { quantiser: Quantiser::new(samples, bus), encoder, levels: vec![0; channels] })
    }
}

impl<W: Write + Seek> Stream for FlacStream<'_, W> {
    fn push(&mut self, frame: &[f64]) -> io::Result<()> {
        let Self { quantiser, encoder, levels } = self;
        levels.iter_mut().zip(frame).for_each(|(level, x)| *level = quantiser.next(*x));
        encoder.write(levels).map_err(plain)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        match self.encoder.finalize() {
            // The header of an empty stream is written.
            Err(Error::NoSamples) => Ok(()),
            written => written.map_err(plain),
        }
    }
}

/// An error of the file system as it was, with its kind and words.
fn plain(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}
