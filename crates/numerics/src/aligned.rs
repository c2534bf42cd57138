//! Arrays that begin at a cache line.
//!
//! Eight numbers in a wide register are a line of 64 bytes. Where an array begins elsewhere, as an allocator places it, every load and
//! store of eight touches two lines: loops in wide registers take up to 1.6 times as long.

use std::ops::{Deref, DerefMut};

/// The bytes of a cache line.
const LINE: usize = 64;
/// The largest offset to a cache line, in numbers.
const OFFSET: usize = LINE / size_of::<f64>() - 1;

/// An array of fixed length that begins at a cache line.
#[derive(Debug)]
pub struct Aligned {
    /// Zeros up to the line, then the numbers. It never grows, so that it is never moved.
    buffer: Vec<f64>,
    first: usize,
}

/// Copies `values` into an array that begins at a cache line.
///
/// ```
/// let x = hamiltone_numerics::aligned::aligned([1.0, 2.0]);
/// assert_eq!((&x[..], x.as_ptr().align_offset(64)), (&[1.0, 2.0][..], 0));
/// ```
pub fn aligned(values: impl IntoIterator<IntoIter: ExactSizeIterator<Item = f64>>) -> Aligned {
    let values = values.into_iter();
    let mut buffer: Vec<f64> = Vec::with_capacity(values.len() + OFFSET);
    // Where the offset is not known, the array is not aligned, which costs time and nothing else.
    let first = buffer.as_ptr().align_offset(LINE).min(OFFSET);
    // The capacity holds both parts, so that neither call moves the buffer and the offset stays right.
    buffer.resize(first, 0.0);
    buffer.extend(values);
    Aligned { buffer, first }
}

/// n zeros, from a cache line on.
pub fn zeros(n: usize) -> Aligned {
    aligned(std::iter::repeat_n(0.0, n))
}

impl Deref for Aligned {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        &self.buffer[self.first..]
    }
}

impl DerefMut for Aligned {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.buffer[self.first..]
    }
}

/// A copy lies elsewhere, and begins at a line there.
impl Clone for Aligned {
    fn clone(&self) -> Self {
        aligned(self.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any length, copied and moved.
    #[test]
    fn arrays_begin_at_a_line() {
        for n in [0, 1, 7, 8, 9, 1000] {
            let x = aligned((0..n).map(|i| i as f64));
            let copies: Vec<Aligned> = (0..20).map(|_| x.clone()).collect();
            for copy in copies.into_iter().chain([x]) {
                assert_eq!(copy.as_ptr() as usize % LINE, 0);
                assert!(copy.len() == n && copy.iter().enumerate().all(|(i, x)| *x == i as f64));
            }
        }
    }
}
