//! Spectrum slicing: intervals that hold one eigenvalue, or several that are close, far from all others.
//!
//! Found by the number of eigenvalues below λ alone. Each cut lies in a gap: two counts on its sides agree.

use crate::pencil::Pencil;
use std::ops::Range;

/// A group is isolated where no other eigenvalue is within so many of its widths.
const ISOLATION: f64 = 4.0;
/// Larger groups are cut where they can be.
pub(super) const GROUP: usize = 4;
/// The counts are certain this far from an eigenvalue, relative to the norm of the band: some roundings of a factor.
const CERTAIN: f64 = 64.0 * f64::EPSILON;
/// Where an interval is cut, the first place that is far from any eigenvalue.
const CUTS: [f64; 7] = [0.5, 0.44, 0.57, 0.37, 0.64, 0.29, 0.72];

/// An interval that holds the eigenvalues of these indices.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
    pub indices: Range<usize>,
    /// No other eigenvalue is nearer below and above.
    pub gaps: [f64; 2],
}

/// The isolated intervals that hold the `count` lowest eigenvalues.
pub(super) fn groups(pencil: &Pencil<'_>, count: usize) -> Vec<Interval> {
    let bound = pencil.bound();
    let (low, high) = (-CERTAIN * bound, bound * (1.0 + CERTAIN));
    let mut groups = Vec::new();
    let all = Interval { low, high, indices: 0..pencil.size(), gaps: [f64::INFINITY; 2] };
    split(pencil, all, count, &mut groups);
    groups
}

/// Appends the isolated intervals that hold the eigenvalues of index below `count`.
fn split(pencil: &Pencil<'_>, interval: Interval, count: usize, groups: &mut Vec<Interval>) {
    let Interval { low, high, indices, .. } = &interval;
    if indices.is_empty() || indices.start >= count {
        return;
    }
    let (width, certain) = (high - low, CERTAIN * pencil.norm());
    if !(interval.isolated() && indices.len() <= GROUP) && width > 4.0 * certain {
        // A quarter of the mean distance at first, then narrower.
        let mut margin = 0.125 * width / (indices.len() + 1) as f64;
        while margin >= certain {
            if let Some([left, right]) = CUTS.iter().find_map(|cut| interval.cut(pencil, *cut, margin)) {
                split(pencil, left, count, groups);
                split(pencil, right, count, groups);
                return;
            }
            margin *= 0.25;
        }
    }
    groups.push(interval);
}

impl Interval {
    /// Whether no other eigenvalue is near.
    pub fn isolated(&self) -> bool {
        self.gaps.iter().all(|gap| *gap >= ISOLATION * (self.high - self.low))
    }

    /// Which of these ascending values are its own, rounded by less than half the gaps.
    pub fn own(&self, values: &[f64]) -> Range<usize> {
        let below = |limit: f64| values.iter().take_while(|value| **value < limit).count();
        below(self.low - 0.5 * self.gaps[0])..below(self.high + 0.5 * self.gaps[1])
    }

    /// Its parts below and above a place (0 to 1) that has no eigenvalue within `margin`.
    fn cut(&self, pencil: &Pencil<'_>, place: f64, margin: f64) -> Option<[Self; 2]> {
        let middle = self.low + place * (self.high - self.low);
        let [low, high] = [middle - margin, middle + margin];
        let Range { start, end } = self.indices;
        let index = pencil.count_below(low).clamp(start, end);
        if pencil.count_below(high).clamp(start, end) != index || low <= self.low || high >= self.high {
            return None;
        }
        let above = if index == end { self.gaps[1] + (self.high - low) } else { 2.0 * margin };
        let below = if index == start { self.gaps[0] + (high - self.low) } else { 2.0 * margin };
        let left = Self { high: low, indices: start..index, gaps: [self.gaps[0], above], ..*self };
        let right = Self { low: high, indices: index..end, gaps: [below, self.gaps[1]], ..*self };
        Some([left, right])
    }
}
