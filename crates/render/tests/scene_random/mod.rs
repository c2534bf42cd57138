//! Scenes at random, the same ones every time: what claims an exact balance keeps it, what claims a bound keeps it or
//! says in which step it failed, and what does not run is refused with its reason.

use hamiltone_core::{claims::Balance, ledger::Fault};
use hamiltone_render::run;
use hamiltone_scene::Scene;
use proptest::{prelude::*, test_runner::TestCaseResult};
use std::path::Path;

mod impacts;
mod points;
mod strings;

/// 10^x for x in a range: sizes that differ by decades.
fn decades(from: f64, to: f64) -> impl Strategy<Value = f64> {
    (from..to).prop_map(|x| 10_f64.powf(x))
}

fn balanced_or_refused(text: &str) -> TestCaseResult {
    let plan = match Scene::new(text, "random.toml", Path::new(""), &[]).plan() {
        Ok(plan) => plan,
        Err(refused) => {
            let reason = refused.to_string();
            let by_scheme = reason.lines().all(|line| line.contains(": run: scheme `"));
            let penetrated = reason.contains("the initial penetration of");
            prop_assert!(by_scheme || penetrated, "{reason}\n{text}");
            return Ok(());
        }
    };
    let outcome = run(&plan, &mut [], &mut |_, _| {}).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let complex = matches!(outcome.audit.fault, Some((_, Fault::ComplexRoot(_))));
    let told = outcome.balance == Balance::Bounded || complex;
    let balanced = outcome.audit.ok(outcome.tolerance);
    prop_assert!(balanced || told, "{:?}\n{:?}\n{text}", outcome.audit, outcome.tolerance);
    // What gains energy was warned of before the run.
    let warned = ["add energy", "inject energy", "close to its stability limit"];
    let warned = plan.warnings.iter().any(|warning| warned.iter().any(|part| warning.contains(part)));
    prop_assert!(outcome.passivity.holds() || told || warned, "{:?}\n{text}", outcome.passivity);
    Ok(())
}
