//! A scheme of your own: symplectic Euler, v⁺ = v + Δt M⁻¹(Bu − Kq), q⁺ = q + Δt v⁺. It states its claims and what it
//! covers; a system with anything else is refused by name before this code sees it.

use hamiltone::bodies::Oscillator;
use hamiltone::core::coverage::{Coverage, Feature};
use hamiltone::core::ledger::{Bookkeeping, Ledger};
use hamiltone::core::stepper::{Change, Stepper};
use hamiltone::core::{body::Body, claims::Claims, refusal::Refusal, scheme::Scheme};
use hamiltone::core::{identity::Identity, state::State, system::System};
use std::{error::Error, f64::consts::TAU, sync::Arc};

#[derive(Debug)]
struct SymplecticEuler;

impl Scheme for SymplecticEuler {
    fn name(&self) -> &'static str {
        "symplectic-euler"
    }
    fn identity(&self) -> Identity {
        Identity::of(self.name())
    }
    fn claims(&self) -> Claims {
        Claims { limit: Some(2.0), physical_energy: true, ..Claims::LEAST }
    }
    fn coverage(&self) -> Coverage {
        Coverage::of(&[Feature::ManyCoordinates, Feature::CoupledStiffness, Feature::Links])
    }
    fn build(&self, system: &Arc<System>, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        let (q, v) = (system.initial.position.clone(), system.initial.velocity.clone());
        Ok(Box::new(Euler { force: vec![0.0; q.len()], system: system.clone(), dt, q, v }))
    }
}

#[derive(Clone)]
struct Euler {
    system: Arc<System>,
    dt: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    force: Vec<f64>,
}

impl Stepper for Euler {
    fn step(&mut self, input: &[f64]) -> Ledger {
        let rows = || self.system.inputs.iter().filter_map(|input| input.row()).zip(input);
        self.force.fill(0.0);
        self.system.add_stiffness(-1.0, &self.q, &mut self.force);
        rows().for_each(|(row, u)| row.add_scaled(*u, &mut self.force));
        for (i, mass) in self.system.mass.iter().enumerate() {
            self.v[i] += self.dt * self.force[i] / mass;
            self.q[i] += self.dt * self.v[i];
        }
        Ledger { supplied: rows().map(|(row, u)| self.dt * u * row.dot(&self.v)).sum(), ..Ledger::default() }
    }
    fn energy(&mut self) -> f64 {
        self.system.energy(&self.q, &self.v, &[])
    }
    fn change(&mut self, change: &Change) -> bool {
        let Change::Impulse(row, p) = change else { return false };
        row.for_each(|i, c| self.v[i] += p * c / self.system.mass[i]);
        true
    }
    fn state(&mut self, state: State) {
        state.pass(&mut self.q, &mut self.v);
    }
    fn outputs(&self, output: &mut [f64]) {
        self.system.read_outputs(&self.q, &self.v, &[], output);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut system = System::default();
    Oscillator::new(0.1, TAU * 440.0)?.with_initial(1e-4, 0.0)?.add_to(&mut system, "fork")?;
    let mut run = SymplecticEuler.prepare(&system, 1.0 / 48_000.0)?;
    let initial = run.reset(&[]);
    let peak = (0..48_000).map(|_| run.step(&[], Bookkeeping::Full).stored).fold(0.0, f64::max) / initial;
    println!("the energy stays below {peak:.4} of the initial one: bounded, not exact");
    if peak < 1.06 { Ok(()) } else { Err("the energy is not bounded".into()) } // it oscillates by ωΔt = 0.058
}
