//! MR: the midpoint rule.
//!
//!   λV′((2yⁿ + s)/2) + (1 + γΔt/2)s − 2qⁿ = 0     C19 (47)
//!
//! Without contacts it is EC to the last term. With them it conserves no energy
//! that is known in closed form: its balance in H is bounded, not exact, and for
//! stiff contacts the bound is wide.

use crate::implicit::{Method, Rule};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "mr", rule: Rule::Midpoint, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "mr",
        summary: "midpoint rule: exact balance without contacts, bounded with them",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = (vⁿ⁺¹ + vⁿ)/2\nM(vⁿ⁺¹ − vⁿ)/Δt = −V′((qⁿ⁺¹ + qⁿ)/2) − R(vⁿ⁺¹ + vⁿ)/2 + B(uⁿ⁺¹ + uⁿ)/2",
        source: "Chatziioannou 2019, (47)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
