//! Figure 2: trajectories in the modified phase space 𝒲.
//!
//!   ψ = e^(γt/2) y,   ξ = e^(γt/2) p                                            (23)
//!
//! Stretched so, the exact motion is a closed ellipse: its field is divergence-free
//! (Theorem 2.1). A method with contraction 𝒟 per step spirals by √(𝒟 e^(γΔt)) a step:
//! outwards for EC, inwards for VV, not at all for the conformal ones.

use super::setup::{DT, METHODS, OSCILLATOR, method, oscillator};
use crate::{
    area,
    balance::{Momentum, States},
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    trace::Trace,
};
use hamiltone_numerics::math::{exp, pow};

/// Steps drawn: 3 ms, after which the amplitude has fallen to 3e-5 of its start.
pub const STEPS: usize = 132;
/// The window of a radius: one period 2π/ω_γ is 18.09 samples, over which H(ψ, ξ) averages out.
const WINDOW: usize = 18;

/// A method's trajectory.
pub struct Trajectory {
    /// (ψ, ξ) of each state: m, kg m/s.
    pub points: Vec<(f64, f64)>,
    /// The growth of the radius √H(ψ, ξ) per step, measured between its ends.
    pub growth: f64,
    /// √(𝒟 e^(γΔt)), 𝒟 measured.
    pub expected: f64,
}

/// The trajectory of one method.
///
/// # Errors
/// Where the scheme refuses the oscillator.
pub fn trajectory(entry: &(&'static str, &'static str, Momentum)) -> Result<Trajectory, Unable> {
    let (system, method) = (oscillator()?, method(entry)?);
    let trace = Trace::free(&method, &system, DT, STEPS)?;
    let states = States::of(&trace, &system);
    let stretch = |n: usize| exp(0.5 * OSCILLATOR.gamma * n as f64 * DT);
    let energy: Vec<f64> =
        states.energy().iter().enumerate().map(|(n, h)| h * stretch(n) * stretch(n)).collect();
    let radius = |at: usize| energy[at..at + WINDOW].iter().sum::<f64>().sqrt();
    let last = energy.len() - WINDOW;
    let determinant = area::linear(&method, &system, DT)?;
    Ok(Trajectory {
        points: states
            .states
            .iter()
            .enumerate()
            .map(|(n, &(y, p))| (y * stretch(n), p * stretch(n)))
            .collect(),
        growth: pow(radius(last) / radius(0), 1.0 / last as f64),
        expected: (determinant * exp(OSCILLATOR.gamma * DT)).sqrt(),
    })
}

/// Makes the figure, and a table of radii.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let m = OSCILLATOR.mass;
    let half = OSCILLATOR.gamma / 2.0;
    // One turn in tenths of the sampling interval: the ellipse is closed.
    let exact: Vec<(f64, f64)> = OSCILLATOR
        .curve(DT / 10.0, 10 * WINDOW + 1)
        .map(|(t, y, v)| (y * exp(half * t), m * v * exp(half * t)))
        .collect();
    let mut table = Table::new(
        "C19 fig. 2: spiralling in the modified phase space",
        &["method", "radius growth per step, computed", "√(𝒟 e^(γΔt))"],
    );
    let mut panels = Vec::new();
    for entry in &METHODS {
        let trajectory = trajectory(entry)?;
        table.row([entry.0.into(), trajectory.growth.into(), trajectory.expected.into()]);
        panels.push(Panel::new(
            entry.0,
            ("ψ", "m"),
            ("ξ", "kg m/s"),
            vec![Series::dashed("exact", exact.iter().copied()), Series::points(entry.0, trajectory.points)],
        ));
    }
    table.note(
        "1 is a closed orbit. EC spirals outwards and VV inwards; the four conformal methods do not spiral.",
    );
    table.note("IIM is drawn with ŷ = μy, p̂ = mδy, at half steps.");
    let figure = Figure {
        name: "fig2",
        title: "C19 fig. 2: the modified phase space 𝒲".into(),
        caption:
            "Exact: the closed ellipse. Methods whose area contracts by e^(−γΔt) stay on a closed curve."
                .into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
