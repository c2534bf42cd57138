//! Longitudinal modes of a hammered bass string: phantom partials at sums of the frequencies of two partials (Conklin 1999, J. Acoust. Soc. Am. 105, 536), with both ways of
//! the coupling, and blows far beyond any playing.

use super::schemes;
use hamiltone_bodies::{Mass, StiffString};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    body::Body,
    element::Element,
    geometry::Place,
    ledger::{Bookkeeping, Ledger},
    scheme::Scheme,
    system::{Output, Quantity, System},
};
use hamiltone_elements::Power;
use std::f64::consts::{PI, TAU};

/// D#1 of a grand piano: L, m; the diameter of the core, m; ρA, kg/m; f₀ without stiffness, Hz; E, Pa; and the hammer at 0.12 L.
const LENGTH: f64 = 1.965;
const CORE: f64 = 1.492e-3;
const DENSITY: f64 = 75.5e-3;
const PITCH: f64 = 38.89;
const MODULUS: f64 = 2.02e11;
const STRUCK: f64 = 0.12;
const HAMMER: f64 = 10.5e-3;

struct Blow {
    rate: f64,
    duration: f64,
    speed: f64,
    modes: (usize, usize),
}

/// The transverse force on the bridge, and that along the string which the longitudinal modes make; the audit has held.
fn struck(
    scheme: &dyn Scheme,
    Blow { rate, duration, speed, modes: (modes, longitudinal) }: Blow,
) -> [Vec<f64>; 2] {
    let area = 0.25 * PI * CORE * CORE;
    let tension = DENSITY * (2.0 * LENGTH * PITCH).powi(2);
    let string = StiffString::new(LENGTH, DENSITY, tension).unwrap();
    let string = string.stiff(MODULUS * PI * CORE.powi(4) / 64.0).unwrap().elastic(MODULUS * area).unwrap();
    let string = string.longitudinal(longitudinal, 400.0).unwrap().by_modes(modes, 2 * modes).unwrap();
    // T60 from 12 s at 0 to 3 s at 5 kHz, σ straight between.
    let string = string.with_decay(|f| 6.9078 * (1.0 / 12.0 + (1.0 / 3.0 - 1.0 / 12.0) * f / 5000.0));
    let mut system = System::default();
    let body = string.add_to(&mut system, "string").unwrap();
    let hammer = Mass::new(HAMMER).unwrap().with_initial(-1e-6, speed).unwrap();
    let hammer = hammer.add_to(&mut system, "hammer").unwrap().row(Place::Whole).unwrap();
    let row = hammer.minus(&body.row(Place::Fraction(STRUCK)).unwrap());
    let felt = Power::new(1.5e8, 2.2).unwrap().at_gap(0.0);
    system.elements.push(Element::new("felt", row, felt.gap, felt.law));
    let readout = body.representation.readouts().iter().find(|readout| readout.name == "force").unwrap();
    let force = body.readout(readout, Place::Fraction(1.0)).unwrap();
    let (_, along) = body.representation.tension([LENGTH, 0.0]).unwrap();
    for (name, quantity) in [("across", force), ("along", Quantity::Displacement(along))] {
        system.outputs.push(Output { name: name.into(), quantity });
    }
    let mut simulation = scheme.prepare(&system, 1.0 / rate).unwrap();
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    let (mut sounds, mut output) = ([const { Vec::new() }; 2], [0.0; 2]);
    for n in 0..(duration * rate) as usize {
        let ledger = simulation.step(&[], Bookkeeping::Flows);
        let is_due = n % 64 == 63;
        let stored = if is_due { simulation.energy() } else { 0.0 };
        assert!(audit.post(&Ledger { stored, partial: !is_due, ..ledger }), "{:?}", audit.fault);
        simulation.outputs(&mut output);
        sounds.iter_mut().zip(output).for_each(|(sound, x): (&mut Vec<f64>, f64)| sound.push(x));
    }
    let (missed, tolerance) =
        (audit.residual_max_relative(), exact_tolerance(audit.steps, audit.balance.drift()));
    println!("{}: {speed} m/s at {rate} Hz: {missed:.1e} of {tolerance:.1e}", scheme.name());
    assert!(missed <= tolerance, "{}: {speed} m/s: {missed:e} of {tolerance:e}", scheme.name());
    sounds
}

/// The largest magnitude within 2 Hz of a frequency (Hz), by Blackman's window.
fn level(sound: &[f64], rate: f64, frequency: f64) -> f64 {
    let at = |f: f64| {
        let parts = sound.iter().enumerate().map(|(i, x)| {
            let turn = TAU * i as f64 / (sound.len() - 1) as f64;
            let window = 0.42 - 0.5 * turn.cos() + 0.08 * (2.0 * turn).cos();
            let (s, c) = (TAU * f * i as f64 / rate).sin_cos();
            (window * x * c, window * x * s)
        });
        let (re, im) = parts.fold((0.0, 0.0), |(re, im), (a, b)| (re + a, im + b));
        f64::hypot(re, im)
    };
    let most = (-8..=8).map(|i| at(frequency + 0.25 * i as f64)).fold(0.0, f64::max);
    20.0 * most.log10()
}

#[test]
fn phantom_partials_lie_at_sums_of_partials() {
    const RATE: f64 = 48_000.0;
    for scheme in schemes() {
        let blow = Blow { rate: RATE, duration: 0.8, speed: 4.0, modes: (70, 12) };
        let [across, along] = struck(&*scheme, blow);
        let part = (0.3 * RATE) as usize..(0.8 * RATE) as usize;
        let stiffness = PI * PI * MODULUS * PI * CORE.powi(4)
            / 64.0
            / (DENSITY * (2.0 * LENGTH * PITCH).powi(2) * LENGTH * LENGTH);
        let partial = |n: usize| n as f64 * PITCH * (1.0 + stiffness * (n * n) as f64).sqrt();
        let strongest =
            (1..=30).map(|n| level(&across[part.clone()], RATE, partial(n))).fold(f64::MIN, f64::max);
        for (m, n, expected) in [(5, 6, -5.0), (7, 8, -21.0), (19, 20, -26.0)] {
            let sum = partial(m) + partial(n);
            let [at, beside] = [sum, sum + 9.0].map(|f| level(&along[part.clone()], RATE, f) - strongest);
            println!("{}: {m} + {n} at {sum:.1} Hz: {at:.1} dB, 9 Hz above {beside:.1} dB", scheme.name());
            assert!((at - expected).abs() <= 3.0, "{}: {m} + {n}: {at} dB", scheme.name());
            assert!(beside < at - 10.0, "{}: {m} + {n}: {beside} dB beside {at} dB", scheme.name());
        }
    }
}

/// The step has one solution whatever the amplitude.
#[test]
fn blows_of_100_metres_a_second_keep_their_balance() {
    for scheme in schemes() {
        for (rate, modes) in [(24_000.0, (40, 12)), (48_000.0, (70, 12))] {
            for speed in [20.0, 100.0] {
                let [across, _] = struck(&*scheme, Blow { rate, duration: 0.3, speed, modes });
                assert!(across.iter().all(|x| x.is_finite()));
            }
        }
    }
}
