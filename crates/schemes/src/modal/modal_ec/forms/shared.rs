//! Forms that share modes, directly or through others: they are solved together.
//!
//!   M T = ψ + ē + ½GᵀS₀,   M = α⁻¹ + ½GᵀG,   G = (g₁ g₂ …)        ([`super`], [`super::straining`])
//!
//! The eigenvalues of ½GᵀG are small beside 1 unless forms hold most of the energy, and M is never made where nothing else acts: conjugate gradients
//! preconditioned by the diagonal of M apply it as α⁻¹v + ½Gᵀ(Gv). They begin with T = 0, so that T is a function of the state, and end where the residual
//! has become ε times as small. It is what the balance of the step misses, times g·S: ψ is taken from the state, and no error stays.
//! Where that takes too many rounds, and for the compliances of contacts, M is made and factorised.
//!
//! A row of G has all forms at one coordinate, eight at a time, those of four at once with their B side by side ([`super::four`]). M is applied in one pass
//! over the rows: each is read for its part of Gv, and adds it to Gᵀ(Gv) while it is at hand.

use super::{
    four::{Each, FOUR, FourForms, States, fours, fours_mut, load},
    grouped,
    scaled::ScaledForm,
};
use crate::{
    instructions,
    modal::{
        eights::{LANES, eights, eights_mut, padded, zeros},
        modal_ec::bank::{EcBank, folded, load as eight},
    },
};
use fearless_simd::{Level, Simd, dispatch, f64x4, f64x8, prelude::*};
use hamiltone_numerics::{aligned::Aligned, small_cholesky::SmallCholesky};
use std::{ops::Range, sync::Arc};

/// The most rounds: more cost as much as a factor.
const ROUNDS: usize = 40;
/// The square of the residual at the end, over that at the beginning, and what is nothing beside any energy, J.
const SETTLED: f64 = 16.0 * f64::EPSILON * f64::EPSILON;
const NOTHING: f64 = 1e-250;

/// Forms that share modes. Arrays of one number a form have zeros behind the last form, up to a multiple of eight.
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
    /// G by coordinates, the rows of four forms at a time, and what is read along it.
    gradients: Aligned,
    rows: Aligned,
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
        let (of_forms, of_modes) = (|| zeros(forms.len()), || zeros(range.len()));
        let mut own = of_forms();
        own.fill(1.0);
        own.iter_mut().zip(&forms).for_each(|(own, j)| *own = inverse(*j));
        Self {
            level: instructions::level(),
            constants,
            own,
            halfway: of_modes(),
            across: of_modes(),
            gradients: zeros(padded(forms.len()) * range.len()),
            rows: zeros(FOUR * range.len()),
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
                let Self { constants, gradients, rows, halfway, across, range, .. } = self;
                let (place, speed) = (&bank.place[range.clone()], &bank.speed[range.clone()]);
                for (((u, d), x), y) in halfway.iter_mut().zip(across.iter_mut()).zip(place).zip(speed) {
                    (*u, *d) = (x + y, x - y);
                }
                let states = States { place, halfway, across };
                let found = fours_mut(&mut self.value).iter_mut().zip(fours_mut(&mut self.size));
                let found = found.zip(fours_mut(&mut self.inverse).iter_mut().zip(fours(&self.own)));
                let (gradients, width) = (fours_mut(gradients), self.own.len() / FOUR);
                let (half, one) = (f64x4::splat(simd, 0.5), f64x4::splat(simd, 1.0));
                for (k, (constants, ((value, size), (inverse, own)))) in
                    constants.iter().zip(found).enumerate()
                {
                    let found = constants.look(simd, states, fours_mut(rows));
                    let places = gradients[k..].iter_mut().step_by(width);
                    places.zip(fours(rows)).for_each(|(place, row)| *place = *row);
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
        dispatch!(self.level, simd => gather(simd, gradients, x, unknown));
    }

    /// `unknown` ← ½GᵀG `unknown`.
    pub fn half_product(&mut self) {
        let Self { gradients, unknown, product, .. } = self;
        dispatch!(self.level, simd => simd.vectorize(
            #[inline(always)]
            || twice(simd, gradients, unknown, product)
        ));
        unknown.iter_mut().zip(&**product).for_each(|(x, twice)| *x = 0.5 * twice);
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
        dispatch!(self.level, simd => spread(simd, gradients, unknown, modes));
        x[range.clone()].iter_mut().zip(&**modes).for_each(|(x, push)| *x -= push);
    }

    /// g of a lane into `along`, which is of the whole bank.
    pub fn gradient(&self, lane: usize, along: &mut [f64]) {
        let gradient = self.gradients[lane..].iter().step_by(self.own.len());
        along[self.range.clone()].iter_mut().zip(gradient).for_each(|(x, g)| *x = *g);
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
                let (rows, groups) = (self.gradients.chunks_exact(self.own.len()), self.constants.len());
                let mut blocks = self.matrix.iter_mut();
                for a in 0..groups {
                    for (b, block) in (0..=a).zip(&mut blocks) {
                        let mut sums = [f64x4::splat(simd, 0.0); FOUR];
                        for row in rows.clone() {
                            let row = fours(row);
                            let g = load(simd, &row[a]);
                            for (sum, other) in sums.iter_mut().zip(&row[b]) {
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
                let Self { gradients, own, inverse, unknown, found, residual, direction, product, .. } = self;
                let (zero, half) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 0.5));
                found.fill(0.0);
                residual.copy_from_slice(unknown);
                let mut sum = zero;
                for ((r, p), m) in eights(residual).zip(eights_mut(direction)).zip(eights(inverse)) {
                    let (r, z) = (eight(simd, r), eight(simd, m) * eight(simd, r));
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
                    twice(simd, gradients, direction, product);
                    let mut curvature = zero;
                    for ((mp, p), own) in eights_mut(product).zip(eights(direction)).zip(eights(own)) {
                        let p = eight(simd, p);
                        let all = eight(simd, own) * p + half * eight(simd, mp);
                        curvature += p * all;
                        all.store_array(mp);
                    }
                    let way = f64x8::splat(simd, square / folded(simd, curvature));
                    let mut sum = zero;
                    let of_residual = eights_mut(residual).zip(eights_mut(product)).zip(eights(inverse));
                    for (((r, mp), m), (t, p)) in of_residual.zip(eights_mut(found).zip(eights(direction))) {
                        (eight(simd, t) + way * eight(simd, p)).store_array(t);
                        let left = eight(simd, r) - way * eight(simd, mp);
                        let z = eight(simd, m) * left;
                        sum += left * z;
                        left.store_array(r);
                        // The place of M p is free until the next round.
                        z.store_array(mp);
                    }
                    let next = folded(simd, sum);
                    let turn = f64x8::splat(simd, next / square);
                    for (p, z) in eights_mut(direction).zip(eights(product)) {
                        (eight(simd, z) + turn * eight(simd, p)).store_array(p);
                    }
                    square = next;
                }
                false
            },
        )
    }
}

