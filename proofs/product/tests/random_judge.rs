//! The judge of random scenes sees what a program could hide: states that gain energy, that are no numbers or that show
//! nothing of the failure that an exit code claims.

use hamiltone_numerics::math;
use hamiltone_product::scenes::{
    judge::{Verdict, verdict},
    npz::Array,
    options::Options,
    scene::{Drawn, Section},
};
use std::{collections::BTreeMap, f64::consts::TAU, path::Path};
use toml::Table;

const STEPS: usize = 400;
const RATE: f64 = 40_000.0;

/// A force: A cos 2πft.
#[derive(Clone, Copy, Debug)]
struct Force {
    amplitude: f64,
    frequency: f64,
}

const CONSTANT: Force = Force { amplitude: 2.0, frequency: 0.0 };

impl Force {
    fn value(self, t: f64) -> f64 {
        self.amplitude * math::cos(TAU * self.frequency * t)
    }

    fn keys(self) -> String {
        match self {
            Force { amplitude, frequency: 0.0 } => format!("kind = \"constant\"\nvalue = {amplitude}"),
            Force { amplitude, frequency } => {
                format!(
                    "kind = \"harmonics\"\nfundamental = {frequency}\namplitudes = [{amplitude}]\nphase = \"cosine\""
                )
            }
        }
    }
}

/// A scene of one oscillator of 1 kg and 1000 rad/s with a force, and with a spring of 10⁶ N/m² beyond 1 mm.
fn scene(scheme: &str, force: Force) -> Drawn {
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
            section("drive", Some("d"), &format!("at = \"b\"\n{}", force.keys())),
            section("pickup", Some("p"), "at = \"b\""),
        ],
        files: Vec::new(),
        options: Options::default(),
    }
}

/// The motion by velocity Verlet in 100 parts of a step, its velocity multiplied by (1 + growth) each step.
fn motion(growth: f64, external: Force) -> BTreeMap<String, Array> {
    let (dt, parts) = (1.0 / RATE, 100);
    let fine = dt / f64::from(parts);
    let force = |q: f64| -1e6 * q - 1e6 * (q - 1e-3).max(0.0);
    let (mut q, mut v) = (2e-3, 0.0);
    let mut arrays: [Vec<f64>; 4] = Default::default();
    for n in 0..=STEPS {
        let depth: f64 = (q - 1e-3_f64).max(0.0);
        let energy = 0.5 * v * v + 0.5e6 * q * q + 0.5e6 * depth * depth;
        arrays.iter_mut().zip([n as f64 * dt, q, v, energy]).for_each(|(array, x)| array.push(x));
        let ends = [n, n + 1].map(|n| external.value(n as f64 * dt));
        for part in 0..parts {
            // The signal is straight within a step.
            let u = [part, part + 1].map(|i| ends[0] + (ends[1] - ends[0]) * f64::from(i) / f64::from(parts));
            v += 0.5 * fine * (force(q) + u[0]);
            q += fine * v;
            v += 0.5 * fine * (force(q) + u[1]);
        }
        v *= 1.0 + growth;
    }
    let names = ["time", "b.q", "b.v", "ledger.stored"];
    let array = |numbers| Array { columns: 1, numbers };
    names.into_iter().map(String::from).zip(arrays.map(array)).collect()
}

fn judged(scheme: &str, force: Force, arrays: &BTreeMap<String, Array>, code: i32, errors: &str) -> Verdict {
    attempt(scheme, force, arrays, code, errors).unwrap()
}

fn attempt(
    scheme: &str,
    force: Force,
    arrays: &BTreeMap<String, Array>,
    code: i32,
    errors: &str,
) -> Result<Verdict, String> {
    let scene = scene(scheme, force);
    let plan = scene.plan(Path::new("")).unwrap_or_else(|problems| panic!("{problems}"));
    verdict(&scene, &plan, arrays, (code, errors))
}

fn fault(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Fault(kind, _) => kind,
        _ => "",
    }
}

/// Constant, and of 150 Hz to 5 kHz; weak, and so strong that it gives more than the initial energy.
fn forces() -> Vec<Force> {
    let frequencies = [0.0, 150.0, 2000.0, 5000.0];
    let of = |frequency| [2.0, 2000.0].map(|amplitude| Force { amplitude, frequency });
    frequencies.into_iter().flat_map(of).collect()
}

#[test]
fn the_motion_of_a_driven_contact_has_its_energy() {
    for force in forces() {
        for scheme in ["ec", "vv"] {
            assert_eq!(
                judged(scheme, force, &motion(0.0, force), 0, ""),
                Verdict::Good,
                "{force:?} {scheme}"
            );
        }
    }
}

#[test]
fn gained_energy_is_seen() {
    // Of 400 steps: 4 % of the energy in all, then 50 times as much.
    let judged = |scheme, growth| judged(scheme, CONSTANT, &motion(growth, CONSTANT), 0, "");
    assert_eq!(fault(&judged("ec", 1e-4)), "exit 0, unexplained energy");
    assert_eq!(judged("vv", 1e-4), Verdict::Good);
    assert_eq!(fault(&judged("vv", 1e-2)), "exit 0, gained energy");
}

#[test]
fn gained_energy_is_seen_with_any_force() {
    for force in forces() {
        let states = motion(1e-2, force);
        assert_eq!(fault(&judged("vv", force, &states, 0, "")), "exit 0, gained energy", "{force:?}");
        let states = motion(1e-3, force);
        assert_eq!(fault(&judged("ec", force, &states, 0, "")), "exit 0, unexplained energy", "{force:?}");
    }
}

