//! Intervals of numbers.

use super::complaint::Complaint;

/// An interval of numbers; every range excludes NaN and the infinities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub open: bool,
}

impl Range {
    /// Any finite number.
    pub const ANY: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY, open: false };
    /// Numbers > 0.
    pub const POSITIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: true };
    /// Numbers ≥ 0.
    pub const NOT_NEGATIVE: Self = Self { min: 0.0, max: f64::INFINITY, open: false };

    /// Numbers from `min` on.
    pub const fn from(min: f64) -> Self {
        Self { min, max: f64::INFINITY, open: false }
    }

    /// Whether it holds `x`.
    pub fn holds(&self, x: f64) -> bool {
        x.is_finite() && x <= self.max && if self.open { x > self.min } else { x >= self.min }
    }

    /// The nearest number that it holds, up to the open end of a range; its lower end for what is no number.
    #[inline]
    pub fn nearest(&self, x: f64) -> f64 {
        if x >= self.min { x.min(self.max) } else { self.min }
    }

    /// `x`, or a complaint that names the parameter and the range.
    ///
    /// # Errors
    /// A [`Complaint`] where the range does not hold `x`.
    pub fn check(&self, parameter: &'static str, x: f64) -> Result<f64, Complaint> {
        let complaint = || Complaint::new(parameter, format!("is {x}; it must be {self}"));
        self.holds(x).then_some(x).ok_or_else(complaint)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.open { ">" } else { "≥" };
        match (self.min.is_finite(), self.max.is_finite()) {
            (false, false) => write!(f, "any finite number"),
            (true, false) => write!(f, "{sign} {}", self.min),
            (false, true) => write!(f, "≤ {}", self.max),
            (true, true) => write!(f, "{sign} {} and ≤ {}", self.min, self.max),
        }
    }
}
