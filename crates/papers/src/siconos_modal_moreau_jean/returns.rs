//! Exact returns of the ideal string plucked at its centre, T = 2L/c.
//!
//! A point obstacle at the centre at rest height (Cabannes 1987): the halves swing through below it, and the whole
//! string is back after ¾T. A flat obstacle at depth hA below rest, e = 1: what touches it is thrown back as it came,
//! and the string is back after (1 + h)T/2, again and again.

use super::{
    modal,
    string::{IDEAL, Plucked},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    order,
};

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
    let start = Plucked { modes: intervals - 1, ..IDEAL }.over(&[], 0.0)?.start.position;
    let off = course.q.iter().zip(&start).map(|(q, start)| (q - start).powi(2)).sum::<f64>();
    Ok((off / start.iter().map(|q| q * q).sum::<f64>()).sqrt())
}

/// The cases of the table: obstacle, its name, e.
pub const CASES: [(Obstacle, &str, f64); 5] = [
    (Obstacle::Point, "point at rest height", 1.0),
    (Obstacle::Point, "point at rest height", 0.0),
    (Obstacle::Flat(0.1), "flat, h = 0.1", 1.0),
    (Obstacle::Flat(0.25), "flat, h = 0.25", 1.0),
    (Obstacle::Flat(0.5), "flat, h = 0.5", 1.0),
];

/// Makes the figure and the table.
pub(super) fn make(effort: Effort) -> Result<Outcome, Unable> {
    let sizes: &[usize] = if effort == Effort::Full { &[50, 100, 200, 400] } else { &[50, 100, 200] };
    let columns =
        ["obstacle", "e", "return after", "intervals", "‖u − u(0)‖/‖u(0)‖, 1st", "5th return", "order, 1st"];
    let mut table = Table::new("SIC: exact returns of the ideal string", &columns);
    let mut panels = Vec::new();
    for (obstacle, name, e) in CASES {
        let misses = sizes.iter().map(|&n| Ok((1.0 / n as f64, miss(obstacle, n, e, 1)?)));
        let misses: Vec<(f64, f64)> = misses.collect::<Result<_, Unable>>()?;
        let fitted = order::fitted(&misses);
        for (&n, (_, first)) in sizes.iter().zip(&misses) {
            table.row([
                name.into(),
                format!("{e}").into(),
                format!("{} T", obstacle.period()).into(),
                n.to_string().into(),
                (*first).into(),
                miss(obstacle, n, e, 5)?.into(),
                (n == sizes[0]).then_some(fitted).into(),
            ]);
        }
        let course = run(obstacle, 200, e, 3, 200)?;
        let heard = course.heard(0).map(|(t, u)| (t / IDEAL.period() / obstacle.period(), u));
        panels.push(Panel::new(
            format!("{name}, e = {e}"),
            ("time, of the return's", ""),
            ("u(L/2)", "m"),
            vec![Series::line("u(L/2)", heard)],
        ));
    }
    table.note("N modes see a corner to 1/N, and where contact ends inside the string its speed jumps: the misses fall with N.");
    let figure = Figure {
        name: "returns",
        title: "SIC: exact returns".into(),
        caption: "The middle of the string is at 1 m again at 1, 2 and 3.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