/// The force acts from the first step on: at rest, all energy is its work.
#[test]
fn a_force_in_the_first_step_counts() {
    let force = Force { amplitude: 2000.0, frequency: 0.0 };
    let first = |growth| {
        let mut states = motion(growth, force);
        states.values_mut().for_each(|array| array.numbers.truncate(2));
        states
    };
    assert_eq!(judged("ec", force, &first(0.0), 0, ""), Verdict::Good);
    let mut faster = first(0.0);
    let v = &mut faster.get_mut("b.v").unwrap().numbers[1];
    *v = 1.0;
    let q = faster["b.q"].numbers[1];
    faster.get_mut("ledger.stored").unwrap().numbers[1] = 0.5 + 0.5e6 * (q * q + (q - 1e-3) * (q - 1e-3));
    assert_eq!(fault(&judged("ec", force, &faster, 0, "")), "exit 0, unexplained energy");
}

#[test]
fn wrong_and_missing_numbers_are_seen() {
    let judged = |scheme, states: &_| attempt(scheme, CONSTANT, states, 0, "");
    let changed = |name: &str, x: f64| {
        let mut states = motion(0.0, CONSTANT);
        states.get_mut(name).unwrap().numbers[7] *= x;
        states
    };
    let stored = changed("ledger.stored", 1.0 + 1e-6);
    assert_eq!(fault(&judged("ec", &stored).unwrap()), "exit 0, another stored energy");
    let stored = changed("ledger.stored", f64::NAN);
    assert_eq!(fault(&judged("ec", &stored).unwrap()), "exit 0, another stored energy");
    assert_eq!(fault(&judged("vv", &changed("b.v", f64::NAN)).unwrap()), "exit 0, not finite");
    for name in ["time", "b.q", "b.v", "ledger.stored"] {
        let mut states = motion(0.0, CONSTANT);
        states.get_mut(name).unwrap().numbers.pop();
        assert!(name == "time" || judged("ec", &states).is_err(), "{name}");
        states.remove(name);
        assert!(judged("ec", &states).is_err(), "{name}");
    }
}

#[test]
fn a_failure_that_the_states_do_not_show_is_a_fault() {
    let judged = |scheme, growth, text: &str| {
        let text = format!("error: scheme `{scheme}`{text}");
        judged(scheme, CONSTANT, &motion(growth, CONSTANT), 1, &text)
    };
    let violated = " violated its energy balance: largest relative residual 1e-3";
    assert_eq!(fault(&judged("ec", 0.0, violated)), "exit 1 of an exact balance");
    let nothing = "exit 1, nothing wrong";
    let grew = ", step 1: the stored energy grew to 1e7 times the initial and supplied energy";
    let reached = ": the physical energy reached 1 J, 3 times the 0.3 J put in";
    let contacts = ": contacts gained 1 J";
    let not_finite = ", step 1: a position or velocity is infinite or not a number";
    for text in [grew, reached, contacts, not_finite, "", ": anything else"] {
        assert_eq!(fault(&judged("vv", 0.0, text)), nothing, "{text}");
    }
    // What is named must be what is shown: 50 times as much energy, then 10⁶ times. A bounded balance that is lost may show as
    // a growth of any size.
    assert_eq!(judged("vv", 1e-2, grew), Verdict::Failed("diverged".into()));
    assert_eq!(fault(&judged("vv", 1e-2, contacts)), nothing);
    assert_eq!(judged("vv", 1e-2, reached), Verdict::Failed("energy grew".into()));
    assert_eq!(judged("vv", 5e-2, grew), Verdict::Failed("diverged".into()));
}

/// A mass that hits a rigid wall at 1 m/s and leaves it at another speed, both impulses between rows 1 and 2.
fn bounce(speed: f64) -> (Drawn, BTreeMap<String, Array>) {
    let mut scene = scene("moreau-jean", CONSTANT);
    let mut keys = |i: usize, keys: &str| scene.sections[i].keys = keys.parse::<Table>().unwrap();
    keys(1, "kind = \"mass\"\nmass = 1\nvelocity = 1");
    keys(2, "between = [\"b\", \"ground\"]\nlaw = \"rigid\"\ngap = 2.5e-5");
    scene.sections.remove(3);
    let dt = 1.0 / RATE;
    let array = |numbers: [f64; 4]| Array { columns: 1, numbers: numbers.to_vec() };
    let after = dt + 0.5 * dt * (1.0 - speed);
    let energy = 0.5 * speed * speed;
    let arrays = [
        ("time", [0.0, dt, 2.0 * dt, 3.0 * dt]),
        ("b.q", [0.0, dt, after, after - speed * dt]),
        ("b.v", [1.0, 1.0, -speed, -speed]),
        ("ledger.stored", [0.5, 0.5, energy, energy]),
        ("contact.c.impulse", [0.0, 0.0, 1.0 + speed, 0.0]),
    ];
    (scene, arrays.map(|(name, numbers)| (name.to_string(), array(numbers))).into())
}

#[test]
fn impulses_are_judged_and_must_be_there() {
    let judged = |speed: f64, with_impulses: bool| {
        let (scene, mut arrays) = bounce(speed);
        if !with_impulses {
            arrays.remove("contact.c.impulse");
        }
        let plan = scene.plan(Path::new("")).unwrap_or_else(|problems| panic!("{problems}"));
        verdict(&scene, &plan, &arrays, (0, ""))
    };
    assert_eq!(judged(1.0, true), Ok(Verdict::Good));
    assert_eq!(judged(0.5, true), Ok(Verdict::Good));
    assert_eq!(fault(&judged(1.1, true).unwrap()), "exit 0, work of contacts");
    assert!(judged(1.0, false).is_err());
}
