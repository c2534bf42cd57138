//! The forces of the elements in an implicit step, for its increment without them: two linear solvers under one
//! Newton iteration.
//!
//! Few contacts, or contacts far apart in the numbering, are reduced to their own unknowns (Schur's complement,
//! [`SchurNewton`]): columns A⁻¹cⱼ are kept, a step costs contacts × coordinates. Where many lie inside the band,
//! as of a barrier along a string, the band itself is factored with them ([`BandedNewton`]).

use crate::{contact, interaction::Interaction};
use hamiltone_core::refusal::Refusal;
use hamiltone_numerics::{
    banded_newton::BandedNewton,
    schur_newton::{Convergence, SchurNewton},
    woodbury::{Solver, UpdatedBand},
};
use std::sync::Arc;

/// More contacts than this inside the band are solved with the band: below, keeping columns is cheaper.
const FEW: usize = 8;

/// Where rigid contacts and force laws act in one step: the sets of pushing contacts that are tried, the turns of both that
/// follow, and the iterations of all before the step is given up.
pub(crate) const MAX_SETS: u32 = 30;
pub(crate) const MAX_TURNS: u32 = 200;
pub(crate) const MAX_ITERATIONS: u32 = 50_000;

/// The solver of the force laws.
#[derive(Clone, Debug)]
pub(crate) enum ContactSolver {
    /// A⁻¹cⱼ, one vector a contact.
    Reduced { newton: Box<SchurNewton>, columns: Arc<[Vec<f64>]> },
    /// Contacts inside the band.
    Banded(Box<BandedNewton>),
}

impl ContactSolver {
    /// The solver of `interactions` under the matrix A and its factors.
    pub fn new(matrix: &UpdatedBand, solver: &Solver, interactions: &[Interaction]) -> Self {
        // The refactorisation inside the band costs O(n b²) in each iteration, where columns cost O(n) a contact.
        if inside(matrix, interactions) > FEW {
            let rows = interactions.iter().map(|t| t.row.clone()).collect();
            return ContactSolver::Banded(Box::new(BandedNewton::new(matrix.clone(), rows)));
        }
        let column = |t: &Interaction| {
            let mut column = vec![0.0; matrix.band.size()];
            t.row.add_scaled(1.0, &mut column);
            solver.solve(&mut column);
            column
        };
        let columns: Vec<Vec<f64>> = interactions.iter().map(column).collect();
        let compliance = interactions.iter().flat_map(|t| columns.iter().map(|column| t.row.dot(column)));
        ContactSolver::Reduced {
            newton: Box::new(SchurNewton::new(interactions.len(), compliance.collect())),
            columns: columns.into(),
        }
    }

    /// The multipliers y for `law`, and −A⁻¹Cᵀy added to `e`.
    pub fn solve(
        &mut self,
        penetration: &[f64],
        free: &[f64],
        e: &mut [f64],
        law: impl FnMut(usize, f64) -> (f64, f64),
    ) -> Convergence {
        match self {
            ContactSolver::Reduced { newton, columns } => {
                let outcome = newton.solve(penetration, free, law);
                // An open step adds nothing to e, so that its bits are those of a step without contacts.
                if newton.multipliers.iter().any(|&y| y != 0.0) {
                    spread(columns, -1.0, &newton.multipliers, e);
                }
                outcome
            }
            ContactSolver::Banded(banded) => banded.solve(penetration, free, e, law),
        }
    }

    /// Makes ready for [`ContactSolver::solve_condensed`]: A⁻¹cⱼ of each contact, where they are kept.
    pub fn reserve_change(&mut self) -> Option<&[Vec<f64>]> {
        match self {
            ContactSolver::Reduced { newton, columns } => {
                newton.reserve_change();
                Some(columns)
            }
            ContactSolver::Banded(_) => None,
        }
    }

    /// The multipliers where others that are eliminated change the compliance and the ways without forces, as `condense`
    /// writes them; the number of iterations. Contacts inside the band are left as they are.
    pub fn solve_condensed(
        &mut self,
        penetration: &[f64],
        ways: &mut [f64],
        law: impl FnMut(usize, f64) -> (f64, f64),
        condense: impl FnOnce(&mut [f64], &mut [f64]),
    ) -> u32 {
        let ContactSolver::Reduced { newton, .. } = self else { return 0 };
        condense(newton.changed(), ways);
        // The changed matrix is used until it is restored: the next step starts from the compliance of all coordinates.
        let outcome = newton.solve(penetration, ways, law);
        newton.restore();
        outcome.iterations
    }

    /// e −= A⁻¹Cᵀy, where the columns are kept.
    pub fn add_to(&self, e: &mut [f64]) {
        if let ContactSolver::Reduced { newton, columns } = self {
            spread(columns, -1.0, &newton.multipliers, e);
        }
    }

    /// y of the last solve.
    pub fn multipliers(&self) -> &[f64] {
        match self {
            ContactSolver::Reduced { newton, .. } => &newton.multipliers,
            ContactSolver::Banded(banded) => &banded.multipliers,
        }
    }

