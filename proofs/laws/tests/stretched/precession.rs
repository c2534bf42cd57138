//! Two polarisations with one tension: an ellipse turns.

use super::schemes;
use hamiltone_bodies::{StiffString, stretching};
use hamiltone_core::{body::Body, ledger::Bookkeeping, system::System};
use std::f64::consts::PI;

const RATE: f64 = 48_000.0;

/// One mode each, with the axes a and b: it turns by γab/4mω a second, γ = (EA/2L)B².
#[test]
fn an_elliptic_orbit_turns_as_theory_says() {
    let (length, density, tension, a, b) = (0.65, 3.2e-3, 200.0, 3e-3, 1e-3);
    // γa² is a hundredth of K.
    let gradient = 0.5 * PI * PI / length;
    let axial = 0.02 * length * tension / (gradient * a * a);
    let string = StiffString::new(length, density, tension).unwrap().elastic(axial).unwrap();
    let body = string.by_modes(1, 4).unwrap();
    let mut system = System::default();
    let [up, across] = ["up", "across"].map(|name| body.add_to(&mut system, name).unwrap().dofs);
    stretching::join(&mut system, [&up, &across]).unwrap();
    let (mass, stiffness) = (system.mass[0], tension * gradient);
    let omega = (stiffness / mass).sqrt();
    (system.initial.position[0], system.initial.velocity[1]) = (a, b * omega);
    let gamma = 0.5 * axial / length * gradient * gradient;
    let theory = gamma * a * b / (4.0 * mass * omega);
    for scheme in schemes() {
        let mut simulation = scheme.prepare(&system, 1.0 / RATE).unwrap();
        simulation.reset(&[]);
        // The angle of the longer axis by the moments of the ellipse, and the line through all angles.
        let (mut sums, mut twice) = ([0.0; 4], 0.0);
        let steps = (2.0 * RATE) as usize;
        for n in 0..steps {
            simulation.step(&[], Bookkeeping::Flows);
            let motion = simulation.motion();
            let ([x, y], [u, v]) = ([motion.q[0], motion.q[1]], [motion.v[0] / omega, motion.v[1] / omega]);
            let turned = f64::atan2(2.0 * (x * y + u * v), x * x + u * u - y * y - v * v) - twice;
            twice += turned - 2.0 * PI * (turned / (2.0 * PI)).round();
            let (t, angle) = (n as f64 / RATE - 1.0, 0.5 * twice);
            sums = [sums[0] + t, sums[1] + t * t, sums[2] + angle, sums[3] + t * angle];
        }
        let count = steps as f64;
        let rate = (sums[3] - sums[0] * sums[2] / count) / (sums[1] - sums[0] * sums[0] / count);
        let ratio = rate.abs() / theory;
        println!("{}: {rate:.4} rad/s, {ratio:.4} of theory", scheme.name());
        // Averaging leaves out γa²/K, a hundredth.
        assert!((0.99..=1.01).contains(&ratio), "{}: {ratio}", scheme.name());
    }
}
