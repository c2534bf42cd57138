//! `hamiltone check`: size, steps, stability, eigenfrequencies and cost of a scene, without rendering it.

use crate::{
    arguments::SceneArguments,
    exit,
    failure::Failure,
    numbers::{bytes, two_digits},
    output::say,
    progress,
};
use hamiltone_render::{Sink, forecast::forecast, options::Storage, run::bookkeeping, sinks::wav::Wav};
use hamiltone_scene::{Plan, plan::ReducedPlan, units::plain};
use hamiltone_schemes::eigenfrequencies;
use std::{f64::consts::TAU, time::Instant};

/// The most steps that are timed: enough for a clock with a resolution of a microsecond.
const TIMED_STEPS: u64 = 2000;
/// Where steps are slow, fewer are timed: those of this time, s.
const TIMED_SECONDS: f64 = 0.5;
/// The number of eigenfrequencies shown.
const SHOWN: usize = 8;

/// Prints the properties of a plan.
///
/// # Errors
/// Invalid input, or a scheme that refuses the system.
pub fn run(arguments: &SceneArguments) -> Result<u8, Failure> {
    let scene = arguments.open(&[])?;
    let plan = progress::waiting(false, progress::PREPARING, || scene.plan())?;
    let rate = plan.internal_rate();
    let steps = plan.steps();
    let claims = plan.scheme.claims();
    say!("{}", plan.title);
    if let Some(source) = &plan.source {
        say!("  source       {source}");
    }
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    say!(
        "  model        {}, {}, {}, {}",
        count(plan.system.size(), "degree of freedom", "degrees of freedom"),
        count(plan.system.elements.len(), "contact", "contacts"),
        count(plan.drives.len(), "drive", "drives"),
        count(plan.pickups.len(), "pickup", "pickups"),
    );
    say!(
        "  run          {} s: {steps} steps of `{}` at {} Hz ({} per sample)",
        plain(plan.frames as f64 / plan.sample_rate),
        plan.scheme.name(),
        plain(rate),
        plan.oversampling,
    );
    plan.reduced.iter().for_each(|reduced| say!("  modes        {}", modes(reduced)));
    let omega = eigenfrequencies::highest(&plan.system);
    say!("  stability    {}", stability(omega / rate, claims.limit));
    say!("  frequencies  {} (linear part, without losses)", frequencies(&plan, omega));
    let needs =
        forecast(&plan, &Storage::Beside("sound.wav".into()), [Wav::new("sound.wav").forecast(&plan)]);
    let [file, temporary] = [&needs.files, &needs.temporary].map(|files| files.iter().map(|(_, n)| n).sum());
    say!(
        "  sound        {} as a file, {} as a temporary file beside it, {} of memory",
        bytes(file),
        bytes(temporary),
        bytes(needs.memory)
    );
    let seconds = cost(&plan, rate).map_err(|refusal| Failure::Other(refusal.to_string()))?;
    let speed = 1.0 / (seconds * rate);
    say!(
        "  cost         {} µs per step: {} times real time, {} s in total",
        two_digits(seconds * 1e6),
        two_digits(speed),
        two_digits(seconds * steps as f64),
    );
    say!("  sha256       {}", plan.scene_sha256);
    plan.warnings.iter().for_each(|warning| say!("warning: {warning}"));
    Ok(exit::OK)
}

/// What modes stand for which bodies.
fn modes(reduced: &ReducedPlan) -> String {
    let names: Vec<String> = reduced.bodies.iter().map(|name| format!("`{name}`")).collect();
    let modes = &reduced.modes.modes;
    let highest = modes.last().map_or(0.0, |mode| mode.omega / TAU);
    format!(
        "{} of {} of {}, found numerically, up to {} Hz",
        modes.len(),
        reduced.coordinates,
        names.join(" and "),
        plain(highest.round())
    )
}

fn stability(product: f64, limit: Option<f64>) -> String {
    match limit {
        None => format!("no limit of Δt without contacts; ω_max·Δt = {}", plain(product)),
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

fn frequencies(plan: &Plan, highest: f64) -> String {
    let lowest = eigenfrequencies::lowest(&plan.system, SHOWN);
    let hertz = |omega: f64| plain((omega / TAU * 1e4).round() / 1e4);
    // Eigenvalues ω² have an error of some eps of the largest.
    let floor = highest * (plan.system.size() as f64 * f64::EPSILON).sqrt();
    let text = |omega: &f64| match *omega {
        0.0 => "0".into(),
        omega if omega < floor => format!("< {}", plain((floor / TAU * 1e3).ceil() / 1e3)),
        omega => hertz(omega),
    };
    let mut shown: Vec<String> = lowest.iter().map(text).collect();
    if plan.system.size() > SHOWN {
        shown.push(format!("… {}", hertz(highest)));
    }
    format!("{} Hz", shown.join(", "))
}

/// The measured time of a step, s.
fn cost(plan: &Plan, rate: f64) -> Result<f64, hamiltone_core::refusal::Refusal> {
    let mut stepper = plan.scheme.prepare(&plan.system, 1.0 / rate)?;
    let inputs = plan.drives.len();
    let mut values: Vec<f64> = plan.drives.iter().map(|drive| drive.signal.value(0.0)).collect();
    stepper.reset(&values);
    values.resize(2 * inputs, 0.0);
    let mut outputs = vec![0.0; plan.pickups.len()];
    let begin = Instant::now();
    let mut timed = 0;
    while timed < TIMED_STEPS && begin.elapsed().as_secs_f64() < TIMED_SECONDS {
        timed += 1;
        for (i, drive) in plan.drives.iter().enumerate() {
            values[inputs + i] = drive.signal.value(timed as f64 / rate);
        }
        stepper.step(&values, bookkeeping(stepper.balance(), plan.oversampling as u64, timed));
        stepper.outputs(&mut outputs);
        values.copy_within(inputs.., 0);
    }
    Ok(begin.elapsed().as_secs_f64() / timed as f64)
}
