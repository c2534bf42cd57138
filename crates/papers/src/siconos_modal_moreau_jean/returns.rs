//! Exact returns of the ideal string plucked at its centre, T = 2L/c.
//!
//! A point obstacle at the centre at rest height (Cabannes 1987): the halves swing through below it, and the whole
//! string is back after ¾T. A flat obstacle at depth hA below rest, e = 1: it reflects the string with the speed of its arrival,
//! and the string is back after (1 + h)T/2, again and again.

use super::{
    setup::modal,
    string::{IDEAL, Plucked},
};
use crate::{
    figure::{Cell, Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    order,
};
use hamiltone_numerics::math::square;

/// Steps in L/c, of N + 1 intervals: ω_NΔt = π/4.
const FINE: f64 = 4.0;

/// What stands below the string.
#[derive(Clone, Copy, Debug)]
pub enum Obstacle {
    /// A point at the centre at rest height.
    Point,
    /// A plane at this depth below rest, of the pluck's height.
    Flat(f64),
}

impl Obstacle {
    /// The time of the first return, of T.
    pub fn period(self) -> f64 {
        match self {
            Obstacle::Point => 0.75,
            Obstacle::Flat(h) => 0.5 * (1.0 + h),
        }
    }
}

/// The motion over `returns` returns, looked at at each and `looks` times between; reads the middle.
///
/// # Errors
/// Where the scheme refuses.
pub fn run(
    obstacle: Obstacle,
    intervals: usize,
    restitution: f64,
    returns: usize,
    looks: usize,
) -> Result<Course, Unable> {
    let string = Plucked { modes: intervals - 1, ..IDEAL };
    let places = match obstacle {
        Obstacle::Point => vec![(0.5, 0.0)],
        Obstacle::Flat(h) => string.everywhere(-h * string.height),
    };
    let system = string.over(&places, restitution)?;
    let period = obstacle.period() * string.period();
    let every = (period * FINE * intervals as f64 / looks as f64).round() as usize;
    let dt = period / (every * looks) as f64;
    Course::run(&modal()?, &system, dt, (returns * looks, every), &[string.ear(0.5)?])
}

/// ‖u − u(0)‖/‖u(0)‖ after the last of `returns` returns.
///
/// # Errors
/// Where the scheme refuses.
pub fn miss(obstacle: Obstacle, intervals: usize, restitution: f64, returns: usize) -> Result<f64, Unable> {
    let course = run(obstacle, intervals, restitution, returns, 1)?;
    let start = Plucked { modes: intervals - 1, ..IDEAL }.over(&[], 0.0)?.initial.position;
    let off = course.q.iter().zip(&start).map(|(q, start)| square(q - start)).sum::<f64>();
    Ok((off / start.iter().map(|q| q * q).sum::<f64>()).sqrt())
}

/// A case of the table.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What is below.
    pub obstacle: Obstacle,
    /// Its name.
    pub name: &'static str,
    /// e.
    pub restitution: f64,
    /// Intervals; over a flat obstacle such that contact ends midway between two points.
    pub intervals: [usize; 4],
}

/// The cases of the table.
pub const CASES: [Case; 5] = [
    case(Obstacle::Point, "point at rest height", 1.0, [50, 100, 200, 400]),
    case(Obstacle::Point, "point at rest height", 0.0, [50, 100, 200, 400]),
    case(Obstacle::Flat(0.1), "flat, h = 0.1", 1.0, [50, 150, 250, 350]),
    case(Obstacle::Flat(0.25), "flat, h = 0.25", 1.0, [60, 100, 140, 300]),
    case(Obstacle::Flat(0.5), "flat, h = 0.5", 1.0, [50, 70, 150, 250]),
];

const fn case(obstacle: Obstacle, name: &'static str, restitution: f64, intervals: [usize; 4]) -> Case {
    Case { obstacle, name, restitution, intervals }
}

/// The order of the miss of a return in the number of points.
///
/// # Errors
/// Where the scheme refuses.
pub fn slope(case: Case, returns: usize) -> Result<f64, Unable> {
    let misses =
        case.intervals.map(|n| Ok((1.0 / n as f64, miss(case.obstacle, n, case.restitution, returns)?)));
    Ok(order::fitted(&misses.into_iter().collect::<Result<Vec<_>, Unable>>()?))
}

/// Makes the figure and the table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns =
        ["obstacle", "e", "return after", "intervals", "‖u − u(0)‖/‖u(0)‖, 1st", "2nd", "5th", "10th return"];
    let mut table = Table::new("SIC: exact returns of the ideal string", &columns);
    let mut panels = Vec::new();
    for case in CASES {
        let Case { obstacle, name, restitution: e, intervals } = case;
        let head = || [name.into(), format!("{e}").into(), format!("{} T", obstacle.period()).into()];
        for n in intervals {
            let misses = [1, 2, 5, 10].map(|returns| miss(obstacle, n, e, returns).map(Cell::from));
            let misses = misses.into_iter().collect::<Result<Vec<_>, Unable>>()?;
            table.row(head().into_iter().chain([n.to_string().into()]).chain(misses));
        }
        let slopes = [1, 2, 5, 10].map(|returns| slope(case, returns).map(Cell::from));
        let slopes = slopes.into_iter().collect::<Result<Vec<_>, Unable>>()?;
        table.row(head().into_iter().chain(["order".into()]).chain(slopes));
        let course = run(obstacle, intervals[3], e, 3, 200)?;
        let path = course.output(0).map(|(t, u)| (t / IDEAL.period() / obstacle.period(), u));
        panels.push(Panel::new(
            format!("{name}, e = {e}"),
            ("time, in returns", ""),
            ("u(L/2)", "m"),
            vec![Series::line("u(L/2)", path)],
        ));
    }
    table.note("N modes resolve corners to 1/N, and the errors are of this size. Over h = 0.5 the errors of the first return grow from contact to contact: they decide which points are in contact.");
    let figure = Figure {
        name: "returns",
        title: "SIC: exact returns".into(),
        caption: "The middle of the string is at 1 m again at 1, 2 and 3.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
