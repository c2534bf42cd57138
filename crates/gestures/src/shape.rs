//! The shape of a gesture: the value of an input as a function of the time t (s) since the gesture began.
//!
//! Pulses add to the input and are 0 before and after; levels replace the level x₀ before them and stay. With the
//! raised-cosine step s(a) = (1 − cos πa)/2, which goes from 0 to 1 with slope 0 at both ends:
//!
//! | shape | value |
//! |---|---|
//! | pull | F s(t/T₁) for t ≤ T₁, then F (1 − s((t − T₁)/T₂)) until T₁ + T₂ |
//! | blow | (J/T)(1 − cos(2πt/T)) until T |
//! | level | x₀ + (x − x₀) s(t/T), then x |
//! | curve | straight through (tᵢ, xᵢ); before t₁ straight from (0, x₀), after the last point level |
//!
//! Pull and blow have a continuous slope everywhere, and so has a level whose ramp is not replaced before its end. The
//! integral of a blow is J, since that of its cosine over one period is 0: the impulse on a mass m is m times the
//! speed that it gains. The spectrum of a blow has its first zero at 2/T and falls by 18 dB an octave, that of a
//! release at 3/(2T₂), likewise.

use hamiltone_core::state::Archive;
use hamiltone_numerics::{
    math::cos,
    piecewise::{line, linear},
};
use std::{f64::consts::PI, sync::Arc};

/// What a gesture does to an input over time. Its numbers have the unit of the input: N for a force.
///
/// It is plain data, and to evaluate it allocates nothing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// A pluck, a pulse: a force that grows and is released.
    Pull {
        /// F, the largest force.
        force: f64,
        /// T₁, how long the force grows, s.
        rise: f64,
        /// T₂, how long the release takes, s.
        release: f64,
    },
    /// A blow, a pulse with a given integral.
    Blow {
        /// J, the integral: N s for a force.
        impulse: f64,
        /// T, s.
        duration: f64,
    },
    /// A level that is reached and held.
    Level {
        /// x.
        value: f64,
        /// T, how long it takes to reach it, s.
        ramp: f64,
    },
    /// A level that follows a curve and holds its end.
    Curve {
        /// (tᵢ, xᵢ), t ascending from 0 on, s. Clones share them.
        points: Arc<[(f64, f64)]>,
    },
}

/// A pulse that takes so many steps is what it is meant to be to 0.5 %, whatever fraction of a step is left over.
pub const RESOLVED: f64 = 4.0;

/// s(a), and 1 from a = 1 on; a ramp of no duration is a = ∞ or NaN.
fn step(a: f64) -> f64 {
    if a < 1.0 { 0.5 * (1.0 - cos(PI * a)) } else { 1.0 }
}

impl Shape {
    /// Whether it replaces the level before it and stays; else it is a pulse, which adds to whatever else acts.
    pub fn is_level(&self) -> bool {
        matches!(self, Self::Level { .. } | Self::Curve { .. })
    }

    /// The same with the other sign.
    #[must_use]
    pub fn reversed(&self) -> Self {
        match *self {
            Self::Pull { force, rise, release } => Self::Pull { force: -force, rise, release },
            Self::Blow { impulse, duration } => Self::Blow { impulse: -impulse, duration },
            Self::Level { value, ramp } => Self::Level { value: -value, ramp },
            Self::Curve { ref points } => {
                Self::Curve { points: points.iter().map(|&(t, x)| (t, -x)).collect() }
            }
        }
    }

    /// From its begin until it is over, or until the level that it holds is reached, s.
    pub fn duration(&self) -> f64 {
        match self {
            Self::Pull { rise, release, .. } => rise + release,
            Self::Blow { duration, .. } => *duration,
            Self::Level { ramp, .. } => *ramp,
            Self::Curve { points } => points.last().map_or(0.0, |(t, _)| *t),
        }
    }

    /// From its begin until the moment that a player means by its time, s: a pluck sounds when the string is released.
    pub fn lead(&self) -> f64 {
        match self {
            Self::Pull { rise, .. } => *rise,
            Self::Blow { .. } | Self::Level { .. } | Self::Curve { .. } => 0.0,
        }
    }

    /// The shortest time in which its value changes, s: a step of a run must be some times shorter.
    pub fn shortest(&self) -> f64 {
        match self {
            Self::Pull { rise, release, .. } => rise.min(*release),
            _ => self.duration(),
        }
    }

