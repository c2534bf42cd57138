//! The odd power: a spring without a gap, hardening with deflection.
//!
//!   f = K x^α,   V = K/(α+1) x^(α+1),   α = 1, 3, 5, …   (D17 (3a))
//!
//! K (N/m^α) is the stiffness. With X = x², Y = y², y = x + s and m = (α−1)/2,
//!
//!   (V(y) − V(x))/s = K/(α+1) (2x + s) Tₘ(X, Y),   Tₘ = Σₖ Xᵐ⁻ᵏYᵏ
//!
//! which neither divides by s nor subtracts what is nearly equal: 2x + s is
//! rounded once, and every term of Tₘ is positive.

use crate::{
    exponent::{Sums, whole_power},
    power::STIFFNESS,
};
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
    potential::Potential,
};

/// V = K/(α+1) x^(α+1) for odd α.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OddPower {
    stiffness: f64,
    exponent: usize,
}

/// α: beyond D17's largest, 13, the range ends where forces outgrow f64 within a few metres.
const EXPONENTS: Range = Range { min: 1.0, max: 99.0, open: false };

impl OddPower {
    /// The law with stiffness K > 0 (N/m^α) and exponent α = 1, 3, 5, … 99.
    ///
    /// # Errors
    /// A [`Complaint`] where either is out of range or α is not odd.
    pub fn new(stiffness: f64, exponent: f64) -> Result<Self, Complaint> {
        let alpha = EXPONENTS.check("exponent", exponent)?;
        if alpha % 2.0 != 1.0 {
            return Err(Complaint::new("exponent", format!("is {alpha}; it must be odd: 1, 3, 5, …")));
        }
        Ok(Self { stiffness: Range::POSITIVE.check("stiffness", stiffness)?, exponent: alpha as usize })
    }
}

impl Potential for OddPower {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * whole_power(x, self.exponent) * x / (self.exponent + 1) as f64
    }

    fn force(&self, x: f64) -> f64 {
        self.stiffness * whole_power(x, self.exponent)
    }

    fn curvature(&self, x: f64) -> f64 {
        self.stiffness * self.exponent as f64 * whole_power(x, self.exponent - 1)
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (y, scale) = (x + s, self.stiffness / (self.exponent + 1) as f64);
        let sums = Sums::new(self.exponent / 2, x * x, y * y);
        let twice = 2.0 * x + s;
        (scale * (twice * sums.last), scale * (sums.last + 2.0 * twice * y * sums.slope))
    }

    fn identity(&self) -> Identity {
        let Self { stiffness, exponent } = *self;
        Identity::of("odd-power").number(stiffness).count(exponent)
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "odd-power",
        summary: "spring without a gap, of any odd power: linear, cubic, …",
        equation: "f = K x^α,  V = K/(α+1) x^(α+1),  α odd,  x = first − second",
        source: "D17 (3a)",
        parameters: &[
            STIFFNESS,
            Parameter {
                name: "exponent",
                takes: Takes::Number(Role::Odd, EXPONENTS),
                absent: Absent::Required,
                doc: "α, an odd number: 1 is a linear spring, 3 the cubic oscillator",
            },
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let law = OddPower::new(values.required("stiffness")?, values.required("exponent")?)?;
        Ok(ElementLaw { law: Law::Compliant(Compliant::new(law)), gap: 0.0 })
    },
};
