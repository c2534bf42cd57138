//! The compositions that scenes name: which schemes are composed, and how.
//!
//!   Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt}
//!
//! See [`crate::composition`].

use crate::{
    composition::{Composition, Pattern},
    explicit::{sprk, vv, vv_strang},
    implicit::{ec, ec_strang, mr, mr_strang, tr},
};
use hamiltone_core::{
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Takes, Values},
    scheme::Scheme,
};

/// The symmetric schemes that are composed. Where one has a form with its damping split off, it is that one: its claims
/// are those of its undamped step.
const BASES: [(&str, Entry<Box<dyn Scheme>>); 5] = [
    (ec::ENTRY.kind.name, ec_strang::ENTRY),
    (mr::ENTRY.kind.name, mr_strang::ENTRY),
    (tr::ENTRY.kind.name, tr::ENTRY),
    (vv::ENTRY.kind.name, vv_strang::ENTRY),
    (sprk::VERLET.kind.name, sprk::VERLET),
];

/// The names of [`BASES`].
const BASE_NAMES: [&str; BASES.len()] = [BASES[0].0, BASES[1].0, BASES[2].0, BASES[3].0, BASES[4].0];

const OPTIONS: &[Parameter] = &[
    Parameter {
        name: "base",
        takes: Takes::Word(&BASE_NAMES),
        absent: Absent::Word(BASE_NAMES[0]),
        doc: "the symmetric scheme that is composed with itself",
    },
    Parameter {
        name: "method",
        takes: Takes::Word(&["triple-jump-4", "suzuki-4", "triple-jump-6", "suzuki-6"]),
        absent: Absent::Word("triple-jump-4"),
        doc: "composition and its order: one step takes 3, 5, 9 or 25 steps of the base; Suzuki's errors are smaller",
    },
];

pub(super) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "composition",
        summary: "a symmetric scheme composed with itself to order 4 or 6 undamped; of order 2 with damping, which is split off exactly",
        equation: "Φ̂_Δt = Φ_{γ₁Δt} ∘ … ∘ Φ_{γ_sΔt},  γ = a, 1 − 2a, a  or  b, b, 1 − 4b, b, b",
        source: "Yoshida 1990; Suzuki 1990; Chatziioannou 2019, §2.6",
        parameters: OPTIONS,
        rules: &[],
    },
    make: |values: &Values| {
        let name = values.word("base").unwrap_or(BASE_NAMES[0]);
        let base = BASES.iter().find(|(base, _)| *base == name).map(|(_, entry)| entry);
        let base = base.ok_or_else(|| Complaint::new("base", "no scheme of this name"))?;
        let base = (base.make)(&Values::defaults(base.kind.parameters))?;
        let method = values.word("method").unwrap_or("triple-jump-4");
        let pattern = if method.starts_with("triple") { Pattern::TripleJump } else { Pattern::Suzuki };
        Ok(Box::new(Composition::new(base, pattern, if method.ends_with('6') { 6 } else { 4 })?))
    },
};
