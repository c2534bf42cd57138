//! IEQ: leapfrog with contacts of quadratised energy, so that no step needs an iteration.
//!
//!   M δₜₜq + R δₜ·q + K q = Bu − Cᵀ(g∘ψ̄),   ψ⁺ − ψ = g∘C(q⁺ − q⁻)/2     ([`quadratised.rs`](../quadratised/index.html))
//!
//! Its energy ½M(δₜ₋q)² + ½K qⁿqⁿ⁻¹ + ½|ψ|² balances exactly, damped, driven and in contact; it is stable for ωΔt < 2, however stiff a
//! contact is. The forces of a step are those of one iteration of Newton's method, and ψ² drifts from 2V(x) as x goes on, so that a contact
//! can pull for a step. A string on a barrier has 3.5 to 5 times the error of `ec` at the same rate, and a step costs 1.1 to 1.3 times as much
//! (`hamiltone compare scenes/string_barrier.toml --schemes ec,ieq --rates 88200,176400,352800`).

use crate::explicit::method::{Explicit, Kicks, TWO_STEP};
use hamiltone_core::{
    claims::{Balance, Claims},
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Explicit = Explicit {
    name: "ieq",
    kicks: Kicks::Quadratised,
    claims: Claims {
        contact: Balance::EXACT,
        symmetric: false,
        contraction_with_contact: false,
        staggered: true,
        ..TWO_STEP
    },
};

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "ieq",
        summary: "leapfrog with quadratised contacts that push one way: exact balance with contacts without iteration, stable for ωΔt < 2",
        equation: "M δₜₜq + R δₜ·q + K q = Bu − Cᵀ(g∘ψ̄),  ψ⁺ − ψ = g∘C(q⁺ − q⁻)/2,  g = V′/√(2V)",
        source: "Ducceschi, Bilbao, Willemsen & Serafin 2021, J. Acoust. Soc. Am. 149, 3502",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
