//! The sound as a WAV file.
//!
//! RIFF with a `fmt ` chunk (tag 1 integer, 3 float, or 0xFFFE extensible beyond two
//! channels or 16 bits of integer), a `fact` chunk for floats, and `data`. Integers
//! map ±1 to ±(2^(b−1) − 1) with triangular dither of ±1 step from a fixed seed, and
//! saturate; a silent sound has no dither. Floats are stored as they are scaled.
//!
//! The sound of a run that failed is `NAME.failed.wav`; the `NAME.wav` of an earlier run stays. The sound of a good run is
//! `NAME.wav`, and removes `NAME.failed.wav`.

use crate::{
    file::{Pending, Staged, check_target},
    forecast::Forecast,
    outcome::Outcome,
    sink::{Block, Sink, SinkError},
    sound::Sound,
};
use hamiltone_numerics::math::canonical;
use hamiltone_scene::plan::{Plan, SampleFormat};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The seed of the dither: fixed, so that equal sounds give equal files.
const SEED: u64 = 0x4861_6d69_6c74_6f6e;

/// Writes the sound to a file.
pub struct Wav {
    path: PathBuf,
    file: Option<Pending>,
}

impl Wav {
    /// A sound that is written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), file: None }
    }
}

/// The size of the header, bytes, at most.
const HEADER: u128 = 80;

/// The size of the samples, bytes.
fn size(plan: &Plan) -> u128 {
    plan.frames as u128 * plan.pickups.len() as u128 * plan.output.format.bytes() as u128
}

impl Sink for Wav {
    fn forecast(&self, plan: &Plan) -> Forecast {
        Forecast { memory: 0, files: vec![(self.path.clone(), HEADER + size(plan))] }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let refuse = |reason: String| Err(SinkError { path: self.path.clone(), reason });
        let bytes = size(plan);
        if plan.pickups.is_empty() {
            return refuse("the scene has no pickup, so there is no sound to write".into());
        }
        if plan.pickups.len() > usize::from(u16::MAX) {
            return refuse(format!("{} channels are more than a WAV file can store", plan.pickups.len()));
        }
        if bytes > u128::from(u32::MAX) - 128 {
            return refuse(format!(
                "{:.1} GB of samples are more than a WAV file can store (4 GB)",
                bytes as f64 / 1e9
            ));
        }
        check_target(&failed_name(&self.path))?;
        self.file = Some(Pending::create(&self.path)?);
        Ok(())
    }

    fn block(&mut self, _: &Plan, _: &Block) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(mut file) = self.file.take() else { return Ok(Vec::new()) };
        let failed = failed_name(&self.path);
        if !outcome.ok {
            file = Pending::create(&failed)?;
        }
        let complete = file.stage(|out| write(out, &outcome.sound, plan.output.format))?;
        Ok(vec![if outcome.ok { complete.in_place_of(failed) } else { complete }])
    }
}

/// The name of the sound of a failed run: `.failed` before the extension.
pub fn failed_name(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".failed");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Writes a sound as a WAV file.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut impl Write, sound: &Sound, format: SampleFormat) -> io::Result<()> {
    let (bits, integers) =
        (8 * format.bytes() as u32, matches!(format, SampleFormat::Int16 | SampleFormat::Int24));
    let (channels, frame) = (sound.channels as u16, sound.channels as u32 * bits / 8);
    let data = sound.frames() as u32 * frame;
    let tag: u16 = if integers { 1 } else { 3 };
    let extensible = channels > 2 || (integers && bits > 16);
    let fmt: u32 = if extensible { 40 } else { 16 + 2 * u32::from(!integers) };
    let fact: u32 = if integers { 0 } else { 12 };
    let rate = sound.rate.round() as u32;

    out.write_all(b"RIFF")?;
    out.write_all(&(4 + 8 + fmt + fact + 8 + data + data % 2).to_le_bytes())?;
    out.write_all(b"WAVEfmt ")?;
    out.write_all(&fmt.to_le_bytes())?;
    out.write_all(&if extensible { 0xfffe } else { tag }.to_le_bytes())?;
    out.write_all(&channels.to_le_bytes())?;
    out.write_all(&rate.to_le_bytes())?;
    out.write_all(&rate.saturating_mul(frame).to_le_bytes())?;
    out.write_all(&(frame as u16).to_le_bytes())?;
    out.write_all(&(bits as u16).to_le_bytes())?;
    if extensible {
        // Centre, or left and right; more pickups have no loudspeaker positions.
        let speakers: u32 = [0, 4, 3].get(sound.channels).copied().unwrap_or(0);
        out.write_all(&22_u16.to_le_bytes())?;
        out.write_all(&(bits as u16).to_le_bytes())?;
        out.write_all(&speakers.to_le_bytes())?;
        out.write_all(&tag.to_le_bytes())?;
        out.write_all(&[0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])?;
    } else if !integers {
        out.write_all(&0_u16.to_le_bytes())?;
    }
    if !integers {
        out.write_all(b"fact")?;
        out.write_all(&4_u32.to_le_bytes())?;
        out.write_all(&(sound.frames() as u32).to_le_bytes())?;
    }
    out.write_all(b"data")?;
    out.write_all(&data.to_le_bytes())?;
    samples(out, sound, format)?;
    out.write_all(&[0][..(data % 2) as usize])
}

fn samples(out: &mut impl Write, sound: &Sound, format: SampleFormat) -> io::Result<()> {
    let mut dither = Dither(SEED);
    for x in sound.scaled().map(canonical) {
        match format {
            SampleFormat::Float64 => out.write_all(&x.to_le_bytes())?,
            SampleFormat::Float32 => out.write_all(&(x as f32).to_le_bytes())?,
            SampleFormat::Int16 | SampleFormat::Int24 => {
                let full = f64::from((1_i32 << (8 * format.bytes() - 1)) - 1);
                let noise = if sound.peak > 0.0 { dither.next() } else { 0.0 };
                let level = (x * full + noise).round().clamp(-full - 1.0, full) as i32;
                out.write_all(&level.to_le_bytes()[..format.bytes()])?;
            }
        }
    }
    Ok(())
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

    #[test]
    fn a_failed_name_keeps_its_extension() {
        assert_eq!(failed_name(Path::new("out/reed.wav")), Path::new("out/reed.failed.wav"));
        assert_eq!(failed_name(Path::new("reed")), Path::new("reed.failed"));
    }
}
