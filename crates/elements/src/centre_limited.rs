//! The centre-limited power law: free play between two barriers, as of a rattle.
//!
//!   V = K/(α+1) [|x| − h]₊^(α+1),   f = sgn x K [|x| − h]₊^α   (D17 (3c))
//!
//! K (N/m^α) is the stiffness, α ≥ 1 the exponent, h ≥ 0 (m) the clearance on
//! each side. A step from one barrier through to the other, y = x + s, has
//!
//!   (V(y) − V(x))/s = (2x + s)/|s| D(|x| − h, |y| − h)
//!
//! with D the mean of the one-sided law, so that equal depths on both sides cancel exactly.

use crate::power::{EXPONENT, GAP, Power, STIFFNESS};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
    potential::Potential,
};

/// V = K/(α+1) [|x| − h]₊^(α+1).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CentreLimited {
    side: Power,
    clearance: f64,
}

impl CentreLimited {
    /// The law with stiffness K > 0 (N/m^α), exponent α ≥ 1 and clearance h ≥ 0 (m) on each side.
    ///
    /// # Errors
    /// A [`Complaint`] where one is out of range.
    pub fn new(stiffness: f64, exponent: f64, clearance: f64) -> Result<Self, Complaint> {
        let clearance = Range::NOT_NEGATIVE.check("gap", clearance)?;
        Ok(Self { side: Power::new(stiffness, exponent)?, clearance })
    }
}

impl Potential for CentreLimited {
    fn energy(&self, x: f64) -> f64 {
        self.side.energy(x.abs() - self.clearance)
    }

    fn force(&self, x: f64) -> f64 {
        self.side.force(x.abs() - self.clearance).copysign(x)
    }

    fn curvature(&self, x: f64) -> f64 {
        self.side.curvature(x.abs() - self.clearance)
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (y, h) = (x + s, self.clearance);
        let (from, to) = (x.abs() - h, y.abs() - h);
        if from <= 0.0 && to <= 0.0 {
            (0.0, 0.0)
        } else if from > 0.0 && to > 0.0 && (x < 0.0) != (y < 0.0) {
            let twice = 2.0 * x + s;
            let mean = self.side.between(from, to, twice.copysign(twice * s)).0 * (twice / s.abs());
            (mean, (self.force(y) - mean) / s)
        } else if x > h || y > h {
            self.side.between(x - h, y - h, s)
        } else {
            let (mean, slope) = self.side.between(-x - h, -y - h, -s);
            (-mean, slope)
        }
    }

    fn identity(&self) -> Identity {
        let Self { side, clearance } = self;
        Identity::of("centre-limited").with(side.identity()).number(*clearance)
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "centre-limited",
        summary: "free play between two barriers of a power law, as of a rattle",
        equation: "f = sgn x K [|x| − h]₊^α,  V = K/(α+1) [|x| − h]₊^(α+1),  x = first − second",
        source: "D17 (3c)",
        parameters: &[
            STIFFNESS,
            EXPONENT,
            Parameter {
                takes: Takes::Number(Role::Displacement, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "h, the clearance on each side of rest",
                ..GAP
            },
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let number = |name| values.required(name);
        let law = CentreLimited::new(number("stiffness")?, number("exponent")?, number("gap")?)?;
        Ok(ElementLaw { law: Law::Compliant(Compliant::new(law)), gap: 0.0 })
    },
};
