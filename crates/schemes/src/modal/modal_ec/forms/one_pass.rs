//! The step of a bank with forms in one pass over its modes, where each B is diagonal and each mode belongs to one form at most.
//!
//!   U = X + Y,   g = BU + l,   e = wf − (rU + hY) − gT,   Y⁺ = Y + e,   S = Y + Y⁺,   X⁺ = X + S        ([`super::super::bank`])
//!
//! No two g share a mode, so that M = I + ½GᵀG is diagonal and T of each form is known before the pass from sums over its modes:
//!
//!   T = (ψ + ē + ½(g·S₀ + f g·w)) / (1 + ½g·g),   ψ = ½Σ(g(X − Y) + lU),   S₀ = 2Y − (rU + hY)
//!
//! (S₀ where n = 0, as of most modes; the others have the terms of n as in the bank). The pass adds up those of the next step from X⁺ and Y⁺ while it
//! holds them, and keeps rU + hY and g. What is known so is forgotten where anything else changes the state, and then added up by a
//! pass that does nothing else, in the same order: the same bits. In steps in which contacts may act the pass keeps S, g and what is
//! left out of X and S for them; where none does, the step has the same bits as any other.
//!
//! X is not compensated: T turns with ψ, and under a steady strain gT pulls to the middle, one way as often as the other. Over 200 000 steps of
//! strings of 12 to 64 modes, free and 26 % tighter by their strain, the balance misses 1.2e-13 at most, and 2.1e-13 with compensation;
//! 4.5e-11 is allowed.

use super::scaled::ScaledForm;
use crate::modal::{
    eights::{LANES, eights, zeros},
    modal_ec::bank::{EcBank, Pull, Sums, Totals, folded, load, two_sum},
};
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use hamiltone_numerics::aligned::Aligned;
use std::{ops::Range, sync::Arc};

/// What the step of a form is found from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// ψ, and ½Σ|B|U² + Σ|lX|.
    pub value: f64,
    pub size: f64,
    /// g·S₀, g·g and g·w.
    pub way: f64,
    pub square: f64,
    pub row: f64,
}

impl Known {
    /// From the sums by lanes.
    #[inline(always)]
    fn of<S: Simd, const PULLED: bool>(simd: S, sums: [f64x8<S>; 5]) -> Self {
        let [value, size, way, square, row] = sums;
        Self {
            value: 0.5 * folded(simd, value),
            size: 0.5 * folded(simd, size),
            way: folded(simd, way),
            square: folded(simd, square),
            row: if PULLED { folded(simd, row) } else { 0.0 },
        }
    }
}

/// The sums of [`Known`] by lanes, of g(X − Y) + lU, |B|U² + 2|lX|, gS₀, g² and gw.
type Lanes = [[f64; LANES]; 5];

/// Whose modes these are, by number; that behind the last form is of none.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    One(usize),
    Each([usize; LANES]),
}

/// Eights of modes that are stepped alike.
#[derive(Clone, Debug)]
struct Segment {
    eights: Range<usize>,
    owner: Owner,
    /// Whether n and l are 0 and no B is negative.
    is_plain: bool,
}

/// B and l of all modes.
#[derive(Clone, Debug)]
struct Curves {
    quadratic: Aligned,
    linear: Aligned,
    segments: Vec<Segment>,
}

/// Diagonal forms of a bank.
#[derive(Clone)]
pub(super) struct OnePass {
    curves: Arc<Curves>,
    /// Of each form and, behind them, of the modes of none.
    lanes: Vec<Lanes>,
    known: Vec<Known>,
    is_known: bool,
    /// rU + hY and g of all modes in the next step, where it is known.
    back: Aligned,
    gradient: Aligned,
    /// g in the last step that contacts could act in.
    pub met: Aligned,
}

/// The constants of eight modes.
#[derive(Clone, Copy)]
struct Eight<S: Simd> {
    n: f64x8<S>,
    r: f64x8<S>,
    h: f64x8<S>,
    b: f64x8<S>,
    l: f64x8<S>,
    w: f64x8<S>,
}

/// These eights of a bank's numbers.
#[inline(always)]
fn of<'a>(x: &'a [f64], eights: &Range<usize>) -> &'a [[f64; LANES]] {
    &x.as_chunks().0[eights.clone()]
}

