//! One form on the coordinates of a bank: ψ, g and what is read along g, eight modes at a time, where B is diagonal.
//!
//!   ψ = ½ (X − Y)ᵀBU + l·X,   g = BU + l
//!
//! B is given as its diagonal and the pairs beside it, which forms that share modes are stepped by ([`super::shared`]). All arrays begin with the eight of the first
//! coordinate that the form reads, and end with that of the last.

use crate::modal::eights::{LANES, eights, eights_mut, zeros};
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::form::Form;
use hamiltone_numerics::{aligned::Aligned, lanes::fold};
use std::ops::Range;

/// Eight numbers, as a loop loads them.
#[inline(always)]
fn load<S: Simd>(simd: S, x: &[f64; LANES]) -> f64x8<S> {
    f64x8::from_slice(simd, x)
}

/// What an entry of B is multiplied by, the weight of its modes being w: 1 in a form that nothing strains, and 0 of modes that are left out.
pub(super) fn taken(is_strained: bool, w: f64) -> f64 {
    if is_strained { w } else { f64::from(w > 0.0) }
}

/// A form, scaled by ρ.
#[derive(Clone, Debug)]
pub(super) struct ScaledForm {
    /// The coordinates of its arrays, by whole eights.
    first: usize,
    /// bᵢᵢρᵢ² and (i, j, bᵢⱼρᵢρⱼ), i < j, as they are without weights.
    given: (Aligned, Vec<(usize, usize, f64)>),
    /// The diagonal with weights.
    diagonal: Aligned,
    /// lᵢρᵢ.
    linear: Aligned,
    has_linear: bool,
    /// Whether inputs or coordinates can strain it.
    is_strained: bool,
}

impl ScaledForm {
    /// A form on coordinates that are `scale` times those of the bank, without weights.
    pub fn new(form: &Form, scale: &[f64]) -> Self {
        let first = form.dofs().min().unwrap_or(0) / LANES * LANES;
        let end = form.dofs().max().map_or(first, |last| last + 1);
        let (mut diagonal, mut linear) = (zeros(end - first), zeros(end - first));
        let mut pairs = Vec::new();
        for &(i, j, b) in form.quadratic.iter().filter(|(.., b)| *b != 0.0) {
            let scaled = b * (scale[i] * scale[j]);
            if i == j { diagonal[i - first] = scaled } else { pairs.push((i, j, scaled)) }
        }
        form.linear.entries().filter(|(_, w)| *w != 0.0).for_each(|(i, w)| linear[i - first] += w * scale[i]);
        Self {
            first,
            has_linear: linear.iter().any(|l| *l != 0.0),
            is_strained: form.stretch != 0.0 || form.strain.entries().any(|(_, w)| w != 0.0),
            given: (diagonal.clone(), pairs),
            diagonal,
            linear,
        }
    }

    /// The weights w of modes are these.
    pub fn weigh(&mut self, weight: impl Fn(usize) -> f64) {
        let (diagonal, _) = &self.given;
        for (i, (now, given)) in self.diagonal.iter_mut().zip(diagonal.iter()).enumerate() {
            // Behind the last mode there is none.
            *now = if *given == 0.0 { 0.0 } else { given * taken(self.is_strained, weight(self.first + i)) };
        }
    }

    /// Whether inputs or coordinates can strain it.
    pub fn is_strained(&self) -> bool {
        self.is_strained
    }

