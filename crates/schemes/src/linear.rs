//! The linear part of a system, arranged for stepping: what is diagonal in one array each, the rest by block.
//!
//!   K = diag(k) + Σ blocks,   R = diag(r) + Σ blocks
//!
//! Many small bodies then cost one loop, and the three sums of the energy balance one more.

use crate::instructions;
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{
    operator::Operator,
    system::{Block, System},
};
use hamiltone_numerics::{double::Double, lanes};

/// The springs' leverage is taken in every so many steps: its maximum over a run makes a tolerance, and what falls
/// between makes it only tighter.
pub(crate) const LEVERAGE_INTERVAL: u32 = 16;

#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub mass: Vec<f64>,
    /// k: the diagonal part of K.
    stiffness: Vec<f64>,
    /// r: the diagonal part of R.
    damping: Vec<f64>,
    coupled: Vec<Block>,
    level: Level,
}

/// w·Mw, x·Ky and s·Rs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms {
    pub kinetic: f64,
    pub elastic: f64,
    pub dissipated: f64,
}

impl Linear {
    /// The linear part of `system`; `damped` says whether R is the stepper's to apply.
    pub fn new(system: &System, damped: bool) -> Self {
        let zero = || vec![0.0; system.size()];
        let mut linear = Self {
            mass: system.mass.clone(),
            stiffness: zero(),
            damping: zero(),
            coupled: Vec::new(),
            level: instructions::level(),
        };
        let diagonal = |o: &Operator| matches!(o, Operator::Zero | Operator::Diagonal(_));
        for block in &system.blocks {
            let mut block = block.clone();
            if !damped {
                block.damping = Operator::Zero;
            }
            if diagonal(&block.stiffness) && diagonal(&block.damping) {
                block.stiffness.add_diagonal(&mut linear.stiffness[block.dofs.clone()]);
                block.damping.add_diagonal(&mut linear.damping[block.dofs.clone()]);
            } else {
                linear.coupled.push(block);
            }
        }
        linear
    }

    /// y += a·K x + b·R z.
    #[inline]
    pub fn add(&self, a: f64, x: &[f64], b: f64, z: &[f64], y: &mut [f64]) {
        let coefficients = self.stiffness.iter().zip(&self.damping);
        for ((y, (k, r)), (x, z)) in y.iter_mut().zip(coefficients).zip(x.iter().zip(z)) {
            *y += a * (k * x) + b * (r * z);
        }
        for block in &self.coupled {
            let dofs = block.dofs.clone();
            block.stiffness.add_product(a, &x[dofs.clone()], &mut y[dofs.clone()]);
            block.damping.add_product(b, &z[dofs.clone()], &mut y[dofs]);
        }
    }

    /// y += a·K x + b·R z to twice the digits.
    pub fn add_double(&self, a: f64, x: &[Double], b: f64, z: &[Double], y: &mut [Double]) {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.add_fused((a, x), (b, z), y)));
    }

    #[inline(always)]
    fn add_fused(&self, (a, x): (f64, &[Double]), (b, z): (f64, &[Double]), y: &mut [Double]) {
        let coefficients = self.stiffness.iter().zip(&self.damping);
        for ((y, (k, r)), (x, z)) in y.iter_mut().zip(coefficients).zip(x.iter().zip(z)) {
            *y += x.times_fused(*k).times_fused(a);
            if *r != 0.0 {
                *y += z.times_fused(*r).times_fused(b);
            }
        }
        for block in &self.coupled {
            let dofs = block.dofs.clone();
            block.stiffness.add_product_double(a, &x[dofs.clone()], &mut y[dofs.clone()]);
            block.damping.add_product_double(b, &z[dofs.clone()], &mut y[dofs]);
        }
    }

    /// Σ|(Kq)ᵢqᵢ| over the springs between coordinates, with `scratch` of the size of q.
    #[inline]
    pub fn leverage(&self, q: &[f64], scratch: &mut [f64]) -> f64 {
        if self.coupled.is_empty() {
            return 0.0;
        }
        scratch.fill(0.0);
        for block in &self.coupled {
            block.stiffness.add_product(1.0, &q[block.dofs.clone()], &mut scratch[block.dofs.clone()]);
        }
        let scratch = &scratch[..q.len()];
        lanes::sum(q.len(), |i| (scratch[i] * q[i]).abs())
    }

    /// ½vᵀMv + ½qᵀKq.
    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let forms = self.forms(v, q, q, q);
        0.5 * (forms.kinetic + forms.elastic)
    }

    /// s·Rs.
    pub fn dissipated(&self, s: &[f64]) -> f64 {
        let diagonal = lanes::sum(s.len(), |i| self.damping[i] * (s[i] * s[i]));
        let blocks = &self.coupled;
        diagonal + lanes::sum(blocks.len(), |b| blocks[b].damping.form(&s[blocks[b].dofs.clone()]))
    }

    /// w·Mw, x·Ky and s·Rs in one pass.
    #[inline]
    pub fn forms(&self, w: &[f64], x: &[f64], y: &[f64], s: &[f64]) -> Forms {
        let n = self.mass.len();
        let (m, k, r) = (&self.mass[..n], &self.stiffness[..n], &self.damping[..n]);
        let (w, s, a, b) = (&w[..n], &s[..n], &x[..n], &y[..n]);
        let mut forms = Forms {
            kinetic: lanes::sum(n, |i| m[i] * (w[i] * w[i])),
            elastic: lanes::sum(n, |i| k[i] * (a[i] * b[i])),
            dissipated: lanes::sum(n, |i| r[i] * (s[i] * s[i])),
        };
        let (blocks, same) = (&self.coupled, std::ptr::eq(x, y));
        forms.elastic += lanes::sum(blocks.len(), |b| {
            let (operator, dofs) = (&blocks[b].stiffness, blocks[b].dofs.clone());
            if same { operator.form(&x[dofs]) } else { operator.bilinear(&x[dofs.clone()], &y[dofs]) }
        });
        forms.dissipated += lanes::sum(blocks.len(), |b| blocks[b].damping.form(&s[blocks[b].dofs.clone()]));
        forms
    }
}
