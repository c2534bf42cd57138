//! Any valid system, of whatever sizes someone may write: every method runs it balanced, says what went wrong, or
//! refuses it with a reason.

use super::{Taken, hold_at_random, require, says_unmet};
use hamiltone_core::{
    audit::{Audit, exact_tolerance},
    claims::Balance,
    ledger::Fault,
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    system::{Block, System},
};
use hamiltone_laws::{parts, trial::Trial};

/// The largest x = Δt r cM⁻¹cᵀ of the dampers r that join coordinates along rows c: how many times a step could stop
/// their relative motion.
fn damper_ratio(system: &System, dt: f64) -> f64 {
    let of = |block: &Block| {
        let first = block.dofs.start;
        let ratio = |(weight, row): (f64, Row)| match row.coordinate() {
            Some(_) => 0.0,
            None => dt * weight * row.sum(|i, c| c * c / system.mass[first + i]),
        };
        block.damping.squares().map(ratio).fold(0.0, f64::max)
    };
    system.blocks.iter().map(of).fold(0.0, f64::max)
}

/// The tolerance of the audit, and what strong dampers between coordinates add to it.
///
/// A damper takes Δt r ν² a step, where its relative speed ν ≈ v/(1 + x/2) is a small difference of speeds of size v, each
/// known to ½ eps, a quarter on average. That misses 2Δt r ν·¼ eps·v = eps·2x/(2 + x) of the energy ½v²/cM⁻¹cᵀ, in the
/// worst case the same way in every step. Other systems have the tolerance of the audit alone.
fn tolerance(trial: &Trial, audit: &Audit) -> f64 {
    let x = damper_ratio(&trial.system, 1.0 / trial.rate);
    // 1 − 2/(2 + x), so that an x that overflows is worth 1.
    let steps = audit.steps;
    let of_dampers = f64::EPSILON * 2.0 * (1.0 - 2.0 / (2.0 + x)) * steps as f64;
    exact_tolerance(steps, audit.balance.drift()) + of_dampers
}

/// Whether the first increment of a two-step scheme went so far into a wall that it holds a thousand times what the system had and was
/// given. Such a run has failed by its passivity, whatever its balance is: its motion is no longer that of any mass.
fn begins_in_a_wall(trial: &Trial, audit: &Audit) -> bool {
    let initial = &trial.system.initial;
    let inputs = trial.inputs();
    let held =
        trial.system.energy(&initial.position, &initial.velocity, &inputs[..trial.system.inputs.len()]);
    audit.energy_initial > 1e3 * (held + audit.supplied_max)
}

/// As it stands, at its rate.
fn law(scheme: &dyn Scheme, trial: &Trial) -> Taken {
    let mut stepper = match scheme.prepare(&trial.system, 1.0 / trial.rate) {
        Ok(stepper) => stepper,
        Err(Refusal::Invalid { problems }) => return Err(format!("a valid system is refused: {problems:?}")),
        Err(refusal) => {
            return require(!refusal.to_string().is_empty(), || "refused without a reason".into())
                .map(|()| false);
        }
    };
    let audit = trial.run(&mut stepper);
    let not_judged = stepper.balance() == Balance::Bounded || audit.steps == 0 || says_unmet(trial, &audit);
    if not_judged || begins_in_a_wall(trial, &audit) {
        return Ok(true);
    }
    let ended = audit.fault.filter(|(_, fault)| match fault {
        Fault::ComplexRoot(_) => false,
        // Impulses may add energy where a contact separates already: the audit tells it, as the work of contacts.
        Fault::Diverged(_) => audit.contact_work_max < 0.5 * audit.energy_peak,
        _ => true,
    });
    require(ended.is_none(), || format!("{ended:?}"))?;
    let (missed, tolerance) = (audit.residual_max_relative(), tolerance(trial, &audit));
    require(missed <= tolerance, || format!("the balance misses {:.0} eps", missed / f64::EPSILON))?;
    Ok(true)
}

#[test]
fn is_balanced_or_refused() {
    hold_at_random(parts::wide, 500, 300, 4, law);
}
