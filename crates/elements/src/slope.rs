//! Divided differences of expressions over a step from x to y = x + s, without cancellation (slope arithmetic).
//!
//!   u[x, y] = (u(y) − u(x))/s,   u[x, y, y] = (u′(y) − u[x, y])/s = ∂u[x, y]/∂s
//!
//! | expression | ·[x, y] | ·[x, y, y] |
//! |---|---|---|
//! | u ± v | u[x, y] ± v[x, y] | u[x, y, y] ± v[x, y, y] |
//! | u v | u(x) v[x, y] + u[x, y] v(y) | u(x) v[x, y, y] + u[x, y] v′(y) + u[x, y, y] v(y) |
//! | q = u/v | (u[x, y] − q(x) v[x, y])/v(y) | (u[x, y, y] − q(x) v[x, y, y] − q[x, y] v′(y))/v(y) |
//! | q from the other end | (u[x, y] − q(y) v[x, y])/v(x) | (u[x, y, y] − v[x, y] q′(y) − q(y) v[x, y, y])/v(x) |
//! | g(u), a = u(x), b = u(y) | g[a, b] u[x, y] | g[a, b, b] u′(y) u[x, y] + g[a, b] u[x, y, y] |
//!
//! L. B. Rall and T. W. Reps, Algorithmic differencing, in Perspectives on Enclosure Methods (2001). Nothing is divided by
//! s, so that s may be as small as it likes; at s = 0 these are u′ and u″/2. A sum whose terms differ in sign cancels as
//! it would where its derivative is written out; of a quotient the end is taken at which less is subtracted.

/// An expression over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slope {
    /// u(x).
    pub from: f64,
    /// u(y).
    pub to: f64,
    /// u[x, y].
    pub mean: f64,
    /// u′(y).
    pub rate: f64,
    /// u[x, y, y].
    pub bend: f64,
}

impl Slope {
    /// A constant.
    pub const fn constant(c: f64) -> Self {
        Self { from: c, to: c, mean: 0.0, rate: 0.0, bend: 0.0 }
    }

    /// x itself over the step s.
    pub fn variable(x: f64, s: f64) -> Self {
        Self { from: x, to: x + s, mean: 1.0, rate: 1.0, bend: 0.0 }
    }

    pub fn negated(self) -> Self {
        Self { from: -self.from, to: -self.to, mean: -self.mean, rate: -self.rate, bend: -self.bend }
    }

    pub fn plus(self, v: Self) -> Self {
        Self {
            from: self.from + v.from,
            to: self.to + v.to,
            mean: self.mean + v.mean,
            rate: self.rate + v.rate,
            bend: self.bend + v.bend,
        }
    }

    pub fn times(self, v: Self) -> Self {
        Self {
            from: self.from * v.from,
            to: self.to * v.to,
            mean: self.from * v.mean + self.mean * v.to,
            rate: self.to * v.rate + self.rate * v.to,
            bend: self.from * v.bend + self.mean * v.rate + self.bend * v.to,
        }
    }

    pub fn over(self, v: Self) -> Self {
        let (from, to) = (self.from / v.from, self.to / v.to);
        let rate = (self.rate - to * v.rate) / v.to;
        if to.abs() < from.abs() {
            let mean = (self.mean - to * v.mean) / v.from;
            return Self { from, to, mean, rate, bend: (self.bend - v.mean * rate - to * v.bend) / v.from };
        }
        let mean = (self.mean - from * v.mean) / v.to;
        Self { from, to, mean, rate, bend: (self.bend - from * v.bend - mean * v.rate) / v.to }
    }

    /// g(u), where `outer` is g over the step from a = u(x) to b = u(y), as if that step were one of x.
    pub fn through(self, outer: Self) -> Self {
        Self {
            mean: outer.mean * self.mean,
            rate: outer.rate * self.rate,
            bend: outer.bend * self.rate * self.mean + outer.mean * self.bend,
            ..outer
        }
    }
}
