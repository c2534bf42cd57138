//! Any valid system, of whatever sizes someone may write: every method runs it balanced, says what went wrong, or
//! refuses it with a reason.

use crate::{Taken, hold_at_random, require};
use hamiltone_core::{claims::Balance, ledger::Fault, refusal::Refusal, scheme::Scheme};
use hamiltone_proofs::{parts, trial::Trial};

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
    // Sizes are drawn over nine decades: dampers a thousand times the masses that they join know the speed between
    // them to an eps of either speed, and take up to an eps or two of the energy a step with it, one way.
    let tolerance = f64::EPSILON * (20.0 + 10.0 * (audit.steps as f64).sqrt() + 2.0 * audit.steps as f64);
    let missed = audit.residual_max_relative();
    require(missed <= tolerance, || format!("the balance misses {:.0} eps", missed / f64::EPSILON))?;
    Ok(true)
}

#[test]
fn is_balanced_or_refused() {
    hold_at_random(parts::wide, 500, 300, 4, law);
}
