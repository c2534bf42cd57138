//! The stored energy is taken at audit points and where a sink reads it, flows in every step.

use super::reed::{blown, folder, plucked, render};
use hamiltone_core::audit::{AUDIT_INTERVAL, Audit};
use hamiltone_plan::Plan;
use hamiltone_render::{Block, Options, Outcome, Sink, SinkError, Staged, run_with, sinks::states::States};
use std::{fs, num::NonZeroU64};

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

/// The balance at every step and at audit points is the same; what is largest between them is known from the flows.
#[test]
fn audit_points_give_the_balance_of_every_step() {
    for (scheme, exact) in [("vv-strang", false), ("ec", true), ("modal-ec", true)] {
        let mut plan = blown(300, 10);
        plan.scheme = hamiltone_schemes::named(scheme).unwrap();
        let mut rows = Complete::default();
        let points = render(&plan, &mut [&mut rows]);
        let every = Options { audit_every: NonZeroU64::new(1), ..Options::default() };
        let each = run_with(&plan, &mut [], &mut |_, _| {}, every).unwrap();
        assert_eq!(rows.0, (0..=3000 / AUDIT_INTERVAL).map(|n| AUDIT_INTERVAL * n).collect::<Vec<u64>>());
        let (a, b) = (&points.audit, &each.audit);
        assert!(points.ok && each.ok, "{scheme}: {a:?} {b:?}");
        let flows = |audit: &Audit| (audit.steps, audit.dissipated, audit.supplied, audit.turnover);
        assert_eq!((flows(a), a.energy_final), (flows(b), b.energy_final), "{scheme}");
        // The same terms summed in another order: 3000 roundings of the energy at most.
        let rounding = 3000.0 * f64::EPSILON * b.energy_peak;
        assert!((a.residual - b.residual).abs() <= rounding, "{scheme}: {a:?} {b:?}");
        assert!(!exact || (a.energy_peak - b.energy_peak).abs() <= rounding, "{scheme}: {a:?} {b:?}");
    }
}

#[test]
fn states_show_whole_energies() {
    let mut plan = plucked(2000, 4);
    plan.scheme = hamiltone_schemes::named("vv-strang").unwrap();
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
