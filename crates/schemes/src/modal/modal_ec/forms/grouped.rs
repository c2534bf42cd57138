//! Which forms are solved together, and which of these stand side by side.
//!
//! Two forms with no mode in common have g₁·g₂ = 0: M falls apart into blocks. A form that has its modes for itself and a diagonal B is a block of one.

use super::{four::FOUR, scaled::ScaledForm};
use std::ops::Range;

/// Forms by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Groups {
    /// Of diagonal B, with no mode in common with another.
    pub alone: Vec<usize>,
    /// The others, by modes that they have in common, directly or through others.
    pub shared: Vec<Vec<usize>>,
}

impl Groups {
    /// Of these forms on so many coordinates.
    pub fn of(forms: &[ScaledForm], size: usize) -> Self {
        // The group of each form is named by one of its forms; so is the one that a coordinate has been met in.
        let mut group: Vec<usize> = (0..forms.len()).collect();
        let mut owner = vec![None; size];
        for (j, form) in forms.iter().enumerate() {
            for i in form.read_by() {
                let before: usize = *owner[i].get_or_insert(j);
                let (one, other) = (group[before], group[j]);
                if one != other {
                    group.iter_mut().filter(|name| **name == other).for_each(|name| *name = one);
                }
            }
        }
        let mut groups = Self::default();
        for name in 0..forms.len() {
            let of: Vec<usize> = (0..forms.len()).filter(|j| group[*j] == name).collect();
            match of[..] {
                [] => {}
                [j] if forms[j].is_diagonal() => groups.alone.push(j),
                _ => groups.shared.push(of),
            }
        }
        groups
    }
}

/// The forms in an order in which those of one four couple the same modes as far as they do: the first that is left, and with it those that add the fewest pairs
/// to what it has.
pub(super) fn side_by_side(all: &[ScaledForm], forms: &[usize], range: &Range<usize>) -> Vec<usize> {
    let size = range.len();
    let pattern = |form: &usize| {
        let mut bits = vec![0_u64; (size * size).div_ceil(64)];
        for (i, j, _) in all[*form].pairs() {
            let place = (i - range.start) * size + (j - range.start);
            bits[place / 64] |= 1 << (place % 64);
        }
        bits
    };
    let mut left: Vec<(usize, Vec<u64>)> = forms.iter().map(|form| (*form, pattern(form))).collect();
    let mut order = Vec::with_capacity(forms.len());
    let mut union: Vec<u64> = Vec::new();
    while !left.is_empty() {
        let next = if order.len() % FOUR == 0 {
            union = vec![0; left[0].1.len()];
            0
        } else {
            let added = |bits: &[u64]| {
                bits.iter().zip(&union).map(|(a, b): (&u64, &u64)| (a & !b).count_ones()).sum::<u32>()
            };
            (0..left.len()).min_by_key(|k| added(&left[*k].1)).unwrap_or(0)
        };
        let (form, bits) = left.remove(next);
        union.iter_mut().zip(&bits).for_each(|(all, bits)| *all |= bits);
        order.push(form);
    }
    order
}