/// Rows of G that are taken at once: their sums do not wait for each other.
const ROWS: usize = 4;

/// The numbers of four rows of this length, by eights.
#[inline(always)]
fn rows(block: &[f64], width: usize) -> impl Iterator<Item = [&[f64; LANES]; ROWS]> {
    let (low, high) = block.split_at(2 * width);
    let ((a, b), (c, d)) = (low.split_at(width), high.split_at(width));
    eights(a).zip(eights(b)).zip(eights(c).zip(eights(d))).map(|((a, b), (c, d))| [a, b, c, d])
}

/// Rows of G along v.
#[inline(always)]
fn along<S: Simd>(simd: S, block: &[f64], v: &[f64]) -> [f64; ROWS] {
    let mut sums = [f64x8::splat(simd, 0.0); ROWS];
    for (row, v) in rows(block, v.len()).zip(eights(v)) {
        let v = eight(simd, v);
        for (sum, g) in sums.iter_mut().zip(row) {
            *sum += eight(simd, g) * v;
        }
    }
    // One by one: a closure given to an array may be left out of the instruction set.
    let [a, b, c, d] = sums;
    [folded(simd, a), folded(simd, b), folded(simd, c), folded(simd, d)]
}

/// `sums` += xᵀ(rows of G).
#[inline(always)]
fn add<S: Simd>(simd: S, x: &[f64; ROWS], block: &[f64], sums: &mut [f64]) {
    let [x, y, z, w] = *x;
    let (x, y) = (f64x8::splat(simd, x), f64x8::splat(simd, y));
    let (z, w) = (f64x8::splat(simd, z), f64x8::splat(simd, w));
    for ([a, b, c, d], sum) in rows(block, sums.len()).zip(eights_mut(sums)) {
        let first = x * eight(simd, a) + y * eight(simd, b);
        let last = z * eight(simd, c) + w * eight(simd, d);
        (eight(simd, sum) + (first + last)).store_array(sum);
    }
}

/// Gᵀ(Gv).
#[inline(always)]
fn twice<S: Simd>(simd: S, gradients: &[f64], v: &[f64], products: &mut [f64]) {
    products.fill(0.0);
    for block in gradients.chunks_exact(ROWS * v.len()) {
        add(simd, &along(simd, block, v), block, products);
    }
}

/// Gv.
#[inline(always)]
fn spread<S: Simd>(simd: S, gradients: &[f64], v: &[f64], modes: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let blocks = gradients.chunks_exact(ROWS * v.len());
            let modes = modes.as_chunks_mut::<ROWS>().0.iter_mut();
            modes.zip(blocks).for_each(|(modes, block)| *modes = along(simd, block, v));
        },
    );
}

/// Gᵀx.
#[inline(always)]
fn gather<S: Simd>(simd: S, gradients: &[f64], x: &[f64], products: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || {
            products.fill(0.0);
            let blocks = gradients.chunks_exact(ROWS * products.len());
            let x = x.as_chunks::<ROWS>().0.iter();
            x.zip(blocks).for_each(|(x, block)| add(simd, x, block, products));
        },
    );
}
