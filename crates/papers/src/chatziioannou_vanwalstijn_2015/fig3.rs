//! Figure 3: a clarinet reed driven by a given pressure difference.
//!
//!   M ÿ + Mγ ẏ + Mω₀² y + k_c⌊y − y_c⌋^α = p_Δ                                  (23), Pa
//!
//! M = 0.05 kg/m², ω₀ = 2π2000 rad/s, γ = 3000 1/s, y_c = 0.24 mm (Table 1),
//! k_c = 8.23e10, α = 2. The figure shows the reed beating, which of the phases that
//! we tried only cosines bring about.

use super::setup::{DT, REED};
use crate::{
    balance::States,
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    reed::{LAY, Phase, Run},
};

/// Samples of the figure: six periods.
pub const STEPS: usize = 1813;

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new(
        "C15 fig. 3: clarinet reed, EC, 44.1 kHz, six periods",
        &["phases", "max y, m", "on the lay (printed: it beats)", "y[100], m", "max|K|/max H, eps"],
    );
    let (mut drives, mut displacements, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    let time = ("time", "s");
    for (name, phase) in Phase::ALL {
        let run = Run::record(REED, phase, STEPS)?;
        table.row([
            name.into(),
            run.highest().into(),
            format!("{:.1} %", 100.0 * run.beating()).into(),
            run.trace.q[100].into(),
            (run.error() / run.energy_max / f64::EPSILON).into(),
        ]);
        let system = REED.system()?;
        let energy = States::of(&run.trace, &system).energy();
        let pressure: Vec<f64> = (0..=STEPS).map(|n| phase.pressure(n as f64 * DT)).collect();
        let lay = [(0.0, LAY), (STEPS as f64 * DT, LAY)];
        drives.push(Panel::new(
            format!("Drive, {name} phases"),
            time,
            ("pressure difference", "Pa"),
            vec![Series::line("p_Δ", run.trace.timed(&pressure))],
        ));
        displacements.push(Panel::new(
            format!("Displacement, {name} phases"),
            time,
            ("displacement y", "m"),
            vec![Series::line("y", run.trace.displacement()), Series::dashed("lay y_c", lay)],
        ));
        energies.push(Panel::new(
            format!("Energy, {name} phases"),
            time,
            ("energy", "J/m²"),
            vec![
                Series::line("H", run.trace.timed(&energy)),
                Series::line("K", run.trace.timed(&run.conserved)),
            ],
        ));
    }
    table.note("Neither phases nor mean pressure are printed. The sine series never reaches the lay; the cosine series beats, as the figure shows.");
    let figure = Figure {
        name: "fig3",
        title: "C15 fig. 3: clarinet reed".into(),
        caption: "Drive, displacement and energies; K stays at 0.".into(),
        panels: [drives, displacements, energies].concat(),
    };
    Ok(Outcome::new(table, figure))
}
