//! V. Chatziioannou, "Structure preserving algorithms for simulation of linearly damped
//! acoustic systems", JNAIAM 13 (2019) 33–54. Sections 2 and 3: lumped
//! oscillators; section 4: a string over a barrier.
//!
//! What is read differently from the print, everywhere in this folder:
//! - (28) and Table 1 have ω₀²Δt/2 in the determinant of EC; its dimension and the map say ω₀²Δt²/2.
//! - After (13) the roots are σ = −γ/2 ± jω_γ, (35b) has a minus, (49) has e^(−γΔt/2).
//! - ω₀ = 5000π is in rad/s, not Hz: Table 1 comes out only so.
//! - The split schemes (42), (43) are Lie splittings, of order 1; the symmetric ones stand beside them.

pub mod fig1;
pub mod fig2;
pub mod fig3;
pub mod fig5;
pub mod fig6;
pub mod orders;
mod setup;
pub mod string;
pub mod table1;

pub use setup::*;

use crate::{figure::Item, paper::Paper};

const NAME: &str = "chatziioannou_2019";

/// The paper.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "V. Chatziioannou, Structure preserving algorithms for simulation of linearly damped acoustic systems, JNAIAM 13 (2019) 33–54",
    items: &[
        Item {
            paper: NAME,
            name: "table1",
            title: "Properties of numerical integrators on the damped oscillator",
            seconds: 0.1,
            make: table1::make,
        },
        Item {
            paper: NAME,
            name: "fig1",
            title: "Phase space, displacement and the energy error of every method",
            seconds: 0.1,
            make: fig1::make,
        },
        Item {
            paper: NAME,
            name: "fig2",
            title: "Trajectories in the modified phase space",
            seconds: 0.1,
            make: fig2::make,
        },
        Item {
            paper: NAME,
            name: "fig3",
            title: "Clarinet reed: displacement and energy error over 302 085 samples",
            seconds: 1.0,
            make: fig3::make,
        },
        Item {
            paper: NAME,
            name: "fig5",
            title: "String over a barrier: period, energy error, conserved quantity",
            seconds: 0.5,
            make: fig5::make,
        },
        Item {
            paper: NAME,
            name: "fig6",
            title: "Lossless string over a barrier: energy error over 100 s",
            seconds: 20.0,
            make: fig6::make,
        },
        Item {
            paper: NAME,
            name: "orders",
            title: "Orders of convergence and balances on the impact oscillator of §3",
            seconds: 2.0,
            make: orders::make,
        },
    ],
};
