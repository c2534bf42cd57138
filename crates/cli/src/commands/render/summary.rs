//! What `hamiltone render` prints of a run.

use crate::{numbers::two_digits, output::say};
use hamiltone_core::{audit::MAX_PHYSICAL_ENERGY, claims::Balance};
use hamiltone_render::{
    Outcome,
    cascade::{CASCADE_LIMIT, Cascade},
    drift, loudness,
    mix::Bus,
    passivity::CONTACT_WORK_LIMIT,
    stretching::{STRETCHING_LIMIT, Stretched},
};
use hamiltone_report::plot::quantity;
use hamiltone_scene::{Plan, units::plain};

/// Prints what was run, its energy balance, its level and its speed.
pub fn print(plan: &Plan, outcome: &Outcome, seconds: f64) {
    let (audit, sound) = (&outcome.audit, &outcome.sound);
    let imbalance = outcome.imbalance();
    let rate = plan.internal_rate();
    let simulated = audit.steps as f64 / rate;
    let claim = match outcome.balance {
        Balance::Exact { .. } => "exact",
        Balance::Bounded => "bounded",
    };
    say!("{}", plan.title);
    say!(
        "  run        {} s: {} steps of `{}` at {} Hz",
        plain(simulated),
        audit.steps,
        plan.scheme.name(),
        plain(rate)
    );
    plan.choices.iter().for_each(|choice| say!("  chosen     {choice}"));
    say!(
        "  balance    {claim}: largest relative energy residual {:.2e} (tolerance {:.2e}): {}",
        audit.residual_max_relative(),
        outcome.tolerance,
        if imbalance.is_some() { "FAILED" } else { "ok" },
    );
    // What failed may be another number than the residual.
    imbalance.iter().for_each(|what| say!("             {what}"));
    say!(
        "  passivity  energy at most {} of what was put in (limit {}), work of contacts {} (limit {}): {}",
        two_digits(outcome.passivity.energy_relative()),
        plain(MAX_PHYSICAL_ENERGY),
        format_args!("{:.1e}", outcome.passivity.contact_work_relative()),
        plain(CONTACT_WORK_LIMIT),
        if outcome.passivity.holds() { "ok" } else { "FAILED" },
    );
    say!("  tuning     {}{}", outcome.tuning.sentence(), outcome.tuning.word());
    for Stretched { body, ratio } in &outcome.stretched {
        let word = if *ratio <= STRETCHING_LIMIT { "ok" } else { "BEYOND ITS EQUATIONS" };
        let (ratio, limit) = (two_digits(*ratio), plain(STRETCHING_LIMIT));
        say!(
            "  stretching the motion of `{body}` raised its tension by at most {ratio} of it (limit {limit}): {word}"
        );
    }
    for Cascade { body, share, .. } in &outcome.cascades {
        let word = if *share <= CASCADE_LIMIT { "ok" } else { "TOO FEW MODES" };
        let (share, limit) = (two_digits(100.0 * share), plain(100.0 * CASCADE_LIMIT));
        say!(
            "  cascade    the highest tenth of the modes of `{body}` held {share} % of its kinetic energy (limit {limit} %): {word}"
        );
    }
    if let Some(drift) = drift::sentence(&outcome.drifts) {
        say!("  drift      {drift}");
    }
    say!("  verdict    {}", outcome.verdict);
    let channels = plan.pickups.iter().zip(&sound.factors).filter(|(pickup, _)| pickup.mix.bus.is_some());
    let full_scale: Vec<String> = channels
        .map(|(pickup, factor)| format!("{} ({})", quantity(1.0 / factor, pickup.sound_unit()), pickup.name))
        .collect();
    let fixed = loudness::fixed(plan, sound).map(|how| format!("; {how}")).unwrap_or_default();
    say!("  level      {}: full scale = {}{fixed}", loudness::level(plan, sound), full_scale.join(", "));
    if let Some(next) = loudness::of_next_format(plan, sound) {
        say!("  format     {next}");
    }
    sound.mix.buses.iter().for_each(|bus| say!("  sound      {}", bus_line(bus)));
    say!("  speed      {} times real time ({} s)", two_digits(simulated / seconds), two_digits(seconds));
}

/// The name, the channels and the peak of a bus.
pub fn bus_line(bus: &Bus) -> String {
    let channels = match bus.channels.len() {
        1 => "1 channel".into(),
        count => format!("{count} channels"),
    };
    let peak = match bus.peak {
        0.0 => "silent".into(),
        _ => format!("peak {:.1} dBFS", bus.peak_dbfs()).replace('-', "−"),
    };
    format!("bus {}: {channels}, {peak}", bus.name)
}
