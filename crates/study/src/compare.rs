//! Schemes side by side on one system: the cost of each, its energy balance, its pitch, and how its error falls with the step.
//!
//! ```text
//! error(Δt) = max over pickups of √(Σᵢ (yᵢ − y*ᵢ)²/Σᵢ y*ᵢ²)
//! ```
//!
//! y are the pickups at the samples of the sound, before any filter, in a window from t = 0. y* is the reference: one of the schemes at a
//! rate four times the highest. The order needs no reference: it follows from a scheme's own results at its three highest
//! rates, if these have equal ratios ([`order`]).
//!
//! All schemes step the system of the scene as its own scheme has it: grids stay grids and modes stay modes, so that errors are those
//! of the step in time alone.

pub mod order;
pub mod picture;
mod pitch;
pub mod rows;
mod samples;

use crate::{failure::Failure, source::Source};
use hamiltone_render::{Options as RunOptions, Outcome, RunError, SinkError, run_with};
use hamiltone_report::partials;
use hamiltone_scene::{Plan, limits::Limited};
use hamiltone_schemes::{alternatives, catalogue, eigenfrequencies, named};
use order::Order;
use rayon::prelude::*;
use samples::Samples;
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

/// How much finer the reference is than the finest rate that is compared.
const FINER: usize = 4;
/// The most steps at the highest rate where no duration is asked for.
pub const MAX_STEPS: f64 = 1e6;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// The names of the schemes; none for the scene's own and those that run its system with an exact balance.
    pub schemes: Vec<String>,
    /// The internal rates, Hz; none for that of the scene, two times and four times that.
    pub rates: Vec<f64>,
    /// The scheme of the reference; none for the first of the schemes that runs.
    pub reference: Option<String>,
    /// Over how long the error is measured, s.
    pub window: f64,
    /// The duration of the sound whose cost, balance, pitch and decay are measured, s, at most that of the scene; none for a second,
    /// or less where that takes more than [`MAX_STEPS`] steps at the highest rate.
    pub duration: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { schemes: Vec::new(), rates: Vec::new(), reference: None, window: 5e-3, duration: None }
    }
}

/// One scheme at one rate.
#[derive(Clone, Debug)]
pub struct Run {
    /// The name of the scheme.
    pub scheme: String,
    /// The internal rate, Hz.
    pub rate: f64,
    /// What was measured, or why it did not run.
    pub figures: Result<Figures, String>,
}

/// What is measured of a run.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Processor time of the steps for a second of sound, s.
    pub cost: f64,
    /// The largest relative residual of the energy balance, and what is accepted.
    pub residual: (f64, f64),
    /// Whether the balance is claimed to be exact.
    pub exact: bool,
    /// Whether the run gained no energy.
    pub passive: bool,
    /// Whether the verdict is not red.
    pub ok: bool,
    /// Iterations per step: mean and maximum.
    pub iterations: (f64, u32),
    /// The audible partial that is farthest from theory, of those that are measured.
    pub worst: Option<Worst>,
    /// The decay time T₆₀ of the first partial as measured, s.
    pub t60: Option<f64>,
    /// The relative error against the reference.
    pub error: Option<f64>,
    /// Whether no other run is both cheaper and more accurate.
    pub best: bool,
}

/// The audible partial of a run that is farthest from theory.
#[derive(Clone, Debug)]
pub struct Worst {
    /// Its body.
    pub body: String,
    /// Its number, from 1.
    pub number: usize,
    /// How far it is from theory as measured in the sound, cents.
    pub cents: f64,
}

/// All runs and what follows from them.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The title of the scene.
    pub title: String,
    /// Scheme and rate (Hz) of the reference.
    pub reference: Option<(String, f64)>,
    /// The runs, scheme by scheme, rates ascending.
    pub runs: Vec<Run>,
    /// The orders, scheme by scheme.
    pub orders: Vec<Order>,
}

/// A comparison that is going on.
struct Comparing<'a> {
    source: &'a Source,
    options: &'a Options,
    /// Internal steps per sample, ascending.
    ratios: Vec<usize>,
    /// Of the sound of the scene.
    frames: usize,
    /// The largest frequency of the system, rad/s.
    highest: f64,
    stop: &'a AtomicBool,
}

