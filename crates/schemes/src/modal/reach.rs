//! How long contacts stay out of reach: a bound on the motion along their rows, by the stored energy.
//!
//! Where coordinates of the weights pᵢ are changed by y in a step, and E is at least Σ pᵢyᵢ²,
//!
//!   |c·y| ≤ w √E,   w² = Σ cᵢ²/pᵢ
//!
//! by Cauchy's inequality. Contacts are met at points of the motion that are 2y apart from one step to the next. A contact that misses d
//! at one step need not be looked at again until the sum D of 2√E over the steps since then has grown by d/w. The same holds of the least gap
//! that was met: while nothing can come nearer than it did, it stays. So every step has the same result as if all rows were read, as long as
//! the rounding of c·x is less than [`MARGIN`] of what one step can move it: of modes with springs |x| ≤ √(2E/g), and it is some eps of
//! that. A free mass that has gone 10⁹ times as far as it goes in a step is known no better.
//!
//! E is what the modes store in full: what springs of contacts hold is given back to them only by steps in which contacts act.

use super::eights::LANES;
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{row::Row, stepper::Gaps};
use std::{ops::Range, sync::Arc};

/// By this part the sums are taken larger than they are, which makes up for the rounding of c·x and of the sums.
const MARGIN: f64 = 1e-6;
/// After so many steps the sum begins anew.
const ROUND: u32 = 4096;
/// So many neighbours are looked at together.
const BLOCK: usize = 16;

/// w² of a row c that is scaled by `scale`, p being `inertia`: what no mode has is taken as the least number.
pub(crate) fn square(row: &Row, scale: &[f64], inertia: &[f64]) -> f64 {
    let part = |i: usize, w: f64| (w * scale[i]) * (w * scale[i]) / inertia[i].max(f64::MIN_POSITIVE);
    row.entries().map(|(i, w)| part(i, w)).sum()
}

/// 2√E and [`MARGIN`] more.
fn pace(stored: f64) -> f64 {
    (2.0 + 2.0 * MARGIN) * stored.max(0.0).sqrt()
}

/// How far the motion along rows can have gone, and from where on a contact can matter: all that steps in which none does look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// D, and the number of steps in it.
    sum: f64,
    steps: u32,
    /// D from which on the next contact can matter.
    next: f64,
    /// 2√E of the last step, ∞ where it is not known.
    pace: f64,
}

impl Way {
    /// Where contacts are is not known: all are looked at in the next step.
    const START: Self = Self { sum: 0.0, steps: 0, next: 0.0, pace: f64::INFINITY };

    /// That of a bank without contacts.
    pub const WITHOUT_CONTACTS: Self = Self { next: f64::INFINITY, ..Self::START };

    /// Whether no contact can matter in this step.
    #[inline]
    pub fn none_due(&self) -> bool {
        self.sum < self.next
    }

    /// In the step that begins, speeds are changed by y from outside, √Σpy² being `size` at most, √J.
    #[inline]
    pub fn expect(&mut self, size: f64) {
        self.sum += pace(size * size);
    }

    /// So many steps have ended, with this energy of the modes or less, J.
    #[inline]
    pub fn advance_by(&mut self, steps: usize, stored: f64) {
        self.pace = pace(stored);
        self.sum += steps as f64 * self.pace;
        self.steps += steps as u32;
        // Where the energy has gone all but away, its steps would be lost in the rounding of the sum. Without contacts nothing is looked at.
        if self.steps >= ROUND || f64::EPSILON * self.sum > MARGIN * self.pace {
            *self = if self.next == f64::INFINITY { Self::WITHOUT_CONTACTS } else { Self::START };
        }
    }
}

/// When each of some contacts can next matter.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    level: Level,
    /// w of each, ∞ of one whose reference moves, and 1/w at the stiffnesses that count.
    widths: Arc<[f64]>,
    slowness: Vec<f64>,
    /// The least distances that were met.
    least: Vec<f64>,
    /// The way, with the least D of all.
    way: Way,
    /// D from which on each can matter, and the least of each [`BLOCK`].
    due: Vec<f64>,
    of_blocks: Vec<f64>,
    /// Which least gaps are asked for.
    gaps: Gaps,
}