    /// The same, for a player that takes steps of Δt (s) and begins it at one: what is too short for them takes a number of
    /// whole steps, so that a step ends where the shape has its peak or a point.
    ///
    /// | shape | times | exact |
    /// |---|---|---|
    /// | pull | T₁ and T₂ below 4 Δt are 1 step or more | its peak F |
    /// | blow | T is a whole number of steps, 2 or more | its impulse: Σ(1 − cos 2πk/n) = n over n ≥ 2 steps |
    /// | level | – : a step that ends behind T has it | x |
    /// | curve | where points are less than 4 Δt apart, all lie at steps, each 1 or more behind the one before | xᵢ |
    #[must_use]
    pub fn in_steps(self, dt: f64) -> Self {
        let whole = |time: f64, least: f64| (time / dt).round().max(least) * dt;
        let at_least = |time: f64, least: f64| if time < RESOLVED * dt { whole(time, least) } else { time };
        match self {
            Self::Pull { force, rise, release } => {
                Self::Pull { force, rise: at_least(rise, 1.0), release: at_least(release, 1.0) }
            }
            Self::Blow { impulse, duration } => Self::Blow { impulse, duration: whole(duration, 2.0) },
            Self::Level { .. } => self,
            Self::Curve { points } if points.windows(2).all(|two| two[1].0 - two[0].0 >= RESOLVED * dt) => {
                Self::Curve { points }
            }
            Self::Curve { points } => {
                let mut next = 0.0;
                let moved = points.iter().map(|(t, x)| {
                    let step = (t / dt).round().max(next);
                    next = step + 1.0;
                    (step * dt, *x)
                });
                Self::Curve { points: moved.collect() }
            }
        }
    }

    /// Writes it as numbers, or takes over those of another; numbers of no shape leave it as it is.
    pub fn archive(&mut self, archive: &mut Archive) {
        let mut numbers = match self {
            Self::Pull { force, rise, release } => vec![0.0, *force, *rise, *release],
            Self::Blow { impulse, duration } => vec![1.0, *impulse, *duration],
            Self::Level { value, ramp } => vec![2.0, *value, *ramp],
            Self::Curve { points } => {
                std::iter::once(3.0).chain(points.iter().flat_map(|(t, x)| [*t, *x])).collect()
            }
        };
        archive.list(&mut numbers);
        if !archive.reads() {
            return;
        }
        match numbers[..] {
            [0.0, force, rise, release] => *self = Self::Pull { force, rise, release },
            [1.0, impulse, duration] => *self = Self::Blow { impulse, duration },
            [2.0, value, ramp] => *self = Self::Level { value, ramp },
            [3.0, ref points @ ..] => {
                let points = points.as_chunks::<2>().0.iter().map(|[t, x]| (*t, *x)).collect();
                *self = Self::Curve { points };
            }
            _ => {}
        }
    }

