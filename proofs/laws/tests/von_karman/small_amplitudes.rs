//! At amplitudes at which a plate does not stretch it has the frequencies of its modes; a cap has those of a shallow shell.

use super::{DENSITY, MODULUS, RADIUS, THICKNESS, board, disc, held_rectangle, rectangle};
use crate::forms::schemes;
use hamiltone_bodies::End;
use hamiltone_core::{ledger::Bookkeeping, scheme::Scheme, simulation::Simulation, system::System};
use std::f64::consts::TAU;

const RATE: f64 = 48_000.0;

fn prepared(scheme: &dyn Scheme, system: &System, rate: f64) -> Simulation {
    let mut simulation = scheme.prepare(system, 1.0 / rate).unwrap();
    simulation.reset(&[]);
    simulation
}

/// 10⁻⁹ thicknesses change 10⁻¹⁸ of the stiffness, less than rounding: all modes move as without forms.
#[test]
fn flat_plates_have_the_frequencies_of_their_modes() {
    const STEPS: usize = 20_000;
    for scheme in schemes() {
        for (mut with, _) in [
            rectangle(12, 6),
            held_rectangle(End::Clamped, 12, 6),
            held_rectangle(End::Free, 15, 6),
            board(true, 12, 6),
            disc(End::Free, 15, 6, 0.0),
            disc(End::Clamped, 12, 6, 0.0),
        ] {
            with.initial.position.iter_mut().for_each(|q| *q = 1e-9 * THICKNESS);
            let mut without = with.clone();
            without.forms.clear();
            let [mut one, mut other] = [&with, &without].map(|system| prepared(&*scheme, system, RATE));
            let mut worst = 0.0_f64;
            for _ in 0..STEPS {
                one.step(&[], Bookkeeping::Flows);
                other.step(&[], Bookkeeping::Flows);
                let apart = one.motion().q.iter().zip(&other.motion().q).map(|(a, b)| (a - b).abs());
                worst = apart.fold(worst, f64::max);
            }
            // What rounding leaves of 20 000 steps, some eps each.
            let rounding = STEPS as f64 * f64::EPSILON * 1e-9 * THICKNESS;
            assert!(worst <= rounding, "{}: {worst:e}", scheme.name());
        }
    }
}

/// The stated partials of a free cap of the radius of curvature R = a²/2H: ω² of shapes with n = 0 and 1 is higher by E/ρR², and (2, 0) hardly
/// stretches.
#[test]
fn a_cap_states_the_frequencies_of_a_shallow_shell() {
    let rise = 8.0 * THICKNESS;
    let [(flat, _), (_, cap)] = [0.0, rise].map(|rise| disc(End::Free, 40, 100, rise));
    let curved = MODULUS / DENSITY * (2.0 * rise / (RADIUS * RADIUS)).powi(2);
    let stiffness = flat.diagonal_stiffness().unwrap();
    let omega2 = |dof: usize| stiffness[dof] / flat.mass[dof];
    let stated: Vec<f64> = (1..=37).map(|k| (TAU * cap.representation.partial(k).unwrap()).powi(2)).collect();
    // (0, 1) and (1, 1), twice, among the coordinates after three rigid motions and twice (2, 0).
    for (dof, times) in [(5, 1), (8, 2)] {
        let shell = omega2(dof) + curved;
        let near = stated.iter().filter(|own| (*own / shell - 1.0).abs() < 2e-3).count();
        assert_eq!(near, times, "{dof}: {shell} in {stated:?}");
    }
    assert!(stated[0] < 1.1 * omega2(3) && stated[0] > omega2(3), "{} {}", stated[0], omega2(3));
    assert!(curved > 5.0 * omega2(5), "{curved} {}", omega2(5));
}

/// A cap that moves in one of its modes by 10⁻⁹ thicknesses has the frequency that it states, to order two: l is in the forms, whose mean over a
/// step pushes, and the exact poles of the scheme are those of the flat plate.
#[test]
fn a_cap_moves_as_it_states() {
    for scheme in schemes() {
        let (mut system, placed) = disc(End::Free, 30, 60, 8.0 * THICKNESS);
        for k in [1, 5, 9] {
            let (shape, omega) =
                (placed.representation.mode(k), TAU * placed.representation.partial(k).unwrap());
            system.initial.position.fill(0.0);
            shape.iter().for_each(|(dof, value)| system.initial.position[*dof] = 1e-9 * THICKNESS * value);
            let errors = [1.0, 2.0, 4.0].map(|times| {
                let mut simulation = prepared(&*scheme, &system, times * RATE);
                let steps = (0.02 * times * RATE) as usize;
                let mut worst = 0.0_f64;
                for n in 1..=steps {
                    simulation.step(&[], Bookkeeping::Flows);
                    let (q, cos) = (&simulation.motion().q, (omega * n as f64 / (times * RATE)).cos());
                    for (dof, value) in &shape {
                        worst = worst.max((q[*dof] / (1e-9 * THICKNESS) - value * cos).abs());
                    }
                }
                worst
            });
            println!("{}: partial {k}, {:.0} Hz: {errors:?}", scheme.name(), omega / TAU);
            assert!(errors[0] < 1e-2, "{}: {k}: {errors:?}", scheme.name());
            for two in errors.windows(2) {
                assert!(
                    (1.9..=2.1).contains(&(two[0] / two[1]).log2()),
                    "{}: {k}: {errors:?}",
                    scheme.name()
                );
            }
        }
    }
}
