//! The step in which a run went wrong.
//!
//! A run draws its balance at audit points. Where that fails at one of them, the run is repeated up to there, with the same bits,
//! and the balance of the last interval is drawn at each of its steps: so the step is named, and runs that hold pay nothing for it.

use crate::inputs::Inputs;
use hamiltone_core::{
    audit::{Audit, Imbalance},
    ledger::Bookkeeping,
    simulation::Simulation,
};
use hamiltone_plan::Plan;

/// Steps whose inputs are computed together.
const BLOCK: u64 = 256;

/// Names in `audit`, of a run from the state of `simulation` with audit points `every` so many steps, the step instead of the audit
/// point. It asks `go_on` once a block.
pub(crate) fn locate(
    plan: &Plan,
    mut simulation: Simulation,
    (audit, bound, every): (&mut Audit, f64, u64),
    go_on: &dyn Fn() -> bool,
) {
    let Some(point) = point(audit, bound).filter(|point| *point > 1) else { return };
    let (mut inputs, drives) = (Inputs::new(plan, plan.internal_rate()), plan.drives.len());
    let mut again = Audit::open(simulation.reset(inputs.values()), audit.balance);
    let from = (point - 1) / every * every;
    while again.steps < point && again.fault.is_none() && go_on() {
        let done = again.steps;
        let rows = BLOCK.min(point - done) as usize;
        let input = inputs.advance(done, rows);
        for n in 0..rows {
            let step = done + 1 + n as u64;
            let is_drawn = step > from || step.is_multiple_of(every);
            let bookkeeping = if is_drawn { Bookkeeping::Full } else { Bookkeeping::Flows };
            if !again.post(&simulation.step(&input[n * drives..(n + 2) * drives], bookkeeping)) {
                break;
            }
        }
    }
    match (&mut audit.fault, again.fault) {
        (Some(fault), Some(found)) => *fault = found,
        (None, None) if again.residual_max_step > from => audit.residual_max_step = again.residual_max_step,
        _ => {}
    }
}

/// The audit point at which it went wrong.
fn point(audit: &Audit, bound: f64) -> Option<u64> {
    match (audit.fault, audit.imbalance(bound)) {
        (Some((step, _)), _) => Some(step),
        (None, Some(Imbalance::Residual { step, .. })) => Some(step),
        _ => None,
    }
}
