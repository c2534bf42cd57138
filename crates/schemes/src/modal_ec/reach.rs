//! How long rigid contacts stay out of reach: a bound on the motion along their rows, by the stored energy.
//!
//! A contact closes where c·U ≥ h, U = X + Y ([`super::bank`]). A step moves X by S = Y + Y⁺, and so
//!
//!   U⁺ − U = 2Y⁺,   |c·(U⁺ − U)| ≤ 2w √E⁺,   w² = Σ cᵢ²/pᵢ
//!
//! by Cauchy's inequality, as E = Σ (pY² + ½gX²). A contact that misses d at one step need not be looked at again until
//! the sum D of 2√E over the steps since then has grown by d/w. The same holds of the least gap that was met: while nothing
//! can come nearer than it did, it stays. So every step has the same result as if all rows were read, as long as the rounding of c·U is
//! less than [`MARGIN`] of what one step can move it: of modes with springs |X| ≤ √(2E/g), and it is some eps of that. A free mass that
//! has gone 10⁹ times as far as it goes in a step is known no better.

use std::sync::Arc;

/// By this part the sums are taken larger than they are, which makes up for the rounding of c·U and of the sums.
const MARGIN: f64 = 1e-6;
/// After so many steps the sum begins anew.
const ROUND: u32 = 4096;
/// For so many steps after the least gaps began anew all contacts are looked at: whoever asks for them at every sample would let each
/// approach count, and the bounds would cost more than they save.
const WATCHED: u32 = 64;

/// When each of some rigid contacts can next matter.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// w of each, ∞ of one whose reference moves.
    widths: Arc<[f64]>,
    /// By how much they are larger since stiffnesses were changed.
    growth: f64,
    /// D, and the number of steps in it.
    sum: f64,
    steps: u32,
    /// D from which on each can matter, and the least of them.
    due: Vec<f64>,
    next: f64,
    /// For so many steps all of them matter.
    watched: u32,
}

impl Reach {
    /// Contacts with these w.
    pub fn new(widths: Vec<f64>) -> Self {
        let due = vec![0.0; widths.len()];
        Self { widths: widths.into(), growth: 1.0, sum: 0.0, steps: 0, due, next: 0.0, watched: 0 }
    }

    /// The least gaps begin anew.
    pub fn watch(&mut self) {
        self.forget();
        self.watched = WATCHED;
    }

    /// Whether bounds are worth their price.
    pub fn is_bounded(&self) -> bool {
        self.watched == 0
    }

    /// All of them can matter at once: the state has been changed from outside.
    pub fn forget(&mut self) {
        (self.sum, self.steps, self.next) = (0.0, 0, 0.0);
        self.due.fill(0.0);
    }

    /// The p of the modes are at least 1/`growth` of what they were at the beginning.
    pub fn grow(&mut self, growth: f64) {
        self.growth = growth.sqrt();
        self.forget();
    }

    /// A step has ended with this energy of the modes, J.
    pub fn advance(&mut self, stored: f64) {
        if self.watched > 0 {
            self.watched -= 1;
            return;
        }
        self.sum += (2.0 + 2.0 * MARGIN) * stored.sqrt();
        self.steps += 1;
        if self.steps == ROUND {
            self.forget();
        }
    }

    /// Whether no contact can matter in this step.
    #[inline]
    pub fn none_due(&self) -> bool {
        self.sum < self.next
    }

    /// Whether contact k can matter in this step.
    pub fn is_due(&self, k: usize) -> bool {
        self.sum >= self.due[k]
    }

    /// Contact k misses `distance`, m: it matters where c·U has grown by as much.
    pub fn set(&mut self, k: usize, distance: f64) {
        let steps = if distance > 0.0 { distance / (self.widths[k] * self.growth) } else { 0.0 };
        self.due[k] = self.sum + steps;
    }

    /// Sees which is due first, when those that were due have been set.
    pub fn settle(&mut self) {
        self.next = self.due.iter().copied().fold(f64::INFINITY, f64::min);
    }
}
