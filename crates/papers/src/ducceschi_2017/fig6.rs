//! Figure 6: the cubic oscillator.
//!
//!   ü = −(K/M)u³,  K = 1e10, M = 1 kg, u₀ = 0, v₀ = 5 m/s, f_s = 44.1 kHz            (24)
//!   uⁿ⁺¹ = 2uⁿ/(1 + Kk²(uⁿ)²/2M) − uⁿ⁻¹                                            (25)
//!
//! The exact motion is a lemniscate sine ([`super::cubic`]). s = ½ is close to (25);
//! the larger s, the higher the frequency and the stronger the upper partials. With
//! s = ½ a turning point of the 145th period has complex roots, 1.28 s into the run.

use super::{
    cubic::Cubic,
    setup::{S, cubic_oscillator},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    method::Method,
    spectrum,
    trace::Trace,
};
use hamiltone_numerics::math::log2;

/// f_s, Hz.
pub const RATE: f64 = 44100.0;
/// Samples: 4 s, some 450 periods.
const STEPS: usize = 176_400;

/// (25) and the scheme for every s of the figure.
///
/// # Errors
/// Where the catalogue has no such scheme.
pub fn methods() -> Result<Vec<Method>, Unable> {
    let mut methods = vec![Method::new("(25)", "cubic-explicit")?];
    for s in S {
        methods.push(Method::quadratic(s)?);
    }
    Ok(methods)
}

/// A run of 4 s by one method.
///
/// # Errors
/// Where the scheme refuses the oscillator.
pub fn run(method: &Method) -> Result<Trace, Unable> {
    Trace::free(method, &cubic_oscillator()?, 1.0 / RATE, STEPS)
}

/// Makes the figure and its table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let exact = Cubic::new(1e10, 1.0, 5.0);
    let mut table = Table::new(
        "D17 fig. 6: cubic oscillator at 44.1 kHz",
        &["scheme", "printed", "frequency, Hz", "against exact, cents", "u[100], m", "run"],
    );
    let period = Series::dashed("exact", (0..1764).map(|n| f64::from(n) / RATE).map(|t| (t, exact.at(t))));
    let (mut time, mut spectra) = (Vec::new(), Vec::new());
    for method in methods()? {
        let trace = run(&method)?;
        let frequency = spectrum::frequency(&trace.q, RATE);
        let printed = match method.label.as_str() {
            "(25)" => "the benchmark",
            "s = 0.5" => "indistinguishable from (25)",
            _ => "a little faster, more partials",
        };
        table.row([
            method.label.clone().into(),
            printed.into(),
            frequency.into(),
            frequency.map(|f| 1200.0 * log2(f / exact.frequency())).into(),
            trace.q[100].into(),
            trace.verdict().into(),
        ]);
        time.push(Panel::new(
            method.label.clone(),
            ("time", "s"),
            ("displacement u", "m"),
            vec![period.clone(), Series::line(method.label.clone(), trace.displacement().take(1764))],
        ));
        let audible = |(f, _): &(f64, f64)| *f < 6000.0;
        let spectrum = spectrum::decibels(&trace.q, RATE).into_iter().filter(audible);
        spectra.push(Panel::new(
            format!("Spectrum, {}", method.label),
            ("frequency", "Hz"),
            ("level", "dB"),
            vec![Series::line(method.label, spectrum)],
        ));
    }
    table.note(format!("Exact: {:.8} Hz.", exact.frequency()));
    table.note("s = ½ meets complex roots at a turning point after 1.28 s and is stopped there; a shorter run does not show it.");
    let figure = Figure {
        name: "fig6",
        title: "D17 fig. 6: cubic oscillator".into(),
        caption: "Dashed: the exact motion. Larger s is sharper and brighter.".into(),
        panels: time.into_iter().chain(spectra).collect(),
    };
    Ok(Outcome::new(table, figure))
}
