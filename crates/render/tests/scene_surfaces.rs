//! Scenes with surfaces: plucked, struck, set in their modes, and with a contact along a line.

use hamiltone_plan::Plan;
use hamiltone_render::run;
use hamiltone_scene::{Scene, Set};
use std::path::Path;

/// A plate over a wire along the middle of its longer side, which presses with 1e5 N/m² on what comes down on it.
const PLATE: &str = r#"
hamiltone = 1
[run]
scheme = "modal-moreau-jean"
duration = "50 ms"
[body.plate]
kind = "plate"
modes = 60
length = "40 cm"
width = "30 cm"
thickness = "1 mm"
[contact.wire]
between = ["ground", "plate"]
along = ["0,0.5", "1,0.5"]
law = "power"
stiffness = "1e5 N/m^2"
exponent = 1
[drive.start]
kind = "strike"
at = "plate@0.3,0.4"
velocity = "-2 m/s"
width = "6 cm"
[pickup.left]
at = "plate@0.2,0.3"
[pickup.right]
at = "wire"
quantity = "force"
"#;

const DRUM: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "5 ms"
[body.drum]
kind = "membrane"
modes = 200
radius = "16 cm"
thickness = "0.2 mm"
tension = "2000 N/m"
[drive.start]
kind = "pluck"
at = "drum@0.3,40 deg"
height = "1 mm"
width = "8 cm"
[pickup.left]
at = "drum@0.3,40 deg"
"#;

fn plan(text: &str, sets: &[&str]) -> Result<Plan, String> {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(text, "x.toml", Path::new(""), &sets).plan().map_err(|e| e.to_string())
}

/// The displacement of a pickup at the start.
fn first(plan: &Plan, pickup: usize) -> f64 {
    match &plan.system.outputs[pickup].quantity {
        hamiltone_core::system::Quantity::Displacement(row) => row.dot(&plan.system.initial.position),
        other => panic!("{other:?}"),
    }
}

/// A pluck is there where it is put and at rest; outside its disc hardly anything moves: what 200 modes leave out.
#[test]
fn a_drum_is_plucked_over_a_disc() {
    let drum = plan(DRUM, &[]).unwrap();
    let height = first(&drum, 0);
    assert!((height / 1e-3 - 1.0).abs() < 0.05, "{height}");
    assert!(drum.system.initial.velocity.iter().all(|v| *v == 0.0) && drum.system.inputs.is_empty());
    let far = first(&plan(DRUM, &["pickup.left.at=drum@0.6,200 deg"]).unwrap(), 0);
    assert!(far.abs() < 2e-5, "{far}");
    let twice = first(&plan(DRUM, &["drive.start.height=2 mm"]).unwrap(), 0);
    assert_eq!(twice, 2.0 * height);
}

/// `modes` sets amplitudes of a surface's modes, whatever they are.
#[test]
fn a_drum_starts_in_its_modes() {
    let text = DRUM.replace(
        "kind = \"pluck\"\nat = \"drum@0.3,40 deg\"\nheight = \"1 mm\"\nwidth = \"8 cm\"",
        "kind = \"modes\"\nat = \"drum\"\ncosine = [\"1 mm\", 0, 0, 0, 0, \"0.5 mm\"]",
    );
    let drum = plan(&text, &["pickup.left.at=drum@0"]).unwrap();
    // J₀(0) = 1 of the first and the sixth mode.
    assert!((first(&drum, 0) - 1.5e-3).abs() < 1e-17);
    assert_eq!(drum.system.initial.position.iter().filter(|q| **q != 0.0).count(), 2);
}

/// Σ wₗ V(uₗ) along the wire under a plate in its first mode A sin(πx/a) is ∫½kA² sin²(πx/a) dx = ¼kA²a.
#[test]
fn a_law_along_a_line_is_per_unit_length() {
    let text = PLATE.replace(
        "kind = \"strike\"\nat = \"plate@0.3,0.4\"\nvelocity = \"-2 m/s\"\nwidth = \"6 cm\"",
        "kind = \"modes\"\nat = \"plate\"\ncosine = [\"-1 mm\"]",
    );
    let plate = plan(&text, &[]).unwrap();
    let (q, contacts) = (&plate.system.initial.position, &plate.system.elements);
    let energy: f64 =
        contacts.iter().map(|contact| contact.law.energy(contact.row().dot(q) - contact.gap)).sum();
    let exact = 0.25 * 1e5 * 1e-6 * 0.4;
    assert!((energy / exact - 1.0).abs() < 1e-12, "{energy} {exact}");
    let along = plate.contacts[0].along.as_ref().unwrap();
    assert_eq!(along.x.len(), contacts.len());
    assert!(along.at.iter().zip(&along.x).all(|(at, x)| (at[0] - x).abs() < 1e-15 && at[1] == 0.15));
}

