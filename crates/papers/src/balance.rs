//! The papers' own measures of energy, whatever the scheme conserves itself.
//!
//!   Hⁿ = (pⁿ)²/2m + V(yⁿ)                                                    C19 (16), J
//!   Kⁿ = Hⁿ⁺¹ + Σ_{κ=0..n} (γ(μp)² − μp μf_ex) Δt/m                          C15 (18), C19 (18), (54), J
//!   𝒦  = (1/(N+1)) Σ_{n=0..N} (Kⁿ⁺¹ − Kⁿ)/K⁰ = (K^{N+1} − K⁰)/((N+1)K⁰)     C19 (19)
//!   H_dev = 100 ‖H_Δt − H_an‖₂ / mean(H_an)                                  C19 (22)
//!
//! K⁰ = H¹ + the first loss. A staggered scheme has no pⁿ: its state is the pair
//! of hats of C19 §2.5, ŷⁿ = (yⁿ + yⁿ⁻¹)/2 and p̂ⁿ = m(yⁿ − yⁿ⁻¹)/Δt, which belong
//! to the time (n − ½)Δt.

use crate::trace::Trace;
use hamiltone_core::system::System;

/// The momentum in the losses of K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Momentum {
    /// μp = (pⁿ⁺¹ + pⁿ)/2, as printed.
    Mean,
    /// m(yⁿ⁺¹ − yⁿ)/Δt: the same for EC, and what the table's CK and IIM rows were made with.
    Difference,
}

/// A run as states (y, p): m, kg m/s.
pub struct States<'a> {
    system: &'a System,
    dt: f64,
    /// The time of the first state in steps: 0, or ½ for hats.
    offset: f64,
    /// (y, p) of each state.
    pub states: Vec<(f64, f64)>,
    /// m(y′ − y)/Δt of the positions that end each step.
    differences: Vec<f64>,
}

impl<'a> States<'a> {
    /// The states of a run of a one-coordinate `system`.
    pub fn of(trace: &Trace, system: &'a System) -> Self {
        let (m, dt) = (system.mass[0], trace.dt);
        let steps = || trace.q.windows(2);
        let differences: Vec<f64> = steps().map(|q| m * (q[1] - q[0]) / dt).collect();
        if trace.staggered {
            let states = steps().zip(&differences).map(|(q, &p)| (0.5 * (q[0] + q[1]), p)).collect();
            Self { system, dt, offset: 0.5, states, differences: differences[1..].to_vec() }
        } else {
            let states = trace.q.iter().zip(&trace.v).map(|(&y, v)| (y, m * v)).collect();
            Self { system, dt, offset: 0.0, states, differences }
        }
    }

    /// H of each state, J.
    pub fn energy(&self) -> Vec<f64> {
        let m = self.system.mass[0];
        self.states.iter().map(|&(y, p)| self.system.energy(&[y], &[p / m], &[])).collect()
    }

    /// K⁰, K¹, …, J, with the external force f(t), N.
    pub fn conserved(&self, momentum: Momentum, force: &dyn Fn(f64) -> f64) -> Vec<f64> {
        let (m, dt) = (self.system.mass[0], self.dt);
        let gamma = self.system.damping_form(&[1.0]) / m;
        let energy = self.energy();
        let mut dissipated = 0.0;
        (0..self.states.len() - 1)
            .map(|n| {
                let p = match momentum {
                    Momentum::Mean => 0.5 * (self.states[n].1 + self.states[n + 1].1),
                    Momentum::Difference => self.differences[n],
                };
                // The same products n·Δt as in the run: phases would show another rounding after 1000 periods.
                let at = |n: usize| force((n as f64 + self.offset) * dt);
                let f = 0.5 * (at(n) + at(n + 1));
                dissipated += (gamma * p * p - p * f) * dt / m;
                energy[n + 1] + dissipated
            })
            .collect()
    }

    /// H_dev of the states 1 … `count` against the exact energy H_an(t), per cent.
    pub fn deviation(&self, count: usize, exact: &dyn Fn(f64) -> f64) -> f64 {
        // The first hat already is H¹; a plain run's first state is its start.
        let (energy, first) = (self.energy(), if self.offset == 0.0 { 1 } else { 0 });
        let times = (0..count).map(|n| ((n + first) as f64 + self.offset) * self.dt);
        let exact: Vec<f64> = times.map(exact).collect();
        let squares: f64 = energy[first..].iter().zip(&exact).map(|(a, b)| (a - b) * (a - b)).sum();
        100.0 * squares.sqrt() / (exact.iter().sum::<f64>() / count as f64)
    }
}

/// 𝒦 over N = `steps` of K⁰, K¹, …
pub fn preservation(conserved: &[f64], steps: usize) -> f64 {
    (conserved[steps + 1] - conserved[0]) / conserved[0] / (steps + 1) as f64
}

/// max |Kⁿ − K⁰|.
pub fn drift(conserved: &[f64]) -> f64 {
    conserved.iter().map(|k| (k - conserved[0]).abs()).fold(0.0, f64::max)
}
