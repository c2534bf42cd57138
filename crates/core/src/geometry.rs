//! Where something is on a body: points, lines and surfaces.
//!
//! | geometry | first coordinate | second coordinate |
//! |---|---|---|
//! | point | 0 | 0 |
//! | line | x, m from the left end | 0 |
//! | rectangle | x, m along the first side | y, m along the second side |
//! | disc | r, m from the centre | θ, turns |
//!
//! A scene writes a [`Place`]; [`Geometry::position`] checks it and makes a [`Position`] of it.

use hamiltone_numerics::math::{atan2, sincos};
use std::f64::consts::TAU;

/// A point of a body, in the coordinates of its geometry (see the table of this module).
pub type Position = [f64; 2];

/// What a body is, seen from outside: at one point, along a line, or a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Geometry {
    /// It is at one place.
    Point,
    /// It is one-dimensional.
    Line {
        /// L, m.
        length: f64,
    },
    /// It is two-dimensional.
    Surface(Surface),
}

/// The outline of a flat surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// 0 ≤ x ≤ a, 0 ≤ y ≤ b.
    Rectangle {
        /// a and b, m.
        sides: [f64; 2],
    },
    /// r ≤ R.
    Disc {
        /// R, m.
        radius: f64,
    },
}

impl Geometry {
    /// The length of a line, m.
    pub fn length(&self) -> Option<f64> {
        match self {
            Geometry::Line { length } => Some(*length),
            Geometry::Point | Geometry::Surface(_) => None,
        }
    }

    /// The surface, if it is one.
    pub fn surface(&self) -> Option<Surface> {
        match self {
            Geometry::Surface(surface) => Some(*surface),
            Geometry::Point | Geometry::Line { .. } => None,
        }
    }

    /// The position of a place.
    ///
    /// # Errors
    /// What is wrong: a place that such a body does not have, or one that is not on it.
    pub fn position(&self, place: Place) -> Result<Position, String> {
        match (self, place) {
            (Geometry::Point, Place::Whole) => Ok([0.0; 2]),
            (Geometry::Point, _) => {
                Err("this body is a point and has no places on it; write its name without `@…`".into())
            }
            (Geometry::Line { length }, place) => Ok([place.on(*length)?, 0.0]),
            (Geometry::Surface(surface), place) => surface.position(place),
        }
    }

    /// The position at this part of the way along all its coordinates, off the middle and the edges; none of a point.
    pub fn inside(&self, part: f64) -> Option<Position> {
        Some(match self {
            Geometry::Point => return None,
            Geometry::Line { length } => [part * length, 0.0],
            Geometry::Surface(Surface::Rectangle { sides: [a, b] }) => [part * a, part * b],
            Geometry::Surface(Surface::Disc { radius }) => [part * radius, part],
        })
    }

    /// The distance between two positions in a straight line, m.
    pub fn distance(&self, from: Position, to: Position) -> f64 {
        let ([a, b], [c, d]) = (self.cartesian(from), self.cartesian(to));
        ((a - c) * (a - c) + (b - d) * (b - d)).sqrt()
    }

    /// The position that lies the fraction `part` of the way from one position straight to another.
    pub fn between(&self, from: Position, to: Position, part: f64) -> Position {
        let (a, b) = (self.cartesian(from), self.cartesian(to));
        self.at([0, 1].map(|i| a[i] + part * (b[i] - a[i])))
    }

    /// Cartesian x and y of a position, m; of a disc from its centre, θ = 0 along x.
    pub fn cartesian(&self, position: Position) -> [f64; 2] {
        match self {
            Geometry::Surface(Surface::Disc { .. }) => {
                let ([r, turns], (sin, cos)) = (position, sincos(TAU * position[1]));
                if turns == 0.0 { [r, 0.0] } else { [r * cos, r * sin] }
            }
            _ => position,
        }
    }

    /// The position with these Cartesian coordinates, m: the inverse of [`Geometry::cartesian`].
    pub fn at(&self, [x, y]: [f64; 2]) -> Position {
        match self {
            Geometry::Surface(Surface::Disc { .. }) => [(x * x + y * y).sqrt(), atan2(y, x) / TAU],
            _ => [x, y],
        }
    }
}

impl Surface {
    fn position(self, place: Place) -> Result<Position, String> {
        match (self, place) {
            (Surface::Rectangle { sides: [a, b] }, Place::Pair(x, y)) => Ok([x.along(a)?, y.along(b)?]),
            (Surface::Rectangle { .. }, _) => {
                Err("it is a rectangle: two numbers say where, such as @0.3,0.4 or @0.1 m,0.2 m".into())
            }
            (Surface::Disc { .. }, Place::Whole) => {
                Err("it is a disc: say where, such as @0.5 or @0.5,30 deg".into())
            }
            (Surface::Disc { radius }, Place::Length(r)) => Ok([Coordinate::Length(r).along(radius)?, 0.0]),
            (Surface::Disc { radius }, Place::Fraction(r)) => {
                Ok([Coordinate::Fraction(r).along(radius)?, 0.0])
            }
            (Surface::Disc { radius }, Place::Pair(r, angle)) => Ok([r.along(radius)?, angle.turns()?]),
        }
    }

