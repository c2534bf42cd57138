//! Partials of a sound, and the shipped instruments that make them.

use hamiltone_numerics::math;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_scene::{Limits, Set, instrument::Instrument};
use std::f64::consts::PI;

/// The plan of a shipped instrument with changes.
pub fn shipped(name: &str, sets: &[&str], rate: f64) -> InstrumentPlan {
    let path = format!("{}/../../instruments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    let plan = Instrument::open(path, &sets, Limits::default()).and_then(|own| own.plan(rate, None));
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// The frequency of a key in equal temperament, Hz.
pub fn hz(key: u8) -> f64 {
    440.0 * math::pow(2.0, (f64::from(key) - 69.0) / 12.0)
}

/// The amplitude of the partial at a frequency (Hz), under a window of Hann.
pub fn amplitude(sound: &[f64], rate: f64, frequency: f64) -> f64 {
    let n = sound.len() as f64;
    let sum = sound.iter().enumerate().fold((0.0, 0.0), |(c, s), (i, x)| {
        let window = 1.0 - math::cos(2.0 * PI * i as f64 / n);
        let phase = 2.0 * PI * frequency * i as f64 / rate;
        (c + window * x * math::cos(phase), s + window * x * math::sin(phase))
    });
    2.0 / n * (sum.0 * sum.0 + sum.1 * sum.1).sqrt()
}

/// The decay time T60 of a partial, s: from its amplitudes in two windows of `window` s that lie one behind the other.
pub fn t60(sound: &[f64], rate: f64, frequency: f64, window: f64) -> f64 {
    let (first, rest) = sound.split_at((window * rate) as usize);
    let second = &rest[..first.len()];
    let [first, second] = [first, second].map(|part| amplitude(part, rate, frequency));
    let decibels = 20.0 * math::log10(first / second);
    60.0 * window / decibels
}
