//! Figure 3: the simple harmonic oscillator, a linear model of a scheme that is not.
//!
//!   φ = ½Ku²,  f₀ = 11 Hz,  f_s = 2300 Hz,  v₀ = 0.5 m/s,  u₀ = −0.1 m
//!   uⁿ⁺¹ = (2 − k²K̄)uⁿ − uⁿ⁻¹                                                     (22)
//!
//! Left the first second, right the spectra of 20 s. For s ≠ ½ the fundamental is too
//! high and odd harmonics appear. Printed: with s = 1 "the second harmonic is lower
//! than 60 dB"; computed: a second there is none, the third is at −45.6 dB.

use super::setup::{S, harmonic};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    method::Method,
    spectrum,
    trace::Trace,
};

/// f_s, Hz.
pub const RATE: f64 = 2300.0;
/// Samples of the spectra: 20 s.
const STEPS: usize = 46_000;

/// A run of 20 s by one method.
///
/// # Errors
/// Where the scheme refuses the oscillator.
pub fn run(method: &Method) -> Result<Trace, Unable> {
    Trace::free(method, &harmonic(-0.1, 0.5)?, 1.0 / RATE, STEPS)
}

/// The frequency (Hz) of a run and the level of its third harmonic (dB).
pub fn third(trace: &Trace) -> (f64, f64) {
    let frequency = spectrum::frequency(&trace.q, RATE).unwrap_or(f64::NAN);
    (frequency, spectrum::level(&trace.q, RATE, 3.0 * frequency, frequency))
}

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new(
        "D17 fig. 3: simple harmonic oscillator, f₀ = 11 Hz at 2300 Hz",
        &["scheme", "frequency, Hz", "harmonics printed", "third, dB", "u[100], m", "energy residual, eps"],
    );
    let classic = run(&Method::new("(22)", "leapfrog")?)?;
    let mut panels = Vec::new();
    let mut row = |label: &str, printed: &str, trace: &Trace| {
        let (frequency, level) = third(trace);
        table.row([
            label.into(),
            frequency.into(),
            printed.into(),
            format!("{level:.1}").into(),
            trace.q[100].into(),
            (trace.audit.residual_max_relative() / f64::EPSILON).into(),
        ]);
    };
    row("(22)", "none", &classic);
    let spectrum = |trace: &Trace| spectrum::decibels(&trace.q, RATE).into_iter().filter(|(f, _)| *f < 200.0);
    for s in S {
        let method = Method::quadratic(s)?;
        let trace = run(&method)?;
        let printed = match s {
            0.5 => "none",
            1.0 => "second below −60 dB",
            _ => "more prominent",
        };
        row(&method.label, printed, &trace);
        let second = RATE as usize;
        panels.push(Panel::new(
            method.label.clone(),
            ("time", "s"),
            ("displacement u", "m"),
            vec![
                Series::dashed("(22)", classic.displacement().take(second)),
                Series::line(method.label.clone(), trace.displacement().take(second)),
            ],
        ));
        panels.push(Panel::new(
            format!("Spectrum, {}", method.label),
            ("frequency", "Hz"),
            ("level", "dB"),
            vec![
                Series::dashed("(22)", spectrum(&classic)),
                Series::line(method.label.clone(), spectrum(&trace)),
            ],
        ));
    }
    table.note("Printed: for s = 1 the second harmonic lies below −60 dB. Computed: only odd harmonics appear, and the third is at −45.6 dB.");
    table.note("For s ≠ ½ the motion locks to a period of a rational number of samples: the frequency is then exactly that of this period.");
    let figure = Figure {
        name: "fig3",
        title: "D17 fig. 3: simple harmonic oscillator".into(),
        caption: "Dashed: the classic scheme (22). For s ≠ ½ the scheme is nonlinear even here.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
