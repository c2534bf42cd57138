//! Figure 5: the string over the barrier by CK, without losses and with γ = 200 1/s.
//!
//!   Kⁿ = Hⁿ⁺¹ + Σ b[(e^(γΔt) − 1)|q^(κ+1)|² + (1 − e^(−γΔt))|q^κ|²],   b = 2ρAΔx/Δt²
//!
//! is what CK conserves; (84) as printed, with 2bγΔt|q^κ|², it does not (to O(Δt): 3.67e-3).

use super::string::{
    INTERVALS, STIFFNESS, first_mode, first_return, free, over_barrier, over_barrier_of, period,
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
    method::Method,
};
use hamiltone_core::{ledger::Bookkeeping, row::Row};

/// f_s, Hz.
pub const RATE: f64 = 44_100.0;
/// γ of (b) and (d), 1/s.
pub const GAMMA: f64 = 200.0;

fn ck() -> Result<Method, Unable> {
    Method::new("CK", "ck")
}

/// The string over the barrier for so many samples at the rate f_s·`factor`: its middle and its first mode.
///
/// # Errors
/// Where the scheme refuses.
pub fn run(intervals: usize, gamma: f64, factor: usize, samples: usize) -> Result<Course, Unable> {
    let (line, system) = over_barrier(intervals, gamma)?;
    let middle = Row::unit(system.size() / 2);
    Course::run(&ck()?, &system, 1.0 / (RATE * factor as f64), (samples, 1), &[middle, first_mode(&line)])
}

/// The time of the first return of mode 1, in T₀, over a barrier of the stiffness k_b = 1e7 N/m² times `stiffer`.
///
/// # Errors
/// Where the scheme refuses, or nothing returns.
pub fn returns(intervals: usize, factor: usize, stiffer: f64) -> Result<f64, Unable> {
    let (line, system) = over_barrier_of(stiffer * STIFFNESS, intervals, 0.0)?;
    let dt = 1.0 / (RATE * factor as f64);
    let course = Course::run(&ck()?, &system, dt, (500 * factor, 1), &[first_mode(&line)])?;
    let samples = first_return(&course.values[0]).ok_or(Unable("the string never returned".into()))?;
    Ok(samples / (RATE * factor as f64) / period(&free(intervals, 0.0)?.0))
}

/// max |K − K⁰|/H⁰ with K of (84) as printed, and with CK's own losses.
///
/// # Errors
/// Where the scheme refuses.
pub fn conserved(samples: usize) -> Result<(f64, f64), Unable> {
    let (_, system) = over_barrier(INTERVALS, GAMMA)?;
    let dt = 1.0 / RATE;
    let mut stepper = ck()?.prepare(&system, dt)?;
    let start = stepper.reset(&[]);
    let (mut q, mut v) = (vec![0.0; system.size()], vec![0.0; system.size()]);
    // 2bγΔt|q|² with q = Δt v/2, b = 2ρAΔx/Δt²: γΔt Σ m v².
    let loss = |v: &[f64]| GAMMA * dt * system.mass.iter().zip(v).map(|(m, v)| m * v * v).sum::<f64>();
    let (mut printed, mut own, mut first) = (0.0, 0.0, None);
    let mut worst = (0.0_f64, 0.0_f64);
    for _ in 0..samples {
        stepper.snapshot(&mut q, &mut v);
        printed += loss(&v);
        let ledger = stepper.step(&[], Bookkeeping::Full);
        own += ledger.dissipated;
        let reference = *first.get_or_insert(ledger.stored + printed);
        worst.0 = worst.0.max((ledger.stored + printed - reference).abs() / start);
        worst.1 = worst.1.max((ledger.stored + own - start).abs() / start);
    }
    Ok(worst)
}

/// Makes the figure and a table of its numbers.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let mut table = Table::new("C19 fig. 5: string over a barrier, CK", &["quantity", "printed", "computed"]);
    let mut paths = Vec::new();
    for factor in [1, 2, 4] {
        let course = run(INTERVALS, 0.0, factor, 400 * factor)?;
        paths.push(Series::line(format!("44.1 kHz × {factor}"), course.output(0)));
        let cell = returns(INTERVALS, factor, 1.0)?;
        table.row([
            format!("first return of mode 1 at 44.1 kHz × {factor}, T₀").into(),
            "1.5".into(),
            cell.into(),
        ]);
    }
    let (line, system) = free(INTERVALS, 0.0)?;
    let middle = [Row::unit(system.size() / 2)];
    let unimpeded = Course::run(&ck()?, &system, 1.0 / RATE, (400, 1), &middle)?;
    paths.push(Series::dashed("no barrier", unimpeded.output(0)));
    for factor in [2, 4, 8] {
        let cell = returns(factor * INTERVALS, factor, 1.0)?;
        table.row([format!("Δx and Δt both 1/{factor}").into(), "1.5".into(), cell.into()]);
    }
    let cell = returns(16 * INTERVALS, 16, 100.0)?;
    table.row(["Δx and Δt both 1/16, k_b × 100".into(), "1.5".into(), cell.into()]);
    let lossless = run(INTERVALS, 0.0, 1, 4410)?;
    let lossy = run(INTERVALS, GAMMA, 1, 2205)?;
    let start = lossless.energy[0];
    table.row(["H⁰, J".into(), None::<&str>.into(), start.into()]);
    table.row([
        "max |H − H⁰|/H⁰ without losses, 0.1 s".into(),
        "rounding".into(),
        (lossless.energy_gap() / start).into(),
    ]);
    let (printed, own) = conserved(2205)?;
    table.row(["max |K − K⁰|/H⁰ with (84) as printed".into(), "constant".into(), printed.into()]);
    table.row(["max |K − K⁰|/H⁰ with CK's own losses".into(), None::<&str>.into(), own.into()]);
    table.note(format!("T₀ = {:.6} ms.", 1e3 * period(&line)));
    table.note("With the paper's fixed Δx and k_b the first return tends to 1.51 T₀; where Δx shrinks with Δt, to 1.5045 T₀. For 1.5 k_b must grow as well.");
    table.note("CK does not conserve (84) as printed; its exact balance has (e^(γΔt) − 1)|q^(κ+1)|² + (1 − e^(−γΔt))|q^κ|² for 2γΔt|q^κ|².");
    let errors = lossless.times.iter().zip(&lossless.energy).map(|(t, h)| (*t, (h - start) / start));
    let of = |values: &[f64]| lossy.times.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
    let sum: Vec<f64> =
        lossy.energy.iter().zip(&lossy.dissipated).map(|(h, dissipated)| h + dissipated).collect();
    let displacement = ("displacement y", "m");
    let panels = vec![
        Panel::new("(a) middle of the lossless string", ("time", "s"), displacement, paths),
        Panel::new(
            "(b) with γ = 200 1/s",
            ("time", "s"),
            displacement,
            vec![Series::line("y(l/2)", lossy.output(0))],
        ),
        Panel::new("(c) energy error", ("time", "s"), ("(Hⁿ − H⁰)/H⁰", ""), vec![Series::points("", errors)]),
        Panel::new(
            "(d) energy and K",
            ("time", "s"),
            ("energy", "J"),
            vec![
                Series::line("H", of(&lossy.energy)),
                Series::line("dissipated", of(&lossy.dissipated)),
                Series::dashed("K", of(&sum)),
            ],
        ),
    ];
    let figure = Figure {
        name: "fig5",
        title: "C19 fig. 5: string over a barrier".into(),
        caption: "The barrier at half the amplitude lengthens the period to about 1.5 T₀.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
