//! Any valid system, of whatever sizes someone may write: every method runs it balanced, says what went wrong, or
//! refuses it with a reason.

use crate::{Taken, hold_at_random, require};
use hamiltone_core::{
    claims::Balance,
    ledger::Fault,
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    system::{Block, System},
};
use hamiltone_proofs::{parts, trial::Trial};

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
    if stepper.balance() == Balance::Bounded || audit.steps == 0 {
        return Ok(true);
    }
    let ended = audit.fault.filter(|(_, fault)| !matches!(fault, Fault::ComplexRoot(_)));
    require(ended.is_none(), || format!("{ended:?}"))?;
    let missed = audit.residual_max_relative();
    let n = audit.steps as f64;
    let c = (missed / f64::EPSILON - 20.0 - 10.0 * n.sqrt()) / n;
    if c > 0.0 {
        eprintln!("XX {} {:e} {c:.4}", scheme.name(), damper_ratio(&trial.system, 1.0 / trial.rate));
    }
    let tolerance = f64::EPSILON * (20.0 + 10.0 * (audit.steps as f64).sqrt() + 2.0 * audit.steps as f64);
    require(missed <= tolerance, || format!("the balance misses {:.0} eps", missed / f64::EPSILON))?;
    Ok(true)
}

#[test]
fn is_balanced_or_refused() {
    hold_at_random(parts::wide, 500, 300, 4, law);
}
