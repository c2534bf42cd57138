//! The judge of random scenes sees what a program could hide: states that gain energy, that are no numbers or that show
//! nothing of the failure that an exit code claims.

use hamiltone_proofs::scenes::{
    judge::{Verdict, verdict},
    npz::Array,
    options::Options,
    scene::{Drawn, Section},
};
use std::{collections::BTreeMap, path::Path};
use toml::Table;

const STEPS: usize = 400;

/// A scene of one oscillator of 1 kg and 1000 rad/s, driven by 2 N, with a spring of 10⁶ N/m² beyond 1 mm.
fn scene(scheme: &str) -> Drawn {
    let section = |group, name: Option<&str>, keys: &str| Section {
        group,
        name: name.map(Into::into),
        keys: keys.parse::<Table>().unwrap(),
    };
    Drawn {
        seed: 0,
        sections: vec![
            section("run", None, &format!("scheme = \"{scheme}\"\nduration = 0.01\nsample_rate = 40000")),
            section(
                "body",
                Some("b"),
                "kind = \"oscillator\"\nmass = 1\nangular_frequency = 1000\nposition = 2e-3",
            ),
            section(
                "contact",
                Some("c"),
                "between = [\"b\", \"ground\"]\nlaw = \"power\"\nstiffness = 1e6\nexponent = 1\ngap = 1e-3",
            ),
            section("drive", Some("d"), "at = \"b\"\nkind = \"constant\"\nvalue = 2"),
            section("pickup", Some("p"), "at = \"b\""),
        ],
        files: Vec::new(),
        options: Options::default(),
    }
}

/// The motion by velocity Verlet in 100 parts of a step, its velocity multiplied by (1 + growth) each step.
fn motion(growth: f64) -> BTreeMap<String, Array> {
    let (dt, parts) = (1.0 / 40_000.0, 100);
    let fine = dt / f64::from(parts);
    let force = |q: f64| 2.0 - 1e6 * q - 1e6 * (q - 1e-3).max(0.0);
    let (mut q, mut v) = (2e-3, 0.0);
    let mut arrays: [Vec<f64>; 4] = Default::default();
    for n in 0..=STEPS {
        let depth: f64 = (q - 1e-3_f64).max(0.0);
        let energy = 0.5 * v * v + 0.5e6 * q * q + 0.5e6 * depth * depth;
        arrays.iter_mut().zip([n as f64 * dt, q, v, energy]).for_each(|(array, x)| array.push(x));
        for _ in 0..parts {
            v += 0.5 * fine * force(q);
            q += fine * v;
            v += 0.5 * fine * force(q);
        }
        v *= 1.0 + growth;
    }
    let names = ["time", "b.q", "b.v", "ledger.stored"];
    let array = |numbers| Array { columns: 1, numbers };
    names.into_iter().map(String::from).zip(arrays.map(array)).collect()
}

fn judged(scheme: &str, arrays: &BTreeMap<String, Array>, code: i32, errors: &str) -> Verdict {
    let scene = scene(scheme);
    let plan = scene.plan(Path::new("")).unwrap_or_else(|problems| panic!("{problems}"));
    verdict(&scene, &plan, arrays, (code, errors)).unwrap()
}

fn fault(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Fault(kind, _) => kind,
        _ => "",
    }
}

#[test]
fn the_motion_of_a_driven_contact_has_its_energy() {
    for scheme in ["ec", "vv"] {
        assert_eq!(judged(scheme, &motion(0.0), 0, ""), Verdict::Good);
    }
}

#[test]
fn energy_from_nowhere_is_seen() {
    // Of 400 steps: 4 % of the energy in all, then 50 times as much.
    assert_eq!(fault(&judged("ec", &motion(1e-4), 0, "")), "exit 0, unexplained energy");
    assert_eq!(judged("vv", &motion(1e-4), 0, ""), Verdict::Good);
    assert_eq!(fault(&judged("vv", &motion(1e-2), 0, "")), "exit 0, energy from nowhere");
    let mut other = motion(0.0);
    other.get_mut("ledger.stored").unwrap().numbers[7] *= 1.0 + 1e-6;
    assert_eq!(fault(&judged("ec", &other, 0, "")), "exit 0, another stored energy");
    let mut none = motion(0.0);
    none.get_mut("b.v").unwrap().numbers[7] = f64::NAN;
    assert_eq!(fault(&judged("vv", &none, 0, "")), "exit 0, not finite");
}

#[test]
fn a_failure_that_the_states_do_not_show_is_a_fault() {
    let violated = "error: scheme `ec` violated its energy balance: largest relative residual 1e-3";
    assert_eq!(fault(&judged("ec", &motion(0.0), 1, violated)), "exit 1 of an exact balance");
    let grew =
        "error: scheme `vv`, step 1: the stored energy grew to 1e7 times the initial and supplied energy";
    assert_eq!(fault(&judged("vv", &motion(0.0), 1, grew)), "exit 1, nothing wrong");
    assert_eq!(judged("vv", &motion(1e-2), 1, grew), Verdict::Failed("energy grew".into()));
    let contacts = "error: scheme `ec`: contacts gained 1 J";
    assert_eq!(fault(&judged("ec", &motion(0.0), 1, contacts)), "exit 1, nothing wrong");
}
