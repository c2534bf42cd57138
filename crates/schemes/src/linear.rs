//! The linear part of a system, arranged for stepping: what is diagonal in one array each, the rest by block.
//!
//!   K = diag(k) + Σ blocks,   R = diag(r) + Σ blocks
//!
//! Many small bodies then cost one loop, and each sum of the energy balance one more.

use crate::instructions;
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{
    operator::Operator,
    system::{Block, System},
};
use hamiltone_numerics::{double::Double, lanes, stencil_product::StencilProduct};

/// The springs' leverage is taken in every so many steps: its maximum over a run makes a tolerance, and what falls
/// between makes it only tighter.
pub(crate) const LEVERAGE_INTERVAL: u32 = 16;

/// Whether it is taken in this step, of which `clock` counts.
pub(crate) fn leverage_is_due(clock: &mut u32) -> bool {
    let is_due = *clock == 0;
    // The first step counts too, so that also a short run has a tolerance.
    *clock = clock.wrapping_add(1) % LEVERAGE_INTERVAL;
    is_due
}

#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub mass: Vec<f64>,
    /// k: the diagonal part of K.
    stiffness: Vec<f64>,
    /// r: the diagonal part of R.
    damping: Vec<f64>,
    /// Whether any of k and r is not 0.
    diagonal: bool,
    coupled: Vec<Coupled>,
    level: Level,
}

/// A block that is not diagonal.
#[derive(Clone, Debug)]
struct Coupled {
    block: Block,
    stiffness: StencilProduct,
    damping: StencilProduct,
}

/// w·Mw and x·Ky.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms {
    pub kinetic: f64,
    pub elastic: f64,
}

impl Linear {
    /// The linear part of `system`; `damped` says whether R is the stepper's to apply.
    pub fn new(system: &System, damped: bool) -> Self {
        let zero = || vec![0.0; system.size()];
        let mut linear = Self {
            mass: system.mass.clone(),
            stiffness: zero(),
            damping: zero(),
            diagonal: false,
            coupled: Vec::new(),
            level: instructions::level_of(system.size()),
        };
        let diagonal = |o: &Operator| matches!(o, Operator::Zero | Operator::Diagonal(_));
        for block in &system.blocks {
            let mut block = block.clone();
            if !damped {
                block.damping = Operator::Zero;
            }
            // Both must be diagonal: a block that is coupled in one is stepped as a whole, so that no term is added twice.
            if diagonal(&block.stiffness) && diagonal(&block.damping) {
                block.stiffness.add_diagonal(&mut linear.stiffness[block.dofs.clone()]);
                block.damping.add_diagonal(&mut linear.damping[block.dofs.clone()]);
            } else {
                linear.coupled.push(Coupled {
                    stiffness: StencilProduct::new(&block.stiffness),
                    damping: StencilProduct::new(&block.damping),
                    block,
                });
            }
        }
        // Undamped free masses alone then cost no loop.
        let mut both = linear.stiffness.iter().chain(&linear.damping);
        linear.diagonal = both.any(|weight| *weight != 0.0);
        linear
    }

    /// The diagonals of K and R, where they are diagonal.
    pub fn uncoupled(&self) -> Option<(&[f64], &[f64])> {
        self.coupled.is_empty().then_some((&self.stiffness, &self.damping))
    }

    /// y += a·K x + b·R z; a product with 0 is not made.
    pub fn add(&self, a: f64, x: &[f64], b: f64, z: &[f64], y: &mut [f64]) {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.add_in_lanes((a, x), (b, z), y)));
    }

    #[inline(always)]
    fn add_in_lanes(&self, (a, x): (f64, &[f64]), (b, z): (f64, &[f64]), y: &mut [f64]) {
        if self.diagonal {
            let coefficients = self.stiffness.iter().zip(&self.damping);
            for ((y, (k, r)), (x, z)) in y.iter_mut().zip(coefficients).zip(x.iter().zip(z)) {
                // The parentheses fix the rounding, which `implicit/few.rs` repeats to the bit.
                *y += a * (k * x) + b * (r * z);
            }
        }
        for Coupled { block, stiffness, damping } in &self.coupled {
            let dofs = block.dofs.clone();
            if a != 0.0 {
                stiffness.add(a, &x[dofs.clone()], &mut y[dofs.clone()]);
            }
            if b != 0.0 {
                damping.add(b, &z[dofs.clone()], &mut y[dofs]);
            }
        }
    }

    /// What its loops use of the processor.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Σ|(Kq)ᵢqᵢ| over the springs between coordinates, with `scratch` of the size of q.
    pub fn leverage(&self, q: &[f64], scratch: &mut [f64]) -> f64 {
        if self.coupled.is_empty() {
            return 0.0;
        }
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.leverage_in_lanes(q, scratch)))
    }

    #[inline(always)]
    fn leverage_in_lanes(&self, q: &[f64], scratch: &mut [f64]) -> f64 {
        scratch.fill(0.0);
        for Coupled { block, stiffness, .. } in &self.coupled {
            stiffness.add(1.0, &q[block.dofs.clone()], &mut scratch[block.dofs.clone()]);
        }
        let scratch = &scratch[..q.len()];
        lanes::sum(q.len(), |i| (scratch[i] * q[i]).abs())
    }

    /// ½vᵀMv + ½qᵀKq.
    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let forms = self.forms(v, q, q);
        0.5 * (forms.kinetic + forms.elastic)
    }

    /// s·Rs.
    pub fn dissipated(&self, s: &[f64]) -> f64 {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.dissipated_in_lanes(s)))
    }

    #[inline(always)]
    fn dissipated_in_lanes(&self, s: &[f64]) -> f64 {
        let n = self.mass.len();
        let (s, r) = (&s[..n], &self.damping[..n]);
        let single = if self.diagonal { lanes::sum_of([r, s], |[r, s]| r * (s * s)) } else { 0.0 };
        // The partial sums of many blocks are added to twice the digits: their number does not enter the rounding.
        let mut sum = Double::from(single);
        for Coupled { block, damping, .. } in &self.coupled {
            sum += damping.form(&s[block.dofs.clone()]).into();
        }
        sum.rounded()
    }

    /// w·Mw and x·Ky.
    pub fn forms(&self, w: &[f64], x: &[f64], y: &[f64]) -> Forms {
        let forms = || Forms { kinetic: self.kinetic(w), elastic: self.elastic(x, y) };
        dispatch!(self.level, simd => simd.vectorize(forms))
    }

    #[inline(always)]
    fn kinetic(&self, w: &[f64]) -> f64 {
        let n = self.mass.len();
        lanes::sum_of([&self.mass[..n], &w[..n]], |[m, w]| m * (w * w))
    }

    #[inline(always)]
    fn elastic(&self, x: &[f64], y: &[f64]) -> f64 {
        let n = self.mass.len();
        let (k, x, y) = (&self.stiffness[..n], &x[..n], &y[..n]);
        let single = if self.diagonal { lanes::sum_of([k, x, y], |[k, x, y]| k * (x * y)) } else { 0.0 };
        // As in `dissipated_in_lanes`; x·Ky may also be negative, so that blocks can cancel.
        let mut elastic = Double::from(single);
        for Coupled { block, stiffness, .. } in &self.coupled {
            elastic += stiffness.bilinear(&x[block.dofs.clone()], &y[block.dofs.clone()]).into();
        }
        elastic.rounded()
    }
}
