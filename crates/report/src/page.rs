//! The report's page.

use crate::{
    charts::section::Section,
    partials::{Partials, in_cents},
    plot::{STYLE, escape, panel, quantity},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use hamiltone_core::claims::Balance;
use hamiltone_render::{
    Ending, Outcome, SinkError, Sound,
    sinks::{audit::json, wav},
};
use hamiltone_scene::plan::{Level, Plan, SampleFormat};
use serde_json::Value;
use std::fmt::Write;

/// The longest sound that is embedded in the page, s.
const MAX_PLAYBACK: f64 = 30.0;

/// The whole page.
///
/// # Errors
/// Where the sound cannot be read.
pub fn html(
    plan: &Plan,
    outcome: &Outcome,
    sections: &[Section],
    partials: &[Partials],
    scene: &str,
) -> Result<String, SinkError> {
    let title = escape(&plan.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title} – Hamiltone</title>\
         <style>{}{STYLE}</style></head><body><main>",
        include_str!("style.css")
    );
    page.push_str(&head(plan, outcome, partials, &title));
    page.push_str(&player(&outcome.sound)?);
    for section in sections {
        let _ = write!(
            page,
            "<section><h2>{}</h2><p class=\"note\">{}</p>",
            section.title,
            escape(&section.note)
        );
        page.push_str("<div class=\"charts\">");
        for chart in &section.charts {
            let class = if chart.size.0 > 800.0 { "chart wide" } else { "chart" };
            let _ = write!(page, "<figure class=\"{class}\">{}</figure>", panel(chart, 0.0, 0.0));
        }
        page.push_str("</div>");
        page.push_str(&numbers(&section.table));
        page.push_str("</section>");
    }
    page.push_str(&table(plan, outcome));
    let _ = writeln!(
        page,
        "<section><h2>Scene</h2><details open><summary>{title}</summary><pre>{}</pre></details></section>\
         <footer>Hamiltone {} · scene {}</footer></main></body></html>",
        escape(scene),
        env!("CARGO_PKG_VERSION"),
        escape(&plan.scene_sha256)
    );
    Ok(page)
}

fn head(plan: &Plan, outcome: &Outcome, partials: &[Partials], title: &str) -> String {
    let audit = &outcome.audit;
    let source =
        plan.source.as_deref().map(|s| format!("<p class=\"source\">{}</p>", escape(s))).unwrap_or_default();
    let (class, word, why) = verdict(outcome, plan.energy_unit());
    let planned = quantity(plan.frames as f64 / plan.sample_rate, "s");
    let (frames, steps) = (outcome.sound.frames(), audit.steps as f64);
    let ran = quantity(steps / plan.sample_rate / plan.oversampling as f64, "s");
    let whole = audit.steps == plan.steps();
    let samples = format!("{} at {} Hz", count(frames, "sample"), plan.sample_rate);
    let length = if whole { samples } else { format!("of {planned}: {samples}") };
    let rate = quantity(plan.internal_rate(), "Hz");
    let unit = plan.energy_unit();
    let level = match plan.output.level {
        Level::Peak(db) => format!("normalised to {db} dBFS").replace('-', "−"),
        Level::Gain(db) => format!("gain {db} dB").replace('-', "−"),
        Level::Raw => "SI values, not normalised".into(),
    };
    let claim = match outcome.balance {
        Balance::Exact => "claims an exact energy balance",
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
        ("Full scale", full_scale(plan, outcome), level),
    ];
    tiles.extend(partials.iter().find_map(pitch));
    let mut out = format!(
        "<header><p class=\"brand\">Hamiltone</p><h1>{title}</h1>{source}\
         <div class=\"verdict {class}\"><strong>{word}</strong><span>{}</span></div><div class=\"tiles\">",
        escape(&why)
    );
    for (name, value, more) in tiles {
        let (value, more) = (escape(&value), escape(&more));
        let _ = write!(out, "<div class=\"tile\"><h3>{name}</h3><b>{value}</b><small>{more}</small></div>");
    }
    out.push_str("</div>");
    for warning in &outcome.warnings {
        let _ = write!(out, "<p class=\"warning\">{}</p>", escape(warning));
    }
    out.push_str("</header>");
    out
}

/// The first pickup at full scale of the file.
fn full_scale(plan: &Plan, outcome: &Outcome) -> String {
    let first = plan.pickups.first().zip(outcome.sound.factors.first());
    first.map_or("–".into(), |(pickup, factor)| quantity(1.0 / factor, pickup.unit))
}

