//! Moreau–Jean time-stepping with θ: any M, R and K, rigid contacts by impulses.
//!
//!   M(vⁿ⁺¹ − vⁿ) + Δt K(θqⁿ⁺¹ + (1 − θ)qⁿ) + Δt R(θvⁿ⁺¹ + (1 − θ)vⁿ) = p,   qⁿ⁺¹ = qⁿ + Δt(θvⁿ⁺¹ + (1 − θ)vⁿ)
//!   0 ≤ F ⊥ −c·(vⁿ⁺¹ + e vⁿ) ≥ 0  where c·(qⁿ + Δt/2 vⁿ) ≥ h,     p = −Δt Σ c F
//!
//! of the Siconos page on modal Moreau–Jean time-stepping (there "Moreau–Jean"), after Moreau 1988 and Jean 1999. The
//! step is that of the implicit family: with θ = ½ and without rigid contacts it is EC. Its frequencies are warped,
//! tan(ω′Δt/2) = ωΔt/2; with θ > ½ springs, dampers and masses lose by themselves, and it accounts for what,
//!
//!   (θ − ½)(Δv·MΔv + Δq·KΔq).
//!
//! θ < ½ would make energy and is refused. Compliant contacts push by their exact quotient, as in EC. The work of rigid
//! contacts is −ΣF c·(θvⁿ⁺¹ + (1 − θ)vⁿ)Δt = −ΣF c·vⁿ(1 − θ(1 + e))Δt: 0 for θ = ½ and e = 1, a loss below
//! θ = 1/(1 + e), and above it energy is added, of which the user is warned.

use crate::{
    implicit::Method,
    impulse_solver::{SOLVER, solver},
};
use hamiltone_core::{
    parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes, Values},
    scheme::Scheme,
};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "moreau-jean",
        summary: "implicit with θ; rigid contacts by impulses: any bodies on frets, necks and other obstacles",
        equation: "M(vⁿ⁺¹ − vⁿ) + Δt K(θqⁿ⁺¹ + (1 − θ)qⁿ) + Δt R(θvⁿ⁺¹ + (1 − θ)vⁿ) = p\n0 ≤ p ⊥ −(ẋⁿ⁺¹ + eẋⁿ) ≥ 0  where xⁿ + Δt/2 ẋⁿ ≥ 0",
        source: "Moreau 1988; Jean 1999; the Siconos page on modal Moreau–Jean time-stepping",
        parameters: &[
            Parameter {
                name: "theta",
                takes: Takes::Number(Role::Number, Range { min: 0.5, max: 1.0, open: false }),
                absent: Absent::Number(0.5),
                doc: "θ: ½ keeps the energy and is of order 2; more damps high frequencies and is of order 1; above 1/(1 + e) rigid contacts add energy",
            },
            SOLVER,
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let theta = values.required("theta")?;
        // The θ-method is of order 2 in the middle only.
        let order = if theta == 0.5 { 2 } else { 1 };
        let impacts = Some(solver(values));
        Ok(Box::new(Method { name: "moreau-jean", order, theta, impacts, ..Method::PLAIN }))
    },
};
