//! A force from a sound file: u(t) = gain·x(t·f_file), x being one channel with full
//! scale ±1.
//!
//! Between samples runs Catmull and Rom's cubic, which meets every sample exactly,
//!
//!   x(i + a) = xᵢ + ½a(xᵢ₊₁ − xᵢ₋₁ + a(2xᵢ₋₁ − 5xᵢ + 4xᵢ₊₁ − xᵢ₊₂ + a(3(xᵢ − xᵢ₊₁) + xᵢ₊₂ − xᵢ₋₁)))
//!
//! Before the first and after the last sample it is silent.

use super::{
    driving::Driving,
    envelope::{ENVELOPE, shaped},
    float64::{self, Float64},
};
use hamiltone_core::parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values};
use hamiltone_plan::Signal;
use hound::{SampleFormat, WavReader};
use std::path::Path;

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "wav",
        summary: "a force read from a WAV file (8 to 32-bit integers, 32 or 64-bit floating point)",
        equation: "u(t) = gain·x(t·f_file),  x of full scale ±1; Catmull–Rom cubic between samples",
        source: "–",
        parameters: &[
            Parameter {
                name: "file",
                takes: Takes::File,
                absent: Absent::Required,
                doc: "the WAV file, relative to the scene; it starts at t = 0 and is resampled to the internal rate",
            },
            Parameter {
                name: "gain",
                takes: Takes::Number(Role::Drive, Range::ANY),
                absent: Absent::Number(1.0),
                doc: "the force at full scale (in Pa on a body per unit area)",
            },
            Parameter {
                name: "channel",
                takes: Takes::Number(Role::Count, Range::from(1.0)),
                absent: Absent::Number(1.0),
                doc: "which channel of the file, the first being 1",
            },
            ENVELOPE,
        ],
        rules: &[],
    },
    make: |values| shaped(Sampled::open(values)?, values),
};

struct Sampled {
    samples: Vec<f64>,
    rate: f64,
}

impl Sampled {
    fn open(values: &Values) -> Result<Self, Complaint> {
        let path = Path::new(values.word("file").unwrap_or_default());
        let unreadable = |e: &dyn std::fmt::Display| {
            Complaint::new("file", format!("cannot be read as WAV: {} ({e})", path.display()))
        };
        // A pipe or device would wait for ever, and a folder opens on some systems.
        if !path.metadata().map_err(|e| unreadable(&e))?.is_file() {
            return Err(unreadable(&"it is not a plain file"));
        }
        let (rate, channels, samples) = read(path).map_err(|e| unreadable(&e))?;
        if rate == 0.0 {
            return Err(unreadable(&"its sample rate is 0 Hz, but must be > 0"));
        }
        let (gain, channel) = (values.required("gain")?, values.count("channel").unwrap_or(1));
        if channel > channels {
            return Err(Complaint::new(
                "channel",
                format!("is {channel}, but the file has channels 1 to {channels}"),
            )
            .help("name one of them, or leave it out for the first"));
        }
        if let Some(i) = samples.iter().position(|x| !x.is_finite()) {
            return Err(unreadable(&format!("sample {} is not a finite number", i / channels.max(1))));
        }
        let samples = samples.into_iter().skip(channel - 1).step_by(channels.max(1)).map(|x| gain * x);
        Ok(Self { samples: samples.collect(), rate })
    }
}

/// Rate (Hz), channels and samples of a file, full scale ±1.
pub(crate) fn read(path: &Path) -> Result<(f64, usize, Vec<f64>), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    if let Some(read) = float64::read(&bytes) {
        let Float64 { rate, channels, samples } = read?;
        return Ok((f64::from(rate), usize::from(channels), samples));
    }
    let reader = WavReader::new(bytes.as_slice()).map_err(|e| e.to_string())?;
    let spec = reader.spec();
    let full = f64::from(2_u32.pow(u32::from(spec.bits_per_sample.clamp(1, 32)) - 1));
    let samples: Result<Vec<f64>, hound::Error> = match spec.sample_format {
        SampleFormat::Float => reader.into_samples::<f32>().map(|x| x.map(f64::from)).collect(),
        SampleFormat::Int => reader.into_samples::<i32>().map(|x| x.map(|x| f64::from(x) / full)).collect(),
    };
    Ok((f64::from(spec.sample_rate), usize::from(spec.channels), samples.map_err(|e| e.to_string())?))
}

impl Signal for Sampled {
    fn value(&self, t: f64) -> f64 {
        let position = t * self.rate;
        let i = position.floor();
        let a = position - i;
        let at = |k: f64| {
            if i + k < 0.0 { 0.0 } else { self.samples.get((i + k) as usize).copied().unwrap_or(0.0) }
        };
        let [p, x, n, f] = [at(-1.0), at(0.0), at(1.0), at(2.0)];
        x + 0.5 * a * (n - p + a * (2.0 * p - 5.0 * x + 4.0 * n - f + a * (3.0 * (x - n) + f - p)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cubic_meets_samples_and_keeps_parabolas() {
        let parabola = |t: f64| 1.0 + t * (2.0 - 0.5 * t);
        let signal = Sampled { samples: (0..9).map(|i| parabola(f64::from(i))).collect(), rate: 1.0 };
        for i in 0..9 {
            assert_eq!(signal.value(f64::from(i)), parabola(f64::from(i)));
        }
        // Exact for polynomials of degree 2 away from the ends; all values are dyadic, so not even rounding shows.
        for i in 4..24 {
            let t = f64::from(i) / 4.0;
            assert_eq!(signal.value(t), parabola(t));
        }
        assert_eq!(signal.value(100.0), 0.0);
    }

    #[test]
    fn a_file_is_scaled_and_its_channel_chosen() {
        let path = std::env::temp_dir().join(format!("hamiltone-drive-{}.wav", std::process::id()));
        let spec = hound::WavSpec {
            channels: 2,
            sample_rate: 8000,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        for (left, right) in [(0_i16, 16384_i16), (1, -32768)] {
            writer.write_sample(left).unwrap();
            writer.write_sample(right).unwrap();
        }
        writer.finalize().unwrap();
        let mut values = Values::defaults(ENTRY.kind.parameters);
        values.set("file", path.display().to_string());
        values.set("gain", 10.0);
        values.set("channel", 2.0);
        let Ok(Driving::Force(signal)) = ENTRY.build(&values) else { panic!("no force") };
        assert_eq!([signal.value(0.0), signal.value(1.0 / 8000.0)], [5.0, -10.0]);
        values.set("channel", 3.0);
        assert!(ENTRY.build(&values).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
