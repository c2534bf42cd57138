//! VV\[cs\]: the conformal splitting of velocity Verlet, as printed.
//!
//!   pⁿ⁺½ = e^(−γΔt)pⁿ + Δt/2 fⁿ,   yⁿ⁺¹ = yⁿ + Δt/m pⁿ⁺½,   pⁿ⁺¹ = pⁿ⁺½ + Δt/2 fⁿ⁺¹      C19 (43)
//!
//! The whole decay comes first: a Lie splitting, of order 1 where VV is of order 2;
//! `vv-strang` is its symmetric form. The area contracts by e^(−γΔt), with
//! contacts too. Without contacts its own energy balances exactly for ωΔt < 2.

use crate::explicit::method::{Explicit, Kicks, TWO_STEP};
use hamiltone_core::{
    claims::{Claims, Contraction},
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Explicit = Explicit {
    name: "vv-cs",
    kicks: Kicks::Verlet(1.0, 0.0),
    claims: Claims { order: 1, contraction: Contraction::Conformal, ..TWO_STEP },
};

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "vv-cs",
        summary: "velocity Verlet after the damping of the whole step (Lie splitting, as printed): order 1, conformal symplectic",
        equation: "pⁿ⁺½ = e^(−γΔt)pⁿ + Δt/2 fⁿ;  qⁿ⁺¹ = qⁿ + Δt/m pⁿ⁺½;  pⁿ⁺¹ = pⁿ⁺½ + Δt/2 fⁿ⁺¹",
        source: "Chatziioannou 2019, (43)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
