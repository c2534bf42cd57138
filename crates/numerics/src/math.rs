//! Transcendental functions whose bits do not depend on the system.
//!
//! The C library of each operating system rounds `sin`, `exp` or `pow` in its
//! own way; these are the pure-Rust ones of the `libm` crate, the same on every
//! machine. Everything that a sound, an audit, a report or a figure depends on
//! calls these; `clippy.toml` disallows those of `f64`.
//! (Square roots are exact by IEEE 754 and need no wrapper.)

pub use libm::{
    asin, atan, atan2, cbrt, cos, cosh, exp, expm1, hypot, jn, log, log1p, log2, log10, pow, sin, sincos,
    sinh, tan, tanh,
};

/// x², rounded once.
#[inline]
pub fn square(x: f64) -> f64 {
    x * x
}

/// x, and one NaN for all: sign and payload of the NaN that an operation returns differ between processors. Whatever writes
/// the bits of a number takes this.
#[inline]
pub fn canonical(x: f64) -> f64 {
    if x.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { x }
}

/// xⁿ by squaring, in a fixed order of products: what a compiler makes of `f64::powi` is its own choice.
pub fn powi(x: f64, n: i32) -> f64 {
    let (mut power, mut square, mut rest) = (1.0, x, n.unsigned_abs());
    while rest > 0 {
        if rest % 2 == 1 {
            power *= square;
        }
        square *= square;
        rest /= 2;
    }
    // One division at the end: a rounded 1/x would bring its error n times.
    if n < 0 { 1.0 / power } else { power }
}

#[cfg(test)]
mod tests {
    use super::{canonical, powi};

    #[test]
    fn every_nan_becomes_one() {
        for bits in [0xfff8_0000_0000_0000, 0x7ff0_0000_0000_0001, 0xffff_ffff_ffff_ffff] {
            assert_eq!(canonical(f64::from_bits(bits)).to_bits(), 0x7ff8_0000_0000_0000);
        }
        for x in [-0.0, 0.0, -1.5, f64::MIN_POSITIVE, f64::NEG_INFINITY] {
            assert_eq!(canonical(x).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn powers_are_products() {
        let x = 1.1_f64;
        assert_eq!([powi(x, 0), powi(x, 1), powi(x, 3)], [1.0, x, x * (x * x)]);
        assert_eq!([powi(x, 4), powi(x, -2)], [(x * x) * (x * x), 1.0 / (x * x)]);
        assert_eq!(powi(-2.0, 5), -32.0);
    }
}
