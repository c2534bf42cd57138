//! What the user should know of the level of a sound: too loud, too quiet, silent.

use crate::{mix::Bus, sound::Sound};
use hamiltone_numerics::math;
use hamiltone_plan::{Format, Level, Plan, output::DEFAULT_PEAK};
use std::ops::RangeInclusive;

/// Below this peak, dBFS, a sound at the reference level is called quiet.
const QUIET: f64 = -60.0;
/// The peaks, dBFS, that a scene of format 2 without a level may have without a word on format 3.
const USUAL: RangeInclusive<f64> = -20.0..=-3.0;

/// How the samples of a run are scaled.
pub fn level(plan: &Plan, sound: &Sound) -> String {
    match plan.output.level {
        Level::Normalised(_) if !sound.mix.is_normalised => Level::Reference(0.0).to_string(),
        level => level.to_string(),
    }
}

/// Where the scene does not say how, and they are normalised: how to fix their level.
pub fn fixed(plan: &Plan, sound: &Sound) -> Option<&'static str> {
    let normalised = matches!(plan.output.level, Level::Normalised(_)) && sound.mix.is_normalised;
    normalised.then_some("output.level = \"reference\" keeps the loudness from run to run")
}

/// What the next format would do with a sound of format 2 that is far louder or quieter than usual, where the scene states no
/// level.
pub fn of_next_format(plan: &Plan, sound: &Sound) -> Option<String> {
    if plan.format != Format::Two || plan.output.is_level_stated || sound.mix.peak() == 0.0 {
        return None;
    }
    let peak = 20.0 * math::log10(sound.mix.peak());
    let next = Level::Normalised(DEFAULT_PEAK);
    let sentence =
        format!("the peak is {peak:.1} dBFS; with hamiltone = 3 it would be {next}").replace('-', "−");
    (!USUAL.contains(&peak)).then_some(sentence)
}

/// The warnings.
pub fn warnings(plan: &Plan, sound: &Sound) -> Vec<String> {
    let mut warnings = Vec::new();
    if sound.peak == 0.0 && !sound.samples.is_empty() {
        warnings.push("the sound is silent: every pickup stayed at zero".into());
    } else if is_below_floor(plan, sound) {
        warnings.push(too_quiet(sound));
    } else if !sound.samples.is_empty() {
        warnings.extend(sound.mix.buses.iter().filter_map(|bus| of_bus(plan, bus)));
    }
    if sound.peak.is_subnormal() {
        warnings
            .push(format!("the sound is too small to be normalised: its largest sample is {:e}", sound.peak));
    }
    if sound.rate.fract() != 0.0 {
        warnings.push(format!(
            "sound files store integer sample rates only: {} Hz is written for {} Hz",
            sound.rate.round(),
            sound.rate
        ));
    }
    warnings
}

/// A sound that is below the noise floor.
fn is_below_floor(plan: &Plan, sound: &Sound) -> bool {
    matches!(plan.output.level, Level::Normalised(_)) && !sound.mix.is_normalised && sound.mix.peak() > 0.0
}

fn too_quiet(sound: &Sound) -> String {
    format!(
        "the sound is not normalised: its peak is {:.1} dBFS at the reference level, less than one step of a file of 24 bits; \
         where it is more than rounding, write level = \"peak {DEFAULT_PEAK} dBFS\" in [output]",
        20.0 * math::log10(sound.mix.peak())
    )
}

fn of_bus(plan: &Plan, bus: &Bus) -> Option<String> {
    let (level, integers) = (plan.output.level, plan.output.format.is_integer());
    let (name, peak) = (&bus.name, bus.peak_dbfs());
    // A reference level is for players; a gain or SI values in floats are for further computation.
    let clips = integers || matches!(level, Level::Reference(_));
    if bus.peak > 1.0 && clips && !matches!(level, Level::Peak(_) | Level::Normalised(_)) {
        let lost = match (integers, bus.clipped) {
            (true, 1) => "1 sample is clipped".into(),
            (true, clipped) => format!("{clipped} samples are clipped"),
            (false, _) => "players will clip it".into(),
        };
        let fix = correction(level, peak);
        return Some(format!("bus `{name}` exceeds full scale by {peak:.1} dB: {lost}; {fix}"));
    }
    if bus.peak == 0.0 {
        return Some(format!("bus `{name}` is silent: its pickups stayed at their first values"));
    }
    let quiet = matches!(level, Level::Reference(_)) && peak < QUIET;
    quiet.then(|| format!("bus `{name}` is quiet: its peak is {peak:.1} dBFS; {}", correction(level, peak)))
}

/// What to write for a peak of at most 0 dBFS.
fn correction(level: Level, peak: f64) -> String {
    let less = |db: f64| (db - peak).floor();
    let end = "in [output], or change the gain of the bus or of its pickups";
    match level {
        Level::Reference(db) => format!("write level = \"reference {} dB\" {end}", less(db)),
        Level::Gain(db) => format!("write level = \"gain {} dB\" {end}", less(db)),
        Level::Peak(_) | Level::Normalised(_) | Level::Raw => {
            "write level = \"peak -1 dBFS\" or a format of floats in [output]".into()
        }
    }
}