/// Compares schemes on a scene, side by side on all threads. `outputs`, with what messages call them, are what the caller will write:
/// they are checked before anything runs, and their folders are created. `progress` receives how many runs are done, and of how many.
///
/// # Errors
/// A wrong scene, schemes or rates that do not exist, an output that is an input, and an interruption. Runs that are refused or fail are
/// part of the result.
pub fn compare(
    source: &Source,
    options: &Options,
    outputs: &[(&str, PathBuf)],
    stop: &AtomicBool,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Comparison, Failure> {
    let plan = source.plan(&[])?;
    source.check_outputs(&plan.inputs, outputs)?;
    for (name, seconds) in [("window", Some(options.window)), ("duration", options.duration)] {
        if seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
            return Err(format!("the {name} must be a number of seconds above 0").into());
        }
    }
    let ratios = ratios(&plan, &options.rates)?;
    let finest = FINER * ratios[ratios.len() - 1];
    source
        .limits
        .check(Limited::Oversampling, finest as u128)
        .map_err(|exceeded| format!("the reference has {exceeded}; compare at lower rates"))?;
    let schemes = schemes(&plan, options, ratios[ratios.len() - 1])?;
    let (title, highest) = (plan.title.clone(), eigenfrequencies::highest(&plan.system));
    let comparing = Comparing { source, options, ratios, frames: plan.frames, highest, stop };
    comparing.all(title, &schemes, progress)
}

/// Internal steps per sample of the rates that are asked for, ascending.
fn ratios(plan: &Plan, rates: &[f64]) -> Result<Vec<usize>, String> {
    let own = plan.oversampling;
    if rates.is_empty() {
        return Ok(vec![own, 2 * own, 4 * own]);
    }
    let of = |rate: &f64| {
        if !rate.is_finite() {
            return Err(format!("the rate {rate} is no number of Hz"));
        }
        let ratio = (rate / plan.sample_rate).round();
        if (1.0..1e6).contains(&ratio) && (ratio * plan.sample_rate - rate).abs() <= 1e-9 * rate {
            return Ok(ratio as usize);
        }
        let nearest = ratio.clamp(1.0, 1e6) * plan.sample_rate;
        let sample_rate = plan.sample_rate;
        Err(format!(
            "the rate {rate} Hz is no multiple of the sample rate, {sample_rate} Hz, up to {} Hz; the nearest is {nearest} Hz",
            1e6 * sample_rate
        ))
    };
    let mut ratios = rates.iter().map(of).collect::<Result<Vec<usize>, String>>()?;
    ratios.sort_unstable();
    ratios.dedup();
    Ok(ratios)
}

/// The names of the schemes, that of the reference first.
fn schemes(plan: &Plan, options: &Options, finest: usize) -> Result<Vec<String>, String> {
    let mut names = options.schemes.clone();
    if names.is_empty() {
        let exact = |name: &&str| {
            let scheme = named(name);
            scheme.is_some_and(|scheme| scheme.claims().balance(&plan.system).is_exact())
        };
        let dt = 1.0 / (plan.sample_rate * finest as f64);
        let others = alternatives(&plan.system, dt).into_iter().filter(exact).map(str::to_string);
        names = std::iter::once(plan.scheme.name().to_string()).chain(others).collect();
    }
    names.extend(options.reference.clone());
    let known: Vec<&str> = catalogue().iter().map(|entry| entry.kind.name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("there is no scheme `{unknown}`; there are {}", known.join(", ")));
    }
    let mut distinct: Vec<String> = Vec::new();
    names.into_iter().for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    });
    Ok(distinct)
}

/// A scheme at all rates: figures and samples, or why there are none.
type Results = Vec<(f64, Result<(Figures, Samples), String>)>;

