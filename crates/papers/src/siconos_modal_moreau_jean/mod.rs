//! The Siconos page on modal Moreau–Jean time-stepping: exact modes with rigid contacts, after Bilbao's exact scheme
//! and C. Issanchou, V. Acary, F. Pérignon, C. Touzé, J.-L. Le Carrou, "String/frets contacts in the electric bass
//! sound: simulations and experiments", Applied Acoustics 129 (2018) 217–228, whose examples it belongs to.
//!
//! What is read differently from the page, everywhere in this folder:
//! - W(vⁱ⁺¹ − vⁱ) = v_free + p is W(vⁱ⁺¹ − v_free) = p, as its next line says.
//! - Σ* = diag(σ*) lacks the mass: Σ* = M diag(σ*).
//! - v⁰ is no velocity: v is the backward difference, so that runs start from the exact q(0) and q(Δt).
//! - Small steps need no Taylor expansions: nothing cancels in the form that is used.
//! - The energy, which the page does not discuss, sees cos²(ωΔt/2) of an undamped mode's.

pub mod balance;
pub mod blindness;
pub mod convergence;
pub mod exactness;
pub mod obstacles;
pub mod returns;
pub mod series;
mod setup;
pub mod string;
pub mod warping;

pub use setup::*;

use crate::{figure::Item, paper::Paper};

const NAME: &str = "siconos_modal_moreau_jean";

/// The page.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "Siconos documentation: Modal Moreau–Jean time-stepping (with C. Issanchou et al., String/frets contacts in the electric bass sound, Applied Acoustics 129 (2018) 217–228)",
    items: &[
        Item {
            paper: NAME,
            name: "exactness",
            title: "Free modes against the exact decaying sinusoid",
            seconds: 2.0,
            make: exactness::make,
        },
        Item {
            paper: NAME,
            name: "series",
            title: "The Taylor table against the closed forms",
            seconds: 0.1,
            make: series::make,
        },
        Item {
            paper: NAME,
            name: "warping",
            title: "Warped frequencies and numerical damping of Moreau–Jean with θ",
            seconds: 0.1,
            make: warping::make,
        },
        Item {
            paper: NAME,
            name: "obstacles",
            title: "An ideal string on a flat obstacle, a guitar string on a point",
            seconds: 2.0,
            make: obstacles::make,
        },
        Item {
            paper: NAME,
            name: "returns",
            title: "Exact returns: Cabannes' point obstacle and the flat obstacle",
            seconds: 6.0,
            make: returns::make,
        },
        Item {
            paper: NAME,
            name: "convergence",
            title: "Convergence over rates of a guitar string on a point, e = 0, 0.9, 1",
            seconds: 60.0,
            make: convergence::make,
        },
        Item {
            paper: NAME,
            name: "balance",
            title: "The energy identity step by step, and two solvers of the impacts",
            seconds: 3.0,
            make: balance::make,
        },
        Item {
            paper: NAME,
            name: "blindness",
            title: "Modes whose discrete energy underestimates the physical one",
            seconds: 15.0,
            make: blindness::make,
        },
    ],
};
