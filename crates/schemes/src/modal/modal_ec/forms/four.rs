//! Four forms on the same coordinates: ψ and g of all four at once.
//!
//!   g = BU + l,   ψ = ½ (X − Y)ᵀBU + l·X = ½ (X − Y)·(g − l) + l·X
//!
//! Of the symmetric B each entry (i, j > i) is kept once, with those of all four forms side by side: one form is one lane. It is read once in a
//! step, and adds bᵢⱼUⱼ to gᵢ and bᵢⱼUᵢ to gⱼ. Forms that couple the same modes, as those of one symmetry of a plate do, fill all four lanes.

use super::scaled::{ScaledForm, taken};
use fearless_simd::{Simd, f64x4, prelude::*};
use hamiltone_numerics::aligned::{self, Aligned};
use std::{collections::BTreeMap, ops::Range};

/// Forms side by side.
pub(super) const FOUR: usize = 4;

/// A number of each.
pub(super) type Each = [f64; FOUR];

/// A number of each, as a loop loads them.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, x: &Each) -> f64x4<S> {
    f64x4::from_slice(simd, x)
}

/// The numbers of `x` by fours.
#[inline(always)]
pub(super) fn fours(x: &[f64]) -> &[Each] {
    x.as_chunks().0
}

/// The same, to be changed.
#[inline(always)]
pub(super) fn fours_mut(x: &mut [f64]) -> &mut [Each] {
    x.as_chunks_mut().0
}

/// X, U and X − Y of the coordinates of four forms.
#[derive(Clone, Copy)]
pub(super) struct States<'a> {
    pub place: &'a [f64],
    pub halfway: &'a [f64],
    pub across: &'a [f64],
}

/// What is found of four forms at the start of a step.
pub(super) struct Found<S: Simd> {
    /// ψ, and ½|U|ᵀ|B||U| + |l|·|X|.
    pub value: f64x4<S>,
    pub size: f64x4<S>,
    /// g·g.
    pub square: f64x4<S>,
}

/// Numbers as they are with the weights of modes, and without.
#[derive(Clone, Debug)]
struct Weighted {
    now: Aligned,
    given: Aligned,
}

/// B and l of four forms, scaled by ρ.
#[derive(Clone, Debug)]
pub(super) struct FourForms {
    /// bᵢᵢ and lᵢ of each coordinate.
    diagonal: Weighted,
    linear: Aligned,
    has_linear: bool,
    /// Whether inputs or coordinates can strain it, of each form.
    is_strained: [bool; FOUR],
    /// The entries of row i beside the diagonal are those from rows[i] to rows[i + 1], with j in `columns`.
    rows: Box<[u32]>,
    columns: Box<[u32]>,
    entries: Weighted,
}

