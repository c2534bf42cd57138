//! The roots of the determinant of a strip, in a number of steps that is known beforehand.
//!
//!   low < q² < high,   det(low) det(high) < 0
//!   x = m + (m − low) sgn(det(low)) det(m)/√(det²(m) − det(low) det(high)),   m = (low + high)/2      (Ridders 1979)
//!
//! Roots q of one strip are about π/w apart, w its width: the determinant is looked at in steps of π/8w, and before them from the
//! slowest motion to q = 0. A bracket is halved until its ends are near enough to tell which roots are the lowest; only those are solved.

use super::strip::Strip;
use hamiltone_numerics::math::square;
use std::f64::consts::PI;

/// Steps between two roots.
const STEPS: usize = 8;
/// q²/α² of what is slower than any motion: k² of a strip between free sides is α²√(1 − ν²) at least, 0.87α² for ν = ½.
const SLOWEST: f64 = -0.19;
/// How far the ends of a bracket lie apart in k² at most; the roots up to this factor beyond those that are asked for are solved in vain.
const CLOSE: f64 = 1.02;
/// A step after Ridders halves the bracket at least: these reach the last bits. About five do.
const HALVINGS: usize = 60;

/// A root lies between two q².
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    pub strip: Strip,
    low: Point,
    high: Point,
}

/// The determinant at one q².
#[derive(Clone, Copy, Debug)]
struct Point {
    /// 1/m².
    q2: f64,
    determinant: f64,
}

impl Point {
    fn of(strip: &Strip, q2: f64) -> Self {
        Self { q2, determinant: strip.determinant(q2) }
    }

    fn negative(&self) -> bool {
        self.determinant < 0.0
    }
}

impl Bracket {
    /// Hands over those of the roots of a strip up to this k² (1/m²), the lowest first, at most `count`.
    pub fn all(strip: Strip, highest: f64, count: usize, mut found: impl FnMut(Self)) {
        let alpha2 = square(strip.alpha);
        let (mut left, mut low) = (count, Point::of(&strip, SLOWEST * alpha2));
        // The first root lies two distances of roots from 0 at most.
        for i in 0..(count + 2) * STEPS {
            if left == 0 || low.q2 + alpha2 > highest {
                break;
            }
            let high = Point::of(&strip, square(i as f64 * PI / (STEPS as f64 * strip.width)));
            if low.negative() != high.negative() {
                let mut bracket = Bracket { strip, low, high };
                while bracket.k2()[1] > CLOSE * bracket.k2()[0] {
                    bracket = bracket.split(Point::of(&strip, bracket.middle()));
                }
                if bracket.k2()[0] <= highest {
                    found(bracket);
                }
                left -= 1;
            }
            low = high;
        }
    }

    /// k² of its ends, 1/m².
    pub fn k2(&self) -> [f64; 2] {
        [self.low, self.high].map(|end| end.q2 + square(self.strip.alpha))
    }

    /// q² of the root, 1/m².
    pub fn root(mut self) -> f64 {
        let mut root = f64::INFINITY;
        for _ in 0..HALVINGS {
            let middle = Point::of(&self.strip, self.middle());
            let [low, high, m] = [self.low, self.high, middle].map(|point| point.determinant);
            if m == 0.0 {
                return middle.q2;
            }
            let part = low.signum() * m / (m * m - low * high).sqrt();
            let next = middle.q2 + (middle.q2 - self.low.q2) * part;
            if (next - root).abs() <= f64::EPSILON * self.k2()[1] {
                break;
            }
            root = next;
            self = self.split(middle).split(Point::of(&self.strip, next));
        }
        root
    }

    fn middle(&self) -> f64 {
        0.5 * (self.low.q2 + self.high.q2)
    }

    /// The part in which the root is, of the two beside a point; all of it where the point lies outside.
    fn split(self, at: Point) -> Self {
        match at {
            at if at.q2 <= self.low.q2 || at.q2 >= self.high.q2 => self,
            at if at.negative() == self.low.negative() => Self { low: at, ..self },
            at => Self { high: at, ..self },
        }
    }
}
