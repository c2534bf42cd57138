//! A rattle: a loose part between two walls, a clearance g of free play in all.
//!
//!   V = K/(α+1) ([x − g/2]₊^(α+1) + [−x − g/2]₊^(α+1))
//!   f = K [x − g/2]₊^α − K [−x − g/2]₊^α
//!
//! K (N/m^α) is the stiffness, α ≥ 1 the exponent, g ≥ 0 (m) the clearance; at rest, x = 0, the part is midway. At
//! most one wall is in contact at a time, so that it is the law (3c) of D17 with h = g/2 on each side, and so is its
//! quotient.
//!
//! It is lossless. Hunt and Crossley's 1 + μẋ multiplies V′, which at the second wall is negative: it would give
//! energy there. A rattle with losses is two one-sided contacts of the power law, first − second and second − first,
//! each with the gap g/2.

use crate::{
    centre_limited::CentreLimited,
    power::{EXPONENT, GAP, STIFFNESS},
};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
};

/// Two walls a clearance g ≥ 0 (m) apart in all, with stiffness K > 0 (N/m^α) and exponent α ≥ 1.
///
/// ```
/// use hamiltone_core::potential::Potential;
/// use hamiltone_elements::rattle;
///
/// let bead = rattle(1e8, 1.5, 2e-4)?;
/// assert_eq!(bead.force(0.99e-4), 0.0);
/// assert_eq!(bead.force(3e-4), -bead.force(-3e-4));
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
///
/// # Errors
/// A [`Complaint`] where one is out of range.
pub fn rattle(stiffness: f64, exponent: f64, clearance: f64) -> Result<CentreLimited, Complaint> {
    let half = 0.5 * Range::NOT_NEGATIVE.check("clearance", clearance)?;
    CentreLimited::new(stiffness, exponent, half)
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "rattle",
        summary: "a loose part between two walls, lossless: beads, snares, worn bearings",
        equation: "f = K[x − g/2]₊^α − K[−x − g/2]₊^α,  x = first − second",
        source: "D17 (3c) with h = g/2",
        parameters: &[
            STIFFNESS,
            EXPONENT,
            Parameter {
                name: "clearance",
                takes: Takes::Number(Role::Displacement, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "g, the free play between both walls; the part rests midway",
            },
            Parameter { doc: "how far first − second lies from midway at rest", ..GAP },
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let number = |name| values.required(name);
        let law = rattle(number("stiffness")?, number("exponent")?, number("clearance")?)?;
        Ok(ElementLaw { law: Law::Compliant(Compliant::new(law)), gap: number("gap")? })
    },
};
