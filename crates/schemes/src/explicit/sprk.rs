//! Explicit symplectic partitioned Runge–Kutta methods (I18 §4, Algorithm 1): \[B\] moves positions, (b) momenta.
//!
//!   q ← q + BᵢΔt v,   v ← v + bᵢΔt M⁻¹(Bu − K q − Cᵀf(C·q − h) …),   i = 1 … s
//!
//! Undamped and undriven they are symplectic and of the order of their coefficients ([`crate::explicit::tableaux`]). Damping is
//! taken in one of two ways:
//!
//!   printed   in the kicks, R v and f(1 + μẋ) with the v before each: I18 (14), (15), of order 1
//!   split     exactly, for Δt/2 before and Δt/2 behind the undamped step (`damping_flow.rs`), of order 2
//!
//! An external force is known at the step's ends; between them it is taken to be linear, which is of order 2.

use crate::explicit::{
    method::{Explicit, Kicks},
    tableaux::{self, Coefficients},
};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    parameter::{Absent, Entry, Kind, Parameter, Takes, Values},
    scheme::Scheme,
};

/// The method of a tableau, its damping split off.
pub(crate) fn split(name: &'static str, tableau: Coefficients) -> Explicit {
    let claims = Claims {
        order: 2,
        order_free: tableau.order,
        symmetric: tableau.symmetric(),
        linear: Balance::Bounded,
        contact: Balance::Bounded,
        contraction: Contraction::Conformal,
        contraction_with_links: true,
        contraction_with_contact: true,
        limit: Some(tableau.limit()),
        physical_energy: true,
        staggered: false,
    };
    Explicit { name, kicks: Kicks::Split(tableau), claims }
}

/// The same with its damping in the kicks.
fn printed(name: &'static str, tableau: Coefficients) -> Explicit {
    let split = split(name, tableau.clone()).claims;
    let claims = Claims {
        order: 1,
        contraction: Contraction::Free,
        contraction_with_links: false,
        contraction_with_contact: false,
        ..split
    };
    Explicit { name, kicks: Kicks::Printed(tableau), claims }
}

const DAMPING: &[Parameter] = &[Parameter {
    name: "damping",
    takes: Takes::Word(&["split", "printed"]),
    absent: Absent::Word("split"),
    doc: "split: exact, half before and half after the undamped step, of order 2; printed: in the kicks (Ishikawa et al. 2018, (14)), of order 1, without the relaxation of felt",
}];

macro_rules! entry {
    ($name:ident, $tableau:expr) => {
        pub(crate) const $name: Entry<Box<dyn Scheme>> = Entry {
            kind: Kind {
                name: $tableau.name,
                summary: $tableau.summary,
                equation: "q ← q + BᵢΔt v;  v ← v + bᵢΔt M⁻¹F(q),  i = 1 … s",
                source: $tableau.source,
                parameters: DAMPING,
                rules: &[],
            },
            make: |values: &Values| match values.word("damping") {
                Some("printed") => Ok(Box::new(printed($tableau.name, (&$tableau).into()))),
                _ => Ok(Box::new(split($tableau.name, (&$tableau).into()))),
            },
        };
    };
}

entry!(THREE, tableaux::THREE);
entry!(FOUR, tableaux::FOUR);
entry!(SIX, tableaux::SIX);
entry!(VERLET, tableaux::VERLET);
entry!(BLANES_MOAN, tableaux::BLANES_MOAN);
