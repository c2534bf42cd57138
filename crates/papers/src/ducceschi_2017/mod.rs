//! M. Ducceschi, "A numerical scheme for various nonlinear forces, including collisions,
//! which does not require an iterative root finder", DAFx-17 (2017).
//!
//! Read differently from the print, or read into it:
//! - The start is not given: u¹ = u⁰ + kv₀.
//! - Case 4 of Δ⁽¹⁾ is K̄²s²b² and 2A·k where K̄s²b² and A·k are printed; its step condition
//!   k² ≤ (s+½)/(K̄s(s−½)) fails for s > 1.5. Sufficient is k² ≤ 1/(K̄s(2s−1)), sharp with both
//!   samples in contact k² ≤ 1/(K̄s(s−1)) for s > 1, and none for ½ ≤ s ≤ 1.
//! - s = ½ is of order 2, any other s of order 1, which the paper does not discuss.

pub mod cubic;
pub mod fig2;
pub mod fig3;
pub mod fig4;
pub mod fig5;
pub mod fig6;
pub mod order;
pub mod potential;
mod setup;

pub use setup::*;

use crate::{figure::Item, paper::Paper};

const NAME: &str = "ducceschi_2017";

/// The paper.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "M. Ducceschi, A numerical scheme for various nonlinear forces, including collisions, which does not require an iterative root finder, DAFx-17 (2017)",
    items: &[
        Item {
            paper: NAME,
            name: "fig2",
            title: "Computability: the smallest discriminant, and the step condition",
            seconds: 2.0,
            make: fig2::make,
        },
        Item {
            paper: NAME,
            name: "fig3",
            title: "Simple harmonic oscillator against the classic scheme",
            seconds: 0.2,
            make: fig3::make,
        },
        Item {
            paper: NAME,
            name: "fig4",
            title: "Collision with a stiff barrier against the iterative scheme",
            seconds: 0.2,
            make: fig4::make,
        },
        Item {
            paper: NAME,
            name: "fig5",
            title: "Collision: the energy components",
            seconds: 0.2,
            make: fig5::make,
        },
        Item {
            paper: NAME,
            name: "fig6",
            title: "Cubic oscillator against its explicit scheme",
            seconds: 1.0,
            make: fig6::make,
        },
        Item {
            paper: NAME,
            name: "order",
            title: "Orders of convergence, which the paper does not give",
            seconds: 1.0,
            make: order::make,
        },
    ],
};
