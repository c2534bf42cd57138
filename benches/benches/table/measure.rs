//! One case: its preparation, its steps with each kind of bookkeeping, and its plain loop, in turns.

use crate::{case::Case, options::Options};
use hamiltone_benches::{
    model::{Model, Plain},
    timing::{least_in_turns, seconds},
};
use hamiltone_core::{
    audit::Audit,
    element::{Element, Law},
    ledger::Bookkeeping,
    parameter::Complaint,
    refusal::Refusal,
    scheme::Scheme,
    simulation::Simulation,
    stepper::{Activity, Gaps},
};
use hamiltone_schemes::tableaux;

/// Steps behind each other that press contacts, which push the body away after some more.
const PRESSED_STEPS: usize = 128;
/// The most steps without a reset.
const MOST_STEPS: usize = 2048;
/// The least steps that are timed.
const LEAST_STEPS: usize = 4;
/// A step that takes longer is not measured, s.
const LONGEST_STEP: f64 = 0.03;

/// A preparation that takes less is timed twice, s.
const REPEATED: f64 = 0.05;

/// What one case takes.
pub struct Measured {
    pub case: Case,
    /// Degrees of freedom that there are.
    pub degrees: usize,
    /// How many steps of the loop stand for one of the scheme.
    pub stages: usize,
    /// Contacts that are closed, in the mean.
    pub active: f64,
    /// s per step: with the balance at audit points, as runs have it, with flows alone, with the balance at each step, and the loop's.
    pub full: f64,
    pub flows: f64,
    pub each: f64,
    pub plain: f64,
    /// s: from the numbers of the body to the system, from that to the first step.
    pub body: f64,
    pub preparation: f64,
}

/// Why a case was not measured.
pub enum Left {
    /// The scheme does not cover it.
    NotCovered,
    /// It is refused, ends early or is too slow.
    Because(String),
}

/// A case that is ready to be stepped.
pub struct Ready {
    pub simulation: Simulation,
    pub plain: Plain,
    pub stages: usize,
    scheme: Box<dyn Scheme>,
    model: Model,
    dt: f64,
}

impl Ready {
    /// Prepares a case. No clock is read: valgrind does not know the one of threads.
    pub fn new(case: &Case) -> Result<Self, Left> {
        let scheme = hamiltone_schemes::named(case.scheme).ok_or(Left::NotCovered)?;
        let because = |error: &dyn std::fmt::Display| Left::Because(error.to_string());
        let refused = |refusal: Refusal| match refusal {
            Refusal::NotCovered { .. } => Left::NotCovered,
            refusal => because(&refusal),
        };
        let mut model = model(case).map_err(|error| because(&error))?;
        // Whether it is covered at all is asked before the limit is looked for.
        scheme.prepare(&model.system, 1e-9).map_err(refused)?;
        let dt = model.dt(scheme.claims().limit);
        model.add_contacts(dt).map_err(|error| because(&error))?;
        let mut simulation = scheme.prepare(&model.system, dt).map_err(|error| because(&error))?;
        simulation.reset(&[]);
        let stages = stages(&*scheme);
        let plain = model.plain(dt);
        Ok(Self { simulation, plain, stages, scheme, model, dt })
    }

    /// So many steps from the start, with the balance at every so many; the final energy keeps them from being left out.
    pub fn run(&mut self, every: usize, steps: usize) -> f64 {
        run(&mut self.simulation, every, steps)
    }

    /// Contacts that are closed, in the mean of so many steps: those that are met, as rigid ones tell, or penetrated.
    fn active(&mut self, steps: usize) -> f64 {
        let system = self.simulation.system().clone();
        let mut activity = vec![Activity::NONE; system.elements.len()];
        self.simulation.reset(&[]);
        let mut active = 0;
        for _ in 0..steps {
            self.simulation.step(&[], Bookkeeping::Full);
            self.simulation.activity(self.simulation.dt(), Gaps::Since, &mut activity);
            let q = &self.simulation.motion().q;
            let closed = |(one, element): &(&Activity, &Element)| match element.law {
                Law::Rigid { .. } => one.impulse != 0.0,
                _ => element.row().dot(q) > element.gap,
            };
            active += activity.iter().zip(&system.elements).filter(closed).count();
        }
        active as f64 / steps as f64
    }

