//! Figure 3: the free string at t = 0.1 s by the 4-stage method against the exact solution (16).

use super::{
    setup::{RATE, exact, four_stage, started, string},
    table4::{AMPLITUDE, STABLE, TIME},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::{Course, Line, Slope},
};
use hamiltone_numerics::math::square;

/// N and the factor of 44.1 kHz of each picture.
const RUNS: [(usize, usize); 3] = [(40, 1), (100, 10), (1000, STABLE[0])];

/// The shape at 0.1 s: (x, u), m, and the L2 error.
///
/// # Errors
/// Where the scheme refuses.
pub fn shape(line: &Line, factor: usize) -> Result<(Vec<(f64, f64)>, f64), Unable> {
    let steps = (TIME * RATE).round() as usize * factor;
    let system = started(line, AMPLITUDE)?;
    let course = Course::run(&four_stage()?, &system, 1.0 / (RATE * factor as f64), (1, steps), &[])?;
    let u = line.field();
    let points: Vec<(f64, f64)> = u.indices().map(|l| (u.position(l), course.q[u.coordinate(l)])).collect();
    let square = |(x, q): &(f64, f64)| square(q - exact(line, AMPLITUDE, *x, TIME).0) * u.grid.step;
    let error = points.iter().map(square).sum::<f64>().sqrt();
    Ok((points, error))
}

/// The shapes of one discretisation of u_x, and a table of their errors.
///
/// # Errors
/// Where the scheme refuses.
pub(super) fn shapes(slope: Slope, name: &'static str, title: &str) -> Result<Outcome, Unable> {
    let mut table =
        Table::new(format!("I18 {name}: {title}"), &["N", "1/Δt, Hz", "‖e‖₂", "of the forward difference"]);
    let line = Line { slope, ..string(1000) };
    let benchmark = (0..=630).map(|i| f64::from(i) * 1e-3);
    let benchmark: Vec<_> = benchmark.map(|x| (x, exact(&line, AMPLITUDE, x, TIME).0)).collect();
    let mut panels = Vec::new();
    for (n, factor) in RUNS {
        let (points, error) = shape(&Line { slope, ..string(n) }, factor)?;
        let other = if slope == Slope::Forward { None } else { Some(shape(&string(n), factor)?.1) };
        table.row([n.to_string().into(), format!("44100·{factor}").into(), error.into(), other.into()]);
        panels.push(Panel::new(
            format!("N = {n}"),
            ("position x", "m"),
            ("displacement u", "m"),
            vec![Series::dashed("exact (16)", benchmark.clone()), Series::line("computed", points)],
        ));
    }
    let figure = Figure {
        name,
        title: format!("I18 {name}: {title}"),
        caption: "Dashed: the exact solution. The computed shapes come closer as N grows.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}

/// Makes the figure and a table of its errors.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    shapes(Slope::Forward, "fig3", "the free string at 0.1 s")
}
