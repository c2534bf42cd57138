//! Coefficients of dry friction that fall with the sliding speed, convexly, from μ_s = μ(0) to μ_∞.
//!
//!   hyperbolic       μ(v) = μ_d + (μ_s − μ_d) v₀/(v₀ + v)
//!   steady sliding   μ(v) = 0.35 + 0.45 e^(−v/0.1) + 0.4 e^(−v/0.01),   v in m/s
//!
//! The second is a fit to rosin in steady sliding (J. H. Smith & J. Woodhouse 2000, J. Mech. Phys. Solids 48).

use hamiltone_core::identity::Identity;
use hamiltone_numerics::math::{exp, square};

/// A coefficient of friction by the sliding speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// μ_s, μ_d and v₀ (m/s).
    Hyperbolic {
        /// μ_s.
        at_rest: f64,
        /// μ_d.
        sliding: f64,
        /// v₀, m/s.
        speed: f64,
    },
    /// Of rosin in steady sliding.
    SteadySliding,
}

/// μ_∞, and (a, v) of each term a e^(−v/v).
const SETTLED: f64 = 0.35;
const TERMS: [(f64, f64); 2] = [(0.45, 0.1), (0.4, 0.01)];

impl Friction {
    /// μ and ∂μ/∂v (s/m) at the sliding speed v ≥ 0 (m/s).
    ///
    /// ```
    /// use hamiltone_elements::Friction;
    ///
    /// let rosin = Friction::SteadySliding;
    /// assert!((rosin.at(0.0).0 - 1.2).abs() < 1e-15 && rosin.at(0.1).1 < 0.0);
    /// ```
    pub fn at(&self, v: f64) -> (f64, f64) {
        match *self {
            Friction::Hyperbolic { at_rest, sliding, speed } => {
                let part = speed / (speed + v);
                let falls = at_rest - sliding;
                (sliding + falls * part, -falls * part / (speed + v))
            }
            Friction::SteadySliding => TERMS.iter().fold((SETTLED, 0.0), |(mu, slope), (a, own)| {
                let term = a * exp(-v / own);
                (mu + term, slope - term / own)
            }),
        }
    }

    /// The largest v > 0 with v + y μ(v) = a, where there is one; and the iterations that it took.
    ///
    /// h(v) = v + y μ(v) − a is convex and not negative at v = a − y μ_∞: Newton's iteration goes down from there to the largest root. A slope
    /// that is not positive, or v ≤ 0, on the way shows that there is none. Of the hyperbola the root has a closed form.
    pub fn slides(&self, y: f64, a: f64) -> (Option<f64>, u32) {
        let settled = match *self {
            Friction::Hyperbolic { at_rest, sliding, speed } => {
                let (p, q) = (a - y * sliding, y * (at_rest - sliding) * speed);
                let discriminant = square(p + speed) - 4.0 * q;
                if discriminant < 0.0 {
                    return (None, 0);
                }
                let (h, root) = (p - speed, discriminant.sqrt());
                let v = if h >= 0.0 { 0.5 * (h + root) } else { 2.0 * (p * speed - q) / (root - h) };
                return ((v > 0.0).then_some(v), 0);
            }
            Friction::SteadySliding => SETTLED,
        };
        let mut v = a - y * settled;
        for iteration in 0..MOST {
            if v.is_nan() || v <= 0.0 {
                return (None, iteration);
            }
            let (mu, falls) = self.at(v);
            let slope = 1.0 + y * falls;
            if slope <= 0.0 {
                return (None, iteration);
            }
            let next = v - (v + y * mu - a) / slope;
            // It comes from above: where it no longer falls it is the root to rounding.
            if next >= v {
                return (Some(v), iteration);
            }
            v = next;
        }
        (Some(v), MOST)
    }

    /// Its identity.
    pub(crate) fn identity(&self) -> Identity {
        match *self {
            Friction::Hyperbolic { at_rest, sliding, speed } => {
                Identity::of("hyperbolic").number(at_rest).number(sliding).number(speed)
            }
            Friction::SteadySliding => Identity::of("steady sliding"),
        }
    }
}

/// Newton's iteration doubles its digits at each step but near a double root, where it halves the distance.
const MOST: u32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Friction; 2] =
        [Friction::Hyperbolic { at_rest: 1.2, sliding: 0.35, speed: 0.05 }, Friction::SteadySliding];

    /// Against a scan of h from above in steps of a thousandth: the first change of sign is the root, and none is missed but where h
    /// touches 0 within a step.
    #[test]
    fn the_largest_root_is_found() {
        for law in LAWS {
            for y in [1e-3, 0.02, 0.1, 0.5, 3.0] {
                for step in 1..400 {
                    let a = 0.005 * f64::from(step);
                    let h = |v: f64| v + y * law.at(v).0 - a;
                    let scan = (1..=4000).rev().map(|i| a * f64::from(i) / 4000.0);
                    let below = scan.clone().find(|v| h(*v) < 0.0);
                    let (found, iterations) = law.slides(y, a);
                    assert!(iterations < MOST);
                    match (found, below) {
                        (Some(v), _) => {
                            assert!(h(v).abs() <= 8.0 * f64::EPSILON * (a + y), "{law:?} {y} {a}: {v}");
                            assert!(below.is_none_or(|below| v >= below), "{law:?} {y} {a}: {v} {below:?}");
                        }
                        (None, below) => assert_eq!(below, None, "{law:?} {y} {a}"),
                    }
                }
            }
        }
    }

    /// The slope is that of μ, to the rounding of a difference.
    #[test]
    fn slopes_are_those_of_the_coefficient() {
        for law in LAWS {
            for v in [0.001, 0.01, 0.1, 1.0] {
                let d = 1e-6 * v;
                let slope = (law.at(v + d).0 - law.at(v - d).0) / (2.0 * d);
                assert!((slope / law.at(v).1 - 1.0).abs() < 1e-5, "{law:?} {v}");
            }
        }
    }
}
