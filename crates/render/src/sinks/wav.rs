//! The sound as a WAV file.
//!
//! Its header is that of [`super::wav_header`]. Integers map ±1 to ±(2^(b−1) − 1) with triangular dither of ±1 step from a
//! fixed seed, and saturate; a silent sound has no dither. Floats are stored as they are scaled. The samples are read once
//! the run has ended and their peak is known.

use super::wav_header::Header;
use crate::{
    file::Staged,
    forecast::Forecast,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    sound::Sound,
    target::Target,
};
use hamiltone_core::state::Archive;
use hamiltone_numerics::math::canonical;
use hamiltone_scene::plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

/// The seed of the dither: fixed, so that equal sounds give equal files.
const SEED: u64 = 0x4861_6d69_6c74_6f6e;

/// Writes the sound to a file.
pub struct Wav {
    path: PathBuf,
    target: Option<Target>,
}

impl Wav {
    /// A sound that is written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), target: None }
    }
}

/// The size of the header, bytes, at most.
const HEADER: u128 = 128;

/// The size of the samples, bytes.
fn size(plan: &Plan) -> u128 {
    plan.frames as u128 * plan.pickups.len() as u128 * plan.output.format.bytes() as u128
}

impl Sink for Wav {
    fn forecast(&self, plan: &Plan) -> Forecast {
        Forecast { files: vec![(self.path.clone(), HEADER + size(plan))], ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let refuse = |reason: String| Err(SinkError { path: self.path.clone(), reason });
        if plan.pickups.is_empty() {
            return refuse("the scene has no pickup, so there is no sound to write".into());
        }
        // A frame has 16 bits for its size in the header.
        if plan.pickups.len() * plan.output.format.bytes() > usize::from(u16::MAX) {
            return refuse(format!(
                "{} channels of {} bytes are more than a WAV file can store: at most 65535 bytes a frame",
                plan.pickups.len(),
                plan.output.format.bytes()
            ));
        }
        self.target = Some(Target::create(&self.path)?);
        Ok(())
    }

    fn block(&mut self, _: &Plan, _: &Block) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(target) = self.target.take() else { return Ok(Vec::new()) };
        let write = |out: &mut BufWriter<File>| write(out, &outcome.sound, plan.output.format);
        Ok(vec![target.stage(outcome.ending, write)?])
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The samples are in the checkpoint of the run.
        Ok(())
    }
}

/// Writes a sound as a WAV file.
///
/// # Errors
/// Those of `out`, and where the samples cannot be read.
pub fn write(out: &mut impl Write, sound: &Sound, format: SampleFormat) -> io::Result<()> {
    let header = Header {
        format,
        channels: sound.channels as u16,
        rate: sound.rate.round() as u32,
        frames: sound.frames(),
    };
    header.write(out)?;
    samples(out, sound, format)?;
    out.write_all(&[0][..(header.data() % 2) as usize])
}

fn samples(out: &mut impl Write, sound: &Sound, format: SampleFormat) -> io::Result<()> {
    let mut dither = Dither(SEED);
    let full = f64::from((1_i32 << (8 * format.bytes().min(3) - 1)) - 1);
    let mut sample = |x: f64| match format {
        SampleFormat::Float64 => out.write_all(&x.to_le_bytes()),
        SampleFormat::Float32 => out.write_all(&(x as f32).to_le_bytes()),
        SampleFormat::Int16 | SampleFormat::Int24 => {
            let noise = if sound.peak > 0.0 { dither.next() } else { 0.0 };
            let level = (x * full + noise).round().clamp(-full - 1.0, full) as i32;
            out.write_all(&level.to_le_bytes()[..format.bytes()])
        }
    };
    sound.for_each(0..sound.frames(), |rows| {
        let scaled = rows.iter().zip(sound.factors.iter().cycle()).map(|(x, factor)| canonical(x * factor));
        scaled.into_iter().try_for_each(&mut sample)
    })
}

/// Triangular noise between −1 and 1: the difference of two uniform numbers from
/// SplitMix64 (Steele, Lea, Flood 2014).
struct Dither(u64);

impl Dither {
    fn next(&mut self) -> f64 {
        self.uniform() - self.uniform()
    }

    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dither_is_triangular_white_and_without_bias() {
        let mut dither = Dither(SEED);
        let n = 200_000;
        let noise: Vec<f64> = (0..n).map(|_| dither.next()).collect();
        let mean = noise.iter().sum::<f64>() / n as f64;
        let power = noise.iter().map(|x| x * x).sum::<f64>() / n as f64;
        let neighbours = noise.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n as f64;
        // Variance 1/6; the mean scatters by √(1/6n) = 9e-4, the power by √((1/15 − 1/36)/n) = 4.4e-4,
        // the product of neighbours by 1/(6√n) = 3.7e-4: five times each.
        assert!(mean.abs() < 4.6e-3 && (power - 1.0 / 6.0).abs() < 2.2e-3 && neighbours.abs() < 1.9e-3);
        assert!(noise.iter().all(|x| x.abs() < 1.0));
    }
}