    /// Its coordinates, by whole eights.
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.diagonal.len()
    }

    /// Whether it has a force at 0.
    pub fn has_linear(&self) -> bool {
        self.has_linear
    }

    /// ½XᵀBX + l·X, without weights: what the positions make.
    pub fn position(&self, x: &[f64]) -> f64 {
        let (diagonal, pairs) = &self.given;
        let own = &x[self.range()];
        let coordinates = own.iter().zip(diagonal.iter().zip(self.linear.iter()));
        let sum: f64 = coordinates.map(|(x, (b, l))| (0.5 * b * x + l) * x).sum();
        pairs.iter().fold(sum, |sum, &(i, j, b)| sum + b * (x[i] * x[j]))
    }

    /// Whether B has no entry beside its diagonal.
    pub fn is_diagonal(&self) -> bool {
        self.pairs().is_empty()
    }

    /// (i, j, bᵢⱼρᵢρⱼ), i < j, without weights.
    pub fn pairs(&self) -> &[(usize, usize, f64)] {
        &self.given.1
    }

    /// Each coordinate with its bᵢᵢρᵢ², without weights, and lᵢρᵢ.
    pub fn given(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        self.range().zip(self.given.0.iter().zip(self.linear.iter())).map(|(i, (b, l))| (i, *b, *l))
    }

    /// The coordinates that B or l read, some more than once.
    pub fn read_by(&self) -> impl Iterator<Item = usize> {
        self.own().chain(self.pairs().iter().flat_map(|(i, j, _)| [*i, *j]))
    }

    /// The coordinates with an entry in the diagonal or in l.
    pub fn own(&self) -> impl Iterator<Item = usize> {
        let (diagonal, _) = &self.given;
        let entries = self.range().zip(diagonal.iter().zip(self.linear.iter()));
        entries.filter(|(_, (b, l))| **b != 0.0 || **l != 0.0).map(|(i, _)| i)
    }

    /// B and l of a coordinate.
    pub fn weights_of(&self, i: usize) -> (f64, f64) {
        (self.diagonal[i - self.first], self.linear[i - self.first])
    }

    /// ψ and ½|U|ᵀ|B||U| + |l|·|X|, and g into `gradient`, B being diagonal.
    pub fn read_with_gradient(&self, level: Level, x: &[f64], y: &[f64], gradient: &mut [f64]) -> (f64, f64) {
        dispatch!(level, simd => self.sums(simd, x, y, gradient))
    }

    /// ψ and its size, and g into `gradient`.
    #[inline(always)]
    fn sums<S: Simd>(&self, simd: S, x: &[f64], y: &[f64], gradient: &mut [f64]) -> (f64, f64) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (half, zero) = (f64x8::splat(simd, 0.5), f64x8::splat(simd, 0.0));
                let (mut value, mut size) = (zero, zero);
                let states = eights(&x[self.range()]).zip(eights(&y[self.range()]));
                let constants = eights(&self.diagonal).zip(eights(&self.linear));
                for (((x, y), (b, l)), gradient) in states.zip(constants).zip(eights_mut(gradient)) {
                    let (x, y, b, l) = (load(simd, x), load(simd, y), load(simd, b), load(simd, l));
                    let u = x + y;
                    let g = b * u;
                    // (X − Y)B(X + Y): X² − Y² would cancel near Nyquist.
                    value += half * ((x - y) * g) + l * x;
                    size += half * (g * u).abs() + (l * x).abs();
                    (g + l).store_array(gradient);
                }
                (fold(value.into()), fold(size.into()))
            },
        )
    }

    /// g·x.
    pub fn along(&self, level: Level, gradient: &[f64], x: &[f64]) -> f64 {
        dispatch!(level, simd => dot(simd, gradient, &x[self.range()]))
    }

    /// g·g.
    pub fn square(level: Level, gradient: &[f64]) -> f64 {
        dispatch!(level, simd => dot(simd, gradient, gradient))
    }

    /// x += a·g.
    pub fn add(&self, level: Level, a: f64, gradient: &[f64], x: &mut [f64]) {
        let x = &mut x[self.range()];
        dispatch!(level, simd => added(simd, a, gradient, x));
    }
}

#[inline(always)]
fn dot<S: Simd>(simd: S, a: &[f64], b: &[f64]) -> f64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sum = f64x8::splat(simd, 0.0);
            for (a, b) in eights(a).zip(eights(b)) {
                sum += load(simd, a) * load(simd, b);
            }
            fold(sum.into())
        },
    )
}

#[inline(always)]
fn added<S: Simd>(simd: S, a: f64, gradient: &[f64], x: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let a = f64x8::splat(simd, a);
            for (x, g) in eights_mut(x).zip(eights(gradient)) {
                (load(simd, x) + a * load(simd, g)).store_array(x);
            }
        },
    );
}
