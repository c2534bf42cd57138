//! How far to go along a step of Newton for a monotone equation Φ(σ) = 0: as far as makes ‖Φ‖² smaller.
//!
//!   σ(t) = σ + tδ,   t = 1, ½, ¼, …  until ‖Φ(σ(t))‖² ≤ ‖Φ(σ)‖²
//!
//! Along δ every component of Φ decreases at first, so that some t does. Far above the root of a law σ^α the step is about
//! σ/α only: after some iterations t = 2, 4, … are tried where progress is slow.

/// The smallest part of a Newton step that is tried, 2⁻⁴⁰.
const SMALLEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// Iterations after which longer steps than Newton's are tried where these make slow progress. Far above the root of a law
/// σ^α an iteration takes away σ/α only: for α = 7, crossing 12 decades would take 180 of them.
const PATIENCE: u32 = 10;

/// Progress is slow where ‖Φ‖² keeps more than this: it keeps (1 − 1/α)^2α of a law σ^α, from 1/16 (α = 2) to e⁻².
const SLOW: f64 = 1.0 / 16.0;

/// The longest step that is tried, in steps of Newton: α of the steepest law is 99.
const LONGEST: f64 = 64.0;

/// The part t of a step that is taken, and ‖Φ‖² there. `part` moves to a part of the step and evaluates it, last at the one
/// that is taken; `norm` is ‖Φ‖² before the step, or its rounding floor if larger; `iterations` is the number of steps before.
pub(crate) fn along(norm: f64, iterations: u32, mut part: impl FnMut(f64) -> f64) -> (f64, f64) {
    let mut t = 1.0;
    let mut reached = part(t);
    // Beyond 40 halvings nothing moves any more: the stop test will say how far it is off.
    while !(reached <= norm || t < SMALLEST) {
        t *= 0.5;
        reached = part(t);
    }
    let slow = t == 1.0 && (SLOW * norm..norm).contains(&reached);
    while iterations >= PATIENCE && slow && t < LONGEST {
        let beyond = part(2.0 * t);
        if beyond.is_nan() || beyond >= reached {
            // The caller keeps the state of the last evaluation: it must be the one that is taken.
            return (t, part(t));
        }
        (t, reached) = (2.0 * t, beyond);
    }
    (t, reached)
}
