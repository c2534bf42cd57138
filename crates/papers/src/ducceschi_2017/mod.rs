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

use crate::{
    Paper,
    figure::{Item, Unable},
    lumped::Lumped,
};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    system::System,
};
use hamiltone_elements::{OddPower, Power};
use std::f64::consts::TAU;

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

/// The three values of s that the paper compares.
pub const S: [f64; 3] = [0.5, 1.0, 3.0];

/// The simple harmonic oscillator of fig. 3: f₀ = 11 Hz, M = 1 kg.
///
/// # Errors
/// Where its numbers do not make a body.
pub fn harmonic(position: f64, velocity: f64) -> Result<System, Unable> {
    Lumped { mass: 1.0, omega: TAU * 11.0, position, velocity, ..Lumped::default() }.system()
}

/// A mass of 1 kg on the spring (3a), φ = K u^(α+1)/(α+1).
///
/// # Errors
/// Where its numbers do not make a law.
pub fn power(stiffness: f64, exponent: f64, position: f64, velocity: f64) -> Result<System, Unable> {
    let law = Law::Compliant(Compliant::new(OddPower::new(stiffness, exponent)?));
    let touch = Some(ElementLaw { law, gap: 0.0 });
    Lumped { mass: 1.0, position, velocity, touch, ..Lumped::default() }.system()
}

/// The cubic oscillator of fig. 6: K = 1e10 N/m³, M = 1 kg, u₀ = 0, v₀ = 5 m/s.
///
/// # Errors
/// Where its numbers do not make a law.
pub fn cubic_oscillator() -> Result<System, Unable> {
    power(1e10, 3.0, 0.0, 5.0)
}

/// The collision of figs 4 and 5.
#[derive(Clone, Copy, Debug)]
pub struct Collision;

impl Collision {
    /// h, m.
    pub const WALL: f64 = 0.1;
    /// K, N/m^1.3.
    pub const STIFFNESS: f64 = 5e9;
    /// α.
    pub const EXPONENT: f64 = 1.3;
    /// v₀, m/s; the mass is 1 kg.
    pub const SPEED: f64 = 20.0;
    /// Both rates of the figures, Hz.
    pub const RATES: [f64; 2] = [44100.0, 441_000.0];
    /// Long enough to come and go: contact is at 30 ms, s.
    pub const DURATION: f64 = 0.04;

    /// The mass started at −0.5 m against the wall (3b).
    ///
    /// # Errors
    /// Where its numbers do not make a law.
    pub fn system() -> Result<System, Unable> {
        let touch = Some(Power::new(Self::STIFFNESS, Self::EXPONENT)?.at_gap(Self::WALL));
        Lumped { mass: 1.0, position: -0.5, velocity: Self::SPEED, touch, ..Lumped::default() }.system()
    }

    /// The exact deepest penetration: K x^(α+1)/(α+1) = ½v₀², m.
    pub fn deepest() -> f64 {
        let exponent = Self::EXPONENT + 1.0;
        hamiltone_numerics::math::pow(
            exponent * 0.5 * Self::SPEED * Self::SPEED / Self::STIFFNESS,
            1.0 / exponent,
        )
    }
}
