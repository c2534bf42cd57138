//! The head of a report: title, verdict, key numbers, warnings.

use super::{
    text::{count, grouped},
    verdict,
};
use crate::{
    document::{self, Tile},
    partials::{Partials, in_cents},
    plot::{escape, quantity},
};
use hamiltone_core::claims::Balance;
use hamiltone_render::{Outcome, Sound, loudness};
use hamiltone_scene::plan::Plan;

/// The head.
pub fn html(plan: &Plan, outcome: &Outcome, partials: &[Partials]) -> String {
    let source =
        plan.source.as_deref().map(|s| format!("<p class=\"source\">{}</p>", escape(s))).unwrap_or_default();
    format!(
        "<header><p class=\"brand\">Hamiltone</p><h1>{}</h1>{source}{}{}{}</header>",
        escape(&plan.title),
        verdict::html(plan, outcome),
        document::tiles(&tiles(plan, outcome, partials)),
        document::warnings(&outcome.warnings)
    )
}

fn tiles(plan: &Plan, outcome: &Outcome, partials: &[Partials]) -> Vec<Tile> {
    let audit = &outcome.audit;
    let planned = quantity(plan.frames as f64 / plan.sample_rate, "s");
    let (frames, steps) = (outcome.sound.frames(), audit.steps as f64);
    let ran = quantity(steps / plan.sample_rate / plan.oversampling as f64, "s");
    let whole = audit.steps == plan.steps();
    let samples = format!("{} at {} Hz", count(frames, "sample"), plan.sample_rate);
    let length = if whole { samples } else { format!("of {planned}: {samples}") };
    let rate = quantity(plan.internal_rate(), "Hz");
    let unit = plan.energy_unit();
    let claim = match outcome.balance {
        Balance::Exact { .. } => "claims an exact energy balance",
        Balance::Bounded => "claims a bounded energy balance",
    };
    let mut tiles = vec![
        ("Scheme", plan.scheme.name().to_string(), claim.to_string()),
        ("Duration", ran, length),
        ("Steps", grouped(audit.steps), format!("internal rate {rate}")),
        (
            "Peak energy",
            quantity(audit.energy_peak, unit),
            format!("{} at the end", quantity(audit.energy_final, unit)),
        ),
        (
            "Iterations",
            format!("{:.2}", audit.iterations as f64 / audit.steps.max(1) as f64),
            format!("mean per step, maximum {}", audit.iterations_max),
        ),
        ("Full scale", full_scale(plan, outcome), level(plan, &outcome.sound)),
    ];
    tiles.extend(partials.iter().find_map(pitch));
    tiles
}

/// The first pickup at full scale of the file.
fn full_scale(plan: &Plan, outcome: &Outcome) -> String {
    let mut pickups = plan.pickups.iter().zip(&outcome.sound.factors);
    let first = pickups.find(|(pickup, _)| pickup.mix.bus.is_some());
    first.map_or("–".into(), |(pickup, factor)| quantity(1.0 / factor, pickup.sound_unit()))
}

/// How samples are scaled, and the peak of each file.
fn level(plan: &Plan, sound: &Sound) -> String {
    let peaks = sound.mix.buses.iter().map(|bus| match bus.peak {
        0.0 => format!("{} silent", bus.name),
        _ => format!("{} {:.1} dBFS", bus.name, bus.peak_dbfs()).replace('-', "−"),
    });
    format!("{}; peak: {}", loudness::level(plan, sound), peaks.collect::<Vec<_>>().join(", "))
}

/// The frequency of the first partial of a body, and its deviation in cents.
fn pitch(partials: &Partials) -> Option<Tile> {
    let first = partials.list.first()?;
    let (measured, theory) = (first.measured?, first.theory?);
    let deviation = in_cents(measured, theory);
    let more = format!("{deviation} cents from theory ({theory:.3} Hz, {})", partials.body);
    Some(("Pitch", format!("{measured:.2} Hz"), more))
}
