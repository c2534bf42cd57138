//! TR: the trapezoidal rule.
//!
//!   λ(V′(yⁿ + s) + V′(yⁿ))/2 + (1 + γΔt/2)s − 2qⁿ = 0     C19 (48)
//!
//! Without contacts it is EC to the last term. With them its balance in H is
//! bounded, not exact: at a stiff contact it can exceed the energy itself.

use crate::implicit::{Method, Rule};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "tr", rule: Rule::Trapezoid, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "tr",
        summary: "trapezoidal rule: exact balance without contacts, bounded with them",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = (vⁿ⁺¹ + vⁿ)/2\nM(vⁿ⁺¹ − vⁿ)/Δt = −(V′(qⁿ⁺¹) + V′(qⁿ))/2 − R(vⁿ⁺¹ + vⁿ)/2 + B(uⁿ⁺¹ + uⁿ)/2",
        source: "Chatziioannou 2019, (48)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
