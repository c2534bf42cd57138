//! What is known of a scene before a render, as a dict.

use crate::errors::run_error;
use hamiltone_core::body::Solved;
use hamiltone_render::{
    forecast::{forecast, sound},
    options::Storage,
    run::{Rehearsed, rehearse},
    tuning::{Tuning, discrete, stepped},
};
use hamiltone_scene::{Plan, plan::BodyPlan};
use hamiltone_schemes::eigenfrequencies;
use hamiltone_study::clock::thread_seconds;
use pyo3::{prelude::*, types::PyDict};
use std::f64::consts::TAU;

/// Steps are timed for so long, s of processor time.
const TIMED: f64 = 0.1;
/// How many eigenfrequencies of a body are told.
const SHOWN: usize = 16;

/// The dict of a plan.
///
/// # Errors
/// Where the scheme refuses the system.
pub fn dict<'py>(py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("title", &plan.title)?;
    dict.set_item("scheme", plan.scheme.name())?;
    dict.set_item("sample_rate", plan.sample_rate)?;
    dict.set_item("oversampling", plan.oversampling)?;
    dict.set_item("rate", plan.internal_rate())?;
    dict.set_item("steps", plan.steps())?;
    dict.set_item("duration", plan.frames as f64 / plan.sample_rate)?;
    dict.set_item("degrees_of_freedom", plan.system.size())?;
    dict.set_item("bodies", plan.bodies.iter().map(|body| &body.name).collect::<Vec<_>>())?;
    dict.set_item("contacts", plan.contacts.iter().map(|contact| &contact.name).collect::<Vec<_>>())?;
    dict.set_item("drives", plan.drives.iter().map(|drive| &drive.name).collect::<Vec<_>>())?;
    dict.set_item("pickups", plan.pickups.iter().map(|pickup| &pickup.name).collect::<Vec<_>>())?;
    dict.set_item("choices", &plan.choices)?;
    dict.set_item("solved", solved(py, plan)?)?;
    frequencies(&dict, plan)?;
    cost(&dict, plan)?;
    let tuning = py.detach(|| Tuning::of(plan));
    dict.set_item("tuning", tuning.sentence())?;
    dict.set_item("tuning_verdict", tuning.verdict().word())?;
    dict.set_item("warnings", plan.warnings.iter().cloned().chain(tuning.warning(plan)).collect::<Vec<_>>())?;
    Ok(dict)
}

/// By body and name what was found for it: (value, SI unit).
fn solved<'py>(py: Python<'py>, plan: &Plan) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for body in plan.bodies.iter().filter(|body| !body.solved.is_empty()) {
        let own = PyDict::new(py);
        body.solved
            .iter()
            .try_for_each(|Solved { name, value, unit }| own.set_item(*name, (*value, *unit)))?;
        all.set_item(&body.name, own)?;
    }
    Ok(all)
}

/// The lowest eigenfrequencies by body, Hz, as the time step sounds them, and ω_max·Δt with its limit.
fn frequencies(dict: &Bound<'_, PyDict>, plan: &Plan) -> PyResult<()> {
    let (py, by_body) = (dict.py(), PyDict::new(dict.py()));
    let of = |body: &BodyPlan| -> Vec<f64> {
        let all = discrete(plan, body, SHOWN).into_iter();
        all.map(|f| stepped(plan, f).unwrap_or(f)).collect()
    };
    for body in &plan.bodies {
        by_body.set_item(&body.name, py.detach(|| of(body)))?;
    }
    dict.set_item("frequencies", by_body)?;
    let highest = py.detach(|| eigenfrequencies::highest(&plan.system));
    dict.set_item("highest_frequency", highest / TAU)?;
    dict.set_item("omega_dt", highest / plan.internal_rate())?;
    dict.set_item("omega_dt_limit", plan.scheme.claims().limit)
}

/// What a render takes: a part of its steps is timed.
fn cost(dict: &Bound<'_, PyDict>, plan: &Plan) -> PyResult<()> {
    let begin = thread_seconds();
    let (mut first, mut done, mut spent) = (None, 0, 0.0);
    let mut go_on = |rehearsed: Rehearsed| {
        let now = thread_seconds();
        let first = *first.get_or_insert(now);
        (done, spent) = (rehearsed.done, now - first);
        rehearsed.done < rehearsed.all && spent < TIMED
    };
    dict.py().detach(|| rehearse(plan, &mut go_on)).map_err(|error| run_error(&error))?;
    let preparation = first.map_or(0.0, |first| first - begin);
    let step = spent / done.max(1) as f64;
    dict.set_item("step_seconds", step)?;
    dict.set_item("preparation_seconds", preparation)?;
    dict.set_item("render_seconds", preparation + step * plan.steps() as f64)?;
    dict.set_item("memory_bytes", forecast(plan, &Storage::Memory, []).memory)?;
    dict.set_item("sound_bytes", sound(plan))
}
