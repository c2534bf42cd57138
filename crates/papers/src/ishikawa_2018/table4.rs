//! Table 4: the error of the free string at t = 0.1 s, 4-stage method, A_m = B_m = 1/15.
//!
//!   ‖e‖₂ = (Σ e_l² Δx)^½,   ‖e‖_∞ = max |e_l|,   e_l = u_l − u(t, lΔx),  u of (16)
//!
//! Rows 3 and 4 are beyond the stability limit as printed (ω_max·Δt = 2.87 and 3.22, the limit is 1.5734);
//! they are run at the rates that the method needs.

use super::setup::{RATE, exact, four_stage, started, string};
use crate::{
    figure::{Effort, Outcome, Table, Unable},
    line::Course,
};

/// When the error is taken, s.
pub const TIME: f64 = 0.1;
/// A_m = B_m, m.
pub const AMPLITUDE: f64 = 1.0 / 15.0;

/// An error at [`TIME`].
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// ‖e‖₂.
    pub l2: f64,
    /// ‖e‖_∞, m.
    pub largest: f64,
    /// Where it is largest, m.
    pub place: f64,
}

/// The error with N intervals and Δt = 1/(44100·`factor`).
///
/// # Errors
/// Where the scheme refuses: beyond its stability limit.
pub fn error(intervals: usize, factor: usize) -> Result<Error, Unable> {
    let line = string(intervals);
    let steps = (TIME * RATE).round() as usize * factor;
    let system = started(&line, AMPLITUDE)?;
    let course = Course::run(&four_stage()?, &system, 1.0 / (RATE * factor as f64), (1, steps), &[])?;
    let u = line.field();
    let errors = u.indices().map(|l| {
        let x = u.position(l);
        (course.q[u.coordinate(l)] - exact(&line, AMPLITUDE, x, TIME).0, x)
    });
    let zero = Error { l2: 0.0, largest: 0.0, place: 0.0 };
    let sum = errors.fold(zero, |sum, (e, x)| {
        let l2 = sum.l2 + e * e * u.grid.step;
        if e.abs() > sum.largest { Error { l2, largest: e.abs(), place: x } } else { Error { l2, ..sum } }
    });
    Ok(Error { l2: sum.l2.sqrt(), ..sum })
}

/// The rows as printed: N, factor of 44.1 kHz, ‖e‖₂, ‖e‖_∞, its place.
pub const PRINTED: [(usize, usize, &str, &str, &str); 4] = [
    (40, 1, "2.80314e-1", "5.41141e-1", "0.4410"),
    (100, 10, "4.68303e-1", "5.85610e-1", "0.1134"),
    (1000, 100, "1.5081e-2", "5.97745e-2", "0.0233"),
    (1500, 200, "3.7458e-3", "2.64958e-2", "0.0231"),
];

/// The factors that rows 3 and 4 need.
pub const STABLE: [usize; 2] = [200, 410];

/// Makes the table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns =
        ["N", "1/Δt, Hz", "‖e‖₂ printed", "‖e‖₂", "‖e‖_∞ printed", "‖e‖_∞", "at x printed, m", "at x, m"];
    let mut table = Table::new("I18 Table 4: error of the free string at 0.1 s, 4-stage method", &columns);
    let mut refusals = Vec::new();
    for (row, &(n, factor, l2, largest, place)) in PRINTED.iter().enumerate() {
        let (factor, error) = match error(n, factor) {
            Ok(error) => (factor, error),
            Err(refusal) => {
                refusals.push(format!("N = {n} at {} Hz: {refusal}", RATE * factor as f64));
                let stable = STABLE[row - 2];
                (stable, self::error(n, stable)?)
            }
        };
        table.row([
            n.to_string().into(),
            format!("44100·{factor}").into(),
            l2.into(),
            error.l2.into(),
            largest.into(),
            error.largest.into(),
            place.into(),
            error.place.into(),
        ]);
    }
    refusals.into_iter().for_each(|refusal| table.note(refusal));
    table.note("Those two are run at the rates in the table. The printed ‖e‖₂ is not the norm that the paper states: its row 2 exceeds √L·‖e‖_∞.");
    Ok(Outcome { tables: vec![table], figures: Vec::new() })
}