    /// The distance of a position from the edge, m.
    pub fn margin(self, [p, q]: Position) -> f64 {
        match self {
            Surface::Rectangle { sides: [a, b] } => p.min(a - p).min(q).min(b - q),
            Surface::Disc { radius } => radius - p,
        }
    }

    /// Its area, m².
    pub fn area(self) -> f64 {
        match self {
            Surface::Rectangle { sides: [a, b] } => a * b,
            Surface::Disc { radius } => 0.5 * TAU * radius * radius,
        }
    }
}

/// A place on a body, as written after `@`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// The body as a whole: no `@`.
    Whole,
    /// A length from its left end, or from the centre of a disc, m.
    Length(f64),
    /// A fraction of its length, or of the radius of a disc, 0 to 1.
    Fraction(f64),
    /// Two coordinates on a surface: x and y, or radius and angle.
    Pair(Coordinate, Coordinate),
}

/// One of the two coordinates of a place on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// m.
    Length(f64),
    /// A fraction of a side or radius, or of a turn.
    Fraction(f64),
    /// rad.
    Angle(f64),
}

impl Coordinate {
    /// Metres along a side of this length, m.
    fn along(self, length: f64) -> Result<f64, String> {
        match self {
            Coordinate::Length(x) => Place::Length(x).on(length),
            Coordinate::Fraction(fraction) => Place::Fraction(fraction).on(length),
            Coordinate::Angle(_) => Err("an angle is given where a length or a fraction is needed".into()),
        }
    }

    /// Turns.
    fn turns(self) -> Result<f64, String> {
        match self {
            Coordinate::Angle(angle) => Ok(angle / TAU),
            Coordinate::Fraction(turns) => Ok(turns),
            Coordinate::Length(_) => {
                Err("a length is given where an angle is needed: a fraction of a turn, or degrees".into())
            }
        }
    }
}

impl Place {
    /// Metres from the left end of a line of this length, m.
    fn on(self, length: f64) -> Result<f64, String> {
        let x = match self {
            Place::Whole => return Err("it is a line: say where".into()),
            Place::Pair(..) => return Err("it is a line: one number says where, not two".into()),
            Place::Length(x) => x,
            Place::Fraction(fraction) => fraction * length,
        };
        if (0.0..=length).contains(&x) {
            Ok(x)
        } else {
            Err(format!("{x} m is not on it: it reaches from 0 to {length} m"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISC: Geometry = Geometry::Surface(Surface::Disc { radius: 0.2 });

    /// r and θ, and back through x and y: to a few roundings.
    #[test]
    fn polar_and_cartesian_coordinates_agree() {
        let [x, y] = DISC.cartesian([0.1, 1.0 / 12.0]);
        let close = |a: f64, b: f64| (a - b).abs() < 0.4 * f64::EPSILON;
        assert!(close(x, 0.1 * 0.75_f64.sqrt()) && close(y, 0.05), "{x} {y}");
        for position in [[0.1, 0.4], [0.2, -0.3], [0.05, 0.0]] {
            let back = DISC.at(DISC.cartesian(position));
            assert!((0..2).all(|i| close(back[i], position[i])), "{position:?} {back:?}");
        }
        // The chord from θ = 0 to θ = 90° passes its middle at r/√2, 45°.
        let [r, turns] = DISC.between([0.2, 0.0], [0.2, 0.25], 0.5);
        assert!(close(r, 0.2 * 0.5_f64.sqrt()) && close(turns, 0.125), "{r} {turns}");
        assert!(close(DISC.distance([0.2, 0.0], [0.2, 0.5]), 0.4));
    }

    #[test]
    fn places_are_checked_against_the_geometry() {
        let line = Geometry::Line { length: 2.0 };
        let plate = Geometry::Surface(Surface::Rectangle { sides: [2.0, 1.0] });
        let half = Coordinate::Fraction(0.5);
        assert_eq!(line.position(Place::Fraction(0.25)), Ok([0.5, 0.0]));
        assert_eq!(plate.position(Place::Pair(half, Coordinate::Length(0.2))), Ok([1.0, 0.2]));
        assert_eq!(DISC.position(Place::Pair(half, Coordinate::Angle(TAU / 4.0))), Ok([0.1, 0.25]));
        assert_eq!(DISC.position(Place::Fraction(0.5)), Ok([0.1, 0.0]));
        assert_eq!(Geometry::Point.position(Place::Whole), Ok([0.0, 0.0]));
        for (geometry, place) in [
            (line, Place::Whole),
            (line, Place::Length(2.5)),
            (plate, Place::Fraction(0.5)),
            (plate, Place::Pair(half, Coordinate::Angle(1.0))),
            (DISC, Place::Pair(half, Coordinate::Length(0.1))),
            (Geometry::Point, Place::Fraction(0.5)),
        ] {
            assert!(geometry.position(place).is_err(), "{geometry:?} {place:?}");
        }
        assert_eq!(plate.surface().map(|surface| surface.margin([0.5, 0.9])), Some(1.0 - 0.9));
    }
}
