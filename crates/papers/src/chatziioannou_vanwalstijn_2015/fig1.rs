//! Figure 1: the damped oscillator, against its exact solution.
//!
//!   Kⁿ = Hⁿ⁺¹ + Σ_{κ=0..n} (γ/m)(μp^κ)² Δt = const                              (12), J
//!
//! The paper plots Kⁿ − K⁰ and finds single bits.

use super::setup::{DT, OSCILLATOR, STEPS, outcome, run};
use crate::figure::{Cell, Effort, Outcome, Series, Unable};

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let run = run(None)?;
    let exact: Vec<(f64, f64)> = OSCILLATOR.curve(DT, STEPS).map(|(t, y, _)| (t, y)).collect();
    let error = run.trace.q.iter().zip(&exact).map(|(q, (_, y))| (q - y).abs()).fold(0.0, f64::max);
    let title = "C15 fig. 1: damped oscillator (m = 0.1, ω₀ = 2π440, γ = 300; EC, 44.1 kHz)";
    let mut outcome = outcome("fig1", title, &run, Some(Series::dashed("exact", exact)));
    let table = &mut outcome.tables[0];
    table.row(["max|y − exact|, m".into(), Cell::Blank, error.into()]);
    table.note("The exact solution has the roots −γ/2 ± jω_γ; after (8) the paper prints +γ/2.");
    Ok(outcome)
}
