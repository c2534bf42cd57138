//! Composition of Verlet's method with itself to order 4 or 6 (C19 §2.6 names it; Creutz & Gocksch 1989, Suzuki
//! 1990, Yoshida 1990).
//!
//!   Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},   from order p to p + 2 by
//!
//!   triple jump   γ = a, 1 − 2a, a                a = 1/(2 − 2^(1/(p+1)))
//!   Suzuki        γ = b, b, 1 − 4b, b, b          b = 1/(4 − 4^(1/(p+1)))
//!
//! and once more for order 6. Of a splitting this is a splitting again: the kicks or drifts in which two steps meet are one, so that
//! the composed method has the tableau
//!
//!   positions first   B = γ₁/2, (γ₁ + γ₂)/2, …, γ_s/2,   b = γ₁, …, γ_s, 0
//!   velocities first  B = 0, γ₁, …, γ_s,                 b = γ₁/2, (γ₁ + γ₂)/2, …, γ_s/2
//!
//! Some of its steps go back in time, where damping would feed energy in: it is split off, as of every tableau.

use crate::explicit::{sprk, tableaux::Coefficients};
use hamiltone_core::{
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    scheme::Scheme,
};
use hamiltone_numerics::math;

/// How many sub-steps a composition makes of one: 3 by the triple jump, whose middle one goes back by 1.7 steps, or 5 by Suzuki,
/// none longer than 0.66, with smaller errors and wider limits.
fn factors(is_triple: bool, order: u32) -> Vec<f64> {
    let mut factors = vec![1.0];
    for p in (2..order).step_by(2) {
        let root = |x: f64| math::pow(x, 1.0 / f64::from(p + 1));
        let (a, b) = (1.0 / (2.0 - root(2.0)), 1.0 / (4.0 - root(4.0)));
        let outer = if is_triple { vec![a, 1.0 - 2.0 * a, a] } else { vec![b, b, 1.0 - 4.0 * b, b, b] };
        // Each pass composes the method of order p with itself, from the inside outwards.
        factors = outer.iter().flat_map(|x| factors.iter().map(move |y| x * y)).collect();
    }
    factors
}

/// The tableau of Verlet's method with these sub-steps.
fn composed(factors: &[f64], positions_first: bool, order: u32) -> Coefficients {
    let mut stages = Vec::new();
    let mut before = 0.0;
    // Where two sub-steps meet, half of each is one drift or one kick.
    for factor in factors {
        let shared = 0.5 * (before + factor);
        stages.push(if positions_first { [shared, *factor] } else { [before, shared] });
        before = *factor;
    }
    stages.push(if positions_first { [0.5 * before, 0.0] } else { [before, 0.5 * before] });
    Coefficients { order, stages }
}

const KIND: Kind = Kind {
    name: "composition",
    summary: "Verlet's method composed with itself to order 4 or 6 undamped; of order 2 with damping, which is split off exactly",
    equation: "Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},  γ = a, 1 − 2a, a  or  b, b, 1 − 4b, b, b",
    source: "Yoshida 1990; Suzuki 1990; Chatziioannou 2019, §2.6",
    parameters: &[
        Parameter {
            name: "base",
            takes: Takes::Word(&["vv", "position-verlet"]),
            absent: Absent::Word("vv"),
            doc: "the scheme that is composed with itself",
        },
        Parameter {
            name: "method",
            takes: Takes::Word(&["triple-jump-4", "suzuki-4", "triple-jump-6", "suzuki-6"]),
            absent: Absent::Word("triple-jump-4"),
            doc: "composition and its order: one step takes 3, 5, 9 or 25 steps of the base; Suzuki's errors are smaller",
        },
    ],
    rules: &[],
};

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: KIND,
    make: |values: &Values| {
        let method = values.word("method").unwrap_or("triple-jump-4");
        let order = if method.ends_with('6') { 6 } else { 4 };
        let factors = factors(method.starts_with("triple"), order);
        let positions_first = values.word("base") == Some("position-verlet");
        Ok(Box::new(sprk::split(KIND.name, composed(&factors, positions_first, order))))
    },
};
