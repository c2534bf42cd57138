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
            Law::Compliant(law) => law.force(x) * (1.0 + law.loss * rate),
            Law::Resistive(law) => law.force(rate, law.control).0,
            Law::Rigid { .. } | Law::Custom(_) => panic!("`{}` is no smooth force law", element.name),
        };
        element.row().add_scaled(-f, &mut force);
    }
    force.iter().zip(&system.mass).map(|(f, m)| f / m).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{input::Input, operator::Operator, row::Row, system::Block};

    /// m ÿ + mγẏ + kq = f: the decaying oscillation about f/k in closed form.
    #[test]
    fn a_damped_oscillator_pushed_aside() {
        let (m, omega, gamma, f, t) = (0.05, 3000.0_f64, 800.0, 2.0, 2e-3);
        let mut system = System::default();
        system.add_dof(m, 1e-4, 0.3);
        let (k, r) = (m * omega * omega, m * gamma);
        let (stiffness, damping) = (Operator::Diagonal(vec![k]), Operator::Diagonal(vec![r]));
        system.blocks.push(Block { name: "one".into(), dofs: 0..1, stiffness, damping });
        system.inputs.push(Input::force("push", Row::unit(0)));
        let (q, v) = integrate(&system, t, 1, 1 << 14, |_| f).states.remove(0);
        let (sigma, rest) = (gamma / 2.0, f / k);
        let damped = (omega * omega - sigma * sigma).sqrt();
        let (c, s) = (1e-4 - rest, (0.3 + sigma * (1e-4 - rest)) / damped);
        let (sin, cos) = (damped * t).sin_cos();
        let decay = (-sigma * t).exp();
        let exact = rest + decay * (c * cos + s * sin);
        let speed = decay * ((s * damped - sigma * c) * cos - (c * damped + sigma * s) * sin);
        // (ωh)⁴ = 2e-14 of amplitudes of 1e-4 m and 0.3 m/s, and 2¹⁴ roundings.
        assert!(
            (q[0] - exact).abs() < 1e-12 * 1e-4 && (v[0] - speed).abs() < 1e-12 * 0.3,
            "{q:?} {exact} {v:?} {speed}"
        );
    }
}
