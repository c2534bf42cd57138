//! What a page shows of an instrument before it is played.

use hamiltone_gestures::performance::Action;
use hamiltone_plan::{instrument::InstrumentPlan, parameter::ParameterPlan};
use hamiltone_play::Engine;
use serde_json::{Value, json};

/// Title, rate (Hz), channels of a frame, the samples by which the sound is behind, keys, controllers that it follows, whether it can be bent, and its parameters.
pub fn about(plan: &InstrumentPlan, engine: &Engine) -> Value {
    let follows = |number: &u8| engine.follows(Action::Control { number: *number, value: 1.0 });
    json!({
        "title": plan.plan.title,
        "rate": engine.rate(),
        "channels": engine.channels(),
        "delay": engine.delay(),
        "keys": plan.keys(),
        "controls": (0..120).filter(follows).collect::<Vec<u8>>(),
        "bends": engine.bends(),
        "parameters": engine.parameters().iter().map(parameter).collect::<Vec<Value>>(),
        "warnings": plan.plan.warnings,
    })
}

fn parameter(plan: &ParameterPlan) -> Value {
    json!({
        "name": plan.name,
        "about": plan.about,
        "unit": plan.unit.symbol(),
        "range": plan.range,
        "default": plan.default,
        "midi": plan.midi,
    })
}
