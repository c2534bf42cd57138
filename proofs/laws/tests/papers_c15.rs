//! C15: every item of `chatziioannou_vanwalstijn_2015` against an independent recomputation.

use hamiltone_papers::{
    balance::drift,
    chatziioannou_vanwalstijn_2015::{DT, OSCILLATOR, REED, Run, fig2, fig3, fig4, run},
    reed::{self, LAY, Phase},
};

const EPS: f64 = f64::EPSILON;

fn close(computed: f64, reference: f64, what: &str) {
    assert!((computed / reference - 1.0).abs() <= 1e-10, "{what}: {computed:e}, not {reference:e}");
}

/// What both oscillators hold: H⁰, K to 100 eps, an audit to rounding.
fn holds(run: &Run) {
    close(run.energy[0], 0.432151082410180, "H⁰");
    assert!(drift(&run.conserved) <= 100.0 * EPS * run.conserved[0], "{:e}", drift(&run.conserved));
    let audit = &run.trace.audit;
    assert!(audit.ok(0.0) && audit.steps == 4410);
    assert!(audit.residual_max_relative_per_step() <= 16.0 * EPS);
}

#[test]
fn figure_1() {
    let run = run(None).unwrap();
    close(run.trace.q[10], -6.091100065459e-04, "y[10]");
    close(run.trace.q[100], -7.172692013324e-04, "y[100]");
    holds(&run);
    // Second order: the phase lags by (ω₀Δt)³/12 a step, which e^(−γt/2) fades out within 2/γ.
    let lag = (OSCILLATOR.omega * DT).powi(3) / 12.0 * 2.0 / (OSCILLATOR.gamma * DT);
    let amplitude = (2.0 * run.energy[0] / OSCILLATOR.mass).sqrt() / OSCILLATOR.omega;
    let far = run.trace.displacement().map(|(t, q)| (q - OSCILLATOR.at(t).0).abs()).fold(0.0, f64::max);
    assert!((0.1..1.0).contains(&(far / (lag * amplitude))), "{far:e} {:e}", lag * amplitude);
}

#[test]
fn figure_2() {
    let run = run(Some(&fig2::force)).unwrap();
    close(run.trace.q[10], -5.973039278098e-04, "y[10]");
    close(run.trace.q[100], 6.727328484620e-04, "y[100]");
    holds(&run);
}

/// The reed with cosine phases over the 302 085 samples of the reference; the figure shows the first 1813.
#[test]
fn figure_3() {
    let shown = reed::Run::record(REED, Phase::Cosine, fig3::STEPS).unwrap();
    let long = reed::Run::record(REED, Phase::Cosine, 302_085).unwrap();
    assert_eq!(long.trace.q[..=fig3::STEPS], shown.trace.q[..]);
    close(long.highest(), 4.304457662e-4, "max y");
    close(long.trace.q[100], -7.776631090e-5, "y[100]");
    assert!((long.beating() - 0.133).abs() < 5e-4, "{}", long.beating());
    assert!(long.error() <= 10.0 * EPS * 302_085_f64.sqrt() * long.energy_max, "{:e}", long.error());
    assert!(long.step_error() <= 8.0 * EPS * long.energy_max);
    assert!(long.trace.audit.ok(0.0));
    let sine = reed::Run::record(REED, Phase::Sine, fig3::STEPS).unwrap();
    assert!(sine.highest() < LAY, "the sine series never reaches the lay");
}

/// The error of each step is quantised: whole multiples of a spacing of doubles below the energies' own.
#[test]
fn figure_4() {
    let run = reed::Run::record(REED, Phase::Cosine, fig4::STEPS).unwrap();
    assert!(run.step_error() > 0.0 && run.step_error() <= 8.0 * EPS * run.energy_max);
    // K is a sum of numbers up to H_max, so it cannot be finer than the smallest of its own spacings.
    let smallest = run.steps().filter(|e| *e != 0.0).fold(f64::INFINITY, |a, b| a.min(b.abs()));
    assert!(run.steps().all(|e| (e / smallest).fract() == 0.0), "{smallest:e}");
}
