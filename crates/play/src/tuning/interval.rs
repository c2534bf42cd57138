//! Cents as ratios, with the same bits on every system.

use hamiltone_numerics::math;

/// 2^(c/1200); whole octaves are exact.
pub fn ratio(cents: f64) -> f64 {
    let octaves = (cents / 1200.0).floor();
    math::powi(2.0, octaves as i32) * math::pow(2.0, (cents - 1200.0 * octaves) / 1200.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_are_ratios() {
        assert_eq!([ratio(0.0), ratio(1200.0), ratio(-2400.0)], [1.0, 2.0, 0.25]);
        assert!((ratio(701.955_000_865_387_4) - 1.5).abs() < 4.0 * f64::EPSILON);
    }
}
