//! MR-Strang: the midpoint rule with its damping split off.
//!
//!   P = e^(−γΔt/2)pⁿ;   P → P′ by MR with γ = 0;   pⁿ⁺¹ = e^(−γΔt/2)P′
//!
//! The midpoint rule is symplectic for any potential, so this splitting contracts
//! the area by e^(−γΔt) exactly, with contacts too: the one implicit method here
//! that does (C19 §3 says so of CK, for which it holds without contacts only).
//! Its balance is exact without contacts and bounded with them.

use crate::implicit::{Damping, Method, Rule};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method =
    Method { name: "mr-strang", rule: Rule::Midpoint, damping: Damping::Around, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "mr-strang",
        summary: "midpoint rule with half of the damping before and half after it (Strang): conformal symplectic, with contacts too",
        equation: "P = e^(−γΔt/2)pⁿ;  P → P′ by MR with γ = 0;  pⁿ⁺¹ = e^(−γΔt/2)P′",
        source: "Chatziioannou 2019, §2.6 and (47), symmetrised",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
