//! Scenes as texts: what is wrong with them, their sound with its report, or the plan of an instrument.
//!
//! Files that a scene names are read from the folder `/` of the module's file system (WASI).

#![expect(unsafe_code, reason = "names that are exported and one that is imported; no address is read")]

use crate::exchange::{GOOD, NOT_GOOD, WRONG, answer, input};
use hamiltone_render::{
    Options, Outcome, Sink,
    forecast::forecast,
    options::Storage,
    run_with,
    sinks::{audit, wav},
};
use hamiltone_report::ReportPage;
use hamiltone_scene::{
    Diagnostics, Plan, Scene,
    instrument::Instrument,
    schema::{instrument_schema, schema},
};
use serde_json::{Value, json};
use std::{cell::RefCell, path::Path};

/// The memory that the sound and the report of a render may take, of the 4 GB that a module can have.
const MEMORY: u128 = 1_000_000_000;

#[link(wasm_import_module = "hamiltone")]
unsafe extern "C" {
    /// Told once a block: steps done, and all.
    safe fn progress(done: f64, all: f64);
}

thread_local! {
    static RENDERED: RefCell<Option<(Plan, Outcome, String)>> = const { RefCell::new(None) };
}

/// The scene that is the input.
fn scene() -> Scene {
    Scene::new(&String::from_utf8_lossy(&input()), "scene.toml", Path::new("/"), &[])
}

/// Everything that is wrong, as JSON.
fn problems(diagnostics: &Diagnostics) -> String {
    let problem = |located: hamiltone_scene::document::diagnostics::Located| {
        let (line, column) = located.place.unzip();
        json!({ "line": line, "column": column, "field": located.field, "message": located.message, "help": located.help })
    };
    json!({ "problems": diagnostics.located().into_iter().map(problem).collect::<Vec<Value>>() }).to_string()
}

/// A problem that has no place in the text.
fn problem(message: &str) -> String {
    json!({ "problems": [{ "message": message, "help": "" }] }).to_string()
}

/// The JSON Schema of scenes (0) or instruments (1), in the answer.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_schema(kind: u32) -> i32 {
    answer((if kind == 0 { schema() } else { instrument_schema() }).to_string(), GOOD)
}

/// Reads the scene that is the input: 0, or 2 with `problems` as JSON in the answer, each with line, column, field, message and help. Of an instrument 1:
/// it is read by [`hamiltone_plan`], which takes seconds.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_check() -> i32 {
    let scene = scene();
    if scene.is_instrument() {
        return NOT_GOOD;
    }
    match scene.plan() {
        Ok(plan) => answer(json!({ "title": plan.title, "warnings": plan.warnings }).to_string(), GOOD),
        Err(diagnostics) => answer(problems(&diagnostics), WRONG),
    }
}

/// Renders the scene that is the input: 0 where the verdict is green or amber, 1 where it is red, both with `audit`, `reason` and `buses` as JSON in the
/// answer; 2 with `problems`.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_render() -> i32 {
    RENDERED.set(None);
    let scene = scene();
    let mut page = ReportPage::new(scene.text());
    let plan = match scene.plan() {
        Ok(plan) => plan,
        Err(diagnostics) => return answer(problems(&diagnostics), WRONG),
    };
    let memory = forecast(&plan, &Storage::Memory, [page.forecast(&plan)]).memory;
    if memory > MEMORY {
        let asked = memory as f64 / 1e9;
        return answer(
            problem(&format!(
                "the render would take {asked:.1} GB of memory, and 1 GB is allowed here: shorten `run.duration`"
            )),
            WRONG,
        );
    }
    let mut told = |done: u64, all: u64| progress(done as f64, all as f64);
    match run_with(&plan, &mut [&mut page], &mut told, Options::default()) {
        Ok(outcome) => {
            let buses: Vec<&String> = outcome.sound.mix.buses.iter().map(|bus| &bus.name).collect();
            let audit = audit::json(&plan, &outcome);
            let about =
                json!({ "audit": audit, "reason": outcome.reason(&plan), "buses": buses }).to_string();
            let status = if outcome.ok { GOOD } else { NOT_GOOD };
            RENDERED.set(Some((plan, outcome, page.html)));
            answer(about, status)
        }
        Err(error) => answer(problem(&error.to_string()), WRONG),
    }
}

/// The sound of a bus of the last render as a WAV file, in the answer: the bytes that `hamiltone render` writes. 1 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_sound(bus: usize) -> i32 {
    RENDERED.with_borrow(|rendered| {
        let Some((plan, outcome, _)) = rendered else { return NOT_GOOD };
        let mut bytes = Vec::new();
        match wav::write(&mut bytes, &outcome.sound, bus, plan.output.format) {
            Ok(()) => answer(bytes, GOOD),
            Err(error) => answer(error.to_string(), NOT_GOOD),
        }
    })
}

/// The report of the last render, a page of its own, in the answer. 1 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_report() -> i32 {
    RENDERED.with_borrow(|rendered| {
        rendered.as_ref().map_or(NOT_GOOD, |(.., page)| answer(page.as_bytes(), GOOD))
    })
}

/// The plan of the instrument that is the input, at a rate (Hz), in the answer: what the player loads. 2 with `problems`.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_plan(rate: f64) -> i32 {
    let plan = match Instrument::from(scene()).plan(rate, None) {
        Ok(mut plan) => {
            // The names of its files are of no use to a player.
            plan.plan.inputs.clear();
            plan
        }
        Err(diagnostics) => return answer(problems(&diagnostics), WRONG),
    };
    match plan.to_bytes() {
        Some(bytes) => answer(bytes, GOOD),
        None => answer(problem("the instrument has a part that plans cannot keep"), WRONG),
    }
}
