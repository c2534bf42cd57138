//! The sound as a FLAC file: the integers of the WAV file, losslessly compressed.

use super::{SoundSink, Stream, pcm::Quantiser, stage};
use crate::{
    file::{Pending, Staged},
    flac::{Encoder, Format, MAX_CHANNELS, MAX_FRAMES, MAX_RATE, largest},
    forecast::Forecast,
    mix::Bus,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    sound::Sound,
    target::{Ending, Target},
};
use hamiltone_core::state::Archive;
use hamiltone_scene::plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::PathBuf,
};

/// Writes the sound of a bus to a file.
pub struct Flac {
    path: PathBuf,
    bus: usize,
    target: Option<Target>,
}

impl Flac {
    /// The first bus, written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::of_bus(path, 0)
    }

    /// The bus with this number in the plan, written to `path`.
    pub fn of_bus(path: impl Into<PathBuf>, bus: usize) -> Self {
        Self { path: path.into(), bus, target: None }
    }
}

/// What a file of so many channels holds.
fn format(rate: f64, channels: usize, format: SampleFormat) -> Format {
    Format { rate: rate.round() as u32, channels, bits: 8 * format.bytes() as u32 }
}

impl Sink for Flac {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let format = format(plan.sample_rate, plan.channels(self.bus), plan.output.format);
        let size = largest(format, plan.frames as u128);
        Forecast { files: vec![(self.path.clone(), size)], ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let refuse = |reason: String| Err(SinkError { path: self.path.clone(), reason });
        let (channels, wav) = (plan.channels(self.bus), self.path.with_extension("wav"));
        let other = format!("or write a WAV file, {}", wav.display());
        if channels == 0 {
            return refuse("no pickup is in this sound, so there is nothing to write".into());
        }
        if !plan.output.format.is_integer() {
            return refuse(format!(
                "FLAC stores integers, not floats: write format = \"24-bit\" in [output], {other}"
            ));
        }
        if channels > MAX_CHANNELS {
            return refuse(format!(
                "FLAC stores at most {MAX_CHANNELS} channels, not {channels}: write channels = \"stereo\" in [output], {other}"
            ));
        }
        if plan.sample_rate.round() > f64::from(MAX_RATE) || plan.sample_rate.round() < 1.0 {
            return refuse(format!(
                "FLAC stores sample rates of 1 to {MAX_RATE} Hz, not {} Hz: use a lower rate, {other}",
                plan.sample_rate
            ));
        }
        if plan.frames as u64 > MAX_FRAMES {
            return refuse(format!(
                "FLAC stores at most {MAX_FRAMES} samples: render a shorter duration, {other}"
            ));
        }
        self.target = Some(Target::create(&self.path)?);
        Ok(())
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn block(&mut self, _: &Plan, _: &Block) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        stage(&mut [self], &outcome.sound, plan.output.format, outcome.ending)
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The samples are in the checkpoint of the run.
        Ok(())
    }
}

impl SoundSink for Flac {
    fn bus(&self) -> usize {
        self.bus
    }

    fn take(&mut self, ending: Ending) -> Result<Option<Pending>, SinkError> {
        self.target.take().map(|target| target.pending(ending)).transpose()
    }

    fn begin<'w>(
        &self,
        out: &'w mut BufWriter<File>,
        sound: &Sound,
        format: SampleFormat,
    ) -> io::Result<Box<dyn Stream + 'w>> {
        Ok(Box::new(FlacStream::new(out, sound, self.bus, format)?))
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
