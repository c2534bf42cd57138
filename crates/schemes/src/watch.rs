//! Whether any contact can be felt in a step, found without evaluating its law.
//!
//! A contact of onset x₀ is quiet where x ≤ x₀ at both ends of the step. Points of one body in a row, as a barrier
//! touches them, are watched by one loop over their coordinates.

use crate::touch::Touch;
use std::ops::Range;

/// What is watched.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    runs: Vec<Run>,
    others: Vec<usize>,
}

/// Contacts of consecutive coordinates with one weight c each.
#[derive(Clone, Debug)]
struct Run {
    dofs: Range<usize>,
    weight: f64,
    /// h + x₀: quiet where c q ≤ h + x₀.
    limits: Vec<f64>,
}

impl Watch {
    pub fn new(touches: &[Touch]) -> Self {
        let mut watch = Self { runs: Vec::new(), others: Vec::new() };
        for (j, touch) in touches.iter().enumerate() {
            let mut entries = touch.row.entries();
            let (Some((dof, weight)), None) = (entries.next(), entries.next()) else {
                watch.others.push(j);
                continue;
            };
            let limit = touch.gap + touch.onset;
            match watch.runs.last_mut() {
                Some(run) if run.dofs.end == dof && run.weight == weight => {
                    run.dofs.end += 1;
                    run.limits.push(limit);
                }
                _ => watch.runs.push(Run { dofs: dof..dof + 1, weight, limits: vec![limit] }),
            }
        }
        watch
    }

    /// Whether no contact is felt at q nor at q + 2w + 2θe, 2θ being `twice`.
    pub fn quiet(&self, touches: &[Touch], q: &[f64], w: &[f64], e: &[f64], twice: f64) -> bool {
        self.runs.iter().all(|run| run.quiet(q, w, e, twice))
            && self.others.iter().all(|&j| {
                let row = &touches[j].row;
                touches[j].silent(touches[j].penetration(q), 2.0 * row.dot(w) + twice * row.dot(e))
            })
    }
}

impl Run {
    fn quiet(&self, q: &[f64], w: &[f64], e: &[f64], twice: f64) -> bool {
        let dofs = || self.dofs.clone();
        let mut felt = false;
        for (((q, w), e), limit) in q[dofs()].iter().zip(&w[dofs()]).zip(&e[dofs()]).zip(&self.limits) {
            let (here, there) = (self.weight * q, self.weight * (q + (2.0 * w + twice * e)));
            felt |= (here > *limit) | (there > *limit);
        }
        !felt
    }
}
