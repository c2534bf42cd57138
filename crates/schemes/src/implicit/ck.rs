//! CK: the mid-point rule of the Caldirola–Kanai Hamiltonian.
//!
//!   (yⁿ⁺¹ − yⁿ)/Δt =  e^(−γ(n+½)Δt) (ϖⁿ⁺¹ + ϖⁿ)/2m                        C19 (35a)
//!   (ϖⁿ⁺¹ − ϖⁿ)/Δt = −e^(γ(n+½)Δt) (V(yⁿ⁺¹) − V(yⁿ))/(yⁿ⁺¹ − yⁿ)           C19 (35b), its sign from (33)
//!
//! With q = pΔt/2m = e^(−γnΔt)ϖΔt/2m, the contact equation C19 (49) holds with
//! 2qⁿe^(−γΔt/2), as (35d) has it (printed: e^(−γΔt), which would damp by 2γ).
//! Written in q it is half of the decay, an undamped EC step, half of the decay:
//!
//!   Q = e^(−γΔt/2) qⁿ,   Q → Q′ by EC with γ = 0,   qⁿ⁺¹ = e^(−γΔt/2) Q′
//!
//! so it is the Strang splitting of EC, also with contacts, and takes a damping
//! per coordinate. Its exact balance, with b = 2m/Δt², is
//!
//!   Hⁿ⁺¹ − Hⁿ = −b[(e^(γΔt) − 1)|qⁿ⁺¹|² + (1 − e^(−γΔt))|qⁿ|²]
//!
//! The area contracts by e^(−γΔt) exactly for linear systems only.

use crate::implicit::{Damping, Method};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::Scheme,
};

const METHOD: Method = Method { name: "ck", damping: Damping::Around, ..Method::PLAIN };

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "ck",
        summary: "Caldirola–Kanai mid-point rule: exact damping around an energy-conserving step; exact balance with any compliant contact",
        equation: "Q = e^(−γΔt/2)qⁿ;  Q → Q′ by EC with γ = 0;  qⁿ⁺¹ = e^(−γΔt/2)Q′,  q = pΔt/2m",
        source: "Chatziioannou 2019, (31)–(36), (49); its own balance derived from (35)",
        parameters: &[],
        rules: &[],
    },
    make: |_| Ok(Box::new(METHOD)),
};
