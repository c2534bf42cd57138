//! Contacts along a body: a barrier, a neck or a bridge under a string, or its frets; a bar across a drum.
//!
//!   f_l = Δx_l law(δ_l − gap_l, δ̇_l)   at each of its points x_l   (C19 (70), (74b))
//!
//! The law is per unit length, and Δx_l (m) is the length that a point stands for; a rigid law has no strength and is the
//! same at every point, and frets are points with a law each. The obstacle has the height b(x) (m): gap_l = gap + b(x_l)
//! where it lies above the body, the body being the first place, and gap − b(x_l) where it lies below.

use super::{
    obstacle::{self, Obstacle},
    path::{self, ALONG, Path, PathSample},
    places::Named,
    stages::Connections,
};
use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::{
    body::Sample,
    element::{Element, ElementLaw, Law},
    geometry::Position,
    parameter::{Entry, Role, Takes, Values},
    row::Row,
};
use hamiltone_plan::Along;

/// A point of contact.
struct At {
    row: Row,
    /// Where along the path, m.
    x: f64,
    /// Where on the body.
    at: Position,
    height: f64,
    /// The length that it stands for, m, or 1 for a law of its own.
    weight: f64,
}

/// The points of a contact along a body.
pub struct PointsAlong {
    /// The body's name.
    body: String,
    /// The row of the other body.
    other: Row,
    /// 1 where the body is the first place, −1 where it is the second.
    sign: f64,
    points: Vec<At>,
}

impl PointsAlong {
    /// The number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }
}

impl Connections<'_> {
    /// Along a body a law needs a strength per unit length, if it has any.
    pub fn check_along(&mut self, section: &Section<'_>, entry: &Entry<ElementLaw>) -> Option<()> {
        let strengths = || entry.kind.parameters.iter().filter(|p| p.role().is_some_and(Role::is_strength));
        let files = || entry.kind.parameters.iter().filter(|p| matches!(p.takes, Takes::Columns(_)));
        if obstacle::of_points(section)
            || strengths().next().is_none()
            || strengths().chain(files()).any(|p| section.table.contains_key(p.name))
        {
            return Some(());
        }
        let forces: Vec<String> = strengths().map(|p| format!("`{}`", p.name)).collect();
        let message = "along a body the law needs a strength per unit length";
        let help = format!("give {}, or name one place of the body with @", forces.join(" or "));
        self.refuse(section.problem("law", message, "").help(help))
    }

    /// A port stands for one place: its force is no force per length.
    pub fn check_place(&mut self, section: &Section<'_>, name: &str, law: &ElementLaw) -> Option<()> {
        if !matches!(law.law, Law::Port(_)) {
            return Some(());
        }
        let message = format!("the law `{name}` acts at one place, not along a body");
        let help = "name a place of the body with @, such as \"string@0.9\"";
        self.refuse(section.problem("between", message, "").help(help))
    }

    /// A force of the rate alone acts at every displacement: heights would mean nothing.
    pub fn check_heights(
        &mut self,
        section: &Section<'_>,
        name: &str,
        law: &ElementLaw,
        points: &PointsAlong,
    ) -> Option<()> {
        let Some(shape) = obstacle::given(section) else { return Some(()) };
        if !law.law.has_no_place() || points.points.iter().all(|point| point.height == 0.0) {
            return Some(());
        }
        let message = format!("`{shape}` has heights, but the law `{name}` acts at every displacement");
        let help =
            "give heights of 0: the shape then says where the law acts, or use a law of the displacement";
        self.refuse(section.problem(shape, message, "").help(help))
    }

    /// The points of a body's path that lie within the obstacle.
    pub fn points_along(
        &mut self,
        section: &Section<'_>,
        [first, second]: [&Named; 2],
        values: &Values,
    ) -> Option<PointsAlong> {
        let (long, other, sign) = match [first, second].map(|end| path::follows(section, end)) {
            [true, false] => (first, second, 1.0),
            [false, true] => (second, first, -1.0),
            _ => return self.two_lengths(section),
        };
        if other.body().is_some_and(|body| body.geometry.length().is_some()) {
            return self.two_lengths(section);
        }
        let path = self.path(section, long);
        let other = self.row(section, other);
        let path = path?;
        // A shape that cannot be read has been complained of.
        if obstacle::given(section).is_some_and(|shape| !values.is_readable(shape)) {
            return None;
        }
        let read = Obstacle::read(section, values, path.length).map_err(|c| section.complaint(&c));
        let points = read.and_then(|obstacle| match obstacle {
            Obstacle::Curve(height) => {
                // Where the scene leaves the points open, there are enough for the shape.
                let points = match curve(section, &path, path.samples(), &height) {
                    Ok(points) if points.len() >= FEWEST || !self.has_open_points(&path) => points,
                    Err(problem) if !self.has_open_points(&path) => return Err(problem),
                    _ => {
                        let pieces = 2 * FEWEST * LOOKED_AT / reached(&path, &height);
                        curve(section, &path, path.pieces(pieces), &height)?
                    }
                };
                let coarse = coarse(section, &path, &height, points.len());
                self.warnings.extend(coarse);
                Ok(points)
            }
            Obstacle::Points(points) => frets(section, &path, &points),
        });
        let points = points.map_err(|problem| self.problems.push(problem)).ok()?;
        Some(PointsAlong { body: path.body, other: other?, sign, points })
    }

    /// Whether neither the scene's scheme nor the body says at how many points contacts along the body lie.
    fn has_open_points(&self, path: &Path) -> bool {
        path.is_line() && self.detail.is_some() && !self.with_intervals.contains(&path.body)
    }

    /// Adds one contact for each point.
    pub fn add_along(&mut self, name: &str, points: PointsAlong, law: &ElementLaw) -> Along {
        let PointsAlong { body, other, sign, points } = points;
        let mut along = Along { body, x: Vec::new(), at: Vec::new(), heights: Vec::new() };
        for (i, At { row, x, at, height, weight }) in points.into_iter().enumerate() {
            let row = row.minus(&other).scaled(sign);
            let gap = law.gap + sign * height;
            let law = law.law.clone().scaled(weight);
            along.x.push(x);
            along.at.push(at);
            along.heights.push(sign * gap);
            self.system.elements.push(Element::new(format!("{name}[{i}]"), row, gap, law));
        }
        along
    }

    fn two_lengths(&mut self, section: &Section<'_>) -> Option<PointsAlong> {
        let message = "a contact along a body is with the ground or a point body, not with a second string, bar or surface";
        let help = "name places on them with @, such as \"BODY@0.2\"";
        self.refuse(section.problem("between", message, "two bodies without @").help(help))
    }
}

