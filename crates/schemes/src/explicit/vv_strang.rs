//! VV-Strang: VV\[cs\] made symmetric.
//!
//!   pⁿ⁺½ = e^(−γΔt/2)pⁿ + Δt/2 fⁿ,   yⁿ⁺¹ = yⁿ + Δt/m pⁿ⁺½,   pⁿ⁺¹ = e^(−γΔt/2)(pⁿ⁺½ + Δt/2 fⁿ⁺¹)
//!
//! Half of the decay before and half after restores the order 2 that the Lie
//! splitting of C19 (43) loses. The area contracts by e^(−γΔt), with contacts
//! too. Without contacts its own energy balances exactly for ωΔt < 2.

use crate::explicit::method::{Explicit, Kicks, TWO_STEP};
use hamiltone_core::{
    claims::{Claims, Contraction},
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Explicit = Explicit {
    name: "vv-strang",
    kicks: Kicks::Verlet(0.5, 0.5),
    claims: Claims { order: 2, contraction: Contraction::Conformal, ..TWO_STEP },
};

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "vv-strang",
        summary: "velocity Verlet with half of the damping before and half after it (Strang): order 2, conformal symplectic",
        equation: "pⁿ⁺½ = e^(−γΔt/2)pⁿ + Δt/2 fⁿ;  qⁿ⁺¹ = qⁿ + Δt/m pⁿ⁺½;  pⁿ⁺¹ = e^(−γΔt/2)(pⁿ⁺½ + Δt/2 fⁿ⁺¹)",
        source: "Chatziioannou 2019, (43), symmetrised",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
