//! Rounding errors of an expression u(x) and of its derivative, to first order (running error analysis).
//!
//! U and U′ bound the errors of u and u′ in units of ε, where every operation rounds its result once:
//!
//! | expression | U | U′ |
//! |---|---|---|
//! | c | \|c\| | 0 |
//! | x | 0 | 0 |
//! | u ± v | U + V + \|u ± v\| | U′ + V′ + \|u′ ± v′\| |
//! | u v | \|u\|V + U\|v\| + \|uv\| | \|u\|V′ + U\|v′\| + \|u′\|V + U′\|v\| + \|uv′\| + \|u′v\| |
//! | q = u/v | (U + \|q\|V)/\|v\| + \|q\| | (U′ + \|q\|V′ + Q\|v′\| + \|q′\|V + \|u′\| + \|qv′\|)/\|v\| + \|q′\| |
//! | g(u) | \|g′(u)\|U + \|g(u)\| | \|g′(u)\|U′ + \|g″(u)u′\|U + \|g′(u)u′\| |
//!
//! N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), §3.3.

use crate::{arithmetic::Arithmetic, expansion::Near, functions::Function, slope::Slope};

/// ε, times what functions and divided differences round more than once: the unit of the bounds where they are compared with what
/// is computed.
pub(crate) const UNIT: f64 = 64.0 * f64::EPSILON;

/// An expression at one place, with bounds of its rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    /// u and u′.
    pub at: Slope,
    /// U.
    pub value: f64,
    /// U′.
    pub rate: f64,
}

impl Arithmetic for Rounded {
    fn constant(c: f64) -> Self {
        Self { at: Slope::constant(c), value: c.abs(), rate: 0.0 }
    }

    fn variable(x: f64, s: f64) -> Self {
        Self { at: Slope::variable(x, s), value: 0.0, rate: 0.0 }
    }

    fn negated(self) -> Self {
        Self { at: self.at.negated(), ..self }
    }

    fn plus(self, v: Self) -> Self {
        let at = self.at.plus(v.at);
        Self { at, value: self.value + v.value + at.to.abs(), rate: self.rate + v.rate + at.rate.abs() }
    }

    fn times(self, v: Self) -> Self {
        let ([a, da], [b, db]) = (self.sizes(), v.sizes());
        let carried = a * v.rate + self.value * db + da * v.value + self.rate * b;
        let value = a * v.value + self.value * b + a * b;
        Self { at: self.at.times(v.at), value, rate: carried + a * db + da * b }
    }

    fn over(self, v: Self) -> Self {
        let at = self.at.over(v.at);
        let ([_, da], [b, db], [q, dq]) = (self.sizes(), v.sizes(), [at.to.abs(), at.rate.abs()]);
        let value = (self.value + q * v.value) / b + q;
        let carried = self.rate + q * v.rate + value * db + dq * v.value;
        Self { at, value, rate: (carried + da + q * db) / b + dq }
    }

    fn apply(self, function: Function, s: f64) -> Self {
        let at = function.of(self.at, s);
        let outer = function.of(Slope::variable(self.at.to, 0.0), 0.0);
        let (first, second) = (outer.rate.abs(), 2.0 * outer.bend.abs());
        let carried = first * self.rate + second * self.sizes()[1] * self.value;
        Self { at, value: first * self.value + at.to.abs(), rate: carried + at.rate.abs() }
    }

    fn near(near: &Near, x: f64, s: f64) -> Option<Self> {
        let (at, [value, rate]) = (near.slope(x, s)?, near.at(x)?.rounding(x));
        Some(Self { at, value, rate })
    }
}

impl Rounded {
    /// |u| and |u′|.
    fn sizes(&self) -> [f64; 2] {
        [self.at.to.abs(), self.at.rate.abs()]
    }
}
