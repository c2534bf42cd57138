//! How fine a grid is: given, or found from a target tuning error.
//!
//! With `accuracy` the fewest intervals are taken whose dispersion detunes the first partials by no more than so many
//! cents: a partial of wave number k has the frequency ω_d(k) on the grid, ω(k) without one, and
//!
//!   error = 1200 log₂(ω_d(k)/ω(k)),   falling with Δx²
//!
//! Ends that are not simply supported shift k itself by as much again, in the same order.

use crate::finite_difference::variational::Grid;
use hamiltone_core::parameter::{Absent, Complaint, OneOf, Parameter, Range, Role, Rule, Takes, Values};
use hamiltone_numerics::math;
use std::f64::consts::LN_2;

/// The coarsest and the finest grid.
const MIN_INTERVALS: f64 = 4.0;
const MAX_INTERVALS: f64 = 100_000.0;
/// The finest grid that is tried for an accuracy.
const FINEST_TRIED: usize = 16_384;

pub(crate) const INTERVALS: Parameter = Parameter {
    name: "intervals",
    takes: Takes::Number(Role::Count, Range { min: MIN_INTERVALS, max: MAX_INTERVALS, open: false }),
    absent: Absent::Optional(
        "as many as `accuracy` requires; with method = \"modal\" at least four per mode, 54 where [run] names no scheme",
    ),
    doc: "N: Δx = length/N",
};

/// The same of a body whose modes a formula gives.
pub(crate) const INTERVALS_OF_EITHER: Parameter = Parameter {
    absent: Absent::Optional(
        "as many as `accuracy` requires; with method = \"modal\" the next product of 2, 3 and 5 above the number of modes, or four per mode (54 where [run] names no scheme) for modes found numerically; contacts along a body by modes lie at that product unless `intervals` is given",
    ),
    ..INTERVALS
};

pub(crate) const ACCURACY: Parameter = Parameter {
    name: "accuracy",
    takes: Takes::Number(Role::Number, Range { min: 1e-4, max: 100.0, open: false }),
    absent: Absent::Number(1.0),
    doc: "target tuning error of the first partials, cents: sets the grid size",
};

pub(crate) const PARTIALS: Parameter = Parameter {
    name: "accuracy_partials",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: 100.0, open: false }),
    absent: Absent::Number(4.0),
    doc: "to how many partials accuracy applies",
};

/// N itself, or how well the grid must be in tune.
pub(crate) const FINENESS: Rule = Rule::OneOf(OneOf {
    states: "the grid",
    alternatives: &[&["intervals"], &["accuracy", "accuracy_partials"]],
    required: false,
});

/// A grid of N ≥ 4 intervals on the length L, m.
///
/// # Errors
/// A [`Complaint`] where the length is not positive, or the grid too coarse.
pub(crate) fn new(length: f64, intervals: usize) -> Result<Grid, Complaint> {
    Range::from(MIN_INTERVALS).check("intervals", intervals as f64)?;
    Ok(Grid::new(Range::POSITIVE.check("length", length)?, intervals))
}

/// N as the values say; `frequencies(n, p)` are those of partial p, any unit: on a grid of n intervals, and without.
pub(crate) fn intervals(
    values: &Values,
    frequencies: impl Fn(usize, usize) -> (f64, f64),
) -> Result<usize, Complaint> {
    if let Some(n) = values.count("intervals") {
        return Ok(n);
    }
    let accuracy = values.required("accuracy")?;
    let partials = values.required("accuracy_partials")? as usize;
    let good = |n: usize| {
        let cents = |p: usize| {
            let (discrete, continuous) = frequencies(n, p);
            1200.0 / LN_2 * math::log(discrete / continuous).abs()
        };
        (1..=partials).all(|p| cents(p) <= accuracy)
    };
    let mut high = (2 * partials).max(16);
    while !good(high) {
        if high > FINEST_TRIED {
            let message = format!(
                "of {accuracy} cents for {partials} partials needs more than {FINEST_TRIED} intervals; reduce it, or give intervals"
            );
            return Err(Complaint::new("accuracy", message));
        }
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = (low + high) / 2;
        if good(middle) { high = middle } else { low = middle }
    }
    Ok(high)
}

/// s with s² = −δ⟨2⟩ for a wave of wave number k on a grid of step Δx: sin(kΔx/2)/(Δx/2).
pub(crate) fn lattice_wave(k: f64, step: f64) -> f64 {
    math::sin(0.5 * k * step) / (0.5 * step)
}