/// The frequency of the first partial of a body, and its deviation in cents.
fn pitch(partials: &Partials) -> Option<(&'static str, String, String)> {
    let first = partials.list.first()?;
    let (measured, theory) = (first.measured?, first.theory?);
    let deviation = in_cents(measured, theory);
    let more = format!("{deviation} cents from theory ({theory:.3} Hz, {})", partials.body);
    Some(("Pitch", format!("{measured:.2} Hz"), more))
}

/// A table of numbers, the heading first.
fn numbers(rows: &[Vec<String>]) -> String {
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let cells = |tag: &str, row: &[String]| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
    };
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
    format!(
        "<div class=\"scroll numbers\"><table><thead><tr>{}</tr></thead><tbody>{rows}</tbody></table></div>",
        cells("th", head)
    )
}

/// The run's verdict: its class, a word and a sentence.
fn verdict(outcome: &Outcome, unit: &str) -> (&'static str, &'static str, String) {
    let audit = &outcome.audit;
    let (residual, tolerance) = (audit.residual_max_relative(), outcome.tolerance);
    let numbers = format!("largest relative energy residual {residual:.1e} (tolerance {tolerance:.1e})");
    if outcome.ending == Ending::Interrupted {
        let steps = count(audit.steps, "step");
        return (
            "bad",
            "Interrupted",
            format!("The run was interrupted after {steps}; up to there: {numbers}."),
        );
    }
    match (audit.fault, outcome.ok, outcome.balance) {
        (Some((step, fault)), ..) => ("bad", "Failed", format!("step {step}: {fault}")),
        (None, true, Balance::Exact) => (
            "good",
            "Energy balance exact to rounding error",
            format!("{}: {numbers}.", count(audit.steps, "step")),
        ),
        (None, true, Balance::Bounded) => (
            "good",
            "Energy balance within its bound",
            format!("The scheme claims a bounded balance: {numbers}."),
        ),
        (None, false, _) if !outcome.passivity.holds() && audit.ok(outcome.tolerance) => {
            ("bad", "Energy gained", outcome.passivity.gain(unit).unwrap_or_default())
        }
        (None, false, _) => {
            ("bad", "Energy balance violated", format!("{}: {numbers}.", count(audit.steps, "step")))
        }
    }
}

fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// Digits in groups of three.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join("\u{202f}")
}

/// The sound, embedded in the page and normalised for playback.
fn player(sound: &Sound) -> Result<String, SinkError> {
    if sound.peak == 0.0 || sound.samples.is_empty() {
        return Ok("<section class=\"player\"><p class=\"note\">The sound is silent.</p></section>".into());
    }
    let channels = sound.channels.min(2);
    let frames = sound.frames().min((MAX_PLAYBACK * sound.rate) as u64);
    let mut samples = Vec::new();
    sound.for_each(0..frames, |rows| {
        samples.extend(rows.chunks_exact(sound.channels).flat_map(|row| row[..channels].iter().copied()));
        Ok::<(), SinkError>(())
    })?;
    let scaled = samples.iter().zip(sound.factors[..channels].iter().cycle()).map(|(x, factor)| x * factor);
    let peak = scaled.fold(f64::MIN_POSITIVE, |a, x| a.max(x.abs()));
    let played = Sound {
        rate: sound.rate,
        channels,
        factors: sound.factors[..channels].iter().map(|factor| factor * (0.89 / peak)).collect(),
        samples: samples.into(),
        peak: sound.peak,
        ..Sound::default()
    };
    let mut bytes = Vec::new();
    if wav::write(&mut bytes, &played, SampleFormat::Int16).is_err() {
        return Ok(String::new());
    }
    let part = if frames < sound.frames() { format!("the first {MAX_PLAYBACK} s, ") } else { String::new() };
    let which = if channels < sound.channels { "the first two channels, " } else { "" };
    Ok(format!(
        "<section class=\"player\"><audio controls preload=\"auto\" src=\"data:audio/wav;base64,{}\"></audio>\
         <p class=\"note\">Playback: {part}{which}16 bits, normalised to −1 dBFS independently of the file.</p></section>",
        BASE64_STANDARD.encode(bytes)
    ))
}

fn table(plan: &Plan, outcome: &Outcome) -> String {
    let mut out = "<section><h2>Energy audit</h2><div class=\"scroll\"><table><tbody>".to_string();
    if let Value::Object(audit) = json(plan, outcome) {
        // Contacts have a table of their own.
        for (name, value) in audit.into_iter().filter(|(name, _)| name != "contacts") {
            let _ = write!(out, "<tr><th>{}</th><td>{}</td></tr>", escape(&name), escape(&words(&value)));
        }
    }
    out.push_str("</tbody></table></div></section>");
    out
}

/// A value of the audit as text.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".into(),
        Value::Array(items) if items.is_empty() => "none".into(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => fields.values().map(words).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}
