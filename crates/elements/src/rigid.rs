//! The rigid contact: no penetration, and Newton's law of impact.
//!
//!   0 ≤ p  ⊥  −(ẋ⁺ + eẋ⁻) ≥ 0   where x ≥ 0,   p = 0 elsewhere,   x = c·q − h
//!
//! p (N s) is the impulse of an impact, ẋ⁻ and ẋ⁺ (m/s) the speed of closing before and after, e the coefficient of
//! restitution: e = 1 gives all of it back, e = 0 none (Moreau 1988; Issanchou et al. 2018 for strings against frets).

use hamiltone_core::{
    element::{ElementLaw, Law},
    parameter::{Absent, Entry, Kind, Parameter, Range, Role, Takes, Values},
};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "rigid",
        summary: "rigid contact with restitution: frets, necks, bridges",
        equation: "0 ≤ p ⊥ −(ẋ⁺ + eẋ⁻) ≥ 0  where x ≥ 0,  x = first − second − h",
        source: "Moreau 1988; the Siconos page on modal Moreau–Jean time-stepping",
        parameters: &[
            Parameter {
                name: "restitution",
                takes: Takes::Number(Role::Number, Range { min: 0.0, max: 1.0, open: false }),
                absent: Absent::Number(0.0),
                doc: "e: the speed after an impact over that before",
            },
            crate::power::GAP,
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let restitution = values.required("restitution")?;
        Ok(ElementLaw { law: Law::Rigid { restitution }, gap: values.required("gap")? })
    },
};
