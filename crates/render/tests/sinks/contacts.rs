//! Repeated contacts of a mass, whose times and forces are known: the same quantities for every law.

use super::reed::{folder, render};
use hamiltone_plan::Plan;
use hamiltone_render::{
    Outcome,
    sinks::{audit::json, states::States},
};
use hamiltone_scene::{Scene, Set};
use std::{fs, path::Path};

/// A mass of 1 g thrown at 1 m/s against a wall 5 mm away, and a string plucked over two frets.
const BALL: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "20 ms"
sample_rate = "10 kHz"
oversampling = 8
tuning_tolerance = 1000
[body.ball]
kind = "mass"
mass = "1 g"
velocity = "1 m/s"
[body.string]
kind = "string"
intervals = 16
length = "1 m"
linear_density = "1 g/m"
tension = "100 N"
[contact.wall]
between = ["ball", "ground"]
law = "power"
stiffness = "1000 N/m"
exponent = 1
gap = "5 mm"
[contact.frets]
between = ["ground", "string"]
law = "power"
stiffness = "1000 N/m"
exponent = 1
frets = [["0.25 m", "-1 mm"], ["0.5 m", "-2 mm"]]
[drive.finger]
at = "string@0.5"
kind = "pluck"
height = "2.5 mm"
[pickup.left]
at = "ball"
"#;

fn plan(sets: &[&str]) -> Plan {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(BALL, "x.toml", Path::new(""), &sets).plan().unwrap()
}

fn ran(sets: &[&str]) -> (Plan, Outcome) {
    let plan = plan(sets);
    let outcome = render(&plan, &mut []);
    assert!(outcome.ok);
    (plan, outcome)
}

/// A linear wall is left after half a period, π√(m/k) = π ms, having given 2mv = 2 mN s and been entered by
/// v√(m/k) = 1 mm; the force is √(km) v = 1 N at most.
#[test]
fn a_bounce_has_the_exact_impulse_duration_and_force() {
    let (plan, outcome) = ran(&["contact.frets.gap=1 m"]);
    let (wall, frets) = (&outcome.contacts[0].whole, &outcome.contacts[1]);
    // Samples of 0.1 ms: 49 free ones, then 31 or 32 within the wall.
    assert_eq!((wall.contacts, wall.first, wall.duration), (1, Some(51), wall.longest));
    assert!((31..=32).contains(&wall.duration), "{}", wall.duration);
    // Sums over samples of a half sine: to (π/31)²/12 at its ends and 1 − cos(π/62) at its top.
    assert!((wall.impulse / 2e-3 - 1.0).abs() < 1e-3, "{}", wall.impulse);
    assert!((wall.penetration_max() / 1e-3 - 1.0).abs() < 2e-3, "{}", wall.penetration_max());
    assert!((wall.impulse_max * plan.sample_rate - 1.0).abs() < 2e-3);
    assert_eq!((frets.whole.contacts, frets.whole.first, frets.whole.penetration_max()), (0, None, 0.0));
    let audit = json(&plan, &outcome);
    let wall_json = &audit["contacts"][0];
    assert_eq!(
        (&wall_json["name"], &wall_json["law"], &wall_json["contacts"]),
        (&"wall".into(), &"power".into(), &1.into())
    );
    assert_eq!(wall_json["contact_first_s"].as_f64(), Some(51.0 / 10_000.0));
    assert_eq!(wall_json["impulse"].as_f64(), Some(wall.impulse));
    assert_eq!((&wall_json["impulse_unit"], &wall_json["force_unit"]), (&"N s".into(), &"N".into()));
    assert!(wall_json["parts"].is_null());
    let parts = &audit["contacts"][1]["parts"];
    assert_eq!(parts["x_m"].as_array().unwrap().len(), 2);
    assert!(parts["gap_min_m"][1].as_f64().unwrap() > 0.99);
}

/// The same wall, rigid: nothing of it is entered but what one step goes, and the impulse is the same.
#[test]
fn a_rigid_wall_gives_the_same_impulse() {
    let rigid = [
        "contact.wall.law=rigid",
        "contact.wall.restitution=1",
        "run.scheme=modal-moreau-jean",
        "body.string.method=modal",
        "contact.frets.gap=1 m",
    ];
    let (plan, outcome) = ran(&rigid);
    let wall = &outcome.contacts[0].whole;
    assert_eq!((wall.contacts, wall.duration, plan.contacts[0].law), (1, 1, "rigid"));
    assert!((wall.impulse / 2e-3 - 1.0).abs() < 1e-12, "{}", wall.impulse);
    // 1 m/s in a step of 12.5 µs.
    assert!(wall.penetration_max() <= 12.5e-6);
    let physical = outcome.physical.unwrap();
    assert!(physical.peak >= physical.initial && physical.initial > 0.0);
    assert_eq!(json(&plan, &outcome)["energy_physical_final"].as_f64(), Some(physical.last));
}

/// Every part by itself, in the states.
#[test]
fn frets_have_a_column_each() {
    let folder = folder("contact-parts");
    let plan = plan(&[]);
    let outcome = render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(16), false)]);
    let frets = &outcome.contacts[1];
    assert!(frets.parts.iter().all(|part| part.contacts > 0 && part.penetration_max() > 0.0));
    assert!(frets.parts[0].first < frets.parts[1].first, "it comes down flat, on the higher one first");
    let mut zip = zip::ZipArchive::new(fs::File::open(folder.join("x.npz")).unwrap()).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut zip.by_name("contact.frets.impulse.npy").unwrap(), &mut bytes).unwrap();
    let values = bytes[128..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
    // Rows of two samples: their sums are the whole, whatever the order of rounding. The last row is at 20 ms.
    let sum: f64 = values.step_by(2).sum();
    assert!((sum / frets.parts[0].impulse - 1.0).abs() < 1e-13);
    // Rows between samples cannot hold what is known at samples only.
    render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(3), false)]);
    let zip = zip::ZipArchive::new(fs::File::open(folder.join("x.npz")).unwrap()).unwrap();
    assert!(zip.file_names().all(|name| !name.unwrap().starts_with("contact.")));
}

/// Block lengths that other sinks ask for change nothing.
#[test]
fn contacts_do_not_depend_on_other_sinks() {
    let (plan, alone) = ran(&[]);
    let folder = folder("contact-sinks");
    let with_states = render(&plan, &mut [&mut States::new(folder.join("x.npz"), Some(3), false)]);
    assert_eq!(alone.contacts, with_states.contacts);
}
