//! The parameters, systems and methods of the paper that its figures share.

use crate::{figure::Unable, lumped::Lumped};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    system::System,
};
use hamiltone_elements::{OddPower, Power};
use std::f64::consts::TAU;

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
    let contact = Some(ElementLaw { law, gap: 0.0 });
    Lumped { mass: 1.0, position, velocity, contact, ..Lumped::default() }.system()
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
        let contact = Some(Power::new(Self::STIFFNESS, Self::EXPONENT)?.at_gap(Self::WALL));
        Lumped { mass: 1.0, position: -0.5, velocity: Self::SPEED, contact, ..Lumped::default() }.system()
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
