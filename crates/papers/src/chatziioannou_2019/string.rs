//! The ideal string over a flat, rigid obstacle of §4: (66)–(84).
//!
//!   ρA ÿ = τ y″ − ρAγ ẏ + k_b⌊y_b − y⌋^α,   y(x, 0) = A sin(πx/l)
//!
//! l = 0.7 m, τ = 100 N, ρA = 1e-3 kg/m, k_b = 1e7 N/m², α = 1, y_b = −0.1 mm, A = 0.2 mm, Δx = 7 mm.
//! (69), (70) print m where (66) has ρA; in (72a) the two momenta are added, not subtracted.

use crate::{
    figure::Unable,
    line::{Line, Slope},
};
use hamiltone_core::{
    element::{Element, ElementLaw},
    row::Row,
    system::System,
};
use hamiltone_elements::Power;
use hamiltone_numerics::math::sin;
use std::f64::consts::PI;

/// l, m.
pub const LENGTH: f64 = 0.7;
/// Δx = 7 mm.
pub const INTERVALS: usize = 100;
/// A, m.
pub const AMPLITUDE: f64 = 2e-4;
/// y_b, m.
pub const BARRIER: f64 = -1e-4;
/// k_b, N/m².
pub const STIFFNESS: f64 = 1e7;

/// The string without its barrier; γ in 1/s.
///
/// # Errors
/// Where its numbers make no string.
pub fn free(intervals: usize, gamma: f64) -> Result<(Line, System), Unable> {
    let line = Line {
        length: LENGTH,
        intervals,
        density: 1e-3,
        speed: (100.0_f64 / 1e-3).sqrt(),
        stiffness: 0.0,
        d1: gamma,
        d3: 0.0,
        slope: Slope::Forward,
    };
    let (mut system, u) = (line.system()?, line.field());
    for l in u.indices() {
        system.initial.position[u.coordinate(l)] = AMPLITUDE * sin(PI * u.position(l) / LENGTH);
    }
    Ok((line, system))
}

/// The string over its barrier.
///
/// # Errors
/// Where the law refuses its numbers.
pub fn over_barrier(intervals: usize, gamma: f64) -> Result<(Line, System), Unable> {
    over_barrier_of(STIFFNESS, intervals, gamma)
}

/// The string over a barrier of another stiffness k_b, N/m².
///
/// # Errors
/// Those of [`over_barrier`].
pub fn over_barrier_of(stiffness: f64, intervals: usize, gamma: f64) -> Result<(Line, System), Unable> {
    let (line, mut system) = free(intervals, gamma)?;
    let u = line.field();
    for l in u.indices() {
        let ElementLaw { law, gap } = Power::new(stiffness * u.weight(l), 1.0)?.at_gap(-BARRIER);
        let row = Row::Sparse(vec![(u.coordinate(l), -1.0)]);
        system.elements.push(Element::new(format!("barrier[{l}]"), row, gap, law));
    }
    Ok((line, system))
}

/// The row that reads the amplitude of mode 1: (2/N) Σ y_l sin(πl/N).
pub fn first_mode(line: &Line) -> Row {
    let u = line.field();
    let weight = |l: i64| 2.0 / line.intervals as f64 * sin(PI * u.position(l) / LENGTH);
    Row::Dense { first: 0, weights: u.indices().map(weight).collect() }
}

/// T₀ = 2l/c, s.
pub fn period(line: &Line) -> f64 {
    2.0 * LENGTH / line.speed
}

/// The time of a signal's first maximum within a tenth of its start, by the parabola through its three highest
/// samples, in samples. Half way there mode 1 rises to two thirds: the string is back, but not in its shape.
pub fn first_return(signal: &[f64]) -> Option<f64> {
    let returned = |w: &[f64]| w[1] > w[0] && w[1] >= w[2] && w[1] > 0.9 * signal[0];
    let before = signal.windows(3).position(returned)?;
    let (a, b, c) = (signal[before], signal[before + 1], signal[before + 2]);
    Some(before as f64 + 1.0 + 0.5 * (a - c) / (a - 2.0 * b + c))
}
