//! EC-Strang: EC\[cs\] made symmetric.
//!
//!   P = e^(−γΔt/2)pⁿ;   P → P′ by EC with γ = 0;   pⁿ⁺¹ = e^(−γΔt/2)P′
//!
//! Half of the decay before and half after restores the order 2 that the Lie
//! splitting of C19 (42) loses. It is the same map as `ck`; both names are offered
//! because the literature uses both.

use crate::implicit::{Damping, Method};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "ec-strang", damping: Damping::Around, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "ec-strang",
        summary: "EC with half of the damping before and half after it (Strang): order 2, exact balance; the same map as ck",
        equation: "P = e^(−γΔt/2)pⁿ;  P → P′ by EC with γ = 0;  pⁿ⁺¹ = e^(−γΔt/2)P′",
        source: "Chatziioannou 2019, §2.6, symmetrised",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