    /// From the numbers of the body to the system, and from that to the first step, s.
    fn preparation(&self, case: &Case) -> (f64, f64) {
        let prepare = || seconds(|| self.scheme.prepare(&self.model.system, self.dt));
        let first = prepare();
        let again = if first < REPEATED { prepare() } else { f64::INFINITY };
        (seconds(|| model(case)), first.min(again))
    }

    /// Times it.
    pub fn measure(&mut self, case: &Case, options: &Options) -> Result<Measured, Left> {
        // The first step alone tells whether there is time for more.
        let mut first = 0.0;
        for steps in [1, LEAST_STEPS] {
            first = seconds(|| self.run(AUDITED, steps)) / steps as f64;
            if first > LONGEST_STEP {
                return Err(Left::Because(format!("a step takes {first:.2} s")));
            }
        }
        let acts = case.contacts.act();
        let most = if acts { PRESSED_STEPS } else { MOST_STEPS };
        let steps = ((options.seconds / first) as usize).clamp(LEAST_STEPS, most);
        let repeats = (options.seconds / (first * steps as f64)).ceil().max(1.0) as usize;
        // What is slow anyway is not measured as often.
        let turns = if first * LEAST_STEPS as f64 > 5.0 * options.seconds { 1 } else { options.turns };
        let energy = self.run(AUDITED, steps);
        if !energy.is_finite() {
            return Err(Left::Because("its energy is not finite".into()));
        }
        let (body, preparation) = self.preparation(case);
        let (simulation, plain) = (std::cell::RefCell::new(&mut self.simulation), &mut self.plain);
        let timed = |every| {
            let simulation = &simulation;
            move || {
                let mut simulation = simulation.borrow_mut();
                for _ in 0..repeats {
                    std::hint::black_box(run(&mut simulation, every, steps));
                }
            }
        };
        let loops = self.stages * steps;
        let [full, flows, each, plain] = least_in_turns(
            turns,
            [&mut timed(AUDITED), &mut timed(usize::MAX), &mut timed(1), &mut || {
                (0..repeats).for_each(|_| _ = std::hint::black_box(plain.run(loops)))
            }],
        )
        .map(|seconds| seconds / (repeats * steps) as f64);
        let active = if acts { self.active(steps) } else { 0.0 };
        Ok(Measured {
            case: *case,
            degrees: self.simulation.system().size(),
            stages: self.stages,
            active,
            full,
            flows,
            each,
            plain,
            body,
            preparation,
        })
    }
}

fn model(case: &Case) -> Result<Model, Complaint> {
    Model::new(case.representation, case.size, case.count, case.contacts)
}

/// As runs have it.
pub const AUDITED: usize = hamiltone_core::audit::AUDIT_INTERVAL as usize;

fn run(simulation: &mut Simulation, every: usize, steps: usize) -> f64 {
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    for n in 1..=steps {
        let bookkeeping = if n.is_multiple_of(every) { Bookkeeping::Full } else { Bookkeeping::Flows };
        audit.post(&simulation.step(&[], bookkeeping));
    }
    audit.settle(simulation.energy());
    audit.energy_final
}

/// How many steps of an explicit or implicit method a step is made of.
fn stages(scheme: &dyn Scheme) -> usize {
    let tableaux = [tableaux::THREE, tableaux::FOUR, tableaux::SIX, tableaux::VERLET, tableaux::BLANES_MOAN];
    let partitioned = tableaux.iter().find(|tableau| tableau.name == scheme.name());
    partitioned.map_or(1, |tableau| tableau.momenta.len())
}
