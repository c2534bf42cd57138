//! IEQ: leapfrog with contacts of quadratised energy, so that no step needs an iteration.
//!
//!   M δₜₜq + R δₜ·q + K q = Bu − Cᵀ(g∘ψ̄),   ψ⁺ − ψ = g∘C(q⁺ − q⁻)/2
//!
//! with g of `quadratised.rs`. Its energy ½M(δₜ₋q)² + ½K qⁿqⁿ⁻¹ + ½|ψ|² balances exactly, damped, driven and in contact; it is stable for ωΔt < 2, also with contacts (of
//! ½Δt²g²c·A⁻¹c far below 1/eps). The forces of a step are those of one iteration of Newton's method, and ψ² drifts from 2V(x) as x goes on, so that a contact
//! can pull for a step. A body enters a stop by up to one increment before it is pushed: where V is many times its energy there, the physical energy is not accepted,
//! and the run ends with an error. A string on a barrier has 3.5 to 5 times the error of `ec` at the same rate, and a step costs about as much
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
        equation: "M δₜₜq + R δₜ·q + K q = Bu − Cᵀ(g∘ψ̄),  ψ⁺ − ψ = g∘C(q⁺ − q⁻)/2,  g = V′/√(2V) with the sign of ψ",
        source: "Ducceschi, Bilbao, Willemsen & Serafin 2021, J. Acoust. Soc. Am. 149, 3502",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
