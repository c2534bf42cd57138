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
pub mod string;
pub mod table1;

use crate::{
    Paper,
    balance::Momentum,
    decay::Decay,
    figure::{Item, Unable},
    lumped::Lumped,
    method::Method,
    reed::Reed,
};
use hamiltone_core::system::System;
use hamiltone_elements::Power;
use std::f64::consts::PI;

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

/// f_s = 44.1 kHz: Δt, s.
pub const DT: f64 = 1.0 / 44100.0;

/// §2.7: m = 0.05, ω₀ = 5000π, γ = 2.5·2800 1/s, y(0) = −0.1 mm, p(0) = 0.05 kg m/s.
pub const OSCILLATOR: Decay =
    Decay { mass: 0.05, omega: 5000.0 * PI, gamma: 7000.0, position: -1e-4, velocity: 1.0 };

/// The reed of fig. 3's caption.
pub const REED: Reed = Reed { omega: 5000.0 * PI, gamma: 2800.0, stiffness: 1e12, exponent: 1.5 };

/// The damped oscillator of §2.7.
///
/// # Errors
/// Where its numbers do not make a body.
pub fn oscillator() -> Result<System, Unable> {
    let Decay { mass, omega, gamma, position, velocity } = OSCILLATOR;
    Lumped { mass, omega, gamma, position, velocity, ..Lumped::default() }.system()
}

/// The impact oscillator of §3, (44)–(45): the reed's parameters with its contact at y = 0, started as in §2.7.
///
/// # Errors
/// Where its numbers do not make a body.
pub fn impact(stiffness: f64) -> Result<System, Unable> {
    let Decay { mass, omega, position, velocity, .. } = OSCILLATOR;
    let touch = Some(Power::new(stiffness, REED.exponent)?.at_gap(0.0));
    Lumped { mass, omega, gamma: REED.gamma, position, velocity, touch, driven: false }.system()
}

/// The methods of Table 1: printed name, scheme, the momentum of its losses in (18).
pub const METHODS: [(&str, &str, Momentum); 6] = [
    ("EC", "ec", Momentum::Mean),
    ("VV", "vv", Momentum::Mean),
    ("CK", "ck", Momentum::Difference),
    ("IIM", "iim", Momentum::Difference),
    ("EC[cs]", "ec-cs", Momentum::Mean),
    ("VV[cs]", "vv-cs", Momentum::Mean),
];

/// The symmetric splittings that the paper does not have.
pub const STRANG: [(&str, &str, Momentum); 2] =
    [("EC Strang", "ec-strang", Momentum::Mean), ("VV Strang", "vv-strang", Momentum::Mean)];

/// A method of the lists above.
fn method(&(label, name, _): &(&str, &str, Momentum)) -> Result<Method, Unable> {
    Method::new(label, name)
}
