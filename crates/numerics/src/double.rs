//! Numbers to twice the digits: x = high + low, |low| ≤ ½ ulp(high).
//!
//!   a + b = s + e      Knuth 1969: s = fl(a + b), six additions, for all a and b
//!   a · b = p + e      Dekker 1971: p = fl(a·b), by halves of 26 digits
//!
//! Both are exact while nothing overflows or underflows, without a fused multiplication, which not every processor has:
//! the same bits on every machine. Sums and products of pairs are known to some 2⁻¹⁰⁴ of the size of their terms.

use std::ops::AddAssign;

/// 2²⁷ + 1: the product with it splits 53 digits into two halves.
const SPLIT: f64 = 134_217_729.0;

/// high + low.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Double {
    /// The number, rounded.
    pub high: f64,
    /// The rounding remainder.
    pub low: f64,
}

impl Double {
    /// a + b.
    #[inline(always)]
    pub fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        // `moved` is the part of b that reached the sum, `high − moved` that of a: the error is what is missing of both.
        let moved = high - a;
        Self { high, low: (a - (high - moved)) + (b - moved) }
    }

    /// a·b.
    #[inline(always)]
    pub fn product(a: f64, b: f64) -> Self {
        let halves = |x: f64| {
            let scaled = SPLIT * x;
            // The leading 26 digits. The difference from x is exact, and its sign saves the 27th digit of the other half.
            let high = scaled - (scaled - x);
            (high, x - high)
        };
        let ((a1, a0), (b1, b0), high) = (halves(a), halves(b), a * b);
        // Products of halves are exact. Subtracted in this order, from the largest on, so is each difference.
        Self { high, low: a0 * b0 - (((high - a1 * b1) - a0 * b1) - a1 * b0) }
    }

    /// a + b where |a| ≥ |b|, a = 0, or a is a multiple of b's last place, as after a cancellation: three additions (Dekker 1971).
    #[inline(always)]
    fn ordered(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// The pair multiplied by a.
    #[inline(always)]
    pub fn times(self, a: f64) -> Self {
        let product = Self::product(self.high, a);
        Self::ordered(product.high, product.low + self.low * a)
    }

    /// −x.
    #[inline(always)]
    pub fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    /// The nearest number.
    #[inline(always)]
    pub fn rounded(self) -> f64 {
        self.high + self.low
    }
}

impl AddAssign for Double {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        let sum = Self::sum(self.high, other.high);
        // The low parts are added as plain numbers: their rounding is some 2⁻¹⁰⁴ of the terms.
        *self = Self::ordered(sum.high, sum.low + (self.low + other.low));
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 + 2⁻⁵²)² and (1 + 2⁻⁵²)³ have digits far beyond 53.
    #[test]
    fn products_keep_what_rounding_leaves_out() {
        let (x, e) = (1.0 + f64::EPSILON, f64::EPSILON);
        let square = Double::product(x, x);
        assert_eq!((square.high, square.low), (1.0 + 2.0 * e, e * e));
        let cube = square.times(x);
        assert_eq!((cube.high, cube.low), (1.0 + 3.0 * e, 3.0 * e * e));
    }

    /// 1 + 2⁻⁸⁰ − 1, in all orders, with a middle term that cancels.
    #[test]
    fn sums_do_not_cancel() {
        let tiny = 2.0_f64.powi(-80);
        for order in [[1.0, tiny, -1.0], [tiny, 1.0, -1.0], [1.0, -1.0, tiny]] {
            let mut sum = Double::default();
            order.into_iter().for_each(|x| sum += Double::from(x));
            assert_eq!(sum.rounded(), tiny, "{order:?}");
        }
    }
}
