//! The contraction of the symplectic area: the determinant of the one-step map.
//!
//!   dyⁿ⁺¹∧dpⁿ⁺¹ = 𝒟 dyⁿ∧dpⁿ                                   C19 (20), (21): 𝒟 = e^(−γΔt)
//!
//! Measured, not derived: two starts beside a third span an area before and after a
//! step, and 𝒟 is the quotient. For linear systems the third start is 0 and the
//! quotient is exact to rounding; for nonlinear ones it is a central difference.
//! A staggered scheme's state is (yⁿ, yⁿ⁺¹): the hats of C19 §2.5 are a constant
//! linear map of it, and so is (yⁿ, pⁿ⁺½), so all three have one determinant.

use crate::{figure::Unable, method::Method};
use hamiltone_core::{ledger::Bookkeeping, system::System};

/// 𝒟 of one step of a linear one-coordinate `system`.
///
/// # Errors
/// Where the scheme refuses the system or the time step.
pub fn linear(method: &Method, system: &System, dt: f64) -> Result<f64, Unable> {
    // Starts of size 1 in y and in Δt·v: all four entries of the map are then of size 1.
    let a = step(method, system, dt, (1.0, 0.0))?;
    let b = step(method, system, dt, (0.0, 1.0 / dt))?;
    Ok(quotient(a, b))
}

/// 𝒟 of one step from (y, v) by central differences of `reach`·(y scale, v scale).
///
/// # Errors
/// Where the scheme refuses the system or the time step.
pub fn tangent(
    method: &Method,
    system: &System,
    dt: f64,
    at: (f64, f64),
    reach: (f64, f64),
) -> Result<f64, Unable> {
    let difference = |h: (f64, f64)| -> Result<[[f64; 2]; 2], Unable> {
        let plus = step(method, system, dt, (at.0 + h.0, at.1 + h.1))?;
        let minus = step(method, system, dt, (at.0 - h.0, at.1 - h.1))?;
        Ok([0, 1].map(|state| [0, 1].map(|i| plus[state][i] - minus[state][i])))
    };
    Ok(quotient(difference((reach.0, 0.0))?, difference((0.0, reach.1))?))
}

/// The state before and after a step from (y, v), in positions: (y, Δt·v) or (yⁿ, yⁿ⁺¹).
fn step(method: &Method, system: &System, dt: f64, start: (f64, f64)) -> Result<[[f64; 2]; 2], Unable> {
    let mut system = system.clone();
    system.initial.position = vec![start.0];
    system.initial.velocity = vec![start.1];
    let mut stepper = method.prepare(&system, dt)?;
    let input = vec![0.0; 2 * system.inputs.len()];
    stepper.reset(&input[..system.inputs.len()]);
    let (mut q, mut v) = ([0.0], [0.0]);
    let mut states = [[0.0; 2]; 3];
    for (n, state) in states.iter_mut().enumerate() {
        if n > 0 {
            stepper.step(&input, Bookkeeping::Full);
        }
        stepper.snapshot(&mut q, &mut v);
        *state = [q[0], dt * v[0]];
    }
    let [a, b, c] = states;
    Ok(if method.claims().staggered { [[a[0], b[0]], [b[0], c[0]]] } else { [a, b] })
}

fn quotient(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> f64 {
    let area = |state: usize| a[state][0] * b[state][1] - a[state][1] * b[state][0];
    area(1) / area(0)
}