/// The same, to be changed.
#[inline(always)]
fn of_mut<'a>(x: &'a mut [f64], eights: &Range<usize>) -> &'a mut [[f64; LANES]] {
    &mut x.as_chunks_mut().0[eights.clone()]
}

impl<S: Simd> Eight<S> {
    /// S and Y⁺ of the step with −e = `back`.
    #[inline(always)]
    fn step<const PLAIN: bool>(
        &self,
        simd: S,
        (x, y): (f64x8<S>, f64x8<S>),
        back: f64x8<S>,
    ) -> (f64x8<S>, f64x8<S>) {
        if PLAIN {
            return ((y + y) - back, y - back);
        }
        let (one, two) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, 2.0));
        let turned = self.n * x;
        (((two - self.n) * y - turned) - back, ((one - self.n) * y - turned) - back)
    }

    /// rU + hY and g of the next step from X and Y; adds what these modes are worth in it.
    #[inline(always)]
    fn look<const PULLED: bool, const PLAIN: bool>(
        &self,
        simd: S,
        (x, y): (f64x8<S>, f64x8<S>),
        sums: &mut [f64x8<S>; 5],
    ) -> [f64x8<S>; 2] {
        let (u, d) = (x + y, x - y);
        let (curve, back) = (self.b * u, self.r * u + self.h * y);
        let g = if PLAIN { curve } else { curve + self.l };
        // (X − Y)B(X + Y): X² − Y² would cancel near Nyquist.
        if PLAIN {
            sums[0] += g * d;
            sums[1] += g * u;
            // Of g·S₀ = gU − g(X − Y) − g(rU + hY) the first two are known already.
            sums[2] += g * back;
        } else {
            let linear = self.l * x;
            sums[0] += g * d + self.l * u;
            sums[1] += (curve * u).abs() + (linear + linear).abs();
            sums[2] += g * self.step::<PLAIN>(simd, (x, y), back).0;
        }
        sums[3] += g * g;
        if PULLED {
            sums[4] += g * self.w;
        }
        [back, g]
    }
}

impl OnePass {
    /// Of these forms on so many coordinates, if they can be stepped so; [`OnePass::renew`] is to follow.
    pub fn new(forms: &[ScaledForm], size: usize) -> Option<Self> {
        let mut owned = vec![false; size];
        let is_alone = |form: &ScaledForm| form.own().all(|i| !std::mem::replace(&mut owned[i], true));
        let fits = !forms.is_empty() && forms.iter().all(ScaledForm::is_diagonal);
        (fits && forms.iter().all(is_alone)).then(|| Self {
            curves: Arc::new(Curves { quadratic: zeros(size), linear: zeros(size), segments: Vec::new() }),
            lanes: vec![Lanes::default(); forms.len() + 1],
            known: vec![Known::default(); forms.len()],
            is_known: false,
            back: zeros(size),
            gradient: zeros(size),
            met: zeros(size),
        })
    }

    /// Weights of forms or constants of modes have been changed; so many leading modes have no n.
    pub fn renew(&mut self, forms: &[ScaledForm], slow: usize) {
        self.is_known = false;
        let curves = Arc::make_mut(&mut self.curves);
        let mut owners = vec![forms.len(); curves.quadratic.len()];
        for (j, form) in forms.iter().enumerate() {
            form.own().for_each(|i| {
                owners[i] = j;
                (curves.quadratic[i], curves.linear[i]) = form.weights_of(i);
            });
        }
        curves.segments.clear();
        let weights = eights(&curves.quadratic).zip(eights(&curves.linear));
        for (k, (owners, (b, l))) in owners.as_chunks::<LANES>().0.iter().zip(weights).enumerate() {
            let mut named = owners.iter().copied().filter(|j| *j < forms.len());
            let one = named.next().unwrap_or(forms.len());
            let owner = if named.all(|j| j == one) { Owner::One(one) } else { Owner::Each(*owners) };
            let is_plain = k * LANES < slow && b.iter().all(|b| *b >= 0.0) && *l == [0.0; LANES];
            match curves.segments.last_mut() {
                Some(last) if (last.owner, last.is_plain) == (owner, is_plain) => last.eights.end = k + 1,
                _ => curves.segments.push(Segment { eights: k..k + 1, owner, is_plain }),
            }
        }
    }

