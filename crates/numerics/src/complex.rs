//! Complex numbers.
//!
//!   (a + jb)(c + jd) = ac − bd + j(ad + bc),   1/(a + jb) = (a − jb)/(a² + b²)
//!   e^(a + jb) = e^a (cos b + j sin b),   √(a + jb) = t + jb/2t,   t = √((|a + jb| + a)/2)
//!
//! The engine links few crates, and these operations are all that is needed of one. The short ones are inlined into other crates: a fit of a bore takes
//! millions of them.

use crate::math::{exp, hypot, sincos};
use std::{
    iter::Sum,
    ops::{Add, Div, Mul, Neg, Sub},
};

/// re + j·im.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// re + j·im.
    #[inline]
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// re² + im².
    #[inline]
    pub fn square(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// √(re² + im²), where the squares themselves may overflow.
    pub fn abs(self) -> f64 {
        hypot(self.re, self.im)
    }

    /// e to this power.
    pub fn exp(self) -> Self {
        let (sin, cos) = sincos(self.im);
        let size = exp(self.re);
        Self::new(size * cos, size * sin)
    }

    /// The root whose real part is not negative; on the cut, the negative real axis, its imaginary part has the sign of `im`.
    pub fn sqrt(self) -> Self {
        let size = self.abs();
        if size == 0.0 {
            return Self::default();
        }
        // The half that is a sum of numbers of one sign: nothing cancels. Halves first: the sum may overflow.
        let half = (0.5 * size + 0.5 * self.re.abs()).sqrt();
        let other = 0.5 * self.im / half;
        if self.re >= 0.0 { Self::new(half, other) } else { Self::new(other.abs(), half.copysign(self.im)) }
    }
}

impl From<f64> for Complex {
    #[inline]
    fn from(re: f64) -> Self {
        Self::new(re, 0.0)
    }
}

impl Neg for Complex {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

impl Add for Complex {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Mul<f64> for Complex {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

impl Div for Complex {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let square = other.square();
        self * Self::new(other.re / square, -other.im / square)
    }
}

impl Sum for Complex {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_times_its_divisor_is_the_dividend() {
        let (a, b) = (Complex::new(3.0, -2.0), Complex::new(-0.5, 4.0));
        let back = a / b * b - a;
        assert!(back.square() <= 1e-30, "{back:?}");
        assert_eq!(Complex::new(0.0, 1.0) * Complex::new(0.0, 1.0), Complex::from(-1.0));
    }
    #[test]
    fn roots_are_principal_and_square_to_their_number() {
        for (re, im) in [
            (3.0, 4.0),
            (-3.0, 4.0),
            (-3.0, -4.0),
            (0.0, -2.0),
            (-9.0, 0.0),
            (1e-300, -1e-301),
            (1e300, 1e308),
        ] {
            let (z, root) = (Complex::new(re, im), Complex::new(re, im).sqrt());
            assert!(root.re >= 0.0 && root.im * im >= 0.0, "{root:?}");
            // Two roundings of the half, doubled by the square.
            let off = root * root - z;
            assert!(off.abs() <= 4.0 * f64::EPSILON * z.abs(), "{z:?} {root:?}");
        }
        assert_eq!(Complex::new(-9.0, -0.0).sqrt(), Complex::new(0.0, -3.0));
        assert_eq!(Complex::default().sqrt(), Complex::default());
    }

    #[test]
    fn powers_of_e_multiply() {
        let (a, b) = (Complex::new(1.5, -2.0), Complex::new(-40.0, 300.0));
        let off = a.exp() * b.exp() / (a + b).exp() - Complex::from(1.0);
        // The rounding of the sum of the phases, 300 eps.
        assert!(off.abs() <= 300.0 * f64::EPSILON, "{off:?}");
        assert_eq!(-a, Complex::new(-1.5, 2.0));
    }
}
