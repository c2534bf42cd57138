//! Partials of a sound, and the shipped instruments that make them.

use hamiltone_numerics::math;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_report::measure::amplitude::amplitude;
use hamiltone_scene::{Limits, Set, instrument::Instrument};

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

/// The level of a sound, dB.
pub fn level(sound: &[f64]) -> f64 {
    10.0 * math::log10(sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64)
}

/// The decay time T60 of a partial, s: from its amplitudes in two windows of `window` s that lie one behind the other.
pub fn t60(sound: &[f64], rate: f64, frequency: f64, window: f64) -> f64 {
    let (first, rest) = sound.split_at((window * rate) as usize);
    let second = &rest[..first.len()];
    let [first, second] = [first, second].map(|part| amplitude(part, rate, frequency));
    let decibels = 20.0 * math::log10(first / second);
    60.0 * window / decibels
}
