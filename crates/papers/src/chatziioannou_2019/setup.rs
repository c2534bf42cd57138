//! The parameters, systems and methods of the paper that its figures share.

use crate::{balance::Momentum, decay::Decay, figure::Unable, lumped::Lumped, method::Method, reed::Reed};
use hamiltone_core::system::System;
use hamiltone_elements::Power;
use std::f64::consts::PI;

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
    let contact = Some(Power::new(stiffness, REED.exponent)?.at_gap(0.0));
    Lumped { mass, omega, gamma: REED.gamma, position, velocity, contact, driven: false }.system()
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
pub(super) fn method(&(label, name, _): &(&str, &str, Momentum)) -> Result<Method, Unable> {
    Method::new(label, name)
}
