//! A run of one coordinate, kept whole: every position, velocity and ledger.

use crate::{figure::Unable, method::Method};
use hamiltone_core::{
    audit::Audit,
    ledger::{Bookkeeping, Fault, Ledger},
    simulation::Simulation,
    system::System,
};

/// A run of a system with one coordinate.
pub struct Trace {
    /// The time step, s.
    pub dt: f64,
    /// Whether the velocity belongs to half steps, so that only `q` is a time series at nΔt.
    pub staggered: bool,
    /// q⁰ … qᴺ, m.
    pub q: Vec<f64>,
    /// v⁰ … vᴺ, m/s.
    pub v: Vec<f64>,
    /// The ledgers of the N steps.
    pub ledgers: Vec<Ledger>,
    /// Their audit; a run that it stops is shorter than asked for.
    pub audit: Audit,
}

impl Trace {
    /// Runs `system` for `steps` steps with `drive(t)` on every input.
    ///
    /// # Errors
    /// Where the scheme refuses the system or the time step.
    pub fn record(
        method: &Method,
        system: &System,
        dt: f64,
        steps: usize,
        drive: &dyn Fn(f64) -> f64,
    ) -> Result<Self, Unable> {
        let mut stepper = method.prepare(system, dt)?;
        let inputs = system.inputs.len();
        // The inputs at both ends of a step: the first half, then the second.
        let mut ends = vec![drive(0.0); 2 * inputs];
        let initial = stepper.reset(&ends[..inputs]);
        let mut trace = Self {
            dt,
            staggered: method.claims().staggered,
            q: Vec::with_capacity(steps + 1),
            v: Vec::with_capacity(steps + 1),
            ledgers: Vec::with_capacity(steps),
            audit: Audit::open(initial, stepper.balance()),
        };
        trace.look(&mut stepper);
        for n in 1..=steps {
            ends.rotate_left(inputs);
            ends[inputs..].fill(drive(n as f64 * dt));
            let ledger = stepper.step(&ends, Bookkeeping::Full);
            trace.ledgers.push(ledger);
            trace.look(&mut stepper);
            if !trace.audit.post(&ledger) {
                break;
            }
        }
        Ok(trace)
    }

    fn look(&mut self, stepper: &mut Simulation) {
        let (mut q, mut v) = ([0.0], [0.0]);
        stepper.snapshot(&mut q, &mut v);
        self.q.push(q[0]);
        self.v.push(v[0]);
    }

    /// As [`Trace::record`], without a drive.
    ///
    /// # Errors
    /// Where the scheme refuses the system or the time step.
    pub fn free(method: &Method, system: &System, dt: f64, steps: usize) -> Result<Self, Unable> {
        Self::record(method, system, dt, steps, &|_| 0.0)
    }

    /// How the run ended, in a few words.
    pub fn verdict(&self) -> String {
        match &self.audit.fault {
            Some((step, Fault::ComplexRoot(size))) => {
                format!("complex root at step {step}: Δ = {size:.1e} of its terms")
            }
            Some((step, fault)) => format!("stopped at step {step}: {fault}"),
            None => format!("residual {:.1} eps", self.audit.residual_max_relative() / f64::EPSILON),
        }
    }

    /// The time of sample n, s.
    pub fn time(&self, n: usize) -> f64 {
        n as f64 * self.dt
    }

    /// (t, q) of every sample: s, m.
    pub fn displacement(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.timed(&self.q)
    }

    /// Each of `values` with the time of its sample, s.
    pub fn timed<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
        values.iter().enumerate().map(|(n, &x)| (self.time(n), x))
    }
}
