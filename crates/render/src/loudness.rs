//! What the user should know of the level of a sound: too loud, too quiet, silent.

use crate::{mix::Bus, sound::Sound};
use hamiltone_scene::plan::{Level, Plan};

/// Below this peak, dBFS, a sound at the reference level is called quiet.
const QUIET: f64 = -60.0;

/// The warnings.
pub fn warnings(plan: &Plan, sound: &Sound) -> Vec<String> {
    let mut warnings = Vec::new();
    if sound.peak == 0.0 && !sound.samples.is_empty() {
        warnings.push("the sound is silent: every pickup stayed at zero".into());
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

fn of_bus(plan: &Plan, bus: &Bus) -> Option<String> {
    let (level, integers) = (plan.output.level, plan.output.format.is_integer());
    let (name, peak) = (&bus.name, bus.peak_dbfs());
    // A reference level is for players; a gain or SI values in floats are for further computation.
    let told = integers || matches!(level, Level::Reference(_));
    if bus.peak > 1.0 && told && !matches!(level, Level::Peak(_)) {
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
        Level::Peak(_) | Level::Raw => {
            "write level = \"peak -1 dBFS\" or a format of floats in [output]".into()
        }
    }
}
