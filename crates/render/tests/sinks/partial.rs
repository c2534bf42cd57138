//! A bounded balance over oversampled steps: the stored energy is taken at each sample, flows in every step.

use super::{
    altered::Altered,
    reed::{blown, folder, plucked, render},
};
use hamiltone_core::{
    ledger::{Bookkeeping, Ledger},
    scheme::Scheme,
};
use hamiltone_render::{Block, Outcome, Sink, SinkError, Staged, sinks::states::States};
use hamiltone_scene::Plan;
use std::fs;

/// Ledgers that hold no more than [`Bookkeeping`] requires.
const FRUGAL: Altered = Altered {
    asked: |_| Bookkeeping::Full,
    ledger: |_, asked, ledger| {
        let partial = asked == Bookkeeping::Flows;
        Ledger { stored: if partial { f64::NAN } else { ledger.stored }, partial, ..ledger }
    },
    ..Altered::NOTHING
};

/// The rows with complete ledgers.
#[derive(Default)]
struct Complete(Vec<u64>);

impl Sink for Complete {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        self.0.extend((block.first..).zip(block.ledgers).filter(|(_, l)| !l.partial).map(|(row, _)| row));
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        Ok(Vec::new())
    }
}

#[test]
fn partial_ledgers_give_the_same_audit() {
    let with = |scheme: Box<dyn Scheme>| {
        let mut plan = blown(300, 10);
        plan.scheme = scheme;
        plan
    };
    let mut rows = Complete::default();
    let frugal = render(&with(Box::new(FRUGAL)), &mut [&mut rows]);
    let complete = render(&with(hamiltone_schemes::named("vv-strang").unwrap()), &mut []);
    assert_eq!(rows.0, (0..=300).map(|sample| 10 * sample).collect::<Vec<u64>>());
    let (a, b) = (&frugal.audit, &complete.audit);
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
    plan.scheme = Box::new(FRUGAL);
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
