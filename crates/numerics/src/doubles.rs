//! Many numbers to twice the digits, their high and their low parts in an array each: what lanes read.

use crate::{
    aligned::{Aligned, zeros},
    double::Double,
};
use std::ops::Range;

/// Numbers xᵢ = highᵢ + lowᵢ.
#[derive(Clone, Debug)]
pub struct Doubles {
    /// The high parts.
    pub high: Aligned,
    /// The low parts.
    pub low: Aligned,
}

/// Some of [`Doubles`], to be read.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The high parts.
    pub high: &'a [f64],
    /// The low parts.
    pub low: &'a [f64],
}

/// Some of [`Doubles`], to be changed.
#[derive(Debug)]
pub struct ViewMut<'a> {
    /// The high parts.
    pub high: &'a mut [f64],
    /// The low parts.
    pub low: &'a mut [f64],
}

impl Doubles {
    /// So many zeros.
    pub fn zero(size: usize) -> Self {
        Self { high: zeros(size), low: zeros(size) }
    }

    /// xᵢ.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Double {
        Double { high: self.high[i], low: self.low[i] }
    }

    /// xᵢ ← x.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: Double) {
        (self.high[i], self.low[i]) = (x.high, x.low);
    }

    /// Those of a range, to be read.
    pub fn part(&self, range: Range<usize>) -> View<'_> {
        View { high: &self.high[range.clone()], low: &self.low[range] }
    }

    /// Those of a range, to be changed.
    pub fn part_mut(&mut self, range: Range<usize>) -> ViewMut<'_> {
        ViewMut { high: &mut self.high[range.clone()], low: &mut self.low[range] }
    }

    /// Each rounded, into `rounded`.
    #[inline(always)]
    pub fn round(&self, rounded: &mut [f64]) {
        for ((rounded, high), low) in rounded.iter_mut().zip(self.high.iter()).zip(self.low.iter()) {
            *rounded = high + low;
        }
    }

    /// All of them, to be read.
    pub fn view(&self) -> View<'_> {
        View { high: &self.high, low: &self.low }
    }

    /// All of them, to be changed.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        ViewMut { high: &mut self.high, low: &mut self.low }
    }
}

impl<'a> View<'a> {
    /// Those of a range.
    #[inline(always)]
    pub fn part(self, range: Range<usize>) -> View<'a> {
        View { high: &self.high[range.clone()], low: &self.low[range] }
    }
}

impl View<'_> {
    /// xᵢ.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Double {
        Double { high: self.high[i], low: self.low[i] }
    }
}

impl ViewMut<'_> {
    /// xᵢ ← xᵢ + change.
    #[inline(always)]
    pub fn add(&mut self, i: usize, change: Double) {
        let mut sum = Double { high: self.high[i], low: self.low[i] };
        sum += change;
        (self.high[i], self.low[i]) = (sum.high, sum.low);
    }
}
