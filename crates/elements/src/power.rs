//! The one-sided power law, with Hunt and Crossley's loss.
//!
//!   f = K⌊x⌋^α (1 + μẋ),   V = K/(α+1) ⌊x⌋^(α+1),   x = c·q − h
//!
//! ⌊x⌋ = max(x, 0) is the penetration (m), K the stiffness (N/m^α; Pa/m^α for a body
//! per unit area), α ≥ 1 the exponent, μ (s/m) the loss coefficient.
//! C19 (44), (55); C15 (23); D17 (3b); with loss I18's hammer felt, below its (3).
//!
//! Quotient: 0 with both ends out of contact; V of the end that is in over s with
//! one in; [`Exponent::mean`] with both in.

use crate::exponent::Exponent;
use hamiltone_core::{
    element::{Compliant, ElementLaw, Law},
    identity::Identity,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
    potential::Potential,
};

/// V = K/(α+1) ⌊x⌋^(α+1).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Power {
    stiffness: f64,
    exponent: Exponent,
    /// K/(α+1).
    scale: f64,
}

impl Power {
    /// The lossless law with stiffness K > 0 (N/m^α) and exponent α ≥ 1.
    ///
    /// # Errors
    /// A [`Complaint`] where either is out of range.
    pub fn new(stiffness: f64, exponent: f64) -> Result<Self, Complaint> {
        let (stiffness, exponent) =
            (Range::POSITIVE.check("stiffness", stiffness)?, Exponent::new(exponent)?);
        Ok(Self { stiffness, exponent, scale: stiffness / (exponent.alpha + 1.0) })
    }

    /// The law along a row, acting beyond the gap h, m.
    pub fn at_gap(self, gap: f64) -> ElementLaw {
        ElementLaw { law: Law::Compliant(Compliant::new(self)), gap }
    }

    /// (V(to) − V(from))/s and its slope in s = to − from, which the caller knows better than by subtraction.
    pub(crate) fn between(&self, from: f64, to: f64, s: f64) -> (f64, f64) {
        if from <= 0.0 && to <= 0.0 {
            (0.0, 0.0)
        } else if from <= 0.0 {
            let power = self.exponent.power(to);
            let mean = self.scale * (power * to) / s;
            (mean, (self.stiffness * power - mean) / s)
        } else if to <= 0.0 {
            let mean = self.energy(from) / -s;
            (mean, mean / -s)
        } else {
            let (mean, slope) = self.exponent.mean(from, to, s);
            (self.scale * mean, self.scale * slope)
        }
    }
}

impl Potential for Power {
    fn energy(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.scale * (self.exponent.power(x) * x) }
    }

    fn force(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.stiffness * self.exponent.power(x) }
    }

    fn curvature(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.stiffness * self.exponent.alpha * self.exponent.power(x) / x }
    }

    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        self.between(x, x + s, s)
    }

    fn identity(&self) -> Identity {
        // K/(α+1) follows from both.
        let Self { stiffness, exponent, scale: _ } = *self;
        Identity::of("power").number(stiffness).number(exponent.alpha)
    }

    fn onset(&self) -> f64 {
        0.0
    }
}

/// K of a power law; its unit follows the exponent.
pub(crate) const STIFFNESS: Parameter = Parameter {
    name: "stiffness",
    takes: Takes::Number(Role::PowerStiffness("exponent"), Range::POSITIVE),
    absent: Absent::Required,
    doc: "K, the force at unit penetration (Pa/m^exponent on a body per unit area)",
};

/// α of a power law.
pub(crate) const EXPONENT: Parameter = Parameter {
    name: "exponent",
    takes: Takes::Number(Role::Number, Exponent::RANGE),
    absent: Absent::Number(1.5),
    doc: "α, from the local shape of the surfaces: 1.5 for round ones (Hertz), 2 to 4 for felt",
};

/// h of a one-sided law.
pub(crate) const GAP: Parameter = Parameter {
    name: "gap",
    takes: Takes::Number(Role::Displacement, Range::ANY),
    absent: Absent::Number(0.0),
    doc: "h, the distance that first − second moves before contact; negative for an overlap at rest",
};

/// μ of a one-sided law.
pub(crate) const LOSS: Parameter = Parameter {
    name: "loss",
    takes: Takes::Number(Role::ContactLoss, Range::NOT_NEGATIVE),
    absent: Absent::Number(0.0),
    doc: "μ of Hunt and Crossley: the force is multiplied by 1 + μẋ",
};

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "power",
        summary: "one-sided power law with Hunt–Crossley loss: barriers, reeds, hammer felt",
        equation: "f = K⌊x⌋^α (1 + μẋ),  V = K/(α+1) ⌊x⌋^(α+1),  x = first − second − h",
        source: "C19 (44), (55); C15 (23); D17 (3b); I18 §2",
        parameters: &[STIFFNESS, EXPONENT, GAP, LOSS],
        rules: &[],
    },
    make: |values: &Values| {
        let law = Power::new(values.required("stiffness")?, values.required("exponent")?)?;
        law.at_gap(values.required("gap")?).with_loss(values.required("loss")?)
    },
};
