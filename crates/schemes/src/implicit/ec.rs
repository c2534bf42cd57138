//! EC: the energy-conserving scheme.
//!
//!   (yⁿ⁺¹ − yⁿ)/Δt = (T(pⁿ⁺¹) − T(pⁿ))/(pⁿ⁺¹ − pⁿ)                                    C19 (26a), C15 (13a)
//!   (pⁿ⁺¹ − pⁿ)/Δt = −(V(yⁿ⁺¹) − V(yⁿ))/(yⁿ⁺¹ − yⁿ) − γ(pⁿ⁺¹ + pⁿ)/2 + (fⁿ⁺¹ + fⁿ)/2   C19 (26b), (54)
//!
//! Its energy is the physical one, H = ½vᵀMv + ½qᵀKq + ΣV, and its balance
//! C19 (17), (54) is exact for any potential, damped and driven. The area of one
//! damped oscillator contracts by (ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt), C19
//! (28) with the Δt² that its dimensions ask for.

use crate::implicit::Method;
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "ec", forms: true, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "ec",
        summary: "energy-conserving: discrete gradient, damping and drive averaged over the step; exact balance with any compliant contact",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = (vⁿ⁺¹ + vⁿ)/2\nM(vⁿ⁺¹ − vⁿ)/Δt = −(V(qⁿ⁺¹) − V(qⁿ))/(qⁿ⁺¹ − qⁿ) − R(vⁿ⁺¹ + vⁿ)/2 + B(uⁿ⁺¹ + uⁿ)/2",
        source: "Chatziioannou 2019, (26), (46), (54); Chatziioannou & van Walstijn 2015, (13), (22)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
