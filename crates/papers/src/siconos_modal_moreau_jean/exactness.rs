//! Exactness: one free mode against the exact decaying sinusoid, over 20 000 steps.
//!
//!   q(t) = C q⁰ + S(v⁰ + σq⁰),   q̇(t) = C v⁰ − S(σv⁰ + ω²q⁰)
//!   C = e^(−σt) cos at, S = e^(−σt) sin at/a,  a = √(ω² − σ²);     cosh, sinh and √(σ² − ω²) where overdamped
//!
//! Velocities are determined by three positions, where these determine one: up to σΔt = 1, and unless aΔt is near a multiple of π.

use super::setup::modal;
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    lumped::Lumped,
    trace::Trace,
};
use hamiltone_numerics::math::{cos, exp, hypot, pow, sin};
use std::f64::consts::PI;

/// Steps of a run.
pub const STEPS: usize = 20_000;

/// σ/ω: undamped, underdamped, critically damped, overdamped.
pub const RATIOS: [(&str, f64); 6] = [
    ("σ = 0", 0.0),
    ("σ = 10⁻⁴ω", 1e-4),
    ("σ = 0.1ω", 0.1),
    ("σ = 0.9ω", 0.9),
    ("σ = ω", 1.0),
    ("σ = 3ω", 3.0),
];

/// Δt, s: a power of two, so that nΔt is exact.
const DT: f64 = 1.0 / 65536.0;

/// ωΔt from 10⁻³ to 8, and near half a round and a round a step.
pub fn angles() -> Vec<f64> {
    let near = [-1e-2, -1e-4, 1e-6, 1e-3].into_iter().flat_map(|off| [PI + off, 2.0 * PI + off]);
    let mut angles: Vec<f64> =
        (0..=48).map(|i| 1e-3 * pow(8e3_f64, f64::from(i) / 48.0)).chain(near).collect();
    angles.sort_by(f64::total_cmp);
    angles
}

/// The largest errors of a run.
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// max |qⁿ − q(nΔt)| over the amplitude √(q⁰² + (v⁰/ω)²).
    pub position: f64,
    /// max |vⁿ − q̇(nΔt)| over that of q̇, where positions tell velocities.
    pub velocity: Option<f64>,
}

/// C and S.
fn free(omega: f64, sigma: f64, t: f64) -> (f64, f64) {
    let square = omega * omega - sigma * sigma;
    let a = square.abs().sqrt();
    if square > 0.0 {
        let decay = exp(-sigma * t);
        return (decay * cos(a * t), decay * sin(a * t) / a);
    }
    let (slow, fast) = (exp(-omega * omega / (sigma + a) * t), exp(-(sigma + a) * t));
    let sine = if a == 0.0 { slow * t } else { (slow - fast) / (2.0 * a) };
    (0.5 * (slow + fast), sine)
}

/// Whether three positions tell a velocity well.
fn determined(angle: f64, ratio: f64) -> bool {
    let a = angle * (1.0 - ratio * ratio).max(0.0).sqrt();
    ratio * angle <= 1.0 && (a < 1.0 || sin(a).abs() > 0.05)
}

/// The errors with ωΔt = `angle` and σ = `ratio`·ω.
///
/// # Errors
/// Where the scheme refuses.
pub fn error(angle: f64, ratio: f64) -> Result<Error, Unable> {
    let (omega, sigma) = (angle / DT, ratio * angle / DT);
    let (q, v) = (1.0, -0.5 * omega);
    let system =
        Lumped { mass: 1.0, omega, gamma: 2.0 * sigma, position: q, velocity: v, ..Lumped::default() };
    let trace = Trace::free(&modal()?, &system.system()?, DT, STEPS)?;
    let amplitude = hypot(q, v / omega);
    let mut error = Error { position: 0.0, velocity: None };
    for (n, (position, velocity)) in trace.q.iter().zip(&trace.v).enumerate() {
        let (c, s) = free(omega, sigma, trace.time(n));
        let off = (position - (c * q + s * (v + sigma * q))).abs() / amplitude;
        error.position = error.position.max(off);
        if determined(angle, ratio) {
            let exact = c * v - s * (sigma * v + omega * omega * q);
            let off = (velocity - exact).abs() / (omega * amplitude);
            error.velocity = Some(error.velocity.unwrap_or(0.0).max(off));
        }
    }
    Ok(error)
}

/// Makes the figure and a table of the largest errors.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns = ["mode", "page", "position, largest error", "at ωΔt", "velocity, largest error", "at ωΔt"];
    let mut table = Table::new("SIC: free modes after up to 20 000 steps, ωΔt from 0.001 to 8", &columns);
    let mut curves = [Vec::new(), Vec::new()];
    for (name, ratio) in RATIOS {
        let errors = angles().into_iter().map(|angle| Ok((angle, error(angle, ratio)?)));
        let errors: Vec<(f64, Error)> = errors.collect::<Result<_, Unable>>()?;
        let of: [Vec<(f64, f64)>; 2] = [
            errors.iter().map(|(angle, e)| (*angle, e.position)).collect(),
            errors.iter().filter_map(|(angle, e)| Some((*angle, e.velocity?))).collect(),
        ];
        let worst = of.each_ref().map(|points| points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)));
        let cells = worst.into_iter().flat_map(|w| [w.map(|w| w.1).into(), w.map(|w| w.0).into()]);
        table.row([name.into(), "exact".into()].into_iter().chain(cells));
        for (curves, points) in curves.iter_mut().zip(of) {
            curves.push(Series::line(name, points));
        }
    }
    table.note(
        "Relative to the amplitude. The remaining error is the rounding of ω² and σ, whose phase grows with the steps.",
    );
    table.note("Velocities where positions determine them: σΔt ≤ 1, and aΔt not near a multiple of π.");
    let [positions, velocities] = curves;
    let panel = |title: &str, series| {
        Panel::new(title, ("ωΔt", ""), ("largest error, of the amplitude", ""), series).log_x().log_y()
    };
    let figure = Figure {
        name: "exactness",
        title: "SIC: free modes against the exact solution".into(),
        caption: "20 000 steps: rounding alone, at any step.".into(),
        panels: vec![panel("positions", positions), panel("velocities", velocities)],
    };
    Ok(Outcome::new(table, figure))
}
