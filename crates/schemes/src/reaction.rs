//! How the contacts of an implicit step answer its free increment: two linear solvers under one Newton.
//!
//! Few contacts, or contacts far apart in the numbering, are reduced to their own unknowns (Schur's complement,
//! [`SchurNewton`]): columns A⁻¹cⱼ are kept, a step costs contacts × coordinates. Where many lie inside the band,
//! as of a barrier along a string, the band itself is factored with them ([`BandedNewton`]).

use crate::touch::Touch;
use hamiltone_numerics::{
    banded_newton::BandedNewton,
    schur_newton::{Convergence, SchurNewton},
    woodbury::{Solver, UpdatedBand},
};

/// More contacts than this inside the band are a barrier: below, keeping columns is cheaper.
const FEW: usize = 8;

/// The contacts' solver.
pub(crate) enum Reaction {
    /// A⁻¹cⱼ, one vector a contact.
    Reduced { newton: Box<SchurNewton>, columns: Vec<Vec<f64>> },
    /// Contacts inside the band.
    BandedNewton(Box<BandedNewton>),
}

impl Reaction {
    /// The reaction of `touches` under the matrix A and its factors.
    pub fn new(matrix: &UpdatedBand, solver: &Solver, touches: &[Touch]) -> Self {
        let half = matrix.band.half_bandwidth();
        if touches.iter().filter(|t| t.row.spread() <= half).count() > FEW {
            let rows = touches.iter().map(|t| t.row.clone()).collect();
            return Reaction::BandedNewton(Box::new(BandedNewton::new(matrix.clone(), rows)));
        }
        let column = |t: &Touch| {
            let mut column = vec![0.0; matrix.band.size()];
            t.row.add_scaled(1.0, &mut column);
            solver.solve(&mut column);
            column
        };
        let columns: Vec<Vec<f64>> = touches.iter().map(column).collect();
        let compliance = touches.iter().flat_map(|t| columns.iter().map(|column| t.row.dot(column)));
        Reaction::Reduced { newton: Box::new(SchurNewton::new(touches.len(), compliance.collect())), columns }
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
            Reaction::Reduced { newton, columns } => {
                let outcome = newton.solve(penetration, free, law);
                if newton.multipliers.iter().any(|&y| y != 0.0) {
                    spread(columns, -1.0, &newton.multipliers, e);
                }
                outcome
            }
            Reaction::BandedNewton(barrier) => barrier.solve(penetration, free, e, law),
        }
    }

    /// y of the last solve.
    pub fn multipliers(&self) -> &[f64] {
        match self {
            Reaction::Reduced { newton, .. } => &newton.multipliers,
            Reaction::BandedNewton(barrier) => &barrier.multipliers,
        }
    }

    /// Whether contacts are solved for inside the band.
    pub fn inside(&self) -> bool {
        matches!(self, Reaction::BandedNewton(_))
    }

    /// Whether any contact pushes.
    pub fn touched(&self) -> bool {
        self.multipliers().iter().any(|&y| y != 0.0)
    }

    /// σ of the last solve.
    pub fn steps(&self) -> &[f64] {
        match self {
            Reaction::Reduced { newton, .. } => &newton.steps,
            Reaction::BandedNewton(barrier) => &barrier.steps,
        }
    }

    /// Moves the increment so that σ is met but for the rounding of `e`, which misses it by `miss` = σ − C(2w + e):
    /// G is rounded once and C A⁻¹Cᵀ never is the same, which would let the energy drift by its relative error
    /// times y² a step.
    pub fn settle_increment(&mut self, miss: &[f64], e: &mut [f64]) {
        if let Reaction::Reduced { newton, columns } = self {
            newton.settle(miss);
            spread(columns, 1.0, &newton.response, e);
            newton.multipliers.iter_mut().zip(&newton.response).for_each(|(y, r)| *y -= *r);
        }
    }

    /// Moves the step so that C s = `factor`·σ, of which it misses `miss` = σ − C s/`factor`: w⁺ rounds s to eps·|w|, Newton knows a
    /// stiff contact's σ to eps·|σ|.
    pub fn settle_step(&mut self, miss: &[f64], factor: f64, s: &mut [f64]) {
        if let Reaction::Reduced { newton, columns } = self {
            newton.settle(miss);
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
