//! The thickness of a bar with one cut in its middle.
//!
//!   h(x)/h = c + (1 − c)(ξ/s)^q   for ξ = |2x/L − 1| < s,   1 elsewhere
//!
//! c is the part of the thickness that is left in the middle, s the part of the length that is cut, q the shape of the arch: 1
//! a notch, 2 a parabola, the larger the flatter. A cut in the middle, where the first mode bends most, lowers the first partial more than
//! the others; the flatter the arch, the farther it reaches to where the third mode is low and the second bends. That is how bars
//! of xylophones (1 : 3) and marimbas (1 : 4 : 10) are tuned (Orduña-Bustamante 1991; Bork 1995; Petrolito & Legge 1997).

use crate::profile::Along;
use hamiltone_numerics::math::pow;
use std::sync::Arc;

/// A cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Undercut {
    /// c.
    pub centre: f64,
    /// s.
    pub width: f64,
    /// q.
    pub exponent: f64,
}

impl Undercut {
    /// h(x)/h on a bar of the length L, m.
    pub fn along(self, length: f64) -> Along {
        let Self { centre, width, exponent } = self;
        Arc::new(move |x: f64| {
            let part = (2.0 * x / length - 1.0).abs() / width;
            if part < 1.0 { centre + (1.0 - centre) * pow(part, exponent) } else { 1.0 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_is_symmetric_and_has_its_width() {
        let h = Undercut { centre: 0.4, width: 0.5, exponent: 2.0 }.along(2.0);
        assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(&*h), [1.0, 1.0, 0.4, 1.0, 1.0]);
        // Half way into the arch a quarter of its depth is left.
        assert!((h(0.75) - 0.55).abs() < 1e-15 && (h(1.25) - 0.55).abs() < 1e-15);
    }
}
