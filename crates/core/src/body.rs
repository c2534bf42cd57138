//! The contract of a body: it adds itself to a system and says where it can be touched.

pub use crate::measure::Measure;
use crate::{parameter::Complaint, row::Row, system::System};
use std::ops::Range;

/// Something that moves. Adding it appends degrees of freedom, blocks and start values.
pub trait Body {
    /// Appends the body to `system` under `name`.
    ///
    /// # Errors
    /// A [`Complaint`] where its numbers do not make a body.
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint>;
}

/// A function from a place to the row that reads something there, or to what is wrong with the place.
pub type Locate = Box<dyn Fn(Place) -> Result<Row, String> + Send + Sync>;

/// A body in a system: which degrees of freedom are its own, and how places on it become rows.
pub struct Placed {
    /// Its degrees of freedom.
    pub dofs: Range<usize>,
    /// What its positions and forces are measured in.
    pub measure: Measure,
    /// The row of a place: what touches the body there moves with it.
    pub locate: Locate,
    /// What else can be heard of it, besides the displacement and velocity of `locate`.
    pub heard: Vec<Heard>,
    /// Where its degrees of freedom lie, for a body that is long; `None` for one that is at one place.
    pub extent: Option<Extent>,
}

/// A quantity of a body that a pickup can name: a linear function of its positions or velocities.
pub struct Heard {
    /// Its name in scenes, such as "force" or "pressure".
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Whether the row reads velocities (else positions).
    pub of_velocity: bool,
    /// The row of a place.
    pub locate: Locate,
}

/// A body that is long.
pub struct Extent {
    /// Its length, m.
    pub length: f64,
    /// Its points in order, as they are touched all along and drawn.
    pub points: Vec<Point>,
    /// What a motion at t = 0 makes of its coordinates.
    pub lay: Lay,
    /// The continuous theory's frequency of partial 1, 2, …, Hz, undamped; `None` where there is no theory.
    pub partials: Option<Box<dyn Fn(usize) -> f64 + Send + Sync>>,
    /// How many modes sin(mπx/L) it holds: uniform between hinged ends; 0 where its modes are others.
    pub sines: usize,
}

/// A point of a long body.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What reads its displacement.
    pub row: Row,
    /// Where it is, m from the left end.
    pub x: f64,
    /// The length that it stands for, m.
    pub weight: f64,
}

/// How a long body moves at t = 0.
pub struct Motion<'a> {
    /// Displacement (m) and velocity (m/s) at x, m from the left end.
    pub at: Box<dyn Fn(f64) -> (f64, f64) + 'a>,
    /// Where it is not smooth, m, ascending: integrals along the body are split there.
    pub corners: Vec<f64>,
}

/// From a motion to what it makes of degrees of freedom: (number, position, velocity).
pub type Lay = Box<dyn Fn(&Motion<'_>) -> Vec<(usize, f64, f64)> + Send + Sync>;

/// The [`Lay`] of a body whose points are degrees of freedom.
pub fn lay_on_points(points: &[Point]) -> Lay {
    let places: Vec<(usize, f64)> =
        points.iter().filter_map(|point| Some((point.row.coordinate()?, point.x))).collect();
    let laid = move |motion: &Motion<'_>, (dof, x): (usize, f64)| {
        let (u, v) = (motion.at)(x);
        (dof, u, v)
    };
    Box::new(move |motion| places.iter().map(|&place| laid(motion, place)).collect())
}

/// A place on a body, as written after `@`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// The body as a whole: no `@`.
    Whole,
    /// A length from its left end, m.
    Length(f64),
    /// A fraction of its length, 0 to 1.
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
    ///
    /// # Errors
    /// What is wrong: an angle, or a coordinate that is not on the body.
    pub fn along(self, length: f64) -> Result<f64, String> {
        match self {
            Coordinate::Length(x) => Place::Length(x).on(length),
            Coordinate::Fraction(fraction) => Place::Fraction(fraction).on(length),
            Coordinate::Angle(_) => Err("an angle is given where a length or a fraction is needed".into()),
        }
    }

    /// Turns.
    ///
    /// # Errors
    /// What is wrong: a length.
    pub fn turns(self) -> Result<f64, String> {
        match self {
            Coordinate::Angle(angle) => Ok(angle / (2.0 * std::f64::consts::PI)),
            Coordinate::Fraction(turns) => Ok(turns),
            Coordinate::Length(_) => {
                Err("a length is given where an angle is needed: a fraction of a turn, or degrees".into())
            }
        }
    }
}

impl Place {
    /// Metres from the left end of a body of this length, m.
    ///
    /// # Errors
    /// What is wrong: no place given, or one that is not on the body.
    pub fn on(self, length: f64) -> Result<f64, String> {
        let x = match self {
            Place::Whole => return Err("it is long: say where".into()),
            Place::Pair(..) => return Err("it is long: one number says where, not two".into()),
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
