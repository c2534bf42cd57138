//! `hamiltone check`: size, steps, stability and eigenfrequencies of a scene, and what a render of it will take, without
//! rendering it; keys, parts, pitch and cost of an instrument, without playing a song (`instrument`).
//!
//! Time and memory are those of the same work done in part: the plan, the preparation, up to a second of steps from the first
//! one on that closes a contact, the sound that these make, and its tuning. What the budget leaves no time for is left out, and
//! named; of a step that does not end within it, it is said that it takes longer.

mod cost;
mod findings;
mod instrument;
mod level;
mod pace;
mod voices;

use crate::{
    arguments::SceneArguments, commands::render::space, exit, failure::Failure, numbers::seconds,
    output::say, progress,
};
use clap::Args;
use cost::Cost;
use findings::{SHOWN, SceneFindings};
use hamiltone_core::{
    body::Solved,
    coverage::{Feature, Need, requirements},
};
use hamiltone_render::{Sink, forecast::forecast, options::Storage, sinks::wav::Wav, verdict::Verdict};
use hamiltone_scene::{Limits, Plan, limits::size, plan::ReducedPlan, units::plain};
use hamiltone_schemes::dispersion::sounding;
use level::output;
use std::{f64::consts::TAU, time::Duration};

/// The arguments of `check`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Time that the check may take, s; what it leaves out then is named
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = |text: &str| seconds(text, LONGEST))]
    budget: f64,
    /// Sample rate at which an instrument is played, Hz; by default 48000
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(8_000..=384_000))]
    rate: Option<u32>,
}

/// Below the options.
const EXAMPLES: &str = "\
Examples:
  hamiltone check scenes/clarinet_reed.toml                     size, stability, time and memory of a render
  hamiltone check scenes/piano_c4.toml --budget 60              with a minute to find them
  hamiltone check instruments/guitar.toml --budget 60           compass, parts, gestures, pitch of each key, cost of a note and
                                                                of all at once, memory of an instrument

Exit codes:
  0  it can be rendered or played
  1  the budget ended before the file was read; of an instrument also: a note loses its energy balance
  2  invalid input: all that is wrong is told at once";

/// The sample rate of instruments where none is asked for, Hz, as `play` has it.
const RATE: u32 = 48_000;
/// The largest budget, s.
const LONGEST: f64 = 1e9;

