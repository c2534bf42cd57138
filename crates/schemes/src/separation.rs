//! Whether all contacts are separated during a step, found without evaluating their laws.
//!
//! A contact of onset x₀ is separated where x ≤ x₀ at both ends of the step. Points of one body in a row, as an
//! obstacle along it has them, are checked by one loop over their coordinates.

use crate::interaction::{ForceLaw, Interaction};
use fearless_simd::{Level, Simd, dispatch};
use std::ops::Range;

/// The contacts, in the form of the check.
#[derive(Clone, Debug)]
pub(crate) struct Separation {
    runs: Vec<PointRun>,
    others: Vec<usize>,
}

/// Contacts of consecutive coordinates with one weight c each.
#[derive(Clone, Debug)]
struct PointRun {
    dofs: Range<usize>,
    weight: f64,
    /// h + x₀: separated where c q ≤ h + x₀.
    limits: Vec<f64>,
}

impl Separation {
    /// The check for these interactions; those of `moving` have a reference that inputs move, so that their limits
    /// are not constant.
    pub fn new(interactions: &[Interaction], moving: impl Fn(&Interaction) -> bool) -> Self {
        let mut separation = Self { runs: Vec::new(), others: Vec::new() };
        for (j, interaction) in interactions.iter().enumerate() {
            let mut entries = interaction.row.entries();
            // Only a contact of one coordinate with a constant limit can be checked as c q ≤ h + x₀.
            let (ForceLaw::Compliant(_, onset), Some((dof, weight)), None, false) =
                (&interaction.law, entries.next(), entries.next(), moving(interaction))
            else {
                separation.others.push(j);
                continue;
            };
            let limit = interaction.gap + onset;
            match separation.runs.last_mut() {
                Some(run) if run.dofs.end == dof && run.weight == weight => {
                    run.dofs.end += 1;
                    run.limits.push(limit);
                }
                _ => separation.runs.push(PointRun { dofs: dof..dof + 1, weight, limits: vec![limit] }),
            }
        }
        separation
    }

    /// Whether no contact exerts a force at q nor at q + 2w + 2θe, 2θ being `twice`; `other` answers for interactions
    /// that are no part of a run, by their number.
    pub fn holds(
        &self,
        level: Level,
        motion: (&[f64], &[f64], &[f64]),
        twice: f64,
        other: impl Fn(usize) -> bool,
    ) -> bool {
        let separated = |run: &PointRun| -> bool {
            dispatch!(level, simd => simd.vectorize(#[inline(always)] || run.separated(motion, twice)))
        };
        self.runs.iter().all(separated) && self.others.iter().all(|&j| other(j))
    }
}

impl PointRun {
    #[inline(always)]
    fn separated(&self, (q, w, e): (&[f64], &[f64], &[f64]), twice: f64) -> bool {
        let dofs = || self.dofs.clone();
        // No early exit: the loop has no branch, so that it runs in vector registers.
        let mut closed = false;
        for (((q, w), e), limit) in q[dofs()].iter().zip(&w[dofs()]).zip(&e[dofs()]).zip(&self.limits) {
            let (here, there) = (self.weight * q, self.weight * (q + (2.0 * w + twice * e)));
            // A NaN compares false and counts as separated; the step then ends as non-finite.
            closed |= (here > *limit) | (there > *limit);
        }
        !closed
    }
}