impl Comparing<'_> {
    fn all(
        &self,
        title: String,
        schemes: &[String],
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Comparison, Failure> {
        let (done, all) = (AtomicU64::new(0), (schemes.len() * self.ratios.len() + 1) as u64);
        let of = |scheme: &String| {
            let mut plan = self.plan(scheme)?;
            let at = |ratio: &usize| {
                let result = self.run(&mut plan, *ratio, true);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
                result
            };
            self.ratios.iter().map(at).collect::<Result<Results, Failure>>()
        };
        let results: Vec<Results> = schemes.par_iter().map(of).collect::<Result<_, Failure>>()?;
        let reference = self.reference(schemes)?;
        progress(all, all);
        let mut comparison = Comparison { title, reference: None, runs: Vec::new(), orders: Vec::new() };
        for (scheme, results) in schemes.iter().zip(&results) {
            for (rate, result) in results {
                let figures = result.as_ref().map_err(String::clone).map(|(figures, samples)| {
                    let error = reference
                        .as_ref()
                        .and_then(|(.., reference)| samples.error(reference, reference.count()));
                    Figures { error, ..figures.clone() }
                });
                comparison.runs.push(Run { scheme: scheme.clone(), rate: *rate, figures });
            }
            let samples: Vec<Option<&Samples>> =
                results.iter().map(|(_, result)| result.as_ref().ok().map(|(_, samples)| samples)).collect();
            comparison.orders.push(Order::of(scheme, &self.ratios, self.highest, &samples));
        }
        comparison.reference = reference.map(|(scheme, rate, _)| (scheme, rate));
        mark_best(&mut comparison.runs);
        Ok(comparison)
    }

    /// The first scheme that runs at four times the highest rate, or that which is asked for.
    fn reference(&self, schemes: &[String]) -> Result<Option<(String, f64, Samples)>, Failure> {
        let finest = FINER * self.ratios[self.ratios.len() - 1];
        let wanted = self.options.reference.as_ref();
        for scheme in schemes.iter().filter(|scheme| wanted.is_none_or(|wanted| wanted == *scheme)) {
            if let (rate, Ok((_, reference))) = self.run(&mut self.plan(scheme)?, finest, false)? {
                return Ok(Some((scheme.clone(), rate, reference)));
            }
        }
        Ok(None)
    }

    /// The plan of the scene under a scheme.
    fn plan(&self, scheme: &str) -> Result<Plan, Failure> {
        let mut plan = self.source.plan(&[])?;
        if plan.scheme.name() != scheme
            && let Some(other) = named(scheme)
        {
            plan.scheme = other;
        }
        Ok(plan)
    }

    /// Runs a plan at a rate: for the whole duration, or as long as the window.
    #[allow(
        clippy::type_complexity,
        reason = "the outer error ends the comparison, the inner one is a part of it"
    )]
    fn run(
        &self,
        plan: &mut Plan,
        ratio: usize,
        whole: bool,
    ) -> Result<(f64, Result<(Figures, Samples), String>), Failure> {
        plan.oversampling = ratio;
        let frames = |seconds: f64| (seconds * plan.sample_rate).ceil() as usize;
        let window = frames(self.options.window).clamp(1, self.frames);
        let highest = plan.sample_rate * self.ratios[self.ratios.len() - 1] as f64;
        let duration = self.options.duration.unwrap_or_else(|| (MAX_STEPS / highest).min(1.0));
        let length = if whole { frames(duration).clamp(window, self.frames) } else { window };
        let rate = plan.internal_rate();
        plan.frames = length;
        let mut samples = Samples::new(window);
        let options = RunOptions { stop: Some(self.stop), ..RunOptions::default() };
        let outcome = match run_with(plan, &mut [&mut samples], &mut |_, _| {}, options) {
            Ok(outcome) => outcome,
            Err(RunError::Stopped) => return Err(Failure::Stopped),
            Err(error) => return Ok((rate, Err(error.to_string()))),
        };
        let cost = samples.taken * plan.sample_rate / plan.frames as f64;
        if outcome.audit.fault.is_some() {
            return Ok((rate, Err(outcome.reason(plan))));
        }
        let figures = figures(plan, &outcome, cost, whole).map_err(|error| error.to_string())?;
        Ok((rate, Ok((figures, samples))))
    }
}

fn figures(plan: &Plan, outcome: &Outcome, cost: f64, whole: bool) -> Result<Figures, SinkError> {
    let audit = &outcome.audit;
    let bodies = if whole { partials::all(plan, outcome, None)? } else { Vec::new() };
    let of = |(body, partial, cents): (&str, &partials::Partial, f64)| Worst {
        body: body.into(),
        number: partial.number,
        cents,
    };
    Ok(Figures {
        cost,
        residual: (audit.residual_max_relative(), outcome.tolerance),
        exact: outcome.balance.is_exact(),
        passive: outcome.passivity.holds(),
        ok: outcome.ok,
        iterations: (audit.iterations as f64 / audit.steps.max(1) as f64, audit.iterations_max),
        worst: pitch::worst(&bodies).map(of),
        t60: pitch::first(&bodies).and_then(|partial| partial.decay.ok()),
        error: None,
        best: false,
    })
}

/// Marks the runs that are not beaten in both cost and error.
fn mark_best(runs: &mut [Run]) {
    let point = |run: &Run| {
        run.figures.as_ref().ok().filter(|figures| figures.ok).and_then(|f| Some((f.cost, f.error?)))
    };
    let points: Vec<Option<(f64, f64)>> = runs.iter().map(point).collect();
    for (run, own) in runs.iter_mut().zip(&points) {
        if let (Ok(figures), Some((cost, error))) = (&mut run.figures, own) {
            let beaten =
                points.iter().flatten().any(|(c, e)| c <= cost && e <= error && (c < cost || e < error));
            figures.best = !beaten;
        }
    }
}