/// The sample points of a path that lie within a curve.
fn curve(
    section: &Section<'_>,
    path: &Path,
    samples: Vec<PathSample>,
    height: &dyn Fn(f64) -> Option<f64>,
) -> Result<Vec<At>, Problem> {
    let at = |PathSample { x, sample: Sample { row, at, weight } }| {
        Some(At { row, x, at, height: height(x)?, weight })
    };
    if samples.iter().all(|point| point.sample.row.is_zero()) {
        let message = format!("`{}` is fixed all along this line: no contact is possible there", path.body);
        return Err(section
            .problem(ALONG.name, message, "nothing moves")
            .help("name a line that leaves the edge"));
    }
    let points: Vec<At> = samples.into_iter().filter_map(at).collect();
    match (points.is_empty(), obstacle::given(section)) {
        (true, Some(shape)) => {
            let message = format!("`{shape}` reaches no point of `{}`", path.body);
            let help = format!("it is {} m long, x counting from its left end", path.length);
            Err(section.problem(shape, message, "").help(help))
        }
        _ => Ok(points),
    }
}

/// The fewest points of a body that follow the shape of an obstacle: a parabola through its middle and ends is met at two
/// points to either side and at its ends.
const FEWEST: usize = 6;
/// Places along a path at which it is looked whether an obstacle reaches there.
const LOOKED_AT: usize = 4096;

/// At how many of those places it reaches, at least 1.
fn reached(path: &Path, height: &dyn Fn(f64) -> Option<f64>) -> usize {
    let x = |i: usize| (i as f64 + 0.5) / LOOKED_AT as f64 * path.length;
    (0..LOOKED_AT).filter(|&i| height(x(i)).is_some()).count().max(1)
}

/// The warning where too few points of a path meet a curve that is shorter than it.
fn coarse(
    section: &Section<'_>,
    path: &Path,
    height: &dyn Fn(f64) -> Option<f64>,
    points: usize,
) -> Option<Problem> {
    let shape = obstacle::given(section).filter(|_| points < FEWEST)?;
    let reached = reached(path, height) as f64;
    let needed = (FEWEST as f64 * LOOKED_AT as f64 / reached).ceil();
    let extent = reached / LOOKED_AT as f64 * path.length;
    let count = if points == 1 { "1 point".into() } else { format!("{points} points") };
    let message = format!(
        "`{shape}` is {} m long and is met at {count} of `{}` only: its shape is not followed",
        plain((extent * 1e4).round() / 1e4),
        path.body
    );
    let help = match path.is_line() {
        true => format!(
            "write intervals = {needed} or more in [body.{}]; of a body by modes these are its points, and as many modes less \
             one move them independently",
            path.body
        ),
        false => format!("give `{}` more modes, or use a longer shape", path.body),
    };
    Some(section.problem(shape, message, "too few points").help(help))
}

/// The places of frets on a path.
fn frets(section: &Section<'_>, path: &Path, points: &[(f64, f64)]) -> Result<Vec<At>, Problem> {
    let fret = |&(x, height): &(f64, f64)| {
        let (at, row) = path.at(x)?;
        Ok(At { row, x, at, height, weight: 1.0 })
    };
    points.iter().map(fret).collect::<Result<_, String>>().map_err(|message| {
        let shape = obstacle::given(section).unwrap_or_default();
        section.problem(shape, format!("`{shape}`: {message}"), "").help("place frets between its ends")
    })
}