    /// The value at the time t (s) since its begin; `before` is the level at the begin, which pulses ignore.
    ///
    /// ```
    /// use hamiltone_gestures::Shape;
    ///
    /// let press = Shape::Level { value: 3.0, ramp: 0.01 };
    /// assert_eq!([0.0, 0.01, 5.0].map(|t| press.value(t, 1.0)), [1.0, 3.0, 3.0]);
    /// let blow = Shape::Blow { impulse: 0.02, duration: 1e-3 };
    /// assert_eq!([0.0, 1e-3, 2e-3].map(|t| blow.value(t, 1.0)), [0.0; 3]);
    /// ```
    pub fn value(&self, t: f64, before: f64) -> f64 {
        match *self {
            Self::Pull { force, rise, release } => {
                let released = t - rise;
                match t {
                    _ if t <= 0.0 || released >= release => 0.0,
                    _ if released <= 0.0 => force * step(t / rise),
                    _ => force * (1.0 - step(released / release)),
                }
            }
            Self::Blow { impulse, duration } => {
                let within = t > 0.0 && t < duration;
                if within { impulse / duration * (1.0 - cos(2.0 * PI * (t / duration))) } else { 0.0 }
            }
            Self::Level { value, ramp } => match t {
                _ if t >= ramp => value,
                _ if t <= 0.0 => before,
                _ => before + (value - before) * step(t / ramp),
            },
            Self::Curve { ref points } => match points.first() {
                Some(first) if t >= first.0 => linear(points, t),
                Some(first) if t >= 0.0 => line((0.0, before), *first, t),
                _ => before,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math::square;

    fn all() -> [Shape; 4] {
        [
            Shape::Pull { force: -2.0, rise: 0.25, release: 0.125 },
            Shape::Blow { impulse: 0.5, duration: 0.25 },
            Shape::Level { value: 3.0, ramp: 0.5 },
            Shape::Curve { points: [(0.125, 2.0), (0.25, -1.0)].into() },
        ]
    }

    /// Over a whole period the trapezoidal sum of a cosine is exact: what is left is rounding,
    /// that of each of n additions to a sum of n mean values.
    #[test]
    fn the_integral_of_a_blow_is_its_impulse() {
        let (blow, n) = (Shape::Blow { impulse: 0.5, duration: 0.25 }, 1024);
        let sum: f64 = (0..n).map(|i| blow.value(0.25 * f64::from(i) / f64::from(n), 7.0)).sum();
        assert!((sum * 0.25 / f64::from(n) - 0.5).abs() < f64::from(n) * f64::EPSILON * 0.5);
    }

    /// The slope changes by no more than a second derivative times the distance: at most F(π/T)²/2 of a raised cosine.
    #[test]
    fn pulses_and_ramps_have_a_continuous_slope() {
        for (shape, corners, curvature) in [
            (all()[0].clone(), [0.0, 0.25, 0.375], 2.0 * square(PI / 0.125) / 2.0),
            (all()[1].clone(), [0.0, 0.125, 0.25], 2.0 * square(2.0 * PI / 0.25)),
            (all()[2].clone(), [0.0, 0.25, 0.5], 2.0 * square(PI / 0.5) / 2.0),
        ] {
            let h = 1e-5;
            let slope = |t: f64| (shape.value(t + h, 1.0) - shape.value(t, 1.0)) / h;
            for t in corners {
                // Differences of values near 4 are rounded to 4 eps/h.
                let tolerance = 2.0 * curvature * h + 8.0 * f64::EPSILON / h;
                assert!((slope(t) - slope(t - h)).abs() < tolerance, "{shape:?} at {t}");
            }
        }
    }

    #[test]
    fn values_at_begin_peak_and_end() {
        let [pull, blow, level, curve] = all();
        assert_eq!([-1.0, 0.0, 0.25, 0.375, 9.0].map(|t| pull.value(t, 5.0)), [0.0, 0.0, -2.0, 0.0, 0.0]);
        assert_eq!([-1.0, 0.0, 0.125, 0.25].map(|t| blow.value(t, 5.0)), [0.0, 0.0, 4.0, 0.0]);
        assert_eq!([-1.0, 0.0, 0.25, 0.5, 9.0].map(|t| level.value(t, 1.0)), [1.0, 1.0, 2.0, 3.0, 3.0]);
        let read = [-1.0, 0.0, 0.0625, 0.125, 0.1875, 0.25, 9.0].map(|t| curve.value(t, 1.0));
        assert_eq!(read, [1.0, 1.0, 1.5, 2.0, 0.5, -1.0, -1.0]);
        let at_once = Shape::Curve { points: [(0.0, 2.0), (0.5, 4.0)].into() };
        assert_eq!([-1.0, 0.0, 0.25, 1.0].map(|t| at_once.value(t, 1.0)), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(all().map(|shape| shape.duration()), [0.375, 0.25, 0.5, 0.25]);
        assert_eq!(all().map(|shape| shape.lead()), [0.25, 0.0, 0.0, 0.0]);
    }

    /// As a player reads them: at the ends of steps. Without this a blow of 0.3 steps would be silent.
    #[test]
    fn what_is_shorter_than_a_step_keeps_its_impulse_peak_and_points() {
        let dt = 1.0 / 48_000.0;
        let read = |shape: &Shape, k: u32| shape.value(f64::from(k) * dt, 0.25);
        for steps in [1e-6, 0.3, 1.0, 1.49, 2.25, 3.3, 3.999] {
            let time = steps * dt;
            let blow = Shape::Blow { impulse: 0.5, duration: time }.in_steps(dt);
            let impulse: f64 = (0..8).map(|k| read(&blow, k) * dt).sum();
            assert!((impulse - 0.5).abs() < 8.0 * f64::EPSILON, "{steps}: {impulse}");
            let pull = Shape::Pull { force: 2.0, rise: time, release: time }.in_steps(dt);
            let peak = (0..8).map(|k| read(&pull, k)).fold(0.0, f64::max);
            assert!((peak - 2.0).abs() < 8.0 * f64::EPSILON && read(&pull, 9) == 0.0, "{steps}: {peak}");
            let level = Shape::Level { value: 3.0, ramp: time }.in_steps(dt);
            assert_eq!((read(&level, 0), read(&level, 4)), (0.25, 3.0), "{steps}");
            let points = [(time / 3.0, 1.0), (time / 2.0, 7.0), (time, -1.0)];
            let curve = Shape::Curve { points: points.into() }.in_steps(dt);
            let seen: Vec<f64> = (0..8).map(|k| read(&curve, k)).collect();
            // A point whose time is rounded below a step reads its line to the next point up to an eps.
            let sees = |x: f64| seen.iter().any(|y| (x - y).abs() < 64.0 * f64::EPSILON);
            assert!(points.iter().all(|point| sees(point.1)), "{steps}: {seen:?}");
        }
        for shape in all() {
            assert_eq!(shape.clone().in_steps(0.125 / 4.0), shape);
        }
    }

    /// A shape of no duration does nothing, or takes its level at once; nothing is ever NaN.
    #[test]
    fn shapes_without_duration_are_finite() {
        for shape in [
            Shape::Pull { force: 1.0, rise: 0.0, release: 0.0 },
            Shape::Blow { impulse: 1.0, duration: 0.0 },
            Shape::Level { value: 1.0, ramp: 0.0 },
            Shape::Curve { points: [].into() },
        ] {
            assert!([-1.0, 0.0, 1.0].iter().all(|t| shape.value(*t, 0.5).is_finite()), "{shape:?}");
        }
        assert_eq!(Shape::Level { value: 1.0, ramp: 0.0 }.value(0.0, 0.5), 1.0);
    }
}