    /// The state has been changed by something else than this pass.
    pub fn forget(&mut self) {
        self.is_known = false;
    }

    /// What the step is found from, of each form; joints pull along this row, if any.
    pub fn known(&mut self, bank: &mut EcBank, row: Option<&[f64]>) -> &[Known] {
        if !std::mem::replace(&mut self.is_known, true) {
            let pull = row.map(|row| Pull { row, force: 0.0 });
            self.all::<false, false>(bank, pull, &[]);
        }
        &self.known
    }

    /// The step with these T, pulled by joints or not; where contacts may act, what they need is kept.
    pub fn step(&mut self, bank: &mut EcBank, pull: Option<Pull>, tension: &[f64], acted: bool) -> Sums {
        self.is_known = true;
        if acted {
            bank.forget_unkept();
        }
        // Forces that contacts add keep it.
        bank.kept = false;
        match acted {
            false => self.all::<true, false>(bank, pull, tension),
            true => self.all::<true, true>(bank, pull, tension),
        }
    }

    /// The pass that steps and keeps what it is told to.
    fn all<const STEPPED: bool, const MOVED: bool>(
        &mut self,
        bank: &mut EcBank,
        pull: Option<Pull>,
        tension: &[f64],
    ) -> Sums {
        let none = Pull { row: &[], force: 0.0 };
        match pull {
            Some(pull) => {
                dispatch!(bank.level, simd => self.pass::<_, STEPPED, MOVED, true>(simd, bank, (pull, tension)))
            }
            None => {
                dispatch!(bank.level, simd => self.pass::<_, STEPPED, MOVED, false>(simd, bank, (none, tension)))
            }
        }
    }

    /// The step (where `STEPPED`), and what the next one is found from.
    #[inline(always)]
    fn pass<S: Simd, const STEPPED: bool, const MOVED: bool, const PULLED: bool>(
        &mut self,
        simd: S,
        bank: &mut EcBank,
        (pull, tension): (Pull, &[f64]),
    ) -> Sums {
        simd.vectorize(
            #[inline(always)]
            || {
                let (mut totals, count) = (Totals::new(simd), self.curves.segments.len());
                if count == 1 {
                    // One string, as most banks are: its sums stay in registers.
                    let sums = self.segment::<_, STEPPED, MOVED, PULLED>(
                        simd,
                        bank,
                        (0, pull, tension),
                        &mut totals,
                    );
                    self.known[0] = Known::of::<_, PULLED>(simd, sums);
                } else {
                    self.lanes.fill(Lanes::default());
                    for k in 0..count {
                        let given = (k, pull, tension);
                        let sums = self.segment::<_, STEPPED, MOVED, PULLED>(simd, bank, given, &mut totals);
                        self.give(simd, k, sums);
                    }
                    for (known, lanes) in self.known.iter_mut().zip(&self.lanes) {
                        let lanes = lanes.each_ref().map(|lanes| load(simd, lanes));
                        *known = Known::of::<_, PULLED>(simd, lanes);
                    }
                }
                totals.sums(simd)
            },
        )
    }

    /// The same of a segment; returns its part of the sums.
    #[inline(always)]
    fn segment<S: Simd, const STEPPED: bool, const MOVED: bool, const PULLED: bool>(
        &mut self,
        simd: S,
        bank: &mut EcBank,
        given: (usize, Pull, &[f64]),
        totals: &mut Totals<S>,
    ) -> [f64x8<S>; 5] {
        match self.curves.segments[given.0].is_plain {
            true => self.part::<_, STEPPED, MOVED, PULLED, true>(simd, bank, given, totals),
            false => self.part::<_, STEPPED, MOVED, PULLED, false>(simd, bank, given, totals),
        }
    }

