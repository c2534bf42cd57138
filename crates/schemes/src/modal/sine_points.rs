//! The points of one body of sine modes: all of them by one sine transform, single ones by their table.
//!
//!   c_i·x = a_i Σ_k u_k x_k sin(πki/N),   k = 1 … modes
//!
//! u_k is what scales coordinate k of the bank.

use super::eights::LANES;
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::row::{Row, Sine};
use hamiltone_numerics::{lanes::fold, sine_transform::SineTransform};
use std::{ops::Range, sync::Arc};

/// Rows of one body on one grid.
#[derive(Clone, Debug)]
pub(crate) struct SinePoints {
    level: Level,
    dofs: Range<usize>,
    table: Arc<[f64]>,
    /// u.
    scale: Arc<[f64]>,
    sines: SineTransform,
    /// N − 1 values before and after a transform.
    before: Vec<f64>,
    after: Vec<f64>,
}

impl SinePoints {
    /// The comb that a row belongs to, if a fast transform fits its grid.
    pub fn of(row: &Row, scale: &[f64]) -> Option<Self> {
        let Row::Sine(sine) = row else { return None };
        let transform = SineTransform::new(sine.intervals())?;
        let dofs = sine.first..sine.first + sine.modes;
        let values = || vec![0.0; sine.intervals() - 1];
        Some(Self {
            level: instructions::level(),
            scale: scale[dofs.clone()].into(),
            dofs,
            table: sine.table.clone(),
            sines: transform,
            before: values(),
            after: values(),
        })
    }

    /// The row, where it is a point of this comb and not one of its ends.
    pub fn point<'a>(&self, row: &'a Row) -> Option<&'a Sine> {
        let Row::Sine(sine) = row else { return None };
        // The same sines and the same grid: the transform then meets all points of the row's body.
        let same = sine.first == self.dofs.start
            && sine.modes == self.dofs.len()
            && sine.intervals() == self.sines.intervals();
        (same && (1..sine.intervals()).contains(&sine.point)).then_some(sine)
    }

    /// Finds Σ_k u_k x_k sin(πki/N) of all points.
    pub fn transform(&mut self, x: &[f64]) {
        dispatch!(self.level, simd => self.read(simd, x));
    }

    /// What [`SinePoints::transform`] found, from i = 1 on; valid until the next call of it or of [`SinePoints::add`].
    pub fn values(&self) -> &[f64] {
        &self.after
    }

    #[inline(always)]
    fn read<S: Simd>(&mut self, simd: S, x: &[f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let modes = self.dofs.len();
                let z = self.before.iter_mut().zip(&x[self.dofs.clone()]);
                for ((z, x), u) in z.zip(self.scale.iter()) {
                    *z = u * x;
                }
                // A body may have fewer modes than its grid has waves.
                self.sines.of(&self.before[..modes], &mut self.after);
            },
        );
    }

    #[inline(always)]
    fn spread<S: Simd>(&mut self, simd: S, x: &mut [f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                self.sines.of(&self.before, &mut self.after);
                // The transform has as many waves as points; the body has the first of them.
                let x = x[self.dofs.clone()].iter_mut();
                for ((x, y), u) in x.zip(&self.after).zip(self.scale.iter()) {
                    *x += u * y;
                }
            },
        );
    }

    /// x_k += u_k Σ_i f_i sin(πki/N), `points` being (i, f_i): by a transform where they are more than `single`.
    pub fn add(&mut self, points: impl Iterator<Item = (usize, f64)> + Clone, single: usize, x: &mut [f64]) {
        // Asked by the first one too many: the points may be a filter over thousands of rows.
        if points.clone().nth(single).is_none() {
            points.for_each(|(point, f)| self.weights(point).for_each(|(i, w)| x[i] += f * w));
            return;
        }
        self.before.fill(0.0);
        points.for_each(|(point, f)| self.before[point - 1] += f);
        dispatch!(self.level, simd => self.spread(simd, x));
    }

    /// Σ_k u_k x_k sin(πki/N) of one point.
    pub fn dot(&self, point: usize, x: &[f64]) -> f64 {
        // k·i modulo the table by sums: a remainder would be a division for every mode.
        let (x, round) = (&x[self.dofs.clone()], self.table.len());
        let (mut lanes, mut at) = ([0.0; LANES], 0);
        for (x, u) in x.chunks(LANES).zip(self.scale.chunks(LANES)) {
            for ((lane, x), u) in lanes.iter_mut().zip(x).zip(u) {
                at += point;
                at -= if at >= round { round } else { 0 };
                *lane += u * self.table[at] * x;
            }
        }
        fold(lanes)
    }

    /// Each of the modes' (coordinate, u_k sin(πki/N)).
    pub fn weights(&self, point: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let mut at = 0;
        self.scale.iter().zip(self.dofs.clone()).map(move |(u, dof)| {
            at += point;
            at -= if at >= self.table.len() { self.table.len() } else { 0 };
            (dof, u * self.table[at])
        })
    }
}
