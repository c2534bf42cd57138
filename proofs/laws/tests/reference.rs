//! The reference integration of the laws, against a closed form.

use hamiltone_core::{
    input::Input,
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_laws::reference::integrate;

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
