//! Eight coordinates at a time: the shape in which modes are kept.
//!
//! Nothing is fused and sums run in eight lanes: the same bits on every processor.

use hamiltone_numerics::aligned::{self, Aligned};

/// Coordinates side by side.
pub(crate) const LANES: usize = 8;

/// So many zeros, and some more up to a multiple of eight.
pub(crate) fn zeros(n: usize) -> Aligned {
    aligned::zeros(padded(n))
}

/// The next multiple of eight.
pub(crate) fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// A number of each of n coordinates, zeros behind them.
pub(crate) fn each(n: usize, of: impl Fn(usize) -> f64) -> Aligned {
    let mut values = zeros(n);
    values.iter_mut().take(n).enumerate().for_each(|(i, value)| *value = of(i));
    values
}

/// The numbers of `x`, whose length is a multiple of eight, eight at a time.
#[inline(always)]
pub(crate) fn eights(x: &[f64]) -> impl Iterator<Item = &[f64; LANES]> {
    x.as_chunks().0.iter()
}

/// The same, to be changed.
#[inline(always)]
pub(crate) fn eights_mut(x: &mut [f64]) -> impl Iterator<Item = &mut [f64; LANES]> {
    x.as_chunks_mut().0.iter_mut()
}
