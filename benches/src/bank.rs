//! The plain loop of a body by its modes, as one would write it in C: every mode exactly, every row of a contact read halfway,
//! no energy balance.
//!
//!   q ← q + d,   d ← d − g q − h d,   seen = c·(q + d/2),   d ← d − ⌊seen⌋^1.5 K c

use fearless_simd::{Level, Simd, dispatch};
use hamiltone_numerics::aligned::{Aligned, aligned, zeros};

/// The modes, and rows of contacts along them.
pub struct Bank {
    level: Level,
    start: [Vec<f64>; 2],
    g: Aligned,
    h: Aligned,
    q: Aligned,
    d: Aligned,
    rows: Rows,
    /// Δt² times the stiffness of a contact over the mass of a mode; 0 reads the rows alone.
    stiffness: f64,
    seen: f64,
    z: Aligned,
}

/// What the contacts read.
pub enum Rows {
    /// All modes, each with its weight.
    Dense(Vec<Aligned>),
    /// One coordinate each.
    Units(Vec<usize>),
}

impl Bank {
    /// Modes of these ω Δt that start with a position and a speed d = Δt v.
    ///
    /// The losses are next to none: modes that die away would be subnormal numbers, with which the loop is twenty times as slow.
    pub fn new(angles: &[f64], position: &[f64], increment: &[f64], rows: Rows, stiffness: f64) -> Self {
        let b = 1e-6_f64;
        let constants: Vec<[f64; 2]> = angles
            .iter()
            .map(|angle| {
                let a = (angle * angle - b * b).max(0.0).sqrt();
                [1.0 + (-2.0 * b).exp() - 2.0 * (-b).exp() * a.cos(), 1.0 - (-2.0 * b).exp()]
            })
            .collect();
        Self {
            level: Level::new(),
            start: [position.to_vec(), increment.to_vec()],
            g: aligned(constants.iter().map(|c| c[0])),
            h: aligned(constants.iter().map(|c| c[1])),
            q: aligned(position.iter().copied()),
            d: aligned(increment.iter().copied()),
            rows,
            stiffness,
            seen: 0.0,
            z: zeros(angles.len()),
        }
    }

    /// So many steps from the start; a result that keeps them from being left out.
    pub fn run(&mut self, steps: usize) -> f64 {
        self.q.copy_from_slice(&self.start[0]);
        self.d.copy_from_slice(&self.start[1]);
        self.seen = 0.0;
        for _ in 0..steps {
            dispatch!(self.level, simd => self.step(simd));
        }
        self.q[0] + self.seen
    }

    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S) {
        let n = self.q.len();
        let (q, d, g, h) = (&mut self.q[..n], &mut self.d[..n], &self.g[..n], &self.h[..n]);
        let (rows, stiffness, seen, z) = (&self.rows, self.stiffness, &mut self.seen, &mut self.z[..n]);
        simd.vectorize(
            #[inline(always)]
            || {
                for i in 0..n {
                    q[i] += d[i];
                    d[i] -= g[i] * q[i] + h[i] * d[i];
                }
                match rows {
                    Rows::Dense(rows) => {
                        // Also without contacts: it is what outputs read.
                        for i in 0..n {
                            z[i] = q[i] + 0.5 * d[i];
                        }
                        for row in rows {
                            let x = dot(row, z);
                            *seen += x;
                            if x > 0.0 && stiffness > 0.0 {
                                let force = stiffness * x * x.sqrt();
                                for i in 0..n {
                                    d[i] -= force * row[i];
                                }
                            }
                        }
                    }
                    Rows::Units(units) => {
                        for &i in units {
                            let x = q[i] + 0.5 * d[i];
                            *seen += x;
                            if x > 0.0 {
                                d[i] -= stiffness * x * x.sqrt();
                            }
                        }
                    }
                }
            },
        );
    }
}

/// Σ wᵢ zᵢ in eight lanes.
#[inline(always)]
fn dot(row: &[f64], z: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let ((rows, ends), (whole, rest)) = (row.as_chunks::<8>(), z.as_chunks::<8>());
    for (w, z) in rows.iter().zip(whole) {
        for k in 0..8 {
            sums[k] += w[k] * z[k];
        }
    }
    for (k, (w, z)) in ends.iter().zip(rest).enumerate() {
        sums[k] += w * z;
    }
    sums.iter().sum()
}
