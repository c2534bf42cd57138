//! `hamiltone check` of an instrument: its keys, parts, gestures, memory, pitch and cost.

use super::{
    level::output,
    voices::{self, Key, VoiceFindings},
};
use crate::{
    exit,
    failure::Failure,
    numbers::two_digits,
    output::{say, tell},
    progress,
    resources::peak_memory,
};
use hamiltone_gestures::note::Note;
use hamiltone_plan::{
    instrument::InstrumentPlan,
    notes::{Levels, Unit},
    parameter::ParameterPlan,
};
use hamiltone_scene::{instrument::Instrument, limits::size, units::plain};
use std::time::Duration;

/// Prints the properties of an instrument.
///
/// # Errors
/// Invalid input, or an instrument that cannot be played.
pub fn run(instrument: Instrument, rate: u32, budget: f64) -> Result<u8, Failure> {
    let limit = Duration::from_secs_f64(budget);
    let found =
        progress::waiting(false, progress::CHECKING, || voices::find(instrument, f64::from(rate), limit));
    let found = found.map_err(|error| format!("the check cannot be started: {error}"))??;
    let more = format!("it took longer than the budget of {} s; --budget SECONDS gives more", plain(budget));
    let Some((plan, preparing)) = &found.plan else {
        say!("left out: all, since reading the instrument and finding its modes takes time; {more}");
        return Ok(exit::FAILED);
    };
    describe(plan, &found);
    say!("  output       {}", output(&plan.plan));
    say!("  tuning       {}", tuning(plan, &found));
    say!("  cost         {}", cost(&found, *preparing));
    say!("  sha256       {}", plan.plan.scene_sha256);
    plan.plan.warnings.iter().for_each(|warning| say!("warning: {warning}"));
    if let Some(refusal) = &found.refusal {
        return Err(Failure::Other(refusal.clone()));
    }
    let missing = &plan.keys()[found.keys.len().min(plan.keys().len())..];
    let missing = match missing {
        [] if found.together.is_some() => None,
        [first, .., last] => Some(format!("the keys {} to {}", name(*first), name(*last))),
        [only] => Some(format!("the key {}", name(*only))),
        [] => Some("the cost of all at once".into()),
    };
    if let Some(missing) = missing {
        say!("left out: {missing}; {more}");
    }
    let unbalanced: Vec<String> =
        found.keys.iter().filter(|key| !key.is_balanced).map(|key| name(key.key)).collect();
    if unbalanced.is_empty() {
        return Ok(exit::OK);
    }
    tell!("error: a part loses its energy balance or is muted by a note on {}", unbalanced.join(", "));
    Ok(exit::FAILED)
}

/// The name of a key.
fn name(key: u8) -> String {
    Note::of_key(key).to_string()
}

/// Title, keys, model, parts and gestures.
fn describe(instrument: &InstrumentPlan, found: &VoiceFindings) {
    let plan = &instrument.plan;
    say!("{}", plan.title);
    if let Some(source) = &plan.source {
        say!("  source       {source}");
    }
    let (keys, units) = (instrument.keys(), instrument.notes.units.len());
    let own_key = |unit: &Unit| unit.count(&instrument.notes.programs) == 1;
    let of = match instrument.notes.units.iter().all(own_key) {
        true => String::new(),
        false => {
            format!(", on {} with the open keys {}", count(units, "string", "strings"), open(instrument))
        }
    };
    let compass = match &keys[..] {
        [first, .., last] => format!(", {} to {}", name(*first), name(*last)),
        [only] => format!(", {}", name(*only)),
        [] => String::new(),
    };
    say!("  keys         {}{compass}{of}", count(keys.len(), "key", "keys"));
    say!(
        "  model        {} of {}, {}, {}",
        count(plan.system.size(), "degree of freedom", "degrees of freedom"),
        count(plan.bodies.len(), "body", "bodies"),
        count(plan.system.elements.len(), "contact", "contacts"),
        count(plan.pickups.len(), "pickup", "pickups"),
    );
    if let (Some(least), Some(most)) = (found.parts.iter().min(), found.parts.iter().max()) {
        let steps = if least == most { most.to_string() } else { format!("{least} to {most}") };
        say!(
            "  parts        {}, which nothing connects, of `{}` with {steps} {} a sample at {} Hz",
            count(found.parts.len(), "part", "parts"),
            plan.scheme.name(),
            if steps == "1" { "step" } else { "steps" },
            plain(plan.sample_rate),
        );
    }
    say!("  gestures     {} for {}", instrument.gestures.len(), answered(instrument, found.bends).join(", "));
    for parameter in &instrument.parameters {
        let ParameterPlan { name, about, unit, range: [min, max], default, midi, .. } = parameter;
        let midi = midi.map_or(String::new(), |number| format!("; controller {number}"));
        let [min, max, default] = [min, max, default].map(|value| plain(*value).replace('-', "−"));
        say!("  parameter    {name}: {about}, {min} to {max} {unit}, {default} at first{midi}");
    }
    plan.choices.iter().for_each(|choice| say!("  chosen       {choice}"));
}