/// Prints the properties of a plan.
///
/// # Errors
/// Invalid input, or a run that would be refused.
pub fn run(arguments: &CheckArguments, limits: &Limits) -> Result<u8, Failure> {
    let scene = arguments.scene.open(&[], limits)?;
    if scene.is_instrument() {
        return instrument::run(scene.into(), arguments.rate.unwrap_or(RATE), arguments.budget);
    }
    if arguments.rate.is_some() {
        return Err(Failure::Other("--rate is of instruments; a scene has --set run.sample_rate=HZ".into()));
    }
    let budget = Duration::from_secs_f64(arguments.budget);
    let found = progress::waiting(false, progress::CHECKING, || findings::find(scene, budget));
    let found = found.map_err(|error| format!("the check cannot be started: {error}"))??;
    let more = format!("of {} s; --budget SECONDS gives more", plain(arguments.budget));
    let Some((plan, planning)) = &found.plan else {
        say!("left out: all; reading the scene and finding its modes took longer than the budget {more}");
        return Ok(exit::FAILED);
    };
    describe(plan);
    match found.highest {
        Some(omega) => say!("  stability    {}", stability(plan, omega)),
        None => say!("  stability    left out"),
    }
    if let Some(lambda) = found.joint_ratio {
        say!(
            "  bridges      λ = {lambda:.4} (limit 1): the bodies under the strings are heavy enough for this step"
        );
    }
    match (found.highest, &found.lowest) {
        (Some(highest), Some(lowest)) => {
            let step = if is_linked(plan) {
                " and the effect of the time step".into()
            } else {
                format!(", as `{}` sounds it", plan.scheme.name())
            };
            let alone = if plan.system.joints.is_empty() { "" } else { " and bridges" };
            say!(
                "  frequencies  {} (linear part, without losses{alone}{step})",
                frequencies(plan, highest, lowest)
            );
        }
        _ => say!("  frequencies  left out"),
    }
    match &found.tuning {
        Some((tuning, _)) => say!("  tuning       {}{}", tuning.sentence(), tuning.word()),
        None => say!("  tuning       left out"),
    }
    let storage = Storage::Beside("sound.wav".into());
    let buses = 0..plan.output.buses.len();
    let needs = forecast(plan, &storage, buses.map(|bus| Wav::of_bus("sound.wav", bus).forecast(plan)));
    let [file, temporary] = [&needs.files, &needs.temporary].map(|files| files.iter().map(|(_, n)| n).sum());
    say!("  output       {}", output(plan));
    say!("  sound        {} as a file, {} as a temporary file beside it", size(file), size(temporary));
    let cost = Cost::of(plan, &found, *planning);
    say!("  cost         {}", cost.sentence(plan, &found));
    say!("  sha256       {}", plan.scene_sha256);
    let detuned = found.tuning.as_ref().and_then(|(tuning, _)| {
        let fails = if tuning.verdict() == Verdict::Red { "; a render fails with exit code 1" } else { "" };
        Some(tuning.warning(plan)? + fails)
    });
    plan.warnings.iter().chain(&detuned).for_each(|warning| say!("warning: {warning}"));
    cost.warning(plan).iter().for_each(|warning| say!("warning: {warning}"));
    let left = left_out(&found);
    if !left.is_empty() && found.refusal.is_none() {
        say!("left out: {}; it took longer than the budget {more}", left.join(", "));
    }
    if let Some(refusal) = found.refusal {
        return Err(Failure::Other(refusal.to_string()));
    }
    space::check_memory(&needs, limits)?;
    Ok(exit::OK)
}

/// What the budget left no time for.
fn left_out(found: &SceneFindings) -> Vec<&'static str> {
    [
        (found.preparation.is_none(), "the preparation of the run"),
        (found.pace.done() == 0, "the time of a step"),
        (found.highest.is_none(), "the highest frequency"),
        (found.lowest.is_none(), "the lowest frequencies"),
        (found.tuning.is_none(), "the tuning of partials"),
    ]
    .into_iter()
    .filter_map(|(missing, what)| missing.then_some(what))
    .collect()
}

/// Title, model and run.
fn describe(plan: &Plan) {
    say!("{}", plan.title);
    if let Some(source) = &plan.source {
        say!("  source       {source}");
    }
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let initial = match plan.initial.len() {
        0 => String::new(),
        n => format!(", {}", count(n, "initial condition", "initial conditions")),
    };
    let gestures = match plan.gestures.len() {
        0 => String::new(),
        n => format!(", {}", count(n, "gesture", "gestures")),
    };
    say!(
        "  model        {}, {}, {}{initial}{gestures}, {}",
        count(plan.system.size(), "degree of freedom", "degrees of freedom"),
        count(plan.system.elements.len(), "contact", "contacts"),
        count(plan.drives.len(), "drive", "drives"),
        count(plan.pickups.len(), "pickup", "pickups"),
    );
    say!(
        "  run          {} s: {} steps of `{}` at {} Hz ({} per sample)",
        plain(plan.frames as f64 / plan.sample_rate),
        plan.steps(),
        plan.scheme.name(),
        plain(plan.internal_rate()),
        plan.oversampling,
    );
    plan.choices.iter().for_each(|choice| say!("  chosen       {choice}"));
    plan.bodies.iter().filter(|body| !body.solved.is_empty()).for_each(|body| {
        let all: Vec<String> = body.solved.iter().map(solved).collect();
        say!("  solved       `{}`: {}", body.name, all.join(", "));
    });
    plan.reduced.iter().for_each(|reduced| say!("  modes        {}", modes(reduced)));
}

