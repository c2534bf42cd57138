//! Figure 5: the energy of figure 4's collision, split.
//!
//!   h^{n−½} = ½M(δₜ₋uⁿ)² + P_{n−1,n}                                               (7)
//!
//! For (23) P is the mean of φ. For s ≤ 1 P ≥ 0 (12); for s = 3 it dips below 0 by an
//! amount that falls with the time step.

use super::{fig4, potential::Expansion, setup::Collision};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    method::Method,
};
use hamiltone_numerics::math::square;

/// The energies of a run at n + ½, J.
pub struct Energies {
    /// ½M(δₜ₋u)² of the positions.
    pub kinetic: Vec<f64>,
    /// P of the positions.
    pub potential: Vec<f64>,
    /// What the scheme's ledger holds.
    pub stored: Vec<f64>,
}

/// The energies of the collision by the scheme with parameter `s`, or by (23) where it is `None`.
///
/// # Errors
/// Where the scheme refuses the system.
pub fn energies(s: Option<f64>, rate: f64) -> Result<Energies, Unable> {
    let method = s.map_or_else(|| Method::new("(23)", "average-gradient"), Method::quadratic)?;
    let system = Collision::system()?;
    let trace = fig4::run(&method, rate)?;
    let steps = || trace.q.windows(2);
    let potential = |u: &[f64]| match s {
        Some(s) => Expansion { system: &system, s }.potential(u[0], u[1]),
        None => 0.5 * (system.energy(&[u[0]], &[0.0], &[]) + system.energy(&[u[1]], &[0.0], &[])),
    };
    let stored = std::iter::once(trace.audit.energy_initial).chain(trace.ledgers.iter().map(|l| l.stored));
    Ok(Energies {
        kinetic: steps().map(|u| 0.5 * square((u[1] - u[0]) * rate)).collect(),
        potential: steps().map(potential).collect(),
        stored: stored.take(trace.q.len() - 1).collect(),
    })
}

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new(
        "D17 fig. 5: energy components of the collision",
        &["rate, Hz", "scheme", "printed", "smallest potential, J", "max|h/h₀ − 1|, eps"],
    );
    let mut panels = Vec::new();
    for s in [None, Some(1.0), Some(3.0)] {
        for rate in Collision::RATES {
            let label = s.map_or("(23)".into(), |s| format!("s = {s}"));
            let Energies { kinetic, potential, stored } = energies(s, rate)?;
            let lowest = potential.iter().copied().fold(f64::INFINITY, f64::min);
            let error = stored.iter().map(|h| (h / stored[0] - 1.0).abs()).fold(0.0, f64::max);
            table.row([
                rate.to_string().into(),
                label.clone().into(),
                if s == Some(3.0) { "bounded from below" } else { "not negative" }.into(),
                lowest.into(),
                (error / f64::EPSILON).into(),
            ]);
            let near = |&(t, _): &(f64, f64)| (0.0298..0.0304).contains(&t);
            let line = |name, values: &[f64]| {
                let points = values.iter().enumerate().map(|(n, &e)| ((n as f64 + 0.5) / rate, e));
                Series::line(name, points.filter(near))
            };
            panels.push(Panel::new(
                format!("{label}, {} kHz", rate / 1e3),
                ("time", "s"),
                ("energy", "J"),
                vec![line("total", &stored), line("kinetic", &kinetic), line("potential", &potential)],
            ));
        }
    }
    table.note("s = 1 keeps the discrete potential non-negative, as (12) says; s = 3 does not, but its negative part vanishes with the time step.");
    let figure = Figure {
        name: "fig5",
        title: "D17 fig. 5: energy components".into(),
        caption: "Total (constant), kinetic and potential energy through the contact.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