impl Reach {
    /// Contacts with these w.
    pub fn new(widths: Vec<f64>) -> Self {
        Self {
            level: instructions::level(),
            slowness: widths.iter().map(|w| 1.0 / w).collect(),
            least: vec![f64::INFINITY; widths.len()],
            way: Way::START,
            due: vec![0.0; widths.len()],
            of_blocks: vec![0.0; widths.len().div_ceil(BLOCK)],
            gaps: Gaps::Since,
            widths: widths.into(),
        }
    }

    /// From now on these least gaps are asked for; whether they begin anew with that.
    pub fn ask_for(&mut self, gaps: Gaps) -> bool {
        let was_watched = self.is_watched();
        if std::mem::replace(&mut self.gaps, gaps) != gaps {
            self.forget();
        }
        let begins = was_watched != self.is_watched();
        if begins {
            self.restart();
        }
        begins
    }

    /// Whether least gaps are asked for.
    pub fn is_watched(&self) -> bool {
        self.gaps != Gaps::Never
    }

    /// The least gaps were asked for; whether they begin anew.
    pub fn watch(&mut self) -> bool {
        let begins = self.gaps != Gaps::SoFar;
        if begins {
            self.restart();
        }
        begins
    }

    /// All of them can matter at once: the state has been changed from outside.
    pub fn forget(&mut self) {
        self.way = Way::START;
        self.due.fill(0.0);
        self.of_blocks.fill(0.0);
    }

    /// The p of the modes are at least 1/`growth` of what they were at the beginning.
    pub fn grow(&mut self, growth: f64) {
        // w is a square root of Σc²/p.
        let growth = growth.sqrt();
        self.slowness.iter_mut().zip(self.widths.iter()).for_each(|(s, w)| *s = 1.0 / (w * growth));
        self.forget();
    }

    /// A step has ended with this energy of the modes, J.
    pub fn advance(&mut self, stored: f64) {
        self.advance_by(1, stored);
    }

    /// So many steps have ended, with this energy of the modes or less, J.
    pub fn advance_by(&mut self, steps: usize, stored: f64) {
        let mut way = self.way;
        way.advance_by(steps, stored);
        self.resume(way);
    }

    /// The way, for steps that are taken elsewhere.
    pub fn way(&self) -> Way {
        self.way
    }

    /// Takes back the way after steps that were taken elsewhere, in which no contact mattered.
    pub fn resume(&mut self, way: Way) {
        self.way = way;
        if way.steps == 0 {
            self.forget();
        }
    }

    /// In the step that begins, speeds are changed by y from outside, √Σpy² being `size` at most, √J.
    pub fn expect(&mut self, size: f64) {
        self.way.expect(size);
    }

    /// In how many steps from this one on no contact can matter while the modes' energy is at most this, J; up to `most`. None can in the first.
    pub fn free_steps(&self, stored: f64, most: usize) -> usize {
        // The conversion saturates, also at a pace of 0.
        most.min(((self.way.next - self.way.sum) / pace(stored)) as usize)
    }

    /// Whether no contact can matter in this step.
    #[inline]
    pub fn none_due(&self) -> bool {
        self.way.none_due()
    }

    /// Those of `among` that can matter in this step, in ascending order.
    pub fn due(&self, among: Range<usize>) -> impl Iterator<Item = usize> {
        // A block of which none is due is passed over whole.
        let near = (among.start / BLOCK..among.end.div_ceil(BLOCK))
            .filter(|block| self.way.sum >= self.of_blocks[*block]);
        let each = near
            .flat_map(move |block| (among.start.max(block * BLOCK))..(among.end.min((block + 1) * BLOCK)));
        each.filter(|k| self.way.sum >= self.due[*k])
    }