/// A blow presses the plate on the wire and on a rigid one; the balance of the scheme and the passivity of the wire hold.
#[test]
fn a_struck_plate_rattles_on_a_wire_in_balance() {
    for sets in [
        &[][..],
        &["run.scheme=ec"],
        &["contact.wire.law=rigid", "contact.wire.restitution=0.5"],
        // A wire along a free end.
        &["body.plate.left=clamped", "body.plate.right=free", "contact.wire.along=[\"1,0\", \"1,1\"]"],
        // A profile that only the middle of the wire reaches, and three pins.
        &["contact.wire.profile=[[\"10 cm\", 0], [\"30 cm\", 0]]"],
        &[
            "contact.wire.frets=[[\"10 cm\", 0], [\"20 cm\", 0], [\"30 cm\", 0]]",
            "contact.wire.stiffness=1e4 N/m",
        ],
    ] {
        let plate = plan(PLATE, sets).unwrap();
        let outcome = run(&plate, &mut [], &mut |_, _| {}).unwrap();
        assert!(outcome.audit.ok(plate.balance_bound), "{sets:?}: {:?}", outcome.audit);
        let force = outcome.sound.channel(1).unwrap().into_iter().fold(0.0_f64, |most, f| most.max(f.abs()));
        assert!(force > 1.0, "{sets:?}: no contact with the wire: {force} N");
        let energy = outcome.audit.energy_peak / outcome.audit.energy_initial;
        assert!(energy < 1.0 + 1e-9, "{sets:?}: {energy}");
    }
    let points = |sets: &[&str]| plan(PLATE, sets).unwrap().system.elements.len();
    let all = points(&[]);
    let middle = points(&["contact.wire.profile=[[\"10 cm\", 0], [\"30 cm\", 0]]"]);
    // Points lie half a wavelength of the last mode apart.
    let shortest = plan(PLATE, &[]).unwrap().bodies[0].placed.representation.resolution();
    assert_eq!(all, (0.4 / shortest).ceil() as usize);
    assert!(middle == all / 2 || middle == all / 2 + 1, "{middle} of {all}");
}

#[test]
fn mistakes_on_surfaces_are_named() {
    let said = |text: &str, sets: &[&str]| plan(text, sets).map_or_else(|said| said, |_| "nothing".into());
    let clamped = &PLATE.replace("[contact.wire]", "left = \"clamped\"\nright = \"free\"\n[contact.wire]");
    for (text, set, says) in [
        (PLATE, "contact.wire.along=[\"0,0.5\", \"0.5\"]", "`0.5` is no place on `plate`: it is a rectangle"),
        (PLATE, "contact.wire.along=[\"0,0.5\", \"0,0.5\"]", "`along` takes two different places"),
        (PLATE, "contact.wire.along=[\"0,0.5\"]", "`along` takes two places on the surface"),
        (PLATE, "contact.wire.stiffness=1e5 N/m", "`stiffness` is measured in N/m^2, not in N/m"),
        (
            PLATE,
            "drive.start.width=30 cm",
            "`width` is 0.3 m, but between the place and the edge there is room for 0.24 m",
        ),
        (PLATE, "drive.start.at=plate@0,0.5", "`at` is a fixed point of the body"),
        (clamped, "drive.start.at=plate@0,0.5", "`at` is a fixed point of the body"),
        (PLATE, "drive.start.at=plate", "`at` must say where on the body"),
        (DRUM, "drive.start.width=0", "`width` must be given on a surface"),
        (DRUM, "pickup.left.at=drum", "write \"drum@0.5,30 deg\" (a fraction of its radius and an angle)"),
    ] {
        let said = said(text, &[set]);
        assert!(said.contains(says), "{set}:\n{said}\nlacks {says}");
    }
    let point = ["contact.wire.between=[\"ground\", \"plate@0.5,0.5\"]", "contact.wire.stiffness=1e5 N/m"];
    let said_of_point = said(PLATE, &point);
    assert!(
        said_of_point.contains("`along` applies only to a surface that `between` names without @"),
        "{said_of_point}"
    );
    let beyond = ["contact.wire.frets=[[\"50 cm\", 0]]", "contact.wire.stiffness=1e5 N/m"];
    let said_of_fret = said(PLATE, &beyond);
    assert!(said_of_fret.contains("0.5 m is not on it: it reaches from 0 to 0.4 m"), "{said_of_fret}");
    let whole = PLATE.replace("along = [\"0,0.5\", \"1,0.5\"]\n", "");
    let said_of_whole = said(&whole, &["contact.wire.stiffness=1e5 N/m"]);
    assert!(said_of_whole.contains("a contact along a line on it takes `along`"), "{said_of_whole}");
}
