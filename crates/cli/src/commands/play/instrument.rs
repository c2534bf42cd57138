//! The instrument that plays, from its file and the options of the command line.

use super::{arguments::PlayArguments, music};
use crate::{failure::Failure, progress};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::Engine;
use hamiltone_scene::{
    Limits, Set,
    instrument::{Instrument, Tuning},
};
use std::path::Path;

/// The plan of an instrument in a file, with `sets` and what else the command line asks for.
pub fn prepare(
    path: &Path,
    sets: &[Set],
    arguments: &PlayArguments,
    limits: &Limits,
) -> Result<InstrumentPlan, Failure> {
    let format = arguments.format.as_ref().map(|format| Set::option("output.format", "--format", format));
    let sets: Vec<Set> = sets.iter().cloned().chain(format).collect();
    let instrument = Instrument::open(path, &sets, limits.clone())?;
    let tuning = music::tuning(arguments, limits)?;
    let frequency = tuning.map(|tuning| move |key: f64| tuning.at(key).unwrap_or(f64::NAN));
    let mut plan = progress::waiting(arguments.quiet, progress::PREPARING_INSTRUMENT, || {
        instrument.plan(f64::from(arguments.rate), frequency.as_ref().map(|of| of as &Tuning<'_>))
    })?;
    if let Some(curve) = &arguments.velocity_curve {
        plan.velocity_curve = curve.clone();
    }
    if let Some(curve) = &arguments.pedal_curve {
        plan.pedal_curve = curve.clone();
    }
    Ok(plan)
}

/// The instrument of a plan, at rest.
pub fn engine(plan: &InstrumentPlan) -> Result<Engine, Failure> {
    let engine = Engine::new(plan).map_err(|error| Failure::Other(error.to_string()))?;
    Ok(engine.on_all_cores())
}
