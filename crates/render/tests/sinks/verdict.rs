//! The verdict of a run: the same whatever files are written, and not `ok` where a velocity is no number.

use crate::reed::{folder, plucked, render};
use hamiltone_core::{
    claims::{Balance, Claims},
    coverage::Coverage,
    ledger::{Bookkeeping, Ledger},
    refusal::Refusal,
    row::Row,
    scheme::Scheme,
    state::State,
    stepper::Stepper,
    system::System,
};
use hamiltone_render::sinks::states::States;
use std::sync::Arc;

/// Velocity Verlet with a balance that is bounded and violated between the samples, or with a velocity that is no number.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Between,
    Velocity,
}

#[derive(Clone)]
struct WrongStepper(Box<dyn Stepper>, Wrong, u64);

fn verlet() -> Box<dyn Scheme> {
    hamiltone_schemes::named("vv-strang").unwrap()
}

impl Scheme for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }
    fn claims(&self) -> Claims {
        Claims { linear: Balance::Bounded, contact: Balance::Bounded, ..verlet().claims() }
    }
    fn coverage(&self) -> Coverage {
        verlet().coverage()
    }
    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(WrongStepper(verlet().build(system, dt)?, *self, 0)))
    }
}

impl Stepper for WrongStepper {
    fn step(&mut self, input: &[f64], bookkeeping: Bookkeeping) -> Ledger {
        self.2 += 1;
        let ledger = self.0.step(input, bookkeeping);
        let between = matches!(self.1, Wrong::Between) && !self.2.is_multiple_of(4);
        Ledger { stored: ledger.stored * if between { 2.0 } else { 1.0 }, ..ledger }
    }
    fn impulse(&mut self, row: &Row, p: f64) -> f64 {
        self.0.impulse(row, p)
    }
    fn restore(&mut self, state: &State, input: &[f64]) -> f64 {
        self.0.restore(state, input)
    }
    fn save(&mut self, state: &mut State) {
        self.0.save(state);
        if let (Wrong::Velocity, State::Motion(motion), 1..) = (self.1, state, self.2) {
            motion.v.fill(f64::NAN);
        }
    }
    fn outputs(&self, output: &mut [f64]) {
        self.0.outputs(output);
    }
}

/// A bounded balance is judged at the samples of the sound, also where states are stored between them.
#[test]
fn states_between_samples_do_not_change_the_verdict() {
    let mut plan = plucked(200, 4);
    plan.scheme = Box::new(Wrong::Between);
    let without = render(&plan, &mut []);
    let folder = folder("verdict");
    let with = render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(1), false)]);
    assert!(without.ok && with.ok, "{:?}", with.audit);
    assert_eq!(with.audit, without.audit);
}

#[test]
fn a_velocity_that_is_no_number_fails() {
    let mut plan = plucked(200, 4);
    plan.scheme = Box::new(Wrong::Velocity);
    let outcome = render(&plan, &mut []);
    assert!(outcome.audit.ok(outcome.tolerance), "nothing but the physical energy shows it");
    assert!(
        !outcome.ok && outcome.physical.is_some_and(|energy| energy.peak.is_nan()),
        "{:?}",
        outcome.physical
    );
}
