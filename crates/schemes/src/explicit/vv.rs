//! VV: velocity Verlet.
//!
//!   pⁿ⁺½ = (pⁿ + Δt/2 fⁿ)/(1 + γΔt/2),   yⁿ⁺¹ = yⁿ + Δt/m pⁿ⁺½,
//!   pⁿ⁺¹ = (1 − γΔt/2)pⁿ⁺½ + Δt/2 fⁿ⁺¹                              C19 (29)
//!
//! Merging the two half kicks at each instant gives the damped leapfrog for
//! pⁿ⁺½, so its own energy ½|pⁿ⁺½|²/m + ½yⁿ·Kyⁿ⁺¹ balances exactly without
//! contacts, damped and driven, for ωΔt < 2. The area contracts by
//! (2 − γΔt)/(2 + γΔt), C19 (30), with contacts too.

use crate::explicit::{
    mean_kick::Start,
    method::{Explicit, Kicks, TWO_STEP},
};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Explicit = Explicit { name: "vv", kicks: Kicks::Mean(Start::Verlet), claims: TWO_STEP };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "vv",
        summary: "velocity Verlet: explicit; exact balance in its own energy without contacts, stable for ωΔt < 2",
        equation: "vⁿ⁺½ = (Mvⁿ + Δt/2 fⁿ)/(M + ΔtR/2);  qⁿ⁺¹ = qⁿ + Δt vⁿ⁺½;  Mvⁿ⁺¹ = (M − ΔtR/2)vⁿ⁺½ + Δt/2 fⁿ⁺¹",
        source: "Chatziioannou 2019, (29)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
