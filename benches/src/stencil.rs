//! The plain loop of a body on a grid, as one would write it in C: a kick, a drift, losses and contacts in the kick, no energy
//! balance.
//!
//!   v ← v − Δt (K u + R v) + Σ f⌊u⌋^1.5,   u ← u + Δt v

use fearless_simd::{Level, Simd, dispatch};
use hamiltone_numerics::aligned::{Aligned, aligned, zeros};

/// The steps of a row of nodes with the same springs everywhere, held at both ends.
pub struct Stencil {
    level: Level,
    points: usize,
    weights: Weights,
    /// The nodes that contacts push, each with Δt times its stiffness over the mass.
    contacts: Vec<(usize, f64)>,
    /// From u₋₁ = −u₁ and u₀ = 0 on, to their likes at the other end.
    start: [Aligned; 2],
    q: Aligned,
    v: Aligned,
    next: Aligned,
}

/// What the loop multiplies.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Δt times the stiffness over the mass: of distance 0, 1, 2.
    pub spring: [f64; 3],
    /// Δt times the damping over the mass: of distance 0, 1.
    pub damper: [f64; 2],
    /// Δt, s.
    pub dt: f64,
}

impl Stencil {
    /// From these positions and velocities.
    pub fn new(weights: Weights, position: &[f64], velocity: &[f64], contacts: Vec<(usize, f64)>) -> Self {
        let padded = |x: &[f64]| aligned([&[0.0; 2], x, &[0.0; 2]].concat());
        let (points, start) = (position.len(), [padded(position), padded(velocity)]);
        let (q, v) = (start[0].clone(), start[1].clone());
        Self { level: Level::new(), points, weights, contacts, start, q, v, next: zeros(points + 4) }
    }

    /// The number of nodes.
    pub fn points(&self) -> usize {
        self.points
    }

    /// So many steps from the start; a result that keeps them from being left out.
    pub fn run(&mut self, steps: usize) -> f64 {
        self.q.copy_from_slice(&self.start[0]);
        self.v.copy_from_slice(&self.start[1]);
        let n = self.points;
        for _ in 0..steps {
            self.q[0] = -self.q[2];
            self.q[n + 3] = -self.q[n + 1];
            if self.weights.spring[2] == 0.0 {
                dispatch!(self.level, simd => self.step::<_, 1>(simd));
            } else {
                dispatch!(self.level, simd => self.step::<_, 2>(simd));
            }
            std::mem::swap(&mut self.v, &mut self.next);
        }
        self.q[n / 2]
    }

    /// One step; springs reach so far.
    #[inline(always)]
    fn step<S: Simd, const REACH: usize>(&mut self, simd: S) {
        let (n, Weights { spring: [k0, k1, k2], damper: [r0, r1], dt }) = (self.points, self.weights);
        let (q, v, next) = (&mut self.q[..n + 4], &self.v[..n + 4], &mut self.next[..n + 4]);
        let contacts = &self.contacts;
        simd.vectorize(
            #[inline(always)]
            || {
                for i in 2..n + 2 {
                    let mut pull = k0 * q[i] + k1 * (q[i - 1] + q[i + 1]);
                    if REACH == 2 {
                        pull += k2 * (q[i - 2] + q[i + 2]);
                    }
                    let loss = r0 * v[i] + r1 * (v[i - 1] + v[i + 1]);
                    next[i] = v[i] - (pull + loss);
                }
                for &(node, stiffness) in contacts {
                    let x = q[node + 2];
                    if x > 0.0 {
                        next[node + 2] -= stiffness * x * x.sqrt();
                    }
                }
                for i in 2..n + 2 {
                    q[i] += dt * next[i];
                }
            },
        );
    }
}
