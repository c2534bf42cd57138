//! The operations of a formula on whatever a program runs on: [`Slope`]s, bounds of their rounding, or series.

use crate::{expansion::Near, functions::Function, slope::Slope};

/// What the operations of a formula are applied to.
pub(crate) trait Arithmetic: Clone {
    /// A constant.
    fn constant(c: f64) -> Self;
    /// x itself over the step s.
    fn variable(x: f64, s: f64) -> Self;
    /// −u.
    fn negated(self) -> Self;
    /// u + v.
    fn plus(self, v: Self) -> Self;
    /// u v.
    fn times(self, v: Self) -> Self;
    /// u/v.
    fn over(self, v: Self) -> Self;
    /// g(u) over the step s.
    fn apply(self, function: Function, s: f64) -> Self;
    /// An expression by its series, where that holds over the step s from x.
    fn near(near: &Near, x: f64, s: f64) -> Option<Self>;
}

impl Arithmetic for Slope {
    fn constant(c: f64) -> Self {
        Slope::constant(c)
    }

    fn variable(x: f64, s: f64) -> Self {
        Slope::variable(x, s)
    }

    fn negated(self) -> Self {
        Slope::negated(self)
    }

    fn plus(self, v: Self) -> Self {
        Slope::plus(self, v)
    }

    fn times(self, v: Self) -> Self {
        Slope::times(self, v)
    }

    fn over(self, v: Self) -> Self {
        Slope::over(self, v)
    }

    fn apply(self, function: Function, s: f64) -> Self {
        function.of(self, s)
    }

    fn near(near: &Near, x: f64, s: f64) -> Option<Self> {
        near.slope(x, s)
    }
}
