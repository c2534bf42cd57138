//! V. Chatziioannou & M. van Walstijn, "Discrete-time conserved quantities for damped
//! oscillators", 3rd Vienna Talk on Music Acoustics (2015) 135–139.
//!
//! Read differently from the print: after (8) the roots are σ = −γ/2 ± jω_γ. The
//! phases and mean of the reed's drive are not given: see [`crate::reed`].

pub mod fig1;
pub mod fig2;
pub mod fig3;
pub mod fig4;

use crate::{
    Paper,
    balance::{Momentum, States, drift},
    decay::Decay,
    figure::{Cell, Figure, Item, Outcome, Panel, Series, Table, Unable},
    lumped::Lumped,
    method::Method,
    reed::Reed,
    trace::Trace,
};
use std::f64::consts::TAU;

const NAME: &str = "chatziioannou_vanwalstijn_2015";

/// The paper.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "V. Chatziioannou & M. van Walstijn, Discrete-time conserved quantities for damped oscillators, Vienna Talk (2015) 135–139",
    items: &[
        Item {
            paper: NAME,
            name: "fig1",
            title: "Damped oscillator: displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig1::make,
        },
        Item {
            paper: NAME,
            name: "fig2",
            title: "Driven oscillator: displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig2::make,
        },
        Item {
            paper: NAME,
            name: "fig3",
            title: "Clarinet reed: drive, displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig3::make,
        },
        Item {
            paper: NAME,
            name: "fig4",
            title: "Clarinet reed: the energy error of each step in the first 9 ms",
            seconds: 0.1,
            make: fig4::make,
        },
    ],
};

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
    let system = Lumped { mass, omega, gamma, position, velocity, driven, touch: None }.system()?;
    let force = force.unwrap_or(&|_| 0.0);
    let trace = Trace::record(&Method::new("EC", "ec")?, &system, DT, STEPS, force)?;
    let states = States::of(&trace, &system);
    let (energy, conserved) = (states.energy(), states.conserved(Momentum::Mean, force));
    Ok(Run { trace, energy, conserved })
}

/// The three panels that figures 1 and 2 share, and their table.
fn outcome(name: &'static str, title: &str, run: &Run, exact: Option<Series>) -> Outcome {
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
