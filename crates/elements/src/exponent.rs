//! The power x^α of a penetration x > 0, and its mean over a step from x to y = x + s:
//!
//!   D = (y^(α+1) − x^(α+1)) / ((α+1) s),   x, y > 0,   α ≥ 1
//!
//! Subtracting the two powers would lose all digits as s → 0. Instead, with
//! Tₙ(x, y) = Σₖ₌₀ⁿ xⁿ⁻ᵏyᵏ, a sum of positive terms for which yⁿ⁺¹ − xⁿ⁺¹ = (y − x)Tₙ:
//!
//! | α | (α+1) D | (α+1) ∂D/∂s |
//! |---|---|---|
//! | n = 1, 2, 3 | Tₙ | ∂Tₙ/∂y |
//! | n + ½ = 1.5, 2.5 | √y Tₙ + xⁿ⁺¹/(√x+√y) | √y ∂Tₙ/∂y + ((2√x+√y)Tₙ + x√y Tₙ₋₁)/(2(√x+√y)²) |
//! | else, \|s\| ≤ x/2 | x^α expm1((α+1) log1p(s/x))/(s/x) | from the force at y |
//! | else | as it stands | from the force at y |
//!
//! Square roots and products round alike everywhere and are faster than a power.

use hamiltone_core::parameter::{Complaint, Range};
use hamiltone_numerics::math;

/// An exponent α ≥ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "f64", into = "f64")
)]
pub(crate) struct Exponent {
    pub alpha: f64,
    form: Form,
}

/// Which row of the table above holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// α = n.
    Whole(usize),
    /// α = n + ½.
    Half(usize),
    /// Any other α.
    Real,
}

/// Kept as α alone.
impl From<f64> for Exponent {
    fn from(alpha: f64) -> Self {
        Self::any(alpha)
    }
}

impl From<Exponent> for f64 {
    fn from(exponent: Exponent) -> Self {
        exponent.alpha
    }
}

impl Exponent {
    /// The exponents that a convex power has.
    pub const RANGE: Range = Range::from(1.0);

    /// The exponent `alpha`; below 1 the stiffness would be infinite at the beginning of a contact.
    pub fn new(alpha: f64) -> Result<Self, Complaint> {
        Self::RANGE.check("exponent", alpha).map(Self::any)
    }

    /// Any exponent but −1, of which a mean over a step that begins at 0 or ends there may be infinite.
    pub fn any(alpha: f64) -> Self {
        let form = match alpha {
            1.0 | 2.0 | 3.0 => Form::Whole(alpha as usize),
            1.5 | 2.5 => Form::Half(alpha as usize),
            _ => Form::Real,
        };
        Self { alpha, form }
    }

    /// x^α for x > 0.
    pub fn power(self, x: f64) -> f64 {
        match self.form {
            Form::Whole(n) => whole_power(x, n),
            Form::Half(n) => whole_power(x, n) * x.sqrt(),
            Form::Real => math::pow(x, self.alpha),
        }
    }

    /// (α+1) D and (α+1) ∂D/∂s for x > 0 and y = x + s > 0.
    pub fn mean(self, x: f64, y: f64, s: f64) -> (f64, f64) {
        match self.form {
            Form::Whole(n) => {
                let sums = Sums::new(n, x, y);
                (sums.last, sums.slope)
            }
            Form::Half(n) => {
                let (a, b, sums) = (x.sqrt(), y.sqrt(), Sums::new(n, x, y));
                let bend = (2.0 * a + b) * sums.last + x * b * sums.previous;
                let root = a + b;
                (b * sums.last + sums.power * x / root, b * sums.slope + bend / (2.0 * root * root))
            }
            Form::Real if s.abs() <= 0.5 * x => self.near(x, s),
            Form::Real => {
                let (from, to) = (math::pow(x, self.alpha), math::pow(y, self.alpha));
                let mean = (y * to - x * from) / s;
                (mean, ((self.alpha + 1.0) * to - mean) / s)
            }
        }
    }

    /// The same for |s| ≤ x/2.
    fn near(self, x: f64, s: f64) -> (f64, f64) {
        let (n, t, from) = (self.alpha + 1.0, s / x, math::pow(x, self.alpha));
        // The binomial series to t²: what it leaves out, α³t³/24 of D and 3α²t²/8 of the slope,
        // is below an eps of D, and below 1e-9 of the slope, where the difference of forces cancels.
        if t.abs() * n < 1e-5 {
            let (first, second) = (0.5 * self.alpha, (self.alpha - 1.0) * t / 3.0);
            return (
                n * (from + from * (first * t * (1.0 + second))),
                n * (first * from / x * (1.0 + 2.0 * second)),
            );
        }
        let growth = math::expm1(n * math::log1p(t));
        let mean = from * growth / t;
        (mean, (n * from * (1.0 + growth) / (1.0 + t) - mean) / s)
    }
}

/// xⁿ by products: `f64::powi` does not promise the same bits on every machine.
pub(crate) fn whole_power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |power, _| power * x)
}

/// Tₙ(x, y) = Σₖ₌₀ⁿ xⁿ⁻ᵏyᵏ and its company.
pub(crate) struct Sums {
    /// Tₙ.
    pub last: f64,
    /// Tₙ₋₁, 0 for n = 0.
    pub previous: f64,
    /// ∂Tₙ/∂y.
    pub slope: f64,
    /// xⁿ.
    pub power: f64,
}

impl Sums {
    /// By Tₖ = y Tₖ₋₁ + xᵏ.
    pub fn new(n: usize, x: f64, y: f64) -> Self {
        let mut sums = Self { last: 1.0, previous: 0.0, slope: 0.0, power: 1.0 };
        for _ in 0..n {
            sums.power *= x;
            sums.slope = sums.last + y * sums.slope;
            sums.previous = sums.last;
            sums.last = y * sums.last + sums.power;
        }
        sums
    }
}
