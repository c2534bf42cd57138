//! Convergence over rates: the guitar string on a point obstacle at its centre, at rest height.
//!
//!   ε = √(Σ(u − u_ref)²/Σu_ref²)   at x = 0.501 m, over the samples at 44.1 kHz
//!
//! against the run at the highest rate, for e = 0, 0.9 and 1. Free modes are exact at any rate: all of it is contact.

use super::{
    setup::modal,
    string::{GUITAR, Plucked},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    method::Method,
    order,
};
use hamiltone_numerics::math::square;

/// The lowest rate, at which all runs are looked at, Hz.
pub const RATE: f64 = 44_100.0;
/// The restitutions of the study.
pub const RESTITUTIONS: [f64; 3] = [0.0, 0.9, 1.0];

/// A study: N, duration (s), binary logarithms of the rates over [`RATE`]: the last, and the reference's.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// N.
    pub modes: usize,
    /// The duration, s.
    pub duration: f64,
    /// The highest rate is 2^this.
    pub highest: u32,
    /// The reference's rate is 2^this.
    pub reference: u32,
}

/// As long as a test may take.
pub const SHORT: Study = Study { modes: 100, duration: 0.01, highest: 8, reference: 11 };
/// All modes up to 356 kHz, and twice as long.
pub const FULL: Study = Study { modes: 1001, duration: 0.02, highest: 9, reference: 12 };

/// u(0.501 m) at [`RATE`] of a run at 2^`doubling` times that.
///
/// # Errors
/// Where the scheme refuses.
pub fn middle(method: &Method, study: Study, restitution: f64, doubling: u32) -> Result<Vec<f64>, Unable> {
    let string = Plucked { modes: study.modes, ..GUITAR };
    let system = string.over(&[(0.501, 0.0)], restitution)?;
    let (looks, every) = ((study.duration * RATE).round() as usize, 1_usize << doubling);
    let dt = 1.0 / (RATE * every as f64);
    let mut course = Course::run(method, &system, dt, (looks, every), &[string.ear(0.501)?])?;
    Ok(course.values.swap_remove(0))
}

/// (rate, ε) for each rate.
///
/// # Errors
/// Where the scheme refuses.
pub fn errors(method: &Method, study: Study, restitution: f64) -> Result<Vec<(f64, f64)>, Unable> {
    let reference = middle(method, study, restitution, study.reference)?;
    let size: f64 = reference.iter().map(|u| u * u).sum();
    let error = |doubling: u32| {
        let u = middle(method, study, restitution, doubling)?;
        let off: f64 = u.iter().zip(&reference).map(|(u, r)| square(u - r)).sum();
        Ok((RATE * f64::from(1 << doubling), (off / size).sqrt()))
    };
    (0..=study.highest).map(error).collect()
}

/// The order: the slope of ε over Δt.
pub fn slope(errors: &[(f64, f64)]) -> f64 {
    order::fitted(&errors.iter().map(|(rate, e)| (1.0 / rate, *e)).collect::<Vec<_>>())
}

/// Makes the figure and the table.
pub(super) fn make(effort: Effort) -> Result<Outcome, Unable> {
    let study = if effort == Effort::Full { FULL } else { SHORT };
    let methods = [modal()?, Method::new("modal-ec", "modal-ec")?];
    let cases = || methods.iter().flat_map(|method| RESTITUTIONS.map(|e| (method, e)));
    let names: Vec<String> = cases().map(|(method, e)| format!("{}, e = {e}", method.label)).collect();
    let columns: Vec<&str> = std::iter::once("rate, Hz").chain(names.iter().map(String::as_str)).collect();
    let title = "SIC: convergence over rates at x = 0.501 m";
    let heading = format!(
        "SIC: relative L2 error at x = 0.501 m over {} ms, {} modes, against {} Hz",
        1e3 * study.duration,
        study.modes,
        RATE * f64::from(1 << study.reference)
    );
    let mut table = Table::new(heading, &columns);
    let all: Vec<Vec<(f64, f64)>> =
        cases().map(|(method, e)| errors(method, study, e)).collect::<Result<_, Unable>>()?;
    for (i, (rate, _)) in all[0].iter().enumerate() {
        table.row([rate.to_string().into()].into_iter().chain(all.iter().map(|errors| errors[i].1.into())));
    }
    table.row(["slope".into()].into_iter().chain(all.iter().map(|errors| slope(errors).into())));
    table.note("Free modes are exact at every rate: what converges is the time of each impact, an error of order Δt. With e = 1 impacts are many while the string lies on the point, each with the errors of those before. The energy-conserving modes tend to the same motion; each method is measured against its own run at the highest rate.");
    let curves = names.iter().zip(&all);
    let mut series: Vec<Series> =
        curves.map(|(name, errors)| Series::line(name.clone(), errors.iter().copied())).collect();
    let start = all.iter().map(|errors| errors[0].1).fold(0.0, f64::max);
    series.push(Series::dashed("slope 1", all[0].iter().map(|(rate, _)| (*rate, start * RATE / rate))));
    let figure = Figure {
        name: "convergence",
        title: title.into(),
        caption: "Dashed: order 1.".into(),
        panels: vec![
            Panel::new("against the highest rate", ("rate", "Hz"), ("relative L2 error", ""), series)
                .log_x()
                .log_y(),
        ],
    };
    Ok(Outcome::new(table, figure))
}
