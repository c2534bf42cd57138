//! TR: the trapezoidal rule.
//!
//!   λ(V′(yⁿ + s) + V′(yⁿ))/2 + (1 + γΔt/2)s − 2qⁿ = 0     C19 (48)
//!
//! Without contacts it is EC to the last term. With them its balance in H is
//! bounded, not exact: at a stiff contact it can exceed the energy itself.

use crate::implicit::{Damping, Implicit, Rule};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::{Area, Balance, Claims, Refusal, Scheme, Stepper},
    system::System,
};

/// The trapezoidal rule of C19 (48).
#[derive(Clone, Copy, Debug, Default)]
pub struct Tr;

impl Scheme for Tr {
    fn name(&self) -> &'static str {
        "tr"
    }

    fn claims(&self) -> Claims {
        Claims {
            order: 2,
            linear: Balance::Exact,
            contact: Balance::Bounded,
            area: Area::Gradient,
            area_with_contact: false,
            limit: None,
            staggered: false,
        }
    }

    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(Implicit::new(self.name(), system, dt, Rule::Trapezoid, Damping::Inside)?))
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "tr",
        summary: "trapezoidal rule: exact balance without contacts, bounded with them",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = (vⁿ⁺¹ + vⁿ)/2\nM(vⁿ⁺¹ − vⁿ)/Δt = −(V′(qⁿ⁺¹) + V′(qⁿ))/2 − R(vⁿ⁺¹ + vⁿ)/2 + B(uⁿ⁺¹ + uⁿ)/2",
        source: "Chatziioannou 2019, (48)",
        parameters: &[],
    },
    make: |_| Ok(Box::new(Tr)),
};
