//! V. Chatziioannou & M. van Walstijn, "Discrete-time conserved quantities for damped
//! oscillators", 3rd Vienna Talk on Music Acoustics (2015) 135–139.
//!
//! Read differently from the print: after (8) the roots are σ = −γ/2 ± jω_γ. The
//! phases and mean of the reed's drive are not given: see [`crate::reed`].

pub mod fig1;
pub mod fig2;
pub mod fig3;
pub mod fig4;
mod setup;

pub use setup::*;

use crate::{figure::Item, paper::Paper};

const NAME: &str = "chatziioannou_vanwalstijn_2015";

/// The paper.
pub const PAPER: Paper = Paper {
    name: NAME,
    reference: "V. Chatziioannou & M. van Walstijn, Discrete-time conserved quantities for damped oscillators, Vienna Talk (2015) 135–139",
    items: &[
        Item {
            paper: NAME,
            name: "fig1",
            title: "Damped oscillator: displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig1::make,
        },
        Item {
            paper: NAME,
            name: "fig2",
            title: "Driven oscillator: displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig2::make,
        },
        Item {
            paper: NAME,
            name: "fig3",
            title: "Clarinet reed: drive, displacement, energy and the conserved quantity",
            seconds: 0.1,
            make: fig3::make,
        },
        Item {
            paper: NAME,
            name: "fig4",
            title: "Clarinet reed: the energy error of each step in the first 9 ms",
            seconds: 0.1,
            make: fig4::make,
        },
    ],
};
