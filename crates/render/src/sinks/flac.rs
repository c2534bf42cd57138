//! The sound as a FLAC file: the integers of the WAV file, losslessly compressed.

use super::{
    Stream,
    container::{Contained, Container},
    pcm::Quantiser,
};
use crate::{
    flac::{Encoder, Format, MAX_CHANNELS, MAX_FRAMES, MAX_RATE, largest},
    mix::Bus,
    sound::Sound,
};
use hamiltone_scene::plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::Path,
};

/// Writes the sound of a bus to a FLAC file.
pub type Flac = Contained<FlacFile>;

/// The container.
pub struct FlacFile;

/// What a file of so many channels holds.
fn format(rate: f64, channels: usize, format: SampleFormat) -> Format {
    Format { rate: rate.round() as u32, channels, bits: 8 * format.bytes() as u32 }
}

impl Container for FlacFile {
    fn size(plan: &Plan, bus: usize) -> u128 {
        let format = format(plan.sample_rate, plan.channels(bus), plan.output.format);
        largest(format, plan.frames as u128)
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
struct FlacStream<'w, W> {
    quantiser: Quantiser,
    encoder: Encoder<'w, W>,
    levels: Vec<i32>,
}

impl<'w, W: Write + Seek> FlacStream<'w, W> {
    fn new(out: &'w mut W, sound: &Sound, bus: usize, samples: SampleFormat) -> io::Result<Self> {
        let none = Bus::default();
        let bus = sound.mix.buses.get(bus).unwrap_or(&none);
        let channels = bus.channels.len();
        let encoder = Encoder::new(out, format(sound.rate, channels, samples))?;
        Ok(Self { quantiser: Quantiser::new(samples, bus), encoder, levels: vec![0; channels] })
    }
}

impl<W: Write + Seek> Stream for FlacStream<'_, W> {
    fn push(&mut self, frame: &[f64]) -> io::Result<()> {
        let Self { quantiser, encoder, levels } = self;
        levels.iter_mut().zip(frame).for_each(|(level, x)| *level = quantiser.next(*x));
        encoder.push(levels)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.encoder.finish()
    }
}
