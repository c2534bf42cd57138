//! The orders that the paper does not give: 2 for s = ½, 1 for any other s.
//!
//! Error: the root mean square of uⁿ − u(nk) over the run, relative to the amplitude;
//! runs start at u₀ = 0, where u¹ = u⁰ + kv₀ is of order 2. For s ≠ ½ the period locks
//! to a rational number of samples, so that the error falls in steps: the fit goes over
//! seven halvings.

use super::{
    cubic::Cubic,
    setup::{cubic_oscillator, harmonic},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    method::Method,
    order,
    trace::Trace,
};
use hamiltone_core::system::System;
use hamiltone_numerics::math::{sin, square};
use std::f64::consts::TAU;

/// s, and the order measured for it.
pub const EXPECTED: [(f64, f64); 6] =
    [(0.5, 2.0), (0.75, 1.0), (1.0, 1.0), (1.5, 1.0), (2.0, 1.0), (3.0, 1.0)];

/// The two oscillators: name, system, duration (s), amplitude (m), exact motion.
type Case = (&'static str, System, f64, f64, Box<dyn Fn(f64) -> f64>);

/// The harmonic oscillator of fig. 3 and the cubic one of fig. 6, over 2.2 periods each.
///
/// # Errors
/// Where their numbers make no system.
pub fn cases() -> Result<[Case; 2], Unable> {
    let omega = TAU * 11.0;
    let amplitude = 0.5 / omega;
    let cubic = Cubic::new(1e10, 1.0, 5.0);
    Ok([
        ("harmonic", harmonic(0.0, 0.5)?, 0.2, amplitude, Box::new(move |t| amplitude * sin(omega * t))),
        ("cubic", cubic_oscillator()?, 0.02, cubic.amplitude, Box::new(move |t| cubic.at(t))),
    ])
}

/// The errors with 2¹⁰ … 2¹⁶ steps: (k, error).
///
/// # Errors
/// Where the scheme refuses the system.
pub fn errors((_, system, duration, amplitude, exact): &Case, s: f64) -> Result<Vec<(f64, f64)>, Unable> {
    let method = Method::quadratic(s)?;
    (10..=16)
        .map(|j| {
            let steps = 1_usize << j;
            let k = duration / steps as f64;
            let trace = Trace::free(&method, system, k, steps)?;
            if let Some((step, fault)) = trace.audit.fault {
                return Err(Unable(format!("s = {s} stopped at step {step}: {fault}")));
            }
            let squares: f64 = trace.displacement().map(|(t, u)| square(u - exact(t))).sum();
            Ok((k, (squares / trace.q.len() as f64).sqrt() / amplitude))
        })
        .collect()
}

/// Makes the table and the convergence plots.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new("D17: fitted orders of scheme (17)", &["s", "harmonic", "cubic"]);
    let cases = cases()?;
    let mut series = [Vec::new(), Vec::new()];
    for (s, _) in EXPECTED {
        let mut cells = vec![s.to_string().into()];
        for (case, series) in cases.iter().zip(&mut series) {
            let errors = errors(case, s)?;
            cells.push(order::fitted(&errors).into());
            series.push(Series::line(format!("s = {s}"), errors));
        }
        table.row(cells);
    }
    table.note("s = ½ is of order 2, any other s of order 1. (A start that is accelerated needs start = \"taylor\" for order 2.)");
    let panels = cases.iter().zip(series).map(|(case, series)| {
        Panel::new(case.0, ("time step", "s"), ("relative error", ""), series).log_x().log_y()
    });
    let figure = Figure {
        name: "order",
        title: "D17: convergence of scheme (17)".into(),
        caption: "Root mean square error over about two periods.".into(),
        panels: panels.collect(),
    };
    Ok(Outcome::new(table, figure))
}
