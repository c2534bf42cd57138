//! The exact motion, to rounding: M q̈ + R q̇ + K q + Σ cⱼ V′(cⱼ·q − hⱼ)(1 + μⱼ cⱼ·q̇) = B u(t).
//!
//! The classic fourth-order Runge–Kutta method with steps far below any period: its error, of
//! order (ωh)⁴, is below 10⁻¹² where ωh < 10⁻³. It shares nothing with the schemes that are measured
//! against it but the data of the system.

use hamiltone_core::{element::Law, input::Input, system::System};

/// A motion, and how far it reached into each contact.
pub struct Motion {
    /// Positions and velocities at equally spaced times, the last at the end.
    pub states: Vec<(Vec<f64>, Vec<f64>)>,
    /// The least and the largest penetration of each contact.
    pub reach: Vec<(f64, f64)>,
}

/// The motion over the time `duration`, s, in `marks` parts of `steps` steps. `input` gives the value that
/// all inputs have at a time, s.
pub fn integrate(
    system: &System,
    duration: f64,
    marks: usize,
    steps: usize,
    input: impl Fn(f64) -> f64,
) -> Motion {
    let (mut q, mut v) = (system.initial.position.clone(), system.initial.velocity.clone());
    let h = duration / (marks * steps) as f64;
    let nowhere = (f64::INFINITY, f64::NEG_INFINITY);
    let mut motion = Motion { states: Vec::new(), reach: vec![nowhere; system.elements.len()] };
    let moved =
        |x: &[f64], a: f64, slope: &[f64]| x.iter().zip(slope).map(|(x, s)| x + a * s).collect::<Vec<_>>();
    for n in 0..marks * steps {
        for (contact, (low, high)) in system.elements.iter().zip(&mut motion.reach) {
            let x = contact.row().dot(&q) - contact.gap;
            (*low, *high) = (low.min(x), high.max(x));
        }
        let t = n as f64 * h;
        let a1 = acceleration(system, &q, &v, input(t));
        let (q2, v2) = (moved(&q, h / 2.0, &v), moved(&v, h / 2.0, &a1));
        let a2 = acceleration(system, &q2, &v2, input(t + h / 2.0));
        let (q3, v3) = (moved(&q, h / 2.0, &v2), moved(&v, h / 2.0, &a2));
        let a3 = acceleration(system, &q3, &v3, input(t + h / 2.0));
        let (q4, v4) = (moved(&q, h, &v3), moved(&v, h, &a3));
        let a4 = acceleration(system, &q4, &v4, input(t + h));
        for i in 0..q.len() {
            q[i] += h / 6.0 * (v[i] + 2.0 * v2[i] + 2.0 * v3[i] + v4[i]);
            v[i] += h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]);
        }
        if (n + 1) % steps == 0 {
            motion.states.push((q.clone(), v.clone()));
        }
    }
    motion
}

/// q̈, with the same value for every input.
pub fn acceleration(system: &System, q: &[f64], v: &[f64], input: f64) -> Vec<f64> {
    let mut force = vec![0.0; q.len()];
    system.add_stiffness(-1.0, q, &mut force);
    system.add_damping(-1.0, v, &mut force);
    for row in system.inputs.iter().filter_map(Input::row) {
        row.add_scaled(input, &mut force);
    }
    for element in &system.elements {
        let (x, rate) = (element.row().dot(q) - element.gap, element.row().dot(v));
        let f = match &element.law {
            Law::Compliant(law) => law.lossy_force(x, rate),
            Law::Resistive(law) => law.force(rate, law.control).0,
            Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => {
                panic!("`{}` is no smooth force law", element.name)
            }
        };
        element.row().add_scaled(-f, &mut force);
    }
    force.iter().zip(&system.mass).map(|(f, m)| f / m).collect()
}
