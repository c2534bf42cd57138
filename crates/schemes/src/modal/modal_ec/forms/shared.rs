//! Forms that share modes, directly or through others: they are solved together.
//!
//!   M T = ψ + ē + ½GᵀS₀,   M = α⁻¹ + ½GᵀG,   G = (g₁ g₂ …)        ([`super`], [`super::straining`])
//!
//! The eigenvalues of ½GᵀG are small beside 1 unless forms hold most of the energy, and M is never made where nothing else acts: conjugate gradients
//! preconditioned by the diagonal of M apply it as α⁻¹v + ½Gᵀ(Gv). They begin with T = 0, so that T is a function of the state, and end where the residual
//! has become ε times as small. It is what the balance of the step misses, times g·S: ψ is taken from the state, and no error stays.
//! Where that takes too many rounds, and for the compliances of contacts, M is made and factorised.
//!
//! G is kept by fours of forms ([`super::four`]), each a row of the coordinates that any of the forms reads.

use super::{
    four::{Each, FOUR, FourForms, States, fours, fours_mut, load},
    grouped,
    scaled::ScaledForm,
};
use crate::{
    instructions,
    modal::{
        eights::{LANES, padded, zeros},
        modal_ec::bank::EcBank,
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x4, prelude::*};
use hamiltone_numerics::{aligned::Aligned, small_cholesky::SmallCholesky};
use std::{ops::Range, sync::Arc};

/// The most rounds: more cost as much as a factor.
const ROUNDS: usize = 40;
/// The square of the residual at the end, over that at the beginning, and what is nothing beside any energy, J.
const SETTLED: f64 = 0.25 * f64::EPSILON * f64::EPSILON;
const NOTHING: f64 = 1e-250;

/// The sum over four lanes.
#[inline(always)]
fn folded<S: Simd>(simd: S, x: f64x4<S>) -> f64 {
    let (low, high) = simd.split_f64x4(x);
    let pair: [f64; 2] = (low + high).into();
    pair[0] + pair[1]
}

/// Forms that share modes. Arrays of one number a form have zeros behind the last form, up to a multiple of four.
#[derive(Clone)]
pub(super) struct Shared {
    level: Level,
    /// The bank's numbers of the forms, by lanes.
    forms: Arc<[usize]>,
    /// The coordinates, by whole eights.
    range: Range<usize>,
    /// B and l by fours of forms.
    constants: Arc<[FourForms]>,
    /// α⁻¹; 1 behind the last form.
    own: Aligned,
    /// U and X − Y.
    halfway: Aligned,
    across: Aligned,
    /// G, and Gv.
    gradients: Aligned,
    modes: Aligned,
    /// ψ, its size, and the inverse of the diagonal of M.
    pub value: Aligned,
    pub size: Aligned,
    inverse: Aligned,
    /// T, or what it is found from.
    unknown: Aligned,
    /// T so far, the residual, the direction, and M times it.
    found: Aligned,
    residual: Aligned,
    direction: Aligned,
    product: Aligned,
    /// M in blocks of four rows and columns, and its factor, where they are made.
    matrix: Box<[[Each; FOUR]]>,
    factor: SmallCholesky,
    is_factored: bool,
}

impl Shared {
    /// Of these forms of a bank, whose α⁻¹ are these.
    pub fn new(all: &[ScaledForm], forms: &[usize], inverse: impl Fn(usize) -> f64) -> Self {
        let read = || forms.iter().flat_map(|j| all[*j].read_by());
        let start = read().min().unwrap_or(0) / LANES * LANES;
        let range = start..start + padded(read().max().map_or(0, |last| last + 1 - start));
        let forms = grouped::side_by_side(all, forms, &range);
        let of_four = |four: &[usize]| FourForms::new(four.iter().map(|j| &all[*j]), &range);
        let constants: Arc<[FourForms]> = forms.chunks(FOUR).map(of_four).collect();
        let groups = constants.len();
        let (of_forms, of_modes) = (|| zeros(FOUR * groups), || zeros(range.len()));
        let mut own = of_forms();
        own.fill(1.0);
        own.iter_mut().zip(&forms).for_each(|(own, j)| *own = inverse(*j));
        Self {
            level: instructions::level(),
            constants,
            own,
            halfway: of_modes(),
            across: of_modes(),
            gradients: zeros(FOUR * groups * range.len()),
            modes: of_modes(),
            value: of_forms(),
            size: of_forms(),
            inverse: of_forms(),
            found: of_forms(),
            unknown: of_forms(),
            residual: of_forms(),
            direction: of_forms(),
            product: of_forms(),
            matrix: vec![Default::default(); groups * (groups + 1) / 2].into(),
            factor: SmallCholesky::new(forms.len()),
            is_factored: false,
            forms: forms.into(),
            range,
        }
    }

    /// The bank's numbers of its forms, by lanes.
    pub fn forms(&self) -> &[usize] {
        &self.forms
    }

    /// The weights w of modes are these.
    pub fn weigh(&mut self, weight: impl Fn(usize) -> f64) {
        let first = self.range.start;
        Arc::make_mut(&mut self.constants).iter_mut().for_each(|four| four.weigh(first, &weight));
    }

    /// ψ, its size, g and the diagonal of M at the start of a step.
    pub fn look(&mut self, bank: &EcBank) {
        self.is_factored = false;
        dispatch!(self.level, simd => self.look_with(simd, bank));
    }

    #[inline(always)]
    fn look_with<S: Simd>(&mut self, simd: S, bank: &EcBank) {
        simd.vectorize(
            #[inline(always)]
            || {
                let Self { constants, gradients, halfway, across, range, .. } = self;
                let (place, speed) = (&bank.place[range.clone()], &bank.speed[range.clone()]);
                for (((u, d), x), y) in halfway.iter_mut().zip(across.iter_mut()).zip(place).zip(speed) {
                    (*u, *d) = (x + y, x - y);
                }
                let states = States { place, halfway, across };
                let found = fours_mut(&mut self.value).iter_mut().zip(fours_mut(&mut self.size));
                let found = found.zip(fours_mut(&mut self.inverse).iter_mut().zip(fours(&self.own)));
                let rows = fours_mut(gradients).chunks_exact_mut(range.len());
                let (half, one) = (f64x4::splat(simd, 0.5), f64x4::splat(simd, 1.0));
                for ((constants, gradient), ((value, size), (inverse, own))) in
                    constants.iter().zip(rows).zip(found)
                {
                    let found = constants.look(simd, states, gradient);
                    found.value.store_array(value);
                    found.size.store_array(size);
                    (one / (load(simd, own) + half * found.square)).store_array(inverse);
                }
            },
        );
    }

    /// `unknown` = Gᵀx, x being of the whole bank.
    pub fn along(&mut self, x: &[f64]) {
        let Self { gradients, unknown, range, .. } = self;
        let x = &x[range.clone()];
        dispatch!(self.level, simd => gather_all(simd, gradients, x, fours_mut(unknown)));
    }

    /// `unknown` ← ½GᵀG `unknown`.
    pub fn half_product(&mut self) {
        let Self { gradients, unknown, modes, .. } = self;
        dispatch!(self.level, simd => spread_over(simd, gradients, fours(unknown), modes));
        dispatch!(self.level, simd => gather_all(simd, gradients, modes, fours_mut(unknown)));
        unknown.iter_mut().for_each(|x| *x *= 0.5);
    }

    /// Lets `of` tell the number of each form in `unknown` from what is there.
    pub fn change(&mut self, mut of: impl FnMut(usize, f64) -> f64) {
        self.unknown.iter_mut().zip(&*self.forms).for_each(|(x, j)| *x = of(*j, *x));
    }

    /// `unknown` ← M⁻¹ `unknown`.
    pub fn solve(&mut self) {
        if !dispatch!(self.level, simd => self.iterate(simd)) {
            self.solve_with_factor();
        }
    }

    /// The same by the factor of M.
    pub fn solve_with_factor(&mut self) {
        self.factorise();
        self.factor.solve(&mut self.unknown[..self.forms.len()]);
    }

    /// x −= G `unknown`, x being of the whole bank.
    pub fn push(&mut self, x: &mut [f64]) {
        let Self { gradients, unknown, modes, range, .. } = self;
        dispatch!(self.level, simd => spread_over(simd, gradients, fours(unknown), modes));
        x[range.clone()].iter_mut().zip(&**modes).for_each(|(x, push)| *x -= push);
    }

    /// g of a lane into `along`, which is of the whole bank.
    pub fn gradient(&self, lane: usize, along: &mut [f64]) {
        let size = self.range.len();
        let group = &fours(&self.gradients)[lane / FOUR * size..][..size];
        along[self.range.clone()].iter_mut().zip(group).for_each(|(x, g)| *x = g[lane % FOUR]);
    }

    /// x ← L⁻¹x, M = LLᵀ, x of the lanes with forms; [`Shared::factorise`] has been called.
    pub fn forward(&self, x: &mut [f64]) {
        self.factor.forward(x);
    }

    /// Makes M and its factor, unless the step has them.
    pub fn factorise(&mut self) {
        if std::mem::replace(&mut self.is_factored, true) {
            return;
        }
        dispatch!(self.level, simd => self.multiply(simd));
        let (matrix, own) = (&self.matrix, &self.own);
        self.factor.become_of(|i, j| {
            let (a, b) = (i / FOUR, j / FOUR);
            let product = 0.5 * matrix[a * (a + 1) / 2 + b][j % FOUR][i % FOUR];
            if i == j { own[i] + product } else { product }
        });
    }

    /// GᵀG: block (a, b ≤ a) has a row of each form of b, a column of each of a.
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, simd: S) {
        simd.vectorize(
            #[inline(always)]
            || {
                let size = self.range.len();
                let mut blocks = self.matrix.iter_mut();
                for (a, one) in fours(&self.gradients).chunks_exact(size).enumerate() {
                    for (other, block) in
                        fours(&self.gradients).chunks_exact(size).take(a + 1).zip(&mut blocks)
                    {
                        let mut sums = [f64x4::splat(simd, 0.0); FOUR];
                        for (g, other) in one.iter().zip(other) {
                            let g = load(simd, g);
                            for (sum, other) in sums.iter_mut().zip(other) {
                                *sum += g * f64x4::splat(simd, *other);
                            }
                        }
                        sums.into_iter().zip(block).for_each(|(sum, row)| sum.store_array(row));
                    }
                }
            },
        );
    }

    /// `unknown` ← M⁻¹ `unknown` by conjugate gradients; `false` where they would take too long: then it is as it was.
    #[inline(always)]
    fn iterate<S: Simd>(&mut self, simd: S) -> bool {
        simd.vectorize(
            #[inline(always)]
            || {
                let Self {
                    gradients, modes, own, inverse, unknown, found, residual, direction, product, ..
                } = self;
                let [own, inverse, unknown] = [own, inverse, unknown].map(|x| fours_mut(x));
                let [found, residual] = [found, residual].map(|x| fours_mut(x));
                let [direction, product] = [direction, product].map(|x| fours_mut(x));
                let (zero, half) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 0.5));
                found.fill(Each::default());
                residual.copy_from_slice(unknown);
                let mut sum = zero;
                for ((r, p), m) in residual.iter().zip(&mut *direction).zip(&*inverse) {
                    let (r, z) = (load(simd, r), load(simd, m) * load(simd, r));
                    sum += r * z;
                    z.store_array(p);
                }
                let mut square = folded(simd, sum);
                let end = SETTLED * square + NOTHING;
                for _ in 0..ROUNDS {
                    if square <= end {
                        unknown.copy_from_slice(found);
                        return true;
                    }
                    spread(simd, gradients, direction, modes);
                    gather(simd, gradients, modes, product);
                    let mut curvature = zero;
                    for ((mp, p), own) in product.iter_mut().zip(&*direction).zip(&*own) {
                        let p = load(simd, p);
                        let all = load(simd, own) * p + half * load(simd, mp);
                        curvature += p * all;
                        all.store_array(mp);
                    }
                    let way = f64x4::splat(simd, square / folded(simd, curvature));
                    let mut sum = zero;
                    let sides = found.iter_mut().zip(&*direction);
                    for (((r, mp), m), (t, p)) in
                        residual.iter_mut().zip(&mut *product).zip(&*inverse).zip(sides)
                    {
                        (load(simd, t) + way * load(simd, p)).store_array(t);
                        let left = load(simd, r) - way * load(simd, mp);
                        let z = load(simd, m) * left;
                        sum += left * z;
                        left.store_array(r);
                        // The place of M p is free until the next round.
                        z.store_array(mp);
                    }
                    let next = folded(simd, sum);
                    let turn = f64x4::splat(simd, next / square);
                    for (p, z) in direction.iter_mut().zip(&*product) {
                        (load(simd, z) + turn * load(simd, p)).store_array(p);
                    }
                    square = next;
                }
                false
            },
        )
    }
}

