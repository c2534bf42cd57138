//! One mode against the elliptic function, and many at an amplitude at which they do not see their forms.

use super::{coupled, modes, schemes, sounding};
use hamiltone_core::{form::Form, ledger::Bookkeeping, row::Row, scheme::Scheme, system::System};
use std::f64::consts::TAU;

/// Hz, s and m; γq₀²/K.
const FREQUENCY: f64 = 200.0;
const DURATION: f64 = 0.2;
const START: f64 = 3e-3;
const NONLINEARITY: f64 = 0.2;

fn oscillator(nonlinearity: f64, start: f64, stretch: f64) -> System {
    let mut system = modes(&[(TAU * FREQUENCY, 0.0, start)]);
    let stiffness = system.mass[0] * (TAU * FREQUENCY).powi(2);
    let b = (2.0 * nonlinearity * stiffness / (start * start)).sqrt();
    system.forms.push(Form {
        name: "length".into(),
        quadratic: vec![(0, 0, b)],
        linear: Row::ground(),
        strain: Row::ground(),
        stretch,
    });
    system
}

/// cn(u | k²) by the arithmetic and geometric mean (Abramowitz & Stegun 16.4).
fn cn(u: f64, square: f64) -> f64 {
    let mut means = vec![(1.0, square.sqrt())];
    let mut geometric = (1.0 - square).sqrt();
    while means[means.len() - 1].1 > 1e-16 {
        let a = means[means.len() - 1].0;
        means.push((0.5 * (a + geometric), 0.5 * (a - geometric)));
        geometric = (a * geometric).sqrt();
    }
    let last = means.len() - 1;
    let mut phi = f64::powi(2.0, last as i32) * means[last].0 * u;
    for (a, c) in means[1..].iter().rev() {
        phi = 0.5 * (phi + (c / a * phi.sin()).asin());
    }
    phi.cos()
}

/// The error over the run, √(Σ(q − q_exact)²/Σq_exact²).
fn error(scheme: &dyn Scheme, rate: f64, nonlinearity: f64, stretch: f64) -> f64 {
    let system = oscillator(nonlinearity, START, stretch);
    let mut simulation = scheme.prepare(&system, 1.0 / rate).unwrap();
    simulation.reset(&[]);
    let (mut missed, mut size, mut output) = (0.0_f64, 0.0, [0.0]);
    let speed = TAU * FREQUENCY * (1.0 + nonlinearity).sqrt();
    let square = 0.5 * nonlinearity / (1.0 + nonlinearity);
    for n in 1..=(DURATION * rate) as usize {
        simulation.step(&[], Bookkeeping::Flows);
        simulation.outputs(&mut output);
        let exact = cn(speed * n as f64 / rate, square);
        missed += (output[0] / START - exact).powi(2);
        size += exact * exact;
    }
    (missed / size).sqrt()
}

/// By how much a scheme turns a mode of this frequency (rad/s) too far or too little over the run, rad: its free modes have poles that are exact or
/// of order two.
fn warp(scheme: &dyn Scheme, omega: f64, rate: f64) -> f64 {
    (sounding(scheme, omega, rate) - omega).abs() * DURATION
}

#[test]
fn the_elliptic_function_is_one() {
    // cn(K | ½) = 0, K(½) = 1.8540746773013719; cn(u | 0) = cos u.
    assert!(cn(1.854_074_677_301_371_9, 0.5).abs() < 1e-15);
    assert!((cn(1.3, 0.0) - 1.3_f64.cos()).abs() < 1e-15);
}

#[test]
fn a_mode_that_stretches_is_duffings_oscillator_to_order_two() {
    let rates = [22_050.0, 44_100.0, 88_200.0, 176_400.0, 352_800.0];
    // ψ of two successive U has 1 − tan²x of its mean where the mode itself stretches it, x = ωΔt/2 = 1.4e-2, and S has 1 + x²/3 of what the
    // shift asks for: 2x²/3 of the shift of 20 rad or less, in the mean over the run 1/√3 of that at its end, is 1.6e-3. In a form that can be strained weights of
    // x/tan x, with which the frequency under a given tension is right, take x²/3 of it twice: 4x²/3, 3e-3.
    for scheme in schemes() {
        let warp = warp(&*scheme, TAU * FREQUENCY * (1.0 + NONLINEARITY).sqrt(), rates[1]);
        for (stretch, most) in [(0.0, 1.7e-3), (1.0, 3e-3)] {
            let errors = rates.map(|rate| error(&*scheme, rate, NONLINEARITY, stretch));
            println!("{}, {stretch}: {errors:?}, {warp}", scheme.name());
            assert!(errors[1] <= most + warp, "{}: {errors:?}, {warp}", scheme.name());
            for two in errors.windows(2) {
                let order = (two[0] / two[1]).log2();
                assert!((1.95..=2.05).contains(&order), "{}: order {order}, {errors:?}", scheme.name());
            }
        }
    }
}

/// A strongly nonlinear one still converges at order two, with 20 times the error.
#[test]
fn a_strongly_stretched_mode_converges() {
    for scheme in schemes() {
        let errors = [44_100.0, 88_200.0, 176_400.0].map(|rate| error(&*scheme, rate, 3.0, 0.0));
        let warp = warp(&*scheme, TAU * FREQUENCY * 2.0, 44_100.0);
        assert!(errors[0] <= 6e-2 + warp, "{}: {errors:?}, {warp}", scheme.name());
        let order = (errors[1] / errors[2]).log2();
        assert!((1.9..=2.1).contains(&order), "{}: order {order}", scheme.name());
    }
}

/// At amplitudes 10⁻⁹ times as large forms without a linear part change 10⁻¹⁸ of the stiffness, which is less than rounding.
#[test]
fn the_poles_at_small_amplitude_are_those_of_the_modes() {
    const STEPS: usize = 20_000;
    for scheme in schemes() {
        let mut with = coupled(0.3);
        with.forms.truncate(2);
        with.initial.position.iter_mut().for_each(|q| *q *= 1e-9);
        let mut without = with.clone();
        without.forms.clear();
        without.inputs.clear();
        let [mut one, mut other] = [&with, &without].map(|system| {
            let mut simulation = scheme.prepare(system, 1.0 / 48_000.0).unwrap();
            simulation.reset(&vec![0.0; system.inputs.len()]);
            simulation
        });
        let mut worst = 0.0_f64;
        for _ in 0..STEPS {
            one.step(&[0.0; 2], Bookkeeping::Flows);
            other.step(&[], Bookkeeping::Flows);
            let apart = one.motion().q.iter().zip(&other.motion().q).map(|(a, b)| (a - b).abs());
            worst = apart.fold(worst, f64::max);
        }
        let amplitude = with.initial.position.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        // What rounding leaves of 20 000 steps, which it takes in other ways with and without forms: some eps each.
        let rounding = STEPS as f64 * f64::EPSILON;
        assert!(worst <= rounding * amplitude, "{}: {:e}", scheme.name(), worst / amplitude);
    }
}
