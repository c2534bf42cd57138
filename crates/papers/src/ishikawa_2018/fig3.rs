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

/// The shapes of one discretisation of u_x, and a table of their errors beside those with which the paper compares them:
/// of the row above, which a finer grid is to improve on, or of the forward difference, which is to be the better one.
///
/// # Errors
/// Where the scheme refuses.
pub(super) fn shapes(slope: Slope, name: &'static str, title: &str) -> Result<Outcome, Unable> {
    let claim = match slope {
        Slope::Forward => ("of the row above", "closer than that, printed: yes"),
        Slope::Central => ("of the forward difference", "that is closer, printed: yes"),
    };
    let columns = ["N", "1/Δt, Hz", "‖e‖₂", claim.0, claim.1];
    let mut table = Table::new(format!("I18 {name}: {title}"), &columns);
    let line = Line { slope, ..string(1000) };
    let benchmark = (0..=630).map(|i| f64::from(i) * 1e-3);
    let benchmark: Vec<_> = benchmark.map(|x| (x, exact(&line, AMPLITUDE, x, TIME).0)).collect();
    let (mut panels, mut before) = (Vec::new(), None::<f64>);
    for (n, factor) in RUNS {
        let (points, error) = shape(&Line { slope, ..string(n) }, factor)?;
        let (other, claimed) = match slope {
            Slope::Forward => (before, before.map(|before| error < before)),
            Slope::Central => {
                let forward = shape(&string(n), factor)?.1;
                (Some(forward), Some(forward < error))
            }
        };
        before = Some(error);
        let verdict = claimed.map(|holds| if holds { "yes" } else { "no" });
        table.row([
            n.to_string().into(),
            format!("44100·{factor}").into(),
            error.into(),
            other.into(),
            verdict.into(),
        ]);
        panels.push(Panel::new(
            format!("N = {n}"),
            ("position x", "m"),
            ("displacement u", "m"),
            vec![Series::dashed("exact (16)", benchmark.clone()), Series::line("computed", points)],
        ));
    }
    table.note(match slope {
        Slope::Forward => "The solutions converge as Δt and Δx tend to 0, but from N = 40 to 100 the error grows: the highest of the 15 modes are out of phase by more than a quarter of a period at both.",
        Slope::Central => "At N = 100 the central difference is closer; the paper's statement holds at N = 40 and 1000.",
    });
    let figure = Figure {
        name,
        title: format!("I18 {name}: {title}"),
        caption: "Dashed: the exact solution. The computed shapes are close to it at N = 1000.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}

/// Makes the figure and a table of its errors.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    shapes(Slope::Forward, "fig3", "the free string at 0.1 s")
}