/// Gv: what forms of these weights have of each coordinate.
#[inline(always)]
fn spread<S: Simd>(simd: S, gradients: &[f64], v: &[Each], modes: &mut [f64]) {
    let size = modes.len();
    let gradients = fours(gradients);
    for (i, mode) in modes.iter_mut().enumerate() {
        let mut sum = f64x4::splat(simd, 0.0);
        for (g, v) in gradients[i..].iter().step_by(size).zip(v) {
            sum += load(simd, g) * load(simd, v);
        }
        *mode = folded(simd, sum);
    }
}

/// Gᵀx.
#[inline(always)]
fn gather<S: Simd>(simd: S, gradients: &[f64], x: &[f64], products: &mut [Each]) {
    for (g, product) in fours(gradients).chunks_exact(x.len()).zip(products) {
        let mut sums = [f64x4::splat(simd, 0.0); FOUR];
        // The coordinates are a multiple of eight.
        for (g, x) in g.as_chunks::<FOUR>().0.iter().zip(fours(x)) {
            for ((sum, g), x) in sums.iter_mut().zip(g).zip(x) {
                *sum += load(simd, g) * f64x4::splat(simd, *x);
            }
        }
        let [a, b, c, d] = sums;
        ((a + c) + (b + d)).store_array(product);
    }
}

/// [`spread`] by itself.
#[inline(always)]
fn spread_over<S: Simd>(simd: S, gradients: &[f64], v: &[Each], modes: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || spread(simd, gradients, v, modes),
    );
}

/// [`gather`] by itself.
#[inline(always)]
fn gather_all<S: Simd>(simd: S, gradients: &[f64], x: &[f64], products: &mut [Each]) {
    simd.vectorize(
        #[inline(always)]
        || gather(simd, gradients, x, products),
    );
}
