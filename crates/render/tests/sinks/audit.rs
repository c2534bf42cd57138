//! The audit's names and numbers.

use super::{
    reed::{blown, folder, plucked, render},
    run::BREAKING,
};
use hamiltone_render::sinks::audit::{AuditFile, json};
use std::fs;

/// The names that scripts rely on.
const NAMES: &str = "ok scene_sha256 version scheme steps rate_hz energy_initial energy_peak energy_final supplied \
    dissipated contact_work residual_max_relative residual_max_relative_per_step residual_tolerance \
    iterations_max iterations_mean warnings claim title level_factor duration_s sample_rate_hz oversampling \
    fault residual_max_step channels contacts energy_physical_initial energy_physical_peak energy_physical_final \
    passive passivity";

#[test]
fn every_name_is_there_and_the_numbers_read_back() {
    let path = folder("audit").join("reed.json");
    let plan = blown(1000, 2);
    let outcome = render(&plan, &mut [&mut AuditFile::new(&path)]);
    let text = fs::read_to_string(&path).unwrap();
    let audit: serde_json::Value = serde_json::from_str(&text).unwrap();
    for name in NAMES.split_whitespace() {
        assert!(audit.get(name).is_some(), "`{name}` is missing");
    }
    assert_eq!((&audit["ok"], &audit["passive"]), (&true.into(), &true.into()));
    assert_eq!(audit["passivity"]["energy_put_in"].as_f64(), Some(outcome.passivity.put_in));
    assert_eq!(audit["passivity"]["energy_limit"], 2.0);
    assert_eq!(audit["claim"], "exact");
    assert_eq!((audit["steps"].as_u64(), audit["rate_hz"].as_f64()), (Some(2000), Some(88_200.0)));
    assert_eq!(audit["energy_final"].as_f64(), Some(outcome.audit.energy_final));
    assert_eq!(audit["level_factor"].as_f64(), Some(outcome.sound.factors[0]));
    assert_eq!(audit["channels"][1]["unit"], "m/s");
    assert_eq!(audit["energy_unit"], "J/m^2");
    assert!(audit["fault"].is_null() && audit["energy_physical_peak"].is_null());
    assert!(audit["decimation"].as_str().unwrap().contains("19845 Hz"));

    render(&plan, &mut [&mut AuditFile::new(&path)]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "two runs, one audit");
}

#[test]
fn a_failed_run_says_where() {
    let mut plan = plucked(100, 1);
    plan.scheme = Box::new(BREAKING);
    let audit = json(&plan, &render(&plan, &mut []));
    assert_eq!((&audit["ok"], &audit["fault"]["step"]), (&false.into(), &5.into()));
    assert_eq!(audit["fault"]["time_s"].as_f64(), Some(5.0 / 44_100.0));
}
