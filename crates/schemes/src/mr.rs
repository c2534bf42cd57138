//! MR: the midpoint rule.
//!
//!   λV′((2yⁿ + s)/2) + (1 + γΔt/2)s − 2qⁿ = 0     C19 (47)
//!
//! Without contacts it is EC to the last term. With them it conserves no energy
//! that is known in closed form: its balance in H is bounded, not exact, and for
//! stiff contacts the bound is wide.

use crate::implicit::{Damping, Implicit, Rule};
use hamiltone_core::{
    parameter::{Entry, Kind},
    scheme::{Area, Balance, Claims, Refusal, Scheme, Stepper},
    system::System,
};

/// The midpoint rule of C19 (47).
#[derive(Clone, Copy, Debug, Default)]
pub struct Mr;

impl Scheme for Mr {
    fn name(&self) -> &'static str {
        "mr"
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
        Ok(Box::new(Implicit::new(self.name(), system, dt, Rule::Midpoint, Damping::Inside)?))
    }
}

pub(crate) const ENTRY: Entry<Box<dyn Scheme>> = Entry {
    kind: Kind {
        name: "mr",
        summary: "midpoint rule: exact balance without contacts, bounded with them",
        equation: "(qⁿ⁺¹ − qⁿ)/Δt = (vⁿ⁺¹ + vⁿ)/2\nM(vⁿ⁺¹ − vⁿ)/Δt = −V′((qⁿ⁺¹ + qⁿ)/2) − R(vⁿ⁺¹ + vⁿ)/2 + B(uⁿ⁺¹ + uⁿ)/2",
        source: "Chatziioannou 2019, (47)",
        parameters: &[],
    },
    make: |_| Ok(Box::new(Mr)),
};
