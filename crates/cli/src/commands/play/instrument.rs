//! The instrument that plays, from its file and the options of the command line.

use super::arguments::PlayArguments;
use crate::{failure::Failure, progress};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::Engine;
use hamiltone_scene::{
    Limits,
    instrument::{Cache, Instrument, preset},
};
use hamiltone_study::music;
use std::path::Path;

/// The plan of an instrument, with what else the command line asks for.
///
/// # Errors
/// All that is wrong with it, with the preset or with the tuning.
pub fn prepare(
    instrument: Instrument,
    path: &Path,
    arguments: &PlayArguments,
    limits: &Limits,
) -> Result<InstrumentPlan, Failure> {
    let keyboard = arguments.keyboard.as_deref();
    let tuning = arguments.tuning.as_ref().map(|scale| music::tuning(scale, keyboard, limits)).transpose()?;
    let frequency = tuning.map(|tuning| move |key: f64| tuning.at(key).unwrap_or(f64::NAN));
    let mut plan = progress::waiting(arguments.quiet, progress::PREPARING_INSTRUMENT, || {
        let rate = f64::from(arguments.rate);
        match &frequency {
            None => instrument.cached(rate, Cache::of_user().as_ref()),
            Some(frequency) => instrument.plan(rate, Some(frequency)),
        }
    })?;
    if let Some(curve) = &arguments.velocity_curve {
        plan.velocity_curve = curve.clone();
    }
    if let Some(curve) = &arguments.pedal_curve {
        plan.pedal_curve = curve.clone();
    }
    if let Some(name) = &arguments.preset {
        let preset = preset::read(&preset::find(path, name)?, &plan.parameters)?;
        plan.begin_with(&preset.values);
    }
    Ok(plan)
}

/// The instrument of a plan, at rest.
///
/// # Errors
/// Where it cannot be played.
pub fn engine(plan: &InstrumentPlan) -> Result<Engine, Failure> {
    let engine = Engine::new(plan).map_err(|error| Failure::Other(error.to_string()))?;
    Ok(engine.on_all_cores())
}
