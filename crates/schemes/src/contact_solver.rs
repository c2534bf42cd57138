//! The forces of the elements in an implicit step, for its increment without them: two linear solvers under one
//! Newton iteration.
//!
//! Few contacts, or contacts far apart in the numbering, are reduced to their own unknowns (Schur's complement,
//! [`SchurNewton`]): columns A⁻¹cⱼ are kept, a step costs contacts × coordinates. Where many lie inside the band,
//! as of a barrier along a string, the band itself is factored with them ([`BandedNewton`]).

use crate::interaction::Interaction;
use hamiltone_numerics::{
    banded_newton::BandedNewton,
    schur_newton::{Convergence, SchurNewton},
    woodbury::{Solver, UpdatedBand},
};
use std::sync::Arc;

/// More contacts than this inside the band are solved with the band: below, keeping columns is cheaper.
const FEW: usize = 8;

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
        let half = matrix.band.half_bandwidth();
        if interactions.iter().filter(|t| t.row.spread() <= half).count() > FEW {
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
                if newton.multipliers.iter().any(|&y| y != 0.0) {
                    spread(columns, -1.0, &newton.multipliers, e);
                }
                outcome
            }
            ContactSolver::Banded(banded) => banded.solve(penetration, free, e, law),
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

    /// Moves the increment so that σ is met but for the rounding of `e`, which misses it by `miss` = σ − C(2w + e):
    /// G is rounded once and C A⁻¹Cᵀ never is the same, which would let the energy drift by its relative error
    /// times y² a step.
    pub fn correct_increment(&mut self, miss: &[f64], e: &mut [f64]) {
        if let ContactSolver::Reduced { newton, columns } = self {
            newton.correct(miss);
            spread(columns, 1.0, &newton.response, e);
            newton.multipliers.iter_mut().zip(&newton.response).for_each(|(y, r)| *y -= *r);
        }
    }

    /// Moves the step so that C s = `factor`·σ, of which it misses `miss` = σ − C s/`factor`: w⁺ rounds s to eps·|w|, Newton knows a
    /// stiff contact's σ to eps·|σ|.
    pub fn correct_step(&mut self, miss: &[f64], factor: f64, s: &mut [f64]) {
        if let ContactSolver::Reduced { newton, columns } = self {
            newton.correct(miss);
            spread(columns, factor, &newton.response, s);
        }
    }
}

/// x += a·A⁻¹Cᵀy.
fn spread(columns: &[Vec<f64>], a: f64, y: &[f64], x: &mut [f64]) {
    for (column, y) in columns.iter().zip(y) {
        x.iter_mut().zip(column).for_each(|(x, c)| *x += a * y * c);
    }
}
