//! A bounded balance over oversampled steps: the stored energy is taken at each sample, flows in every step.

use crate::reed::{blown, folder, plucked, render};
use hamiltone_core::{
    ledger::{Books, Ledger},
    scheme::{Balance, Claims, Refusal, Scheme, Stepper},
    system::System,
};
use hamiltone_render::{Block, Outcome, Sink, SinkError, sinks::states::States};
use hamiltone_scene::Plan;
use std::fs;

/// Velocity Verlet, whose ledgers are as empty as `Books` allow.
struct Frugal;

struct FrugalStepper(Box<dyn Stepper>);

impl Scheme for Frugal {
    fn name(&self) -> &'static str {
        "frugal"
    }
    fn claims(&self) -> Claims {
        hamiltone_schemes::named("vv-strang").unwrap().claims()
    }
    fn prepare(&self, system: &System, dt: f64) -> Result<Box<dyn Stepper>, Refusal> {
        Ok(Box::new(FrugalStepper(hamiltone_schemes::named("vv-strang").unwrap().prepare(system, dt)?)))
    }
}

impl Stepper for FrugalStepper {
    fn reset(&mut self, input: &[f64]) -> f64 {
        self.0.reset(input)
    }
    fn step(&mut self, input: &[f64], books: Books) -> Ledger {
        let ledger = self.0.step(input, Books::Kept);
        let stored = if books == Books::Flows { f64::NAN } else { ledger.stored };
        Ledger { stored, partial: books == Books::Flows, ..ledger }
    }
    fn outputs(&self, output: &mut [f64]) {
        self.0.outputs(output);
    }
    fn snapshot(&self, q: &mut [f64], v: &mut [f64]) {
        self.0.snapshot(q, v);
    }
    fn balance(&self) -> Balance {
        self.0.balance()
    }
}

/// The rows whose ledgers were full.
#[derive(Default)]
struct Full(Vec<u64>);

impl Sink for Full {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        self.0.extend((block.first..).zip(block.ledgers).filter(|(_, l)| !l.partial).map(|(row, _)| row));
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<(), SinkError> {
        Ok(())
    }
}

#[test]
fn the_books_are_taken_at_samples_and_sum_up_the_same() {
    let with = |scheme: Box<dyn Scheme>| {
        let mut plan = blown(300, 10);
        plan.scheme = scheme;
        plan
    };
    let mut full = Full::default();
    let frugal = render(&with(Box::new(Frugal)), &mut [&mut full]);
    let kept = render(&with(hamiltone_schemes::named("vv-strang").unwrap()), &mut []);
    assert_eq!(full.0, (0..=300).map(|sample| 10 * sample).collect::<Vec<u64>>());
    let (a, b) = (&frugal.audit, &kept.audit);
    assert_eq!(
        (a.steps, a.energy_final, a.dissipated, a.supplied),
        (b.steps, b.energy_final, b.dissipated, b.supplied)
    );
    // The same terms summed in another order: 3000 roundings of the energy at most.
    assert!((a.residual - b.residual).abs() <= 3000.0 * f64::EPSILON * b.energy_peak);
    assert!(a.residual.abs() > 0.0 && frugal.ok);
}

#[test]
fn states_show_whole_energies() {
    let mut plan = plucked(2000, 4);
    plan.scheme = Box::new(Frugal);
    let folder = folder("partial");
    // Rows between the samples have their energies, too: every third step is not every fourth.
    let mut states = States::new(folder.join("x.npz"), Some(3), false);
    let outcome = render(&plan, &mut [&mut states]);
    assert!(outcome.ok);
    let mut zip = zip::ZipArchive::new(fs::File::open(folder.join("x.npz")).unwrap()).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut zip.by_name("ledger.stored.npy").unwrap(), &mut bytes).unwrap();
    let stored = bytes[bytes.len() - 8 * 2667..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
    assert!(stored.clone().all(f64::is_finite) && stored.count() == 2667);
}