/// So many of something.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The lowest key of each string.
fn open(instrument: &InstrumentPlan) -> String {
    let lowest = instrument.notes.units.iter().filter_map(|unit| unit.keys.first());
    lowest.map(|note| name(note.key)).collect::<Vec<_>>().join(", ")
}

/// What the instrument answers to.
fn answered(instrument: &InstrumentPlan, bends: bool) -> Vec<&'static str> {
    let units = &instrument.notes.units;
    let notes = || units.iter().flat_map(|unit| &unit.keys);
    let acts = |levels: &Levels| !levels.is_empty();
    [
        ("strokes", notes().any(|note| acts(&note.on[0]))),
        ("slurs", notes().any(|note| acts(&note.slur))),
        ("notes that give way", notes().any(|note| acts(&note.give_way))),
        ("releases", notes().any(|note| acts(&note.off))),
        ("the soft pedal", notes().any(|note| note.on[0] != note.on[1])),
        ("the sustain pedal by its position", units.iter().any(|unit| acts(&unit.pedal_move))),
        (
            "the sustain pedal",
            units.iter().any(|unit| !unit.pedal_down.is_empty() || !unit.pedal_up.is_empty()),
        ),
        ("pressure", notes().any(|note| acts(&note.pressure))),
        ("controllers", notes().any(|note| note.controllers.iter().any(|(_, levels)| acts(levels)))),
        ("programs", instrument.notes.has_programs()),
        ("pitch bend", bends),
        (
            "vibrato",
            bends && instrument.vibrato.depth > 0.0
                || instrument.vibrato.pressure > 0.0 && instrument.plan.system.is_blown(),
        ),
    ]
    .into_iter()
    .filter_map(|(what, does)| does.then_some(what))
    .collect()
}

/// How far the keys that were played sound from equal temperament.
fn tuning(instrument: &InstrumentPlan, found: &VoiceFindings) -> String {
    if !instrument.is_tuned {
        return "no formula asks for the frequency of a key".into();
    }
    let measured: Vec<(u8, f64)> = found.keys.iter().filter_map(|key| Some((key.key, key.cents?))).collect();
    let Some((worst, cents)) = measured.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) else {
        return "left out".into();
    };
    let silent: Vec<String> =
        found.keys.iter().filter(|key| key.cents.is_none()).map(|key| name(key.key)).collect();
    let silent = match &silent[..] {
        [] => String::new(),
        keys => format!("; no pitch is heard near the frequency of {}", keys.join(", ")),
    };
    // Without the sign of a zero.
    let cents = (10.0 * cents).round() / 10.0 + 0.0;
    let mean = measured.iter().map(|(_, cents)| cents.abs()).sum::<f64>() / measured.len() as f64;
    format!(
        "pitch as it sounds, of {}: {cents:+.1} cents at most ({}), {mean:.1} on average; A4 = {} Hz{silent}",
        count(measured.len(), "key", "keys"),
        name(*worst),
        plain(instrument.a4),
    )
    .replace('-', "−")
}

/// Processor time and memory.
fn cost(found: &VoiceFindings, preparing: f64) -> String {
    let mut parts = Vec::new();
    let percent = |cost: f64| format!("{} %", two_digits(100.0 * cost));
    if let Some(Key { key, cost, .. }) = found.keys.iter().max_by(|a, b| a.cost.total_cmp(&b.cost)) {
        let mean = found.keys.iter().map(|key| key.cost).sum::<f64>() / found.keys.len() as f64;
        let dearest =
            format!("{} of a core on average, {} at most ({})", percent(mean), percent(*cost), name(*key));
        parts.push(format!("a note {dearest}"));
    }
    if let Some(together) = found.together {
        parts.push(format!("all at once {}", percent(together)));
    }
    parts.push(format!("{} s to prepare", two_digits(preparing)));
    parts.extend(found.memory.or_else(peak_memory).map(|used| format!("{} of memory", size(used))));
    parts.join("; ")
}
