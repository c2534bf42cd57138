//! The felt of a hammer, with hysteresis.
//!
//!   f = K[⌊x⌋^p + α d⌊x⌋^p/dt]₊,   V = K/(p+1) ⌊x⌋^(p+1),   x = c·q − h
//!
//! K (N/m^p) is the stiffness of slow loading, p ≥ 1 the exponent, α ≥ 0 (s) the time of its relaxation: A. Stulov, J. Acoust. Soc. Am.
//! 97 (1995), (8), for a relaxation that is short against the contact; a felt that is released faster than it expands exerts no force.
//! Compressed by x(t) and released, it takes ∮f dx = αK∮⌊ẋ⌋ dx^p: the faster, the more.
//!
//! What a step makes of it is in [`LossLaw`](hamiltone_core::element::LossLaw).

use crate::power::{EXPONENT, GAP, Power, STIFFNESS};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
};

/// A felt with stiffness K > 0 (N/m^p), exponent p ≥ 1 and relaxation α ≥ 0 (s).
///
/// ```
/// // The hammer of C4 on its three strings, by Stulov's fit.
/// let felt = hamiltone_elements::felt(183.0 * 1.8f64.exp() * 1e3f64.powf(4.3), 4.3, 233.2e-6)?;
/// let (loading, unloading) = (felt.lossy_force(5e-4, 1.0), felt.lossy_force(5e-4, -1.0));
/// assert!(loading > felt.force(5e-4) && unloading == 0.0);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where one is out of range.
pub fn felt(stiffness: f64, exponent: f64, relaxation: f64) -> Result<Compliant, Complaint> {
    let time = Range::NOT_NEGATIVE.check("relaxation", relaxation)?;
    Ok(Compliant::new(Power::new(stiffness, exponent)?).with_relaxation(time))
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "felt",
        summary: "hammer felt with hysteresis: softer when it is released than when it is compressed",
        equation: "f = K[⌊x⌋^p + α d⌊x⌋^p/dt]₊,  V = K/(p+1) ⌊x⌋^(p+1),  x = first − second − h",
        source: "Stulov 1995, (8)",
        parameters: &[
            Parameter { doc: "K, the force at unit penetration of slow loading", ..STIFFNESS },
            Parameter {
                absent: Absent::Required,
                doc: "p: 2.3 to 3 by slow loading, 3.7 to 5 by Stulov's measurements of hammers",
                ..EXPONENT
            },
            Parameter {
                name: "relaxation",
                takes: Takes::Number(Role::Relaxation, Range::NOT_NEGATIVE),
                absent: Absent::Required,
                doc: "α: 100 to 260 µs of the hammers of a piano; 0 makes it the power law without loss",
            },
            GAP,
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let number = |name| values.required(name);
        let law = felt(number("stiffness")?, number("exponent")?, number("relaxation")?)?;
        Ok(ElementLaw { law: Law::Compliant(law), gap: number("gap")? })
    },
};
