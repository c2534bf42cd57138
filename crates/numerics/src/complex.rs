//! Complex numbers.
//!
//!   (a + jb)(c + jd) = ac − bd + j(ad + bc),   1/(a + jb) = (a − jb)/(a² + b²)
//!
//! The engine links few crates, and four operations are all that is needed of one.

use std::{
    iter::Sum,
    ops::{Add, Div, Mul, Sub},
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
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// re² + im².
    pub fn square(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Self::new(re, 0.0)
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

impl Mul<f64> for Complex {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }
}

impl Div for Complex {
    type Output = Self;

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
}
