//! Stencils of small whole numbers times one factor: the differences that most bodies are made of.
//!
//! Their strains are sums and differences of coordinates, to be multiplied by the weight and the square of the factor.

use std::ops::Range;

/// A stencil reads so many coordinates behind its first at most.
pub(crate) const REACH: usize = 2;
/// Points that are worked on at a time: their numbers stay in the nearest cache.
pub(crate) const CHUNK: usize = 64;
/// The coordinates that a chunk reads.
pub(crate) const WIDE: usize = CHUNK + 2 * REACH;

/// Of n coordinates those that the chunk from `begin` on reads, from `REACH` before it on, and their places among [`WIDE`].
#[inline(always)]
pub(crate) fn window(begin: usize, n: usize) -> (Range<usize>, Range<usize>) {
    let (from, to) = (begin.saturating_sub(REACH), (begin + CHUNK + REACH).min(n));
    let first = from + REACH - begin;
    (from..to, first..first + to - from)
}

/// The stencils of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// 1.
    Value,
    /// −1, 1.
    Difference,
    /// −1, 0, 1.
    Central,
    /// 1, −2, 1.
    Curvature,
}

impl Shape {
    /// The shape of a stencil, and the factor that it is multiplied by.
    pub fn of(stencil: &[f64]) -> Option<(Self, f64)> {
        match *stencil {
            [a] => Some((Self::Value, a)),
            [a, b] if a == -b => Some((Self::Difference, b)),
            [a, 0.0, b] if a == -b => Some((Self::Central, b)),
            [a, b, c] if a == c && b == -2.0 * a => Some((Self::Curvature, a)),
            _ => None,
        }
    }

    /// How many coordinates in a row it spans.
    pub fn width(self) -> usize {
        match self {
            Self::Value => 1,
            Self::Difference => 2,
            Self::Central | Self::Curvature => 3,
        }
    }
}

/// Calls a function for a shape with its strain, of three coordinates in a row, and with the force that it makes on a coordinate,
/// of the stresses of the strains that begin two and one coordinates before it and at it.
macro_rules! by_shape {
    ($shape:expr, |$strain:ident, $force:ident| $call:expr) => {
        match $shape {
            $crate::shape::Shape::Value => {
                let ($strain, $force) = (|x: f64, _: f64, _: f64| x, |_: f64, _: f64, t: f64| t);
                $call
            }
            $crate::shape::Shape::Difference => {
                let ($strain, $force) = (|x: f64, y: f64, _: f64| y - x, |_: f64, s: f64, t: f64| s - t);
                $call
            }
            $crate::shape::Shape::Central => {
                let ($strain, $force) = (|x: f64, _: f64, z: f64| z - x, |r: f64, _: f64, t: f64| r - t);
                $call
            }
            $crate::shape::Shape::Curvature => {
                let ($strain, $force) =
                    // Differences of neighbours are exact where these are nearly alike; 2y would be rounded against x + z.
                    (|x: f64, y: f64, z: f64| (x - y) + (z - y), |r: f64, s: f64, t: f64| (r - s) + (t - s));
                $call
            }
        }
    };
}

pub(crate) use by_shape;
