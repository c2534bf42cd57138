//! The compliance G of some rows, shared by clones, or what others leave of it in a step.
//!
//!   G − Σₖ uₖuₖᵀ
//!
//! Where energies of the coordinates answer within the step that is solved (forms), every row feels less than its own compliance, and
//! that changes from step to step.

use std::{ops::Deref, sync::Arc};

/// G (P × P, row-major), or what is left of it.
#[derive(Clone, Debug)]
pub(crate) struct Compliance {
    given: Arc<[f64]>,
    /// Empty unless G is ever lowered.
    now: Vec<f64>,
}

impl Compliance {
    /// G itself.
    pub fn new(given: Vec<f64>) -> Self {
        Self { given: given.into(), now: Vec::new() }
    }

    /// Makes room to lower it.
    pub fn reserve(&mut self) {
        self.now = self.given.to_vec();
    }

    /// Becomes G − Σₖ uₖuₖᵀ of rows × columns, the numbers of u of a row (column) being those from `left`(i) (`right`(j)) on.
    ///
    /// # Panics
    /// Without [`Compliance::reserve`].
    pub fn lower<'a>(
        &mut self,
        columns: usize,
        left: impl Fn(usize) -> &'a [f64],
        right: impl Fn(usize) -> &'a [f64],
    ) {
        assert_eq!(self.now.len(), self.given.len(), "there is no room for another compliance");
        let rows = self.now.chunks_exact_mut(columns.max(1)).zip(self.given.chunks_exact(columns.max(1)));
        for (i, (now, given)) in rows.enumerate() {
            let own = left(i);
            for (j, (now, given)) in now.iter_mut().zip(given).enumerate() {
                *now = given - own.iter().zip(right(j)).map(|(u, v)| u * v).sum::<f64>();
            }
        }
    }
}

impl Deref for Compliance {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        if self.now.is_empty() { &self.given } else { &self.now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows and one u: G − uuᵀ, and from G anew each time.
    #[test]
    fn what_others_leave() {
        let mut compliance = Compliance::new(vec![2.0, 0.5, 0.5, 1.0]);
        compliance.reserve();
        for u in [[0.5, 0.25], [1.0, -0.5]] {
            compliance.lower(2, |i| &u[i..=i], |j| &u[j..=j]);
            let both = 0.5 - u[0] * u[1];
            assert_eq!(compliance[..], [2.0 - u[0] * u[0], both, both, 1.0 - u[1] * u[1]]);
        }
    }
}
