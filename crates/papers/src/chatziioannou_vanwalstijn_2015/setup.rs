//! The parameters, systems and methods of the paper that its figures share.

use crate::{
    balance::{Momentum, States, drift},
    decay::Decay,
    figure::{Cell, Figure, Outcome, Panel, Series, Table, Unable},
    lumped::Lumped,
    method::Method,
    reed::Reed,
    trace::Trace,
};
use std::f64::consts::TAU;

/// f_s = 44.1 kHz: Δt, s.
pub const DT: f64 = 1.0 / 44100.0;
/// 0.1 s.
pub const STEPS: usize = 4410;

/// §3: a mass of 100 g, ω₀ = 2π440 rad/s, γ = 300 1/s, y(0) = −1 mm, ẏ(0) = 1 m/s.
pub const OSCILLATOR: Decay =
    Decay { mass: 0.1, omega: TAU * 440.0, gamma: 300.0, position: -1e-3, velocity: 1.0 };

/// The reed of Table 1 and §4.1.
pub const REED: Reed = Reed { omega: TAU * 2000.0, gamma: 3000.0, stiffness: 8.23e10, exponent: 2.0 };

/// A run of §3's oscillator by EC.
pub struct Run {
    /// The run.
    pub trace: Trace,
    /// H⁰, H¹, …, J.
    pub energy: Vec<f64>,
    /// K⁰, K¹, … of (12)/(18), J.
    pub conserved: Vec<f64>,
}

/// Runs the oscillator for 0.1 s, driven by `force` (N) where there is one.
///
/// # Errors
/// Where its numbers do not make a body.
pub fn run(force: Option<&dyn Fn(f64) -> f64>) -> Result<Run, Unable> {
    let Decay { mass, omega, gamma, position, velocity } = OSCILLATOR;
    let driven = force.is_some();
    let system = Lumped { mass, omega, gamma, position, velocity, driven, contact: None }.system()?;
    let force = force.unwrap_or(&|_| 0.0);
    let trace = Trace::record(&Method::new("EC", "ec")?, &system, DT, STEPS, force)?;
    let states = States::of(&trace, &system);
    let (energy, conserved) = (states.energy(), states.conserved(Momentum::Mean, force));
    Ok(Run { trace, energy, conserved })
}

/// The three panels that figures 1 and 2 share, and their table.
pub(super) fn outcome(name: &'static str, title: &str, run: &Run, exact: Option<Series>) -> Outcome {
    let Run { trace, energy, conserved } = run;
    let error: Vec<f64> = conserved.iter().map(|k| k - conserved[0]).collect();
    let mut displacement = vec![Series::line("EC", trace.displacement())];
    displacement.extend(exact);
    let time = ("time", "s");
    let panels = vec![
        Panel::new("Displacement", time, ("displacement y", "m"), displacement),
        Panel::new(
            "Energy and conserved quantity",
            time,
            ("energy", "J"),
            vec![Series::line("H", trace.timed(energy)), Series::line("K", trace.timed(conserved))],
        ),
        Panel::new(
            "Error of the conserved quantity",
            time,
            ("Kⁿ − K⁰", "J"),
            vec![Series::points("", trace.timed(&error))],
        ),
    ];
    let mut table = Table::new(title, &["quantity", "printed", "computed"]);
    for (quantity, value) in [("H⁰, J", energy[0]), ("y[10], m", trace.q[10]), ("y[100], m", trace.q[100])]
    {
        table.row([quantity.into(), Cell::Blank, value.into()]);
    }
    let eps = drift(conserved) / conserved[0] / f64::EPSILON;
    table.row(["max|Kⁿ − K⁰|/K⁰, eps".into(), "machine precision".into(), eps.into()]);
    let caption = "K is constant to machine precision while H is not.".into();
    Outcome::new(table, Figure { name, title: title.into(), caption, panels })
}
