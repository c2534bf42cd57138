//! A scheme that a test alters: its ledgers, velocities or outputs are others.

use hamiltone_core::{
    claims::Claims,
    coverage::Coverage,
    identity::Identity,
    ledger::Ledger,
    refusal::Refusal,
    scheme::Scheme,
    state::{Motion, State},
    stepper::{Change, Stepper},
    system::System,
};
use std::sync::Arc;

/// What is altered; the number of steps taken comes first.
#[derive(Clone, Copy, Debug)]
pub struct Altered {
    /// The scheme itself.
    pub scheme: &'static str,
    /// The longest time step that it takes, s.
    pub longest: f64,
    pub claims: fn(Claims) -> Claims,
    /// What it makes of the ledger of a step of this number, and of the energy after so many steps.
    pub ledger: fn(u64, Ledger) -> Ledger,
    pub energy: fn(u64, f64) -> f64,
    pub motion: fn(u64, &mut Motion),
    pub output: fn(u64, &mut [f64]),
}

impl Altered {
    /// Nothing of Verlet's scheme with split damping.
    pub const NOTHING: Self = Self {
        scheme: "vv-strang",
        longest: f64::INFINITY,
        claims: |claims| claims,
        ledger: |_, ledger| ledger,
        energy: |_, energy| energy,
        motion: |_, _| {},
        output: |_, _| {},
    };
}

#[derive(Clone)]
struct AlteredStepper {
    inner: Box<dyn Stepper>,
    by: Altered,
    steps: u64,
}

impl Altered {
    fn itself(&self) -> Box<dyn Scheme> {
        hamiltone_schemes::named(self.scheme).unwrap()
    }
}

impl Scheme for Altered {
    fn name(&self) -> &'static str {
        "altered"
    }
    fn identity(&self) -> Identity {
        self.itself().identity()
    }
    fn claims(&self) -> Claims {
        (self.claims)(self.itself().claims())
    }
    fn coverage(&self) -> Coverage {
        self.itself().coverage()
    }
    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        if dt > self.longest {
            let (limit, rate) = (self.longest, 1.0 / self.longest);
            return Err(Refusal::Unstable { scheme: "altered", quantity: "Δt", value: dt, limit, rate });
        }
        Ok(Box::new(AlteredStepper { inner: self.itself().build(system, dt)?, by: *self, steps: 0 }))
    }
}

impl Stepper for AlteredStepper {
    fn step(&mut self, input: &[f64]) -> Ledger {
        self.steps += 1;
        (self.by.ledger)(self.steps, self.inner.step(input))
    }
    fn energy(&mut self) -> f64 {
        (self.by.energy)(self.steps, self.inner.energy())
    }
    fn change(&mut self, change: &Change) -> bool {
        self.inner.change(change)
    }
    fn state(&mut self, state: State) {
        match state {
            State::Show(motion) => {
                self.inner.state(State::Show(motion));
                (self.by.motion)(self.steps, motion);
            }
            other => self.inner.state(other),
        }
    }
    fn outputs(&self, output: &mut [f64]) {
        self.inner.outputs(output);
        (self.by.output)(self.steps, output);
    }
}
