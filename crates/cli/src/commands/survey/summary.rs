//! The summary of a survey: ranges, what stands out, and apart from these what depends on the machine.

use crate::{numbers::two_digits, output::say};
use hamiltone_report::plot::decimals;
use hamiltone_scene::units::plain;
use hamiltone_study::survey::{
    Survey,
    findings::OUT_OF_TUNE,
    stroke::{BLOCK, Stroke},
};

/// How many lines of one kind are printed.
const LINES: usize = 3;

/// Prints what was found in a survey that took so many seconds.
pub fn print(found: &Survey, seconds: f64) {
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let compass = match &found.keys[..] {
        [first, .., last] => format!(", {} to {}", found.label(*first), found.label(*last)),
        [only] => format!(", {}", found.label(*only)),
        [] => String::new(),
    };
    let velocities: Vec<String> = found.velocities.iter().map(u8::to_string).collect();
    say!("{}", found.title);
    say!(
        "  played     {}{compass}, at velocity {}: {} s each at {} Hz, and again after {} s",
        count(found.keys.len(), "key", "keys"),
        velocities.join(", "),
        plain(found.conditions.seconds),
        plain(found.rate),
        plain(found.conditions.repeat_after),
    );
    for velocity in &found.velocities {
        let at = |stroke: &Stroke, of: Option<f64>| of.filter(|_| stroke.velocity == *velocity);
        let level = found.range(|stroke| at(stroke, Some(stroke.level)));
        let peak = found.range(|stroke| at(stroke, Some(stroke.peak)));
        let centroid = found.range(|stroke| at(stroke, stroke.centroid));
        if let (Some(level), Some(peak), Some(centroid)) = (level, peak, centroid) {
            say!(
                "  level      {velocity:>3}: {} dB, peak {} dB, centroid {} Hz",
                range(level, 1),
                range(peak, 1),
                range(centroid, 0)
            );
        }
    }
    for (what, of) in [
        ("prompt", (|stroke: &Stroke| stroke.first()?.prompt) as fn(&Stroke) -> Option<f64>),
        ("late", |stroke| stroke.first()?.late),
    ] {
        if let Some(t60) = found.range(of) {
            say!("  decay      T60 of the first partial, {what}: {} s", range(t60, 2));
        }
    }
    if let (Some(latency), Some(attack)) =
        (found.range(|stroke| stroke.latency), found.range(|stroke| stroke.attack))
    {
        let [latency, attack] = [latency, attack].map(|range| range.map(|x| 1e3 * x));
        say!(
            "  beginning  first audible sample after {} ms, attack {} ms",
            range(latency, 1),
            range(attack, 1)
        );
    }
    stands_out(found);
    machine(found, seconds);
}

/// What stands out.
fn stands_out(found: &Survey) {
    if found.is_tuned {
        for step in found.level_steps().iter().take(LINES) {
            let [from, to] = step.keys.map(|key| found.label(key));
            say!(
                "  neighbours {} dB from {from} to {to} at velocity {}",
                signed(step.difference, 1),
                step.velocity
            );
        }
        tuning(found);
    }
    if let Some(stroke) = found.worst_repeat() {
        say!(
            "  repeated   {} dB at most ({} at velocity {})",
            signed(stroke.repeat, 2),
            found.label(stroke.key),
            stroke.velocity
        );
    }
    let residual = found
        .strokes
        .iter()
        .max_by(|a, b| (a.residual.0 * b.residual.1).total_cmp(&(b.residual.0 * a.residual.1)));
    if let Some(Stroke { residual: (residual, tolerance), .. }) = residual {
        let word = if found.troubles().is_empty() { "ok" } else { "FAILED" };
        say!(
            "  balance    exact: largest relative energy residual {residual:.2e} (tolerance {tolerance:.2e}): {word}"
        );
    }
}

/// How far keys are from equal temperament.
fn tuning(found: &Survey) {
    let off = found.out_of_tune();
    let worst =
        |(stroke, cents): &(&Stroke, f64)| format!("{} {}", found.label(stroke.key), signed(*cents, 1));
    let list: Vec<String> = off.iter().take(LINES).map(worst).collect();
    let more = if off.len() > LINES { ", …" } else { "" };
    match found.range(Stroke::cents) {
        None => say!("  tuning     no pitch is heard near the frequency of a key"),
        Some(cents) if off.is_empty() => {
            say!(
                "  tuning     {} cents from equal temperament; A4 = {} Hz",
                range(cents, 2),
                plain(found.a4)
            );
        }
        Some(_) => say!(
            "  tuning     {} of {} more than {OUT_OF_TUNE} cents from equal temperament: {}{more} cents; A4 = {} Hz",
            off.len(),
            found.keys.len(),
            list.join(", "),
            plain(found.a4)
        ),
    }
    if let Some((stroke, cents)) = found.most_uneven() {
        say!(
            "  tuning     {} cents at most from the mean of its neighbours ({} at velocity {})",
            signed(cents, 2),
            found.label(stroke.key),
            stroke.velocity
        );
    }
    let silent: Vec<String> = found.without_pitch().into_iter().map(|key| found.label(key)).collect();
    if !silent.is_empty() {
        say!("  tuning     no pitch is heard near the frequency of {}", silent.join(", "));
    }
}

/// What depends on the machine.
fn machine(found: &Survey, seconds: f64) {
    if let Some(stroke) = found.longest_block() {
        let length = BLOCK as f64 / found.rate;
        say!(
            "  cost       {} notes in {} s; longest block {} ms of processor time for {} ms of sound, {BLOCK} samples ({} at velocity {})",
            found.strokes.len(),
            two_digits(seconds),
            two_digits(1e3 * stroke.longest_block),
            two_digits(1e3 * length),
            found.label(stroke.key),
            stroke.velocity
        );
    }
}

/// From the smallest to the largest, with so many decimals.
fn range([low, high]: [f64; 2], digits: usize) -> String {
    let [low, high] = [low, high].map(|x| decimals(x, digits));
    if low == high { low } else { format!("{low} to {high}") }
}

/// A number with its sign.
fn signed(x: f64, digits: usize) -> String {
    let text = decimals(x, digits);
    if x > 0.0 { format!("+{text}") } else { text }
}
