//! Spectrum slicing: intervals that hold one eigenvalue, or several that are close, far from all others.
//!
//! Found by the number of eigenvalues below λ alone. Each cut lies in a gap: two counts on its sides agree. All intervals that are
//! still to be cut are counted together, eight counts at a time. Where one is cut does not depend on the others, nor on how many
//! eigenvalues are wanted: the vectors of a degenerate group are the same ones whatever else is found.

use crate::{
    lanes::LANES,
    pencil::Pencil,
    shifted_bands::{Eight, ShiftedBands},
};
use std::ops::Range;

/// A group is isolated where no other eigenvalue is within so many of its widths.
const ISOLATION: f64 = 4.0;
/// Larger groups are cut where they can be. The two rigid motions of a free body cannot.
const GROUP: usize = 2;
/// The counts are certain this far from an eigenvalue, relative to the norm of the band: some roundings of a factor.
pub(super) const CERTAIN: f64 = 64.0 * f64::EPSILON;
/// Where an interval is cut, the first place that is far from any eigenvalue.
const CUTS: [f64; 7] = [0.5, 0.44, 0.57, 0.37, 0.64, 0.29, 0.72];
/// Where the lowest interval is cut first, at all of these: the lowest eigenvalues of a grid are a very small part of its largest.
const DESCENT: [f64; LANES / 2] = [0.5, 1.0 / 16.0, 1.0 / 256.0, 1.0 / 4096.0];

/// An interval that holds the eigenvalues of these indices.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
    pub indices: Range<usize>,
    /// No other eigenvalue is nearer below and above.
    pub gaps: [f64; 2],
}

/// The isolated intervals that hold the `count` lowest eigenvalues, ascending.
pub(super) fn groups(pencil: &Pencil<'_>, count: usize) -> Vec<Interval> {
    let (bound, certain) = (pencil.bound(), CERTAIN * pencil.norm());
    // Rounding may put the lowest eigenvalue below 0, and the highest above the bound.
    let (low, high) = (-CERTAIN * bound, bound * (1.0 + CERTAIN));
    let mut groups = Vec::new();
    let mut counter = Counter::new(pencil);
    // Intervals, and how often each was cut in vain.
    let mut open = vec![(Interval { low, high, indices: 0..pencil.size(), gaps: [f64::INFINITY; 2] }, 0)];
    while !open.is_empty() {
        let mut cuts = Vec::with_capacity(open.len());
        open.retain(|(interval, tried)| {
            let own = interval.cuts(*tried, certain);
            if own.is_empty() {
                groups.push(interval.clone());
                return false;
            }
            cuts.push(own);
            true
        });
        let sides: Vec<f64> = cuts.iter().flatten().flatten().copied().collect();
        let mut counts = counter.below(&sides).into_iter();
        let mut next = Vec::with_capacity(2 * open.len());
        for ((interval, tried), cuts) in open.into_iter().zip(cuts) {
            let start = next.len();
            let mut rest = interval;
            for [left, right] in cuts {
                let both = [counts.next(), counts.next()];
                if let Some(below) = rest.cut(left, right, both) {
                    next.push((below, 0));
                }
            }
            let tried = if next.len() == start { tried + 1 } else { 0 };
            next.push((rest, tried));
        }
        // Intervals above the wanted ones are dropped whole, so that `count` has no effect on the cuts of the others.
        next.retain(|(interval, _)| !interval.indices.is_empty() && interval.indices.start < count);
        open = next;
    }
    groups.sort_by_key(|group| group.indices.start);
    groups
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

    /// The sides of the next cuts to try, ascending and apart; none where it is a group, or cannot be cut.
    fn cuts(&self, tried: usize, certain: f64) -> Vec<[f64; 2]> {
        let (width, mut cuts) = (self.high - self.low, Vec::with_capacity(DESCENT.len()));
        if (self.isolated() && self.indices.len() <= GROUP) || width <= 4.0 * certain {
            return cuts;
        }
        // A quarter of the mean distance at first, then narrower.
        let usual = 0.125 * width / (self.indices.len() + 1) as f64;
        let descends = tried == 0 && self.indices.start == 0;
        let places = if descends { DESCENT.len() } else { 1 };
        for k in 0..places {
            // Every round through all places has a quarter of the margin; the limit of 62 keeps the shift within its type.
            let narrower = 1.0 / (1_u64 << (2 * ((tried + k) / CUTS.len())).min(62)) as f64;
            let (place, margin) = if descends {
                (DESCENT[k], usual.min(0.25 * DESCENT[k] * width))
            } else {
                (CUTS[(tried + k) % CUTS.len()], usual * narrower)
            };
            let middle = self.low + place * width;
            let [left, right] = [middle - margin, middle + margin];
            let apart = cuts.iter().all(|[low, high]| right < *low || *high < left);
            if margin >= certain && left > self.low && right < self.high && apart {
                cuts.push([left, right]);
            }
        }
        cuts.sort_by(|a, b| a[0].total_cmp(&b[0]));
        cuts
    }

    /// Cuts off its part below a place that has no eigenvalue between its two sides: with so many eigenvalues below each.
    fn cut(&mut self, left: f64, right: f64, counts: [Option<usize>; 2]) -> Option<Self> {
        let Range { start, end } = self.indices;
        // Counts near an eigenvalue are uncertain: they may not take indices of other intervals.
        let [index, other] = counts.map(|count| count.unwrap_or(end).clamp(start, end));
        if index != other {
            return None;
        }
        let between = right - left;
        // Where no eigenvalue is left on one side of the cut, the gap there reaches to the next interval.
        let above = if index == end { self.gaps[1] + (self.high - left) } else { between };
        let below = if index == start { self.gaps[0] + (right - self.low) } else { between };
        let part = Self { high: left, indices: start..index, gaps: [self.gaps[0], above], ..*self };
        *self = Self { low: right, indices: index..end, gaps: [below, self.gaps[1]], ..*self };
        Some(part)
    }
}

/// Counts eigenvalues, eight counts at a time where the matrix is a narrow band.
struct Counter<'a> {
    pencil: &'a Pencil<'a>,
    eight: Option<ShiftedBands>,
}

impl<'a> Counter<'a> {
    fn new(pencil: &'a Pencil<'a>) -> Self {
        Self { pencil, eight: pencil.narrow_band().map(ShiftedBands::new) }
    }

    /// The number of eigenvalues below each of these.
    fn below(&mut self, lambdas: &[f64]) -> Vec<usize> {
        let (Some(eight), Some(band)) = (&mut self.eight, self.pencil.narrow_band()) else {
            return lambdas.iter().map(|lambda| self.pencil.count_below(*lambda)).collect();
        };
        let mut counts = Vec::with_capacity(lambdas.len());
        for lambdas in lambdas.chunks(LANES) {
            // Lanes behind the last shift repeat the first one; their counts are dropped.
            let mut shifts: Eight = [lambdas[0]; LANES];
            shifts[..lambdas.len()].copy_from_slice(lambdas);
            eight.factor(band, &shifts);
            counts.extend_from_slice(&eight.negative()[..lambdas.len()]);
        }
        counts
    }
}
