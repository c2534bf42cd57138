//! EC\[cs\]: the conformal splitting of EC, as printed.
//!
//!   pⁿ⁺¹ = (1 − Δt²k/4m)/(1 + Δt²k/4m) e^(−γΔt)pⁿ − Δtk/(1 + Δt²k/4m) yⁿ     C19 (42a)
//!   yⁿ⁺¹ = yⁿ + Δt/2m (pⁿ⁺¹ + e^(−γΔt)pⁿ)                                      C19 (42b)
//!
//! The whole decay comes first, then an undamped EC step: a Lie splitting, of
//! order 1 where EC is of order 2. `ec-strang` is its symmetric form. The area
//! contracts by e^(−γΔt) exactly for linear systems only.

use crate::implicit::{Damping, Method};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "ec-cs", order: 1, damping: Damping::Before, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "ec-cs",
        summary: "EC after the damping of the whole step (Lie splitting, as printed): order 1, exact balance",
        equation: "P = e^(−γΔt)pⁿ;  P → pⁿ⁺¹ by EC with γ = 0",
        source: "Chatziioannou 2019, (42)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
