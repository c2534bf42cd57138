//! Hertz's contact of two round elastic bodies, with Hunt and Crossley's loss.
//!
//!   f = K⌊x⌋^(3/2) (1 + μẋ),   K = 4/3 E* √R
//!   1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂,   1/R = 1/R₁ + 1/R₂
//!
//! E* (Pa) is the effective modulus, R (m) the effective radius, μ (s/m) the loss
//! coefficient. H. Hertz, J. reine angew. Math. 92 (1882); K. Hunt and F. Crossley,
//! J. Appl. Mech. 42 (1975). The potential is the power law's with α = 3/2.

use crate::power::{GAP, LOSS, Power, STIFFNESS};
use hamiltone_core::{
    element::ElementLaw,
    parameter::{Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values},
};

/// The lossless law with stiffness K > 0, N/m^1.5.
///
/// # Errors
/// A [`Complaint`] where K is not positive.
pub fn hertz(stiffness: f64) -> Result<Power, Complaint> {
    Power::new(stiffness, 1.5)
}

/// K = 4/3 E* √R, N/m^1.5.
///
/// ```
/// // A steel ball of 1 cm radius on a steel plate: E* = E/2(1 − ν²).
/// let stiffness = hamiltone_elements::hertz_stiffness(210e9 / (2.0 * (1.0 - 0.3 * 0.3)), 0.01)?;
/// assert!((stiffness - 1.5385e10).abs() < 1e6);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where E* (Pa) or R (m) is not positive.
pub fn hertz_stiffness(effective_modulus: f64, radius: f64) -> Result<f64, Complaint> {
    let modulus = Range::POSITIVE.check("effective_modulus", effective_modulus)?;
    Ok(4.0 / 3.0 * modulus * Range::POSITIVE.check("radius", radius)?.sqrt())
}

/// K, as a number or from the bodies.
const STRENGTH: OneOf = OneOf {
    states: "the stiffness K",
    alternatives: &[&["stiffness"], &["effective_modulus", "radius"]],
    required: true,
};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "hertz",
        summary: "two round elastic bodies, with Hunt–Crossley loss",
        equation: "f = K⌊x⌋^(3/2) (1 + μẋ),  K = 4/3 E* √R,  x = first − second − h",
        source: "Hertz 1882; Hunt and Crossley 1975",
        parameters: &[
            Parameter {
                takes: Takes::Number(Role::HertzStiffness, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "K, the force at unit penetration (Pa/m^1.5 on a body per unit area)",
                ..STIFFNESS
            },
            Parameter {
                name: "effective_modulus",
                takes: Takes::Number(Role::Modulus, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "E*, of both bodies together: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂",
            },
            Parameter {
                name: "radius",
                takes: Takes::Number(Role::Length, Range::POSITIVE),
                absent: Absent::Rule,
                doc: "R, of both bodies together: 1/R = 1/R₁ + 1/R₂, where 1/R of a flat body is 0",
            },
            GAP,
            LOSS,
        ],
        rules: &[Rule::OneOf(STRENGTH)],
    },
    make: |values: &Values| {
        let stiffness = match values.one_of(&STRENGTH) {
            Some("effective_modulus") => {
                hertz_stiffness(values.required("effective_modulus")?, values.required("radius")?)?
            }
            _ => values.required("stiffness")?,
        };
        hertz(stiffness)?.at_gap(values.required("gap")?).with_loss(values.required("loss")?)
    },
};
