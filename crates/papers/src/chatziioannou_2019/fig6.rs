//! Figure 6: the energy error of the lossless string over its barrier for 100 s, in all and a step.

use super::{
    fig5::RATE,
    string::{INTERVALS, over_barrier},
};

use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    method::Method,
};

/// The run, looked at every so many steps.
///
/// # Errors
/// Where the scheme refuses.
pub fn run(name: &str, seconds: f64) -> Result<Course, Unable> {
    let (_, system) = over_barrier(INTERVALS, 0.0)?;
    Course::run(&Method::new(name, name)?, &system, 1.0 / RATE, ((seconds * RATE) as usize, 1), &[])
}

/// Makes the figure and its table.
pub(super) fn make(effort: Effort) -> Result<Outcome, Unable> {
    let seconds = if effort == Effort::Full { 100.0 } else { 2.0 };
    let title = format!("C19 fig. 6: lossless string over a barrier, {seconds} s");
    let columns = ["scheme", "max |H − H⁰|/H⁰ printed", "computed", "a step", "residual, eps"];
    let mut table = Table::new(title, &columns);
    let mut panels = Vec::new();
    for name in ["ck", "ec"] {
        let course = run(name, seconds)?;
        let start = course.energy[0];
        let steps = course.energy.windows(2).map(|h| (h[1] - h[0]) / start);
        let largest = steps.clone().map(f64::abs).fold(0.0, f64::max);
        table.row([
            name.into(),
            "a small drift".into(),
            (course.energy_gap() / start).into(),
            largest.into(),
            (course.audit.residual_max_relative() / f64::EPSILON).into(),
        ]);
        let errors: Vec<_> =
            course.times.iter().zip(&course.energy).map(|(t, h)| (*t, (h - start) / start)).collect();
        let steps: Vec<_> = course.times[1..].iter().copied().zip(steps).collect();
        for (what, points) in [("(Hⁿ − H⁰)/H⁰", errors), ("(Hⁿ⁺¹ − Hⁿ)/H⁰", steps)] {
            let series = vec![Series::extremes("", &points, 500)];
            panels.push(Panel::new(format!("{name}: {what}"), ("time", "s"), (what, ""), series));
        }
    }
    let figure = Figure {
        name: "fig6",
        title: "C19 fig. 6: energy error of the lossless string".into(),
        caption: "Rounding error of every step; its sum is a random walk.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