    /// Contact k misses `distance`, m: it matters where the motion along its row can have grown by as much.
    pub fn set(&mut self, k: usize, distance: f64) {
        let slowness = self.slowness[k];
        // What moves along with its reference is never out of reach.
        self.due[k] = self.way.sum + if distance > 0.0 && slowness > 0.0 { distance * slowness } else { 0.0 };
    }

    /// Contact k was met at this `distance`: for as much as lies between both it stays open, and the least distance what it is.
    pub fn meet(&mut self, k: usize, distance: f64) {
        if distance > 0.0 && distance < self.least[k] {
            self.least[k] = distance;
        }
        self.set(k, distance.min(distance - self.least[k]));
    }

    /// The same for as many as there are `gaps`, of which the distances are `gaps` less `places`; whether any is 0 or less.
    pub fn meet_all(&mut self, gaps: &[f64], places: &[f64]) -> bool {
        dispatch!(self.level, simd => self.met(simd, gaps, places))
    }

    #[inline(always)]
    fn met<S: Simd>(&mut self, simd: S, gaps: &[f64], places: &[f64]) -> bool {
        simd.vectorize(
            #[inline(always)]
            || {
                let (sum, mut any) = (self.way.sum, false);
                let contacts = self.due.iter_mut().zip(&mut self.least).zip(&self.slowness);
                for (((due, least), slowness), (gap, place)) in contacts.zip(gaps.iter().zip(places)) {
                    let distance = gap - place;
                    // Comparisons that keep one of two numbers are one instruction; f64::min would treat NaN apart.
                    let nearer = if distance > 0.0 { distance } else { f64::INFINITY };
                    *least = if nearer < *least { nearer } else { *least };
                    let apart = distance - *least;
                    let free = if apart < distance { apart } else { distance };
                    *due = sum + if free > 0.0 { free * slowness } else { 0.0 };
                    any |= distance <= 0.0;
                }
                any
            },
        )
    }

    /// Whether contact k is out of reach in this step by this distance alone, which is rounded otherwise than those of [`Reach::meet`]:
    /// then it matters again where the motion can have grown by as much; else nothing is changed.
    pub fn put_off(&mut self, k: usize, distance: f64) -> bool {
        let free = distance.min(distance - self.least[k]);
        // Two ways of reading differ by rounding, which the margin of a step is larger than.
        let steps = free * self.slowness[k] - MARGIN * self.way.pace;
        let is_off = steps > 0.0;
        if is_off {
            self.due[k] = self.way.sum + steps;
        }
        is_off
    }

    /// The least distance that contact k, not closed, was met at.
    pub fn least(&self, k: usize) -> f64 {
        if self.is_watched() { self.least[k] } else { f64::INFINITY }
    }

    /// Nothing was met so far.
    pub fn restart(&mut self) {
        // Nothing is nearer than −∞, and everything is infinitely far from there: contacts matter where they close alone.
        let none = if self.is_watched() { f64::INFINITY } else { f64::NEG_INFINITY };
        self.least.fill(none);
        self.forget();
    }

    /// Computes anew from which D on the next contact can matter, after those that were due have been set.
    pub fn settle(&mut self) {
        dispatch!(self.level, simd => self.settled(simd));
    }

    #[inline(always)]
    fn settled<S: Simd>(&mut self, simd: S) {
        simd.vectorize(
            #[inline(always)]
            || {
                for (first, due) in self.of_blocks.iter_mut().zip(self.due.chunks(BLOCK)) {
                    // Only where the first was due, one of the block can have been set anew.
                    if self.way.sum >= *first {
                        *first = earliest(due);
                    }
                }
                self.way.next = earliest(&self.of_blocks);
            },
        );
    }
}

/// The least of some numbers, none of which is NaN, eight side by side.
#[inline(always)]
fn earliest(due: &[f64]) -> f64 {
    let (mut lanes, (eights, rest)) = ([f64::INFINITY; LANES], due.as_chunks::<LANES>());
    for eight in eights {
        for (lane, due) in lanes.iter_mut().zip(eight) {
            *lane = if *due < *lane { *due } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f64::INFINITY, |least, due| if *due < least { *due } else { least })
}
