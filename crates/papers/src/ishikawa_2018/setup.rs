//! The parameters, systems and methods of the paper that its figures share.

use crate::{
    figure::Unable,
    line::{Line, Slope},
    method::Method,
};
use hamiltone_bodies::Mass;
use hamiltone_core::{
    body::Body,
    element::{Element, ElementLaw},
    geometry::Place,
    row::Row,
    system::System,
};
use hamiltone_elements::Power;
use hamiltone_numerics::math::{sin, sincos};

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

/// Where the pickup reads the string: 0.7 L, m.
pub const PICKUP: f64 = 0.7 * 0.63;

/// The string with the hammer of Table 1 (μ: its felt's loss, s/m) about to strike it.
///
/// # Errors
/// Where its numbers make no system.
pub fn hammered(line: Line, loss: f64) -> Result<System, Unable> {
    let mut system = line.system()?;
    let hammer = Mass::new(5.687e-3)?.with_initial(5e-4, -4.0)?.add_to(&mut system, "hammer")?;
    let there = hammer.row(Place::Whole).map_err(Unable)?;
    let ElementLaw { law, gap } = Power::new(1.51647e9, 2.56)?.at_gap(0.0).with_loss(loss)?;
    let row = line.field().interpolate(STRIKE).minus(&there);
    system.elements.push(Element::new("felt", row, gap, law));
    Ok(system)
}

/// The felt's loss of Table 1, s/m.
pub const FELT: f64 = 0.1998;

/// The row of the pickup.
pub fn ear(line: &Line) -> Row {
    line.field().interpolate(PICKUP)
}

/// The mode sum (16) at t: position and velocity at x, of the continuous string.
pub fn exact(line: &Line, amplitude: f64, x: f64, t: f64) -> (f64, f64) {
    (1..=15).fold((0.0, 0.0), |(u, v), m| {
        let omega = line.angular_frequency(m);
        let shape = amplitude * sin(m as f64 * std::f64::consts::PI * x / line.length);
        let (s, c) = sincos(omega * t);
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
        system.initial.position[i] = position;
        system.initial.velocity[i] = velocity;
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