    /// Whether contacts are solved for inside the band.
    pub fn inside(&self) -> bool {
        matches!(self, ContactSolver::Banded(_))
    }

    /// Whether any force is not 0.
    pub fn any_force(&self) -> bool {
        self.multipliers().iter().any(|&y| y != 0.0)
    }

    /// σ of the last solve.
    pub fn steps(&self) -> &[f64] {
        match self {
            ContactSolver::Reduced { newton, .. } => &newton.steps,
            ContactSolver::Banded(banded) => &banded.steps,
        }
    }

    /// ∂y/∂σ of each law at the last solve, which may have been in an earlier step.
    pub fn slopes(&self) -> &[f64] {
        match self {
            ContactSolver::Reduced { newton, .. } => &newton.slope,
            ContactSolver::Banded(banded) => &banded.slope,
        }
    }

    /// x ← (A + CᵀDC)⁻¹x with the slopes D of the last solve, in which a law has answered; `solve` is A⁻¹, and `ways` has a number for each of the
    /// contacts with these rows.
    pub fn apply(
        &mut self,
        interactions: &[Interaction],
        ways: &mut [f64],
        x: &mut [f64],
        solve: impl FnOnce(&mut [f64]),
    ) {
        match self {
            ContactSolver::Reduced { newton, columns } => {
                solve(x);
                ways.iter_mut().zip(interactions).for_each(|(way, t)| *way = t.row.dot(x));
                newton.respond(ways);
                spread(columns, -1.0, &newton.response, x);
            }
            ContactSolver::Banded(banded) => banded.apply(x),
        }
    }

    /// Moves the increment so that σ is met but for the rounding of `e`, which misses it by `miss` = σ − C(2w + e):
    /// G is rounded once and C A⁻¹Cᵀ never is the same, which would let the energy drift by its relative error
    /// times y² a step.
    pub fn correct_increment(&mut self, miss: &[f64], e: &mut [f64]) {
        if let ContactSolver::Reduced { newton, columns } = self {
            // y and e change together, so that C(2w + e) and y satisfy the same linear system.
            newton.correct(miss);
            spread(columns, 1.0, &newton.response, e);
            newton.multipliers.iter_mut().zip(&newton.response).for_each(|(y, r)| *y -= *r);
        }
    }
}

/// The number of contacts whose rows lie inside the band.
fn inside(matrix: &UpdatedBand, interactions: &[Interaction]) -> usize {
    let half = matrix.band.half_bandwidth();
    interactions.iter().filter(|t| t.row.spread() <= half).count()
}

/// Refuses more contacts outside the band than memory holds: each keeps a column, and is kept with each other.
pub(crate) fn few_enough(
    scheme: &'static str,
    matrix: &UpdatedBand,
    interactions: &[Interaction],
) -> Result<(), Refusal> {
    let inside = inside(matrix, interactions);
    // Few contacts inside the band keep columns as well, so that they count as those outside.
    let columns = interactions.len() - if inside > FEW { inside } else { 0 };
    contact::fit(scheme, columns, columns.saturating_mul(2 * columns + matrix.band.size()))
}

/// x += a·A⁻¹Cᵀy.
fn spread(columns: &[Vec<f64>], a: f64, y: &[f64], x: &mut [f64]) {
    for (column, y) in columns.iter().zip(y).filter(|(_, y)| **y != 0.0) {
        x.iter_mut().zip(column).for_each(|(x, c)| *x += a * y * c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interaction::ForceLaw;
    use hamiltone_core::{element::Compliant, identity::Identity, potential::Potential, row::Row};
    use hamiltone_numerics::banded::Band;

    #[derive(Debug)]
    struct UnitSpring;

    impl Potential for UnitSpring {
        fn identity(&self) -> Identity {
            Identity::of("spring")
        }
        fn energy(&self, x: f64) -> f64 {
            0.5 * x * x
        }
        fn force(&self, x: f64) -> f64 {
            x
        }
        fn curvature(&self, _: f64) -> f64 {
            1.0
        }
        fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
            (x + 0.5 * s, 0.5)
        }
    }

    /// Of 20 000 contacts those along a band need no column each, and those between far coordinates do.
    #[test]
    fn contacts_outside_the_band_are_limited() {
        let fits = |reach: usize| {
            let matrix = UpdatedBand { band: Band::zero(40_000, 1), far: Vec::new() };
            let law = ForceLaw::Compliant(Compliant::new(UnitSpring), f64::NEG_INFINITY);
            let of = |i| Interaction {
                element: i,
                row: Row::Sparse(vec![(i, 1.0), (i + reach, -1.0)]),
                gap: 0.0,
                law: law.clone(),
            };
            few_enough("ec", &matrix, &(0..20_000).map(of).collect::<Vec<_>>())
        };
        assert!(fits(1).is_ok());
        let refusal = fits(20_000).unwrap_err().to_string();
        assert!(
            refusal.contains("20000 contacts: their compliances would take 12.8 GB, more than 1.1 GB"),
            "{refusal}"
        );
    }
}
