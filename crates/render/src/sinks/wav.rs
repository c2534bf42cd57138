//! The sound as a WAV file.
//!
//! Its header is that of [`super::wav_header`], its integers are those of `pcm.rs`. Floats are stored as they are
//! mixed. The samples are read once the run has ended and their peak is known.

use super::{SoundSink, pcm::Quantiser, wav_header::Header};
use crate::{
    file::Staged,
    forecast::Forecast,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    sound::Sound,
    target::Target,
};
use hamiltone_core::state::Archive;
use hamiltone_scene::plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

/// Writes the sound of a bus to a file.
pub struct Wav {
    path: PathBuf,
    bus: usize,
    target: Option<Target>,
}

impl Wav {
    /// The first bus, written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::of_bus(path, 0)
    }

    /// The bus with this number in the plan, written to `path`.
    pub fn of_bus(path: impl Into<PathBuf>, bus: usize) -> Self {
        Self { path: path.into(), bus, target: None }
    }
}

/// The size of the header, bytes, at most.
const HEADER: u128 = 128;
/// How many bytes of samples are written at once.
const BUFFER: usize = 1 << 14;

impl Sink for Wav {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let frame = plan.channels(self.bus) * plan.output.format.bytes();
        let size = plan.frames as u128 * frame as u128;
        Forecast { files: vec![(self.path.clone(), HEADER + size)], ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let refuse = |reason: String| Err(SinkError { path: self.path.clone(), reason });
        let channels = plan.channels(self.bus);
        if channels == 0 {
            return refuse("no pickup is in this sound, so there is nothing to write".into());
        }
        // A frame has 16 bits for its size in the header.
        if channels * plan.output.format.bytes() > usize::from(u16::MAX) {
            return refuse(format!(
                "{channels} channels of {} bytes are more than a WAV file can store: at most 65535 bytes a frame",
                plan.output.format.bytes()
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
        self.stage(&outcome.sound, plan.output.format, outcome.ending)
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The samples are in the checkpoint of the run.
        Ok(())
    }
}

impl SoundSink for Wav {
    fn take_target(&mut self) -> Option<Target> {
        self.target.take()
    }

    fn write(&self, out: &mut BufWriter<File>, sound: &Sound, format: SampleFormat) -> io::Result<()> {
        write(out, sound, self.bus, format)
    }
}

/// Writes a bus of a sound as a WAV file.
///
/// # Errors
/// Those of `out`, and where the samples cannot be read.
pub fn write(out: &mut impl Write, sound: &Sound, bus: usize, format: SampleFormat) -> io::Result<()> {
    let channels = sound.mix.buses.get(bus).map_or(0, |bus| bus.channels.len());
    let header =
        Header { format, channels: channels as u16, rate: sound.rate.round() as u32, frames: sound.frames() };
    header.write(out)?;
    samples(out, sound, bus, format)?;
    out.write_all(&[0][..(header.data() % 2) as usize])
}

fn samples(out: &mut impl Write, sound: &Sound, number: usize, format: SampleFormat) -> io::Result<()> {
    let Some(bus) = sound.mix.buses.get(number) else { return Ok(()) };
    let mut quantiser = Quantiser::new(format, bus);
    let mut bytes = Vec::with_capacity(BUFFER + 8);
    let mut sample = |x: f64| {
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
            out.write_all(&bytes)?;
            bytes.clear();
        }
        io::Result::Ok(())
    };
    sound.mixed(number, sound.frames(), |row| row.iter().try_for_each(|x| sample(*x)))?;
    out.write_all(&bytes)
}
