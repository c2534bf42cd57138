//! A. Ishikawa, D. L. Michels, T. Yaguchi, "Geometric-integration tools for the simulation of
//! musical sounds", Japan J. Indust. Appl. Math. 35 (2018) 511–540. A piano string and its hammer.
//!
//! What is read differently from the print, everywhere in this folder:
//! - (14) is printed with [O I; I O]; (15) has the sign right: [O I; −I O].
//! - Of the coefficients (b)\[B\], \[B\] moves positions, (b) moves momenta, positions first: every other
//!   assignment is of order 1.
//! - One f_h for string and hammer means ρA = 1 kg/m.
//! - With N = 50 the strike point 0.126189 m needs β_h = 0.015 (printed 0.00945), and is 0.126 m, not 0.126 L.
//! - The column "L2" of Table 4 is not the stated norm; ours is.
//! - N = 1000 with Δt = 1/4.41e6 s and N = 1500 with 1/8.82e6 s are beyond the stability limit of the 4-stage set.
//! - With the damping in the kicks as printed every set is of order 1; split off, of order 2.

pub mod energy;
pub mod fig3;
pub mod fig4;
pub mod orders;
pub mod table4;
pub mod tone;

use crate::{
    Paper,
    figure::{Item, Unable},
    line::{Line, Slope},
    method::Method,
};
use hamiltone_bodies::Mass;
use hamiltone_core::{
    body::Body,
    geometry::Place,
    law::Touch,
    row::Row,
    system::{Contact, System},
};
use hamiltone_elements::Power;

const NAME: &str = "ishikawa_2018";

/// The paper.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "A. Ishikawa, D. L. Michels, T. Yaguchi, Geometric-integration tools for the simulation of musical sounds, Japan J. Indust. Appl. Math. 35 (2018) 511–540",
    items: &[
        Item {
            paper: NAME,
            name: "table4",
            title: "Errors of the free string by the 4-stage method",
            seconds: 25.0,
            make: table4::make,
        },
        Item {
            paper: NAME,
            name: "fig3",
            title: "The free string at 0.1 s against the exact solution",
            seconds: 5.0,
            make: fig3::make,
        },
        Item {
            paper: NAME,
            name: "fig4",
            title: "The same with the central difference for u_x",
            seconds: 5.0,
            make: fig4::make,
        },
        Item {
            paper: NAME,
            name: "fig5",
            title: "The energy gap of the free string",
            seconds: 3.0,
            make: energy::fig5,
        },
        Item {
            paper: NAME,
            name: "fig6",
            title: "The tone by three methods, N = 1000",
            seconds: 120.0,
            make: tone::fig6,
        },
        Item {
            paper: NAME,
            name: "fig7",
            title: "Its waveform from 0.4 to 0.45 s",
            seconds: 20.0,
            make: tone::fig7,
        },
        Item { paper: NAME, name: "fig8", title: "Its spectrum", seconds: 40.0, make: tone::fig8 },
        Item {
            paper: NAME,
            name: "fig9",
            title: "The energy gap of the hammered string, N = 1000, 10 s",
            seconds: 600.0,
            make: energy::fig9,
        },
        Item {
            paper: NAME,
            name: "fig10",
            title: "The tone by the 4-stage method, N = 50",
            seconds: 20.0,
            make: tone::fig10,
        },
        Item { paper: NAME, name: "fig11", title: "Its spectrum", seconds: 20.0, make: tone::fig11 },
        Item {
            paper: NAME,
            name: "fig12",
            title: "The energy gap of the hammered string, N = 50",
            seconds: 10.0,
            make: energy::fig12,
        },
        Item {
            paper: NAME,
            name: "orders",
            title: "Orders of convergence, which the paper does not measure",
            seconds: 10.0,
            make: orders::make,
        },
    ],
};

/// The paper's unit of rate, Hz.
pub const RATE: f64 = 44_100.0;

/// The three methods: as the paper calls them, scheme, number of stages.
pub const METHODS: [(&str, &str); 3] =
    [("4-stage 4th-order", "sprk-4"), ("3-stage 3rd-order", "sprk-3"), ("6-stage 4th-order", "sprk-6")];

/// The C4 string of Table 2 on N intervals, undamped, ρA = 1 kg/m.
pub fn string(intervals: usize) -> Line {
    Line {
        length: 0.63,
        intervals,
        density: 1.0,
        speed: 329.6,
        stiffness: 1.25,
        d1: 0.0,
        d3: 0.0,
        slope: Slope::Forward,
    }
}

/// The same with the damping of Table 2.
pub fn damped(intervals: usize) -> Line {
    Line { d1: 1.1, d3: 2.7e-4, ..string(intervals) }
}

/// Where the hammer strikes: l_h = 0.2 N, β_h = 0.3 with N = 1000, m.
pub const STRIKE: f64 = 0.126_189;

/// Where the string is listened to: 0.7 L, m.
pub const LISTEN: f64 = 0.7 * 0.63;

/// The string with the hammer of Table 1 (μ: its felt's loss, s/m) about to strike it.
///
/// # Errors
/// Where its numbers make no system.
pub fn hammered(line: Line, loss: f64) -> Result<System, Unable> {
    let mut system = line.system()?;
    let hammer = Mass::new(5.687e-3)?.starting(5e-4, -4.0)?.add_to(&mut system, "hammer")?;
    let there = hammer.row(Place::Whole).map_err(Unable)?;
    let Touch { law, gap } = Power::new(1.51647e9, 2.56)?.with_loss(loss)?.at_gap(0.0);
    let row = line.field().interpolate(STRIKE).minus(&there);
    system.contacts.push(Contact { name: "felt".into(), row, gap, law });
    Ok(system)
}

/// The felt's loss of Table 1, s/m.
pub const FELT: f64 = 0.1998;

/// The row that listens.
pub fn ear(line: &Line) -> Row {
    line.field().interpolate(LISTEN)
}

/// The mode sum (16) at t: position and velocity at x, of the continuous string.
pub fn exact(line: &Line, amplitude: f64, x: f64, t: f64) -> (f64, f64) {
    (1..=15).fold((0.0, 0.0), |(u, v), m| {
        let omega = line.angular_frequency(m);
        let shape = amplitude * (m as f64 * std::f64::consts::PI * x / line.length).sin();
        let (s, c) = (omega * t).sin_cos();
        (u + shape * (c + s), v + shape * omega * (c - s))
    })
}

/// The free string started from (16) with A_m = B_m = `amplitude`.
///
/// # Errors
/// Where its numbers make no string.
pub fn started(line: &Line, amplitude: f64) -> Result<System, Unable> {
    let (mut system, u) = (line.system()?, line.field());
    for l in u.indices() {
        let i = u.coordinate(l);
        let (position, velocity) = exact(line, amplitude, u.position(l), 0.0);
        system.start.position[i] = position;
        system.start.velocity[i] = velocity;
    }
    Ok(system)
}

/// The 4-stage method with its damping as printed, in the kicks.
///
/// # Errors
/// Where the catalogue has none.
pub fn four_stage() -> Result<Method, Unable> {
    printed(METHODS[0])
}

/// A method of the paper with its damping as printed, in the kicks.
///
/// # Errors
/// Where the catalogue has none.
pub fn printed((label, name): (&str, &str)) -> Result<Method, Unable> {
    Method::worded(label, name, &[("damping", "printed")])
}
