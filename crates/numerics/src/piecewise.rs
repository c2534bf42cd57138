//! Curves through points (xᵢ, yᵢ), xᵢ ascending: between two of them a straight line or a power law,
//!
//!   y = yᵢ + (yᵢ₊₁ − yᵢ) s      or geometric   y = yᵢ (yᵢ₊₁/yᵢ)^s,      s = (x − xᵢ)/(xᵢ₊₁ − xᵢ)
//!
//! and level below the first and above the last point.

use crate::math;

/// y at x on the straight line through two points of different x.
pub fn line((x0, y0): (f64, f64), (x1, y1): (f64, f64), x: f64) -> f64 {
    y0 + (y1 - y0) * ((x - x0) / (x1 - x0))
}

/// y at x on straight lines through points; 0 without any.
///
/// ```
/// use hamiltone_numerics::piecewise::linear;
///
/// let points = [(0.0, 1.0), (2.0, 5.0)];
/// assert_eq!([-1.0, 0.5, 2.0, 9.0].map(|x| linear(&points, x)), [1.0, 2.0, 5.0, 5.0]);
/// ```
pub fn linear(points: &[(f64, f64)], x: f64) -> f64 {
    curve(points, x, line)
}

/// y at x on power laws through points with y > 0, as straight lines of the logarithm; 0 without any.
///
/// ```
/// use hamiltone_numerics::piecewise::geometric;
///
/// assert!((geometric(&[(0.0, 1.0), (2.0, 4.0)], 1.0) - 2.0).abs() < 1e-15);
/// ```
pub fn geometric(points: &[(f64, f64)], x: f64) -> f64 {
    curve(points, x, |(x0, y0), (x1, y1), x| y0 * math::pow(y1 / y0, (x - x0) / (x1 - x0)))
}

fn curve(points: &[(f64, f64)], x: f64, between: impl Fn((f64, f64), (f64, f64), f64) -> f64) -> f64 {
    // Points at x itself count as passed: of two points with the same x the second one holds from there on.
    let next = points.partition_point(|point| point.0 <= x);
    match (next.checked_sub(1).map(|i| points[i]), points.get(next)) {
        (Some(last), Some(next)) => between(last, *next, x),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_points_and_beyond() {
        let points = [(0.0, 1.0), (2.0, 4.0), (4.0, 2.0)];
        let all = [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 9.0];
        assert_eq!(all.map(|x| linear(&points, x)), [1.0, 1.0, 2.5, 4.0, 3.0, 2.0, 2.0]);
        // √4 and 4/√2, rounded once or twice.
        let [first, second] = [1.0, 3.0].map(|x| geometric(&points, x));
        assert!((first - 2.0).abs() < 1e-15 && (second - 8_f64.sqrt()).abs() < 2e-15);
        assert_eq!([-1.0, 0.0, 2.0, 4.0, 9.0].map(|x| geometric(&points, x)), [1.0, 1.0, 4.0, 2.0, 2.0]);
    }

    #[test]
    fn one_point_is_level_and_none_is_0() {
        assert_eq!([-1.0, 3.0, 9.0].map(|x| linear(&[(3.0, 7.0)], x)), [7.0; 3]);
        assert_eq!(linear(&[], 1.0), 0.0);
    }
}
