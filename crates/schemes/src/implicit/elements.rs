//! What elements make of a free increment e: rigid contacts by impulses y_R, others by the forces y_Y of their laws.
//!
//!   e = e_free − A⁻¹C_Rᵀy_R − A⁻¹C_Yᵀy_Y
//!
//! Each is solved with the other's forces as they are until nothing changes; the force laws last, so that their energy is
//! kept in any case. In turns that takes the longer the stronger they are coupled, as of a finger on a string beside a
//! fret. So the contacts S that push are eliminated first,
//!
//!   σ = σ_free + G_YS G_SS⁻¹ b_S − (G_YY − G_YS G_SS⁻¹ G_SY) y_Y,   G = C A⁻¹ Cᵀ
//!
//! and the force laws solved alone; their forces show which contacts push, until these are the same. What the impulses
//! miss in the turns that follow is rounding. Force laws inside the band have no G of their own, and
//! are solved in turns alone.

use super::{
    constants::ImplicitConstants,
    kernel::{Kernel, Scratch},
    rigid::RigidContacts,
    stepper,
};
use crate::contact_solver::{ContactSolver, MAX_ITERATIONS, MAX_SETS, MAX_TURNS};
use hamiltone_core::ledger::{Effort, Fault};

impl Kernel {
    /// Solves for the elements and adds −A⁻¹Cᵀy to e.
    pub(super) fn element_increment(&mut self, c: &ImplicitConstants, input: &[f64]) -> Effort {
        self.state.forces.fill(0.0);
        if !self.rigid.close(&self.state.q, &self.state.w) {
            return self.force_law_increment(c);
        }
        // Each turn starts from the increment without contacts, so that rounding does not accumulate over turns.
        self.scratch.alone.copy_from_slice(&self.scratch.e);
        let mut effort = Effort::default();
        let mut excess = f64::INFINITY;
        let (mut tried, mut eliminated) = (false, false);
        for turn in 0..MAX_TURNS {
            if effort.iterations > MAX_ITERATIONS {
                break;
            }
            let outcome = self.rigid.solve(&self.state.w, &self.scratch.e);
            effort.iterations += outcome.iterations;
            excess = outcome.excess;
            // The first turn after an elimination, whether it found the pushing contacts or not, solves the force laws for the
            // impulses as they are.
            let begun = turn > u32::from(tried);
            if begun && !self.rigid.changed() {
                break;
            }
            self.scratch.e.copy_from_slice(&self.scratch.alone);
            self.rigid.add_to(&mut self.scratch.e);
            self.scratch.any_force = false;
            if c.corrections > 0 {
                self.correct_free(c, input);
            }
            let soft = self.force_law_increment(c);
            effort = Effort { iterations: effort.iterations + soft.iterations, ..soft };
            // The impulses of the next turn are to see what stiff springs make of the contacts' forces.
            if c.corrections > 0 && self.scratch.any_force && !self.solver.inside() {
                self.correct_free(c, input);
                self.correct_increment(c);
            }
            // A column A⁻¹c is known to eps times A's condition: where that is large, once more with what it missed.
            if !self.scratch.any_force && turn >= c.corrections {
                break;
            }
            if eliminated && turn > c.corrections {
                let missed = self.rigid.excess(&self.state.w, &self.scratch.e);
                excess = excess.max(missed);
                if excess <= 1.0 {
                    break;
                }
            }
            // 2 means not converged, should this be the last turn.
            excess = excess.max(if self.scratch.any_force { 2.0 } else { 0.0 });
            if turn == 0 && self.scratch.any_force && !self.solver.inside() {
                tried = true;
                (eliminated, effort.iterations) = self.eliminate(c, effort.iterations);
            }
        }
        self.rigid.forces(0.5 * c.dt2, &mut self.state.forces);
        effort.fault = effort.fault.or((excess > 1.0).then_some(Fault::NotConverged(excess)));
        effort
    }

    /// The increment with the impulses and forces of both, by elimination: whether the pushing contacts were found, and the
    /// `iterations` so far and of these.
    fn eliminate(&mut self, c: &ImplicitConstants, mut iterations: u32) -> (bool, u32) {
        self.scratch.e.copy_from_slice(&self.scratch.alone);
        self.free_ways(c);
        let (mut found, w) = (false, &self.state.w);
        let Scratch { e, alone, x, free, ways, pressed, pressed_before, controls, .. } = &mut self.scratch;
        self.rigid.pressed(pressed);
        for _ in 0..MAX_SETS {
            if iterations > MAX_ITERATIONS {
                break;
            }
            let law = |j: usize, sigma: f64| {
                stepper::force(c, &c.interactions[j].law, x[j], c.twice * sigma, controls[j])
            };
            iterations += self.solver.solve_condensed(x, ways, law, |matrix, ways| {
                self.rigid.condense(pressed, (w, alone), matrix, ways);
                ways.iter_mut().zip(&*free).for_each(|(way, free)| *way += free);
            });
            // The impulses are solved for with the forces in e, since the sign of each then shows whether it pushes.
            superpose(&self.solver, &self.rigid, alone, e);
            iterations += self.rigid.solve(w, e).iterations;
            std::mem::swap(pressed, pressed_before);
            self.rigid.pressed(pressed);
            // The same set twice gives the same forces: the elimination has converged.
            found = pressed == pressed_before;
            if found {
                break;
            }
        }
        // The increment in which the last impulses are at work.
        superpose(&self.solver, &self.rigid, alone, e);
        (found, iterations)
    }
}

/// e = e_free − A⁻¹C_Rᵀy_R − A⁻¹C_Yᵀy_Y.
fn superpose(solver: &ContactSolver, rigid: &RigidContacts, alone: &[f64], e: &mut [f64]) {
    e.copy_from_slice(alone);
    solver.add_to(e);
    rigid.add_to(e);
}
