//! Figure 3: the clarinet reed driven for 1000 periods, and the error of (54).
//!
//!   M ÿ + Mγ ẏ + Mω₀² y + k_c⌊y − y_c⌋^α = p_Δ                                  (55), Pa
//!   Kⁿ⁺¹ − Kⁿ: 0 but for rounding; from rest K⁰ = 0, so it is shown as it is, in J/m²
//!
//! ω₀ = 5000π rad/s (printed "Hz"), γ = 2800 1/s, y_c = 0.24 mm, M = 0.05 kg/m²,
//! k_c = 1e12 Pa/m^1.5, α = 1.5, 302 085 samples at 44.1 kHz. The phases of p_Δ are
//! not given: see [`crate::reed`].

use super::setup::{DT, REED};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    reed::{LAY, Phase, Run},
};

/// 1000 periods of 6.85 ms.
pub const STEPS: usize = 302_085;
/// What figure 3(a) shows: about six periods.
const SHOWN: usize = 1764;

/// The reed of the figure's caption.
///
/// # Errors
/// Where its numbers make no system.
pub fn run(phase: Phase, steps: usize) -> Result<Run, Unable> {
    Run::record(REED, phase, steps)
}

/// Makes the figure and a table of both readings of the drive.
pub(super) fn make(effort: Effort) -> Result<Outcome, Unable> {
    let steps = if effort == Effort::Full { STEPS } else { STEPS / 10 };
    let mut table = Table::new(
        format!("C19 fig. 3: clarinet reed, EC, {steps} samples"),
        &[
            "phases",
            "max y, m",
            "on the lay",
            "y[100], m",
            "max|K|/max H, eps",
            "per step, eps",
            "residual, eps",
        ],
    );
    let (mut displacements, mut starts, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
    for (name, phase) in Phase::ALL {
        let run = run(phase, steps)?;
        let eps = |x: f64| x / run.energy_max / f64::EPSILON;
        table.row([
            name.into(),
            run.highest().into(),
            format!("{:.3} %", 100.0 * run.beating()).into(),
            run.trace.q[100].into(),
            eps(run.error()).into(),
            eps(run.step_error()).into(),
            (run.trace.audit.residual_max_relative() / f64::EPSILON).into(),
        ]);
        let lay = [(0.0, LAY), (SHOWN as f64 * DT, LAY)];
        displacements.push(Panel::new(
            format!("Displacement, {name} phases"),
            ("time", "s"),
            ("displacement y", "m"),
            vec![Series::line("y", run.trace.displacement().take(SHOWN)), Series::dashed("lay y_c", lay)],
        ));
        let errors: Vec<_> = run.steps().enumerate().map(|(n, e)| ((n + 1) as f64 * DT, e)).collect();
        let axis = ("Kⁿ⁺¹ − Kⁿ", "J/m²");
        starts.push(Panel::new(
            format!("Energy error, {name} phases"),
            ("time", "s"),
            axis,
            vec![Series::points("", errors.iter().take(SHOWN).copied())],
        ));
        wholes.push(Panel::new(
            format!("Energy error of the whole run, {name} phases"),
            ("time", "s"),
            axis,
            vec![Series::extremes("", &errors, 500)],
        ));
    }
    table.note("The paper gives the harmonics' amplitudes without phases or mean pressure. As a sine series they never displace the reed to y_c = 0.24 mm.");
    table.note("K of (54) is 0 from rest; it is compared with max H. The bound is 10√N eps for the run and 8 eps a step.");
    table.note("ω₀ = 5000π is printed in Hz; it is in rad/s.");
    let figure = Figure {
        name: "fig3",
        title: "C19 fig. 3: clarinet reed".into(),
        caption: "K stays constant to machine precision over 1000 periods.".into(),
        panels: [displacements, starts, wholes].concat(),
    };
    Ok(Outcome::new(table, figure))
}
