//! Eight coordinates at a time: the shape in which modes are kept, and how their sums are folded.
//!
//! Nothing is fused and sums run in eight lanes: the same bits on every processor.

/// Coordinates side by side.
pub(crate) const LANES: usize = 8;

/// The next multiple of eight.
pub(crate) fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
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

/// The sum of eight lanes, in a fixed order.
#[inline(always)]
pub(crate) fn fold(l: [f64; LANES]) -> f64 {
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