impl FourForms {
    /// Of four forms or less on the coordinates of `range`, without weights.
    pub fn new<'a>(forms: impl Iterator<Item = &'a ScaledForm>, range: &Range<usize>) -> Self {
        let size = range.len();
        let mut linear = aligned::zeros(FOUR * size);
        let mut diagonal = linear.clone();
        let mut entries: BTreeMap<(usize, usize), Each> = BTreeMap::new();
        let mut is_strained = [false; FOUR];
        for (lane, form) in forms.enumerate() {
            is_strained[lane] = form.is_strained();
            // Its range has the coordinates that strain it as well.
            for (i, b, l) in form.given().filter(|(_, b, l)| *b != 0.0 || *l != 0.0) {
                let at = FOUR * (i - range.start) + lane;
                (diagonal[at], linear[at]) = (b, l);
            }
            for &(i, j, b) in form.pairs() {
                let (i, j) = (i - range.start, j - range.start);
                entries.entry((i.min(j), i.max(j))).or_default()[lane] += b;
            }
        }
        let mut rows = vec![0; size + 1];
        entries.keys().for_each(|(i, _)| rows[i + 1] += 1);
        (0..size).for_each(|i| rows[i + 1] += rows[i]);
        let values: Vec<f64> = entries.values().flatten().copied().collect();
        let weighted = |x: Aligned| Weighted { now: x.clone(), given: x };
        Self {
            has_linear: linear.iter().any(|l| *l != 0.0),
            diagonal: weighted(diagonal),
            linear,
            is_strained,
            rows: rows.into(),
            columns: entries.keys().map(|(_, j)| *j as u32).collect(),
            entries: weighted(aligned::aligned(values)),
        }
    }

    /// The weights w of modes are these, the first coordinate being this one.
    pub fn weigh(&mut self, first: usize, weight: impl Fn(usize) -> f64) {
        let Self { diagonal, entries, rows, columns, is_strained, .. } = self;
        let place = |weighed: &mut Each, given: &Each, w: f64| {
            let each = weighed.iter_mut().zip(given).zip(is_strained.iter());
            each.for_each(|((now, b), is_strained)| *now = b * taken(*is_strained, w));
        };
        for (i, (now, given)) in
            fours_mut(&mut diagonal.now).iter_mut().zip(fours(&diagonal.given)).enumerate()
        {
            // Behind the last mode there is none.
            if *given != Each::default() {
                place(now, given, weight(first + i));
            }
        }
        let (now, given) = (fours_mut(&mut entries.now), fours(&entries.given));
        for (i, ends) in rows.windows(2).enumerate() {
            for k in ends[0] as usize..ends[1] as usize {
                let w = (weight(first + i) * weight(first + columns[k] as usize)).sqrt();
                place(&mut now[k], &given[k], w);
            }
        }
    }

    /// What the step is found from; g into `gradient`.
    #[inline(always)]
    pub fn look<S: Simd>(&self, simd: S, states: States, gradient: &mut [Each]) -> Found<S> {
        let size = gradient.len();
        let [x, u, d] = [states.place, states.halfway, states.across].map(|all| &all[..size]);
        let (zero, half) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 0.5));
        gradient.fill(Each::default());
        let (mut value, mut size_of, mut square) = (zero, zero, zero);
        let [diagonal, entries, linear] =
            [&self.diagonal.now, &self.entries.now, &self.linear].map(|x| fours(x));
        for i in 0..size {
            let (from, to) = (self.rows[i] as usize, self.rows[i + 1] as usize);
            let (entries, columns) = (&entries[from..to], &self.columns[from..to]);
            let own = f64x4::splat(simd, u[i]);
            // Two sums side by side: each waits for its last addition.
            let part = load(simd, &diagonal[i]) * own;
            let (mut sums, mut sizes) = ([load(simd, &gradient[i]), part], [half * part.abs(), zero]);
            let mut take = |k: usize, b: &Each, j: u32| {
                let (b, j) = (load(simd, b), j as usize);
                let part = b * f64x4::splat(simd, u[j]);
                sums[k] += part;
                sizes[k] += part.abs();
                let other = &mut gradient[j];
                (load(simd, other) + b * own).store_array(other);
            };
            let (pairs, last) = entries.as_chunks::<2>();
            let (pairs_of, last_of) = columns.as_chunks::<2>();
            for ([a, b], [i, j]) in pairs.iter().zip(pairs_of) {
                take(0, a, *i);
                take(1, b, *j);
            }
            last.iter().zip(last_of).for_each(|(b, j)| take(0, b, *j));
            let mut g = sums[0] + sums[1];
            // (X − Y)B(X + Y): X² − Y² would cancel near Nyquist.
            value += (half * f64x4::splat(simd, d[i])) * g;
            size_of += (sizes[0] + sizes[1]) * own.abs();
            if self.has_linear {
                let l = load(simd, &linear[i]);
                let part = l * f64x4::splat(simd, x[i]);
                g += l;
                value += part;
                size_of += part.abs();
            }
            square += g * g;
            g.store_array(&mut gradient[i]);
        }
        Found { value, size: size_of, square }
    }
}
