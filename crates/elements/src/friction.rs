//! Coefficients of friction by the sliding speed, which fall where it is large.
//!
//!   hyperbolic       μ(v) = μ_d + (μ_s − μ_d) v₀/(v₀ + v)
//!   steady sliding   μ(v) = 0.35 + 0.45 e^(−v/0.1) + 0.4 e^(−v/0.01),   v in m/s
//!   smooth           μ(v) = μ_s (v/v₀) e^(½(1 − v²/v₀²))
//!
//! The first two are those of dry friction: they fall from μ_s = μ(0) to μ_∞, convexly. The second is a fit to rosin in steady sliding (J. H. Smith &
//! J. Woodhouse 2000, J. Mech. Phys. Solids 48). The third has no stick: it rises from 0 to μ_s at v₀, falls from there on, and is convex above √3 v₀
//! (S. Bilbao 2009, Numerical Sound Synthesis, §4.3.1, with μ_s = 1 and a = 1/(2v₀²)).

use hamiltone_core::identity::Identity;
use hamiltone_numerics::{
    math::{exp, square},
    secant::{Root, Search, root},
};
use std::convert::Infallible;

/// A coefficient of friction by the sliding speed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// μ_s and v₀ (m/s).
    Smooth {
        /// μ_s.
        most: f64,
        /// v₀, m/s.
        speed: f64,
    },
}

/// μ_∞, and (a, v_k) of each term a e^(−v/v_k).
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
            Friction::Smooth { most, speed } => {
                let part = v / speed;
                let bell = most * exp(0.5 * (1.0 - part * part));
                (part * bell, (1.0 - part * part) * bell / speed)
            }
        }
    }

    /// The largest μ.
    pub fn largest(&self) -> f64 {
        match *self {
            Friction::Smooth { most, .. } => most,
            Friction::Hyperbolic { .. } | Friction::SteadySliding => self.at(0.0).0,
        }
    }

    /// Up to which speed μ rises, m/s: 0 of dry friction, which sticks.
    pub fn peak_speed(&self) -> f64 {
        if let Friction::Smooth { speed, .. } = *self { speed } else { 0.0 }
    }

    /// The v up to [`Friction::peak_speed`] with v + y μ(v) = a, for a from 0 to where that is at its end.
    pub fn rising_root(&self, y: f64, a: f64) -> f64 {
        self.between(y, a, [0.0, self.peak_speed()])
    }

    /// The v between `limits` with v + y μ(v) = a, where v + y μ(v) is not above a at the first and not below it at the other.
    fn between(&self, y: f64, a: f64, limits: [f64; 2]) -> f64 {
        let slope = 1.0 + y * self.at(limits[0]).1.max(0.0);
        let longest = limits[1] - limits[0];
        let start = limits[0] + (a - limits[0] - y * self.at(limits[0]).0) / slope;
        let search = Search { start, slope, longest, limits, tolerance: f64::EPSILON * a };
        match root(&search, |v| Ok::<_, Infallible>(v + y * self.at(v).0 - a)) {
            Ok(Root::At(v)) => v,
            Ok(Root::Beyond { limit, .. }) => limit,
            Err(never) => match never {},
        }
    }

    /// The largest v above [`Friction::peak_speed`] with v + y μ(v) = a, where there is one; and the iterations that it took.
    ///
    /// h(v) = v + y μ(v) − a is not negative at v = a − y μ_∞. Where it is convex Newton's iteration goes down from there to the largest root, and a
    /// slope that is not positive, or the end of the convex part, shows that there is none. Of the hyperbola the root has a closed form. Below the convex
    /// part of smooth friction h is concave and not negative at its upper end: it has one root where it is negative at v₀, else none.
    pub fn slides(&self, y: f64, a: f64) -> (Option<f64>, u32) {
        let (settled, convex) = match *self {
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
            Friction::SteadySliding => (SETTLED, 0.0),
            Friction::Smooth { speed, .. } => (0.0, 3.0_f64.sqrt() * speed),
        };
        let mut v = a - y * settled;
        let mut iterations = 0;
        while v > convex && iterations < MOST {
            let (mu, falls) = self.at(v);
            let slope = 1.0 + y * falls;
            if slope <= 0.0 {
                break;
            }
            let next = v - (v + y * mu - a) / slope;
            // It comes from above: where it no longer falls it is the root to rounding.
            if next >= v {
                return (Some(v), iterations);
            }
            v = next;
            iterations += 1;
        }
        if iterations == MOST {
            return (Some(v), iterations);
        }
        let (peak, end) = (self.peak_speed(), convex.min(a));
        let crosses = peak < end && peak + y * self.largest() < a;
        (crosses.then(|| self.between(y, a, [peak, end])), iterations)
    }

    /// Its identity.
    pub(crate) fn identity(&self) -> Identity {
        match *self {
            Friction::Hyperbolic { at_rest, sliding, speed } => {
                Identity::of("hyperbolic").number(at_rest).number(sliding).number(speed)
            }
            Friction::SteadySliding => Identity::of("steady sliding"),
            Friction::Smooth { most, speed } => Identity::of("smooth").number(most).number(speed),
        }
    }
}

/// Newton's iteration doubles its digits at each step but near a double root, where it halves the distance.
const MOST: u32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Friction; 3] = [
        Friction::Hyperbolic { at_rest: 1.2, sliding: 0.35, speed: 0.05 },
        Friction::SteadySliding,
        Friction::Smooth { most: 1.2, speed: 0.07 },
    ];

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
                    let below = scan.take_while(|v| *v > law.peak_speed()).find(|v| h(*v) < 0.0);
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

    /// Smooth friction rises up to where it is largest: there is one such speed for each drive that it withstands.
    #[test]
    fn the_rising_branch_has_one_root() {
        let law = LAWS[2];
        for y in [0.0, 1e-3, 0.1, 10.0, 1e6] {
            let reach = law.peak_speed() + y * law.largest();
            for part in [0.0, 1e-12, 1e-3, 0.3, 0.9, 0.999_999, 1.0] {
                let (a, v) = (part * reach, law.rising_root(y, part * reach));
                assert!((0.0..=law.peak_speed()).contains(&v), "{y} {part}: {v}");
                assert!((v + y * law.at(v).0 - a).abs() <= 8.0 * f64::EPSILON * a, "{y} {part}: {v}");
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