    #[inline(always)]
    fn part<S: Simd, const STEPPED: bool, const MOVED: bool, const PULLED: bool, const PLAIN: bool>(
        &mut self,
        simd: S,
        bank: &mut EcBank,
        (segment, pull, tension): (usize, Pull, &[f64]),
        totals: &mut Totals<S>,
    ) -> [f64x8<S>; 5] {
        let Curves { quadratic, linear, segments } = &*self.curves;
        let Segment { eights, owner, .. } = &segments[segment];
        let EcBank { turn, spring, damper, place, speed, place_rest, moved, moved_rest, .. } = bank;
        // Of what is not used nothing is taken: there is less to check before the loop.
        let if_used = |is_used: bool| if is_used { eights.clone() } else { 0..0 };
        let (all, turned, met_modes) = (if_used(true), if_used(!PLAIN), if_used(MOVED));
        let (spring, damper, quadratic) = (of(spring, &all), of(damper, &all), of(quadratic, &all));
        let (turn, linear, row) = (of(turn, &turned), of(linear, &turned), of(pull.row, &if_used(PULLED)));
        let (place, speed) = (of_mut(place, &all), of_mut(speed, &all));
        let (backs, gradient) = (of_mut(&mut self.back, &all), of_mut(&mut self.gradient, &all));
        let (moved, moved_rest) = (of_mut(moved, &met_modes), of_mut(moved_rest, &met_modes));
        let (place_rest, met) = (of_mut(place_rest, &met_modes), of_mut(&mut self.met, &met_modes));
        let of_form = |form: usize| tension.get(form).copied().unwrap_or(0.0);
        let t = match owner {
            Owner::One(form) => f64x8::splat(simd, of_form(*form)),
            Owner::Each(forms) => load(simd, &forms.map(of_form)),
        };
        let (pulling, zero) = (f64x8::splat(simd, pull.force), f64x8::splat(simd, 0.0));
        let mut sums = [zero; 5];
        for k in 0..all.len() {
            let eight = Eight {
                n: if PLAIN { zero } else { load(simd, &turn[k]) },
                r: load(simd, &spring[k]),
                h: load(simd, &damper[k]),
                b: load(simd, &quadratic[k]),
                l: if PLAIN { zero } else { load(simd, &linear[k]) },
                w: if PULLED { load(simd, &row[k]) } else { zero },
            };
            let (mut x, mut y) = (load(simd, &place[k]), load(simd, &speed[k]));
            if STEPPED {
                let g = load(simd, &gradient[k]);
                let mut back = load(simd, &backs[k]);
                if PULLED {
                    back -= eight.w * pulling;
                }
                back += g * t;
                let (s, next_y) = eight.step::<PLAIN>(simd, (x, y), back);
                let next_x = x + s;
                if MOVED {
                    let (sum, apart) = two_sum(y, next_y);
                    let s_rest = (sum - s) + apart;
                    // If no contact acts, this is the same step; if one does, it takes up all that is left.
                    let (_, left) = two_sum(x, s);
                    (left + (load(simd, &place_rest[k]) + s_rest)).store_array(&mut place_rest[k]);
                    s_rest.store_array(&mut moved_rest[k]);
                    s.store_array(&mut moved[k]);
                    g.store_array(&mut met[k]);
                }
                (x, y) = (next_x, next_y);
                x.store_array(&mut place[k]);
                y.store_array(&mut speed[k]);
                totals.dissipated += eight.h * (s * s);
                if PULLED {
                    totals.pulled += (eight.w * pulling) * s;
                    totals.halfway += (x + y) * eight.w;
                }
            }
            let [back, g] = eight.look::<PULLED, PLAIN>(simd, (x, y), &mut sums);
            back.store_array(&mut backs[k]);
            g.store_array(&mut gradient[k]);
        }
        if PLAIN {
            sums[2] = (sums[1] - sums[0]) - sums[2];
        }
        sums
    }

    /// Gives the sums over a segment to the forms of its modes.
    #[inline(always)]
    fn give<S: Simd>(&mut self, simd: S, segment: usize, sums: [f64x8<S>; 5]) {
        match &self.curves.segments[segment].owner {
            Owner::One(form) => {
                for (lanes, sum) in self.lanes[*form].iter_mut().zip(sums) {
                    (load(simd, lanes) + sum).store_array(lanes);
                }
            }
            Owner::Each(forms) => {
                for (k, sum) in sums.into_iter().enumerate() {
                    let sum: [f64; LANES] = sum.into();
                    forms.iter().enumerate().for_each(|(lane, form)| self.lanes[*form][k][lane] += sum[lane]);
                }
            }
        }
    }
}
