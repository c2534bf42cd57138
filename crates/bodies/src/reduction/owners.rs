//! Which of many parts, each a run of coordinates, some coordinates belong to: looked up, not searched, so that a system
//! of n independent bodies takes n look-ups.

use std::ops::Range;

/// The parts that each coordinate belongs to.
#[derive(Clone, Debug)]
pub struct Owners {
    /// Where the parts of each coordinate begin in `parts`; one more at the end.
    starts: Vec<usize>,
    parts: Vec<usize>,
}

impl Owners {
    /// Of parts with these coordinates, numbered in their order; what is beyond `size` coordinates is left out.
    pub fn new(size: usize, dofs: impl Iterator<Item = Range<usize>> + Clone) -> Self {
        let within = |dofs: Range<usize>| dofs.start..dofs.end.min(size);
        let mut starts = vec![0; size + 1];
        dofs.clone().flat_map(within).for_each(|dof| starts[dof + 1] += 1);
        (0..size).for_each(|dof| starts[dof + 1] += starts[dof]);
        let (mut next, mut parts) = (starts.clone(), vec![0; starts[size]]);
        for (part, dofs) in dofs.enumerate() {
            for dof in within(dofs) {
                parts[next[dof]] = part;
                next[dof] += 1;
            }
        }
        Self { starts, parts }
    }

    /// The parts to which any of these coordinates belongs, ascending.
    pub fn of(&self, dofs: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for &dof in dofs {
            let parts = &self.parts[self.starts[dof]..self.starts[dof + 1]];
            #[cfg(test)]
            LOOKUPS.set(LOOKUPS.get() + 1 + parts.len());
            // Neighbours mostly belong to the same part.
            if found.last() != parts.last() || parts.len() > 1 {
                found.extend(parts);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
thread_local! {
    /// What was looked at, for tests that count it.
    pub(super) static LOOKUPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_share_coordinates_and_have_none() {
        let owners = Owners::new(5, [0..2, 2..2, 1..4, 3..4].into_iter());
        assert_eq!(owners.of(&[0]), [0]);
        assert_eq!(owners.of(&[1]), [0, 2]);
        assert_eq!(owners.of(&[0, 1, 3]), [0, 2, 3]);
        assert_eq!(owners.of(&[4]), [] as [usize; 0]);
    }
}