/// A quantity that was found, with its unit; lengths in mm.
fn solved(found: &Solved) -> String {
    let Solved { name, value, unit } = found;
    let (value, unit) = match *unit {
        "m" if value.abs() < 1.0 => (value * 1e3, "mm"),
        unit => (*value, unit),
    };
    format!("{name} {}", format!("{} {unit}", significant(value)).trim_end())
}

/// Six digits.
fn significant(x: f64) -> String {
    plain(format!("{x:.5e}").parse().unwrap_or(x))
}

/// What modes stand for which bodies.
fn modes(reduced: &ReducedPlan) -> String {
    let names: Vec<String> = reduced.bodies.iter().map(|name| format!("`{name}`")).collect();
    let modes = &reduced.modes;
    let highest = modes.last().map_or(0.0, |mode| mode.omega / TAU);
    format!(
        "{} of {} of {}, found numerically, up to {} Hz",
        modes.len(),
        reduced.coordinates,
        names.join(" and "),
        plain(highest.round())
    )
}

fn stability(plan: &Plan, highest: f64) -> String {
    let product = highest / plan.internal_rate();
    let claims = plan.scheme.claims();
    let bounded = !claims.contact.is_exact() && !plan.system.elements.is_empty();
    match claims.limit {
        None if bounded => format!(
            "no limit of Δt for bodies and links; with contacts the energy is bounded for short steps only; ω_max·Δt = {}",
            plain(product)
        ),
        None => format!("no limit of Δt; ω_max·Δt = {}", plain(product)),
        Some(limit) if product > limit => {
            format!("modes above ω·Δt = {} are left out; ω_max·Δt = {}", plain(limit), plain(product))
        }
        Some(limit) if product > 0.0 => {
            format!(
                "ω_max·Δt = {}, limit {}: a factor {} below it",
                plain(product),
                plain(limit),
                plain((limit / product * 100.0).floor() / 100.0)
            )
        }
        Some(limit) => format!("no eigenfrequency above 0; limit ω·Δt = {}", plain(limit)),
    }
}

fn frequencies(plan: &Plan, highest: f64, lowest: &[f64]) -> String {
    let dt = 1.0 / plan.internal_rate();
    // What the scheme does not step at all is shown as it is, and so are modes that links couple in each step.
    let linked = is_linked(plan);
    let sounds = |omega: f64| match linked {
        true => omega,
        false => sounding(&*plan.scheme, omega, dt).unwrap_or(omega),
    };
    let hertz = |omega: f64| plain((sounds(omega) / TAU * 1e4).round() / 1e4);
    // Eigenvalues ω² have an error of some eps of the largest.
    let floor = highest * (plan.system.size() as f64 * f64::EPSILON).sqrt();
    let (low, known): (Vec<f64>, Vec<f64>) =
        lowest.iter().partition(|omega| **omega != 0.0 && **omega < floor);
    let zeros = known.iter().filter(|omega| **omega == 0.0).map(|_| "0".to_string());
    let mut shown: Vec<String> = zeros.collect();
    if !low.is_empty() {
        let below = plain((floor / TAU).ceil());
        let modes = if low.len() == 1 { "mode" } else { "modes" };
        shown.push(format!("{} {modes} below {below} (not resolved beside the highest)", low.len()));
    }
    shown.extend(known.iter().filter(|omega| **omega != 0.0).map(|omega| hertz(*omega)));
    if plan.system.size() > SHOWN {
        shown.push(format!("… {}", hertz(highest)));
    }
    format!("{} Hz", shown.join(", "))
}

/// Whether links couple coordinates in each step: their bodies were not replaced by common modes.
fn is_linked(plan: &Plan) -> bool {
    let needs = requirements(&plan.system);
    needs.iter().any(|need| need.need == Need::Feature(Feature::Links))
}
