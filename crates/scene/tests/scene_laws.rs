//! Contacts whose law the scene gives itself: as a formula, and as a table of forces.

use hamiltone_core::{audit::Audit, ledger::Bookkeeping};
use hamiltone_scene::{Plan, Scene, Set};
use std::path::Path;

/// A felt hammer on a string above a bridge.
const STROKE: &str = r#"
hamiltone = 2
[run]
duration = "20 ms"
sample_rate = "44.1 kHz"
[body.string]
kind = "string"
length = "0.7 m"
linear_density = "5 g/m"
tension = "500 N"
loss = { d1 = "2 1/s" }
[body.hammer]
kind = "mass"
mass = "3 g"
position = "0.5 mm"
velocity = "-2 m/s"
[pickup.left]
at = "string@0.7"
[contact.felt]
between = ["string@0.17", "hammer"]
"#;

const POWER: &str = "law = \"power\"\nstiffness = \"4.5e9 N/m^2.5\"\nexponent = 2.5\nloss = 0.2\n";
const FORMULA: &str =
    "law = \"formula\"\npotential = \"K*x^3.5/3.5\"\nconstants = { K = \"4.5e9 N/m^2.5\" }\nloss = 0.2\n";
const TABLE: &str =
    "law = \"table\"\npoints = [[\"0.1 mm\", \"0.5 N\"], [\"0.3 mm\", 7], [\"1 mm\", \"0.142 kN\"]]\n";

fn read(text: &str, sets: &[&str]) -> Result<Plan, String> {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(text, "x.toml", Path::new(""), &sets).plan().map_err(|e| e.to_string())
}

fn said(contact: &str) -> String {
    read(&[STROKE, contact].concat(), &[]).map_or_else(|said| said, |_| "nothing".into())
}

/// The positions after every step, with the verdict on the balance.
fn motion(plan: &Plan, rate: f64, steps: usize) -> (Vec<Vec<f64>>, bool) {
    let mut stepper = plan.scheme.prepare(&plan.system, 1.0 / rate).unwrap();
    let mut audit = Audit::open(stepper.reset(&[]), stepper.balance());
    let (mut q, mut v) = (vec![0.0; plan.system.size()], vec![0.0; plan.system.size()]);
    let mut all = Vec::new();
    for _ in 0..steps {
        audit.post(&stepper.step(&[], Bookkeeping::Full));
        stepper.snapshot(&mut q, &mut v);
        all.push(q.clone());
    }
    (all, audit.ok(plan.balance_bound) && audit.fault.is_none())
}

const SCHEMES: [&str; 3] = ["ec", "ck", "modal-ec"];

#[test]
fn a_formula_of_a_power_moves_as_the_power_does() {
    for scheme in SCHEMES {
        let set = format!("run.scheme=\"{scheme}\"");
        // A loss is not for `ck`.
        let sets: &[&str] = if scheme == "ck" { &[&set, "contact.felt.loss=0"] } else { &[&set] };
        let [(power, sound), (formula, also)] = [POWER, FORMULA].map(|contact| {
            motion(&read(&[STROKE, contact].concat(), sets).unwrap_or_else(|e| panic!("{e}")), 44_100.0, 400)
        });
        assert!(sound && also, "{scheme}: a balance fails");
        let size = power.iter().flatten().fold(0.0_f64, |size, q| size.max(q.abs()));
        let pairs = power.iter().flatten().zip(formula.iter().flatten());
        let apart = pairs.fold(0.0_f64, |apart, (a, b)| apart.max((a - b).abs()));
        println!("{scheme}: {:.1e} of the largest position", apart / size);
        // 400 steps, each with some 10 eps of force and of Newton's last correction.
        assert!(apart < 1e-12 * size, "{scheme}: {:.1e}", apart / size);
    }
}

/// A table moves a mass in balance, and both laws act along a body too.
#[test]
fn balances_are_exact() {
    for scheme in SCHEMES {
        for contact in [
            TABLE.to_string(),
            "law = \"formula\"\npotential = \"1e4*(exp(x/d) - x/d)*d^2\"\nconstants = { d = \"0.2 mm\" }\nreach = \"2 mm\"\n"
                .into(),
            "law = \"formula\"\nsides = \"both\"\npotential = \"1e5*x^2 + 1e12*x^4\"\ngap = \"-0.1 mm\"\n"
                .into(),
            format!(
                "{POWER}[contact.bridge]\nbetween = [\"ground\", \"string\"]\nlaw = \"formula\"\ngap = \"0.1 mm\"\npotential = \"1e7*x^2\"\n"
            ),
            format!(
                "{POWER}[contact.bridge]\nbetween = [\"ground\", \"string\"]\ngap = \"0.1 mm\"\n{}",
                TABLE.replace(" N", " N/m").replace("kN", "kN/m")
            ),
        ] {
            let set = format!("run.scheme=\"{scheme}\"");
            let loss: &[&str] = if contact.contains("loss") { &["contact.felt.loss=0"] } else { &[] };
            let sets = [&[set.as_str()], loss].concat();
            let plan = read(&[STROKE, &contact].concat(), &sets).unwrap_or_else(|e| panic!("{e}"));
            assert!(motion(&plan, 44_100.0, 600).1, "{scheme}: {contact}");
        }
    }
}

/// A mass meets a wall at v: ½mv² = V(x) at the deepest point. Chords of K x^1.5, h apart, have an energy beyond
/// 2/5 K x^2.5 by at most K(h²√x/8 + h^2.5/10): that part of V over α + 1 is what x is less.
#[test]
fn a_table_moves_as_the_law_that_it_was_taken_from() {
    let wall = |contact: &str| {
        let scene = "hamiltone = 2\n[run]\nscheme = \"ec\"\nduration = \"1 ms\"\nsample_rate = \"48 kHz\"\n[body.ball]\nkind = \"mass\"\n\
            mass = \"10 g\"\nvelocity = \"1 m/s\"\n[pickup.left]\nat = \"ball\"\n[contact.wall]\nbetween = [\"ball\", \"ground\"]\n";
        let plan = read(&format!("{scene}{contact}"), &[]).unwrap_or_else(|e| panic!("{e}"));
        // 0.5 µs of a contact of 0.3 ms: what steps miss of the deepest point is (Δt/T)², below 1e-5.
        let (motion, sound) = motion(&plan, 2e6, 700);
        assert!(sound);
        motion.iter().fold(0.0_f64, |deepest, q| deepest.max(q[0]))
    };
    let (stiffness, h) = (1e8_f64, 4e-6_f64);
    let force = |x: f64| stiffness * x.powf(1.5);
    let list: Vec<(f64, f64)> = (0..=40).map(|i| h * f64::from(i)).map(|x| (x, force(x))).collect();
    let inline: Vec<String> = list.iter().map(|(x, f)| format!("[{x:?}, {f:?}]")).collect();
    let file = std::env::temp_dir().join(format!("hamiltone-law-{}.csv", std::process::id()));
    let rows: String = list.iter().map(|(x, f)| format!("{x:?}, {f:?}\n")).collect();
    std::fs::write(&file, format!("penetration, force\n{rows}")).unwrap();
    let power = wall("law = \"power\"\nstiffness = 1e8\n");
    let table = wall(&format!("law = \"table\"\npoints = [{}]\n", inline.join(", ")));
    let from_file = format!("law = \"table\"\nfile = '{}'\n", file.display());
    assert_eq!(wall(&from_file), table);
    let text = [STROKE, &from_file].concat();
    assert_eq!(read(&text, &[]).unwrap().inputs, std::slice::from_ref(&file));
    std::fs::remove_file(&file).unwrap();
    let deepest = (0.5 * 0.01 / 0.4 / stiffness).powf(0.4);
    assert!((power / deepest - 1.0).abs() < 1e-5, "{power} {deepest}");
    let more = h * h * deepest.sqrt() / 8.0 + h.powf(2.5) / 10.0;
    let part = more / (0.4 * deepest.powf(2.5)) / 2.5;
    let less = 1.0 - table / power;
    println!("{less:.2e} of at most {part:.2e}");
    assert!(less > -1e-5 && less < part + 1e-5, "{less} {part}");
}

#[test]
fn mistakes_have_a_place() {
    let formula =
        |text: &str| format!("law = \"formula\"\npotential = \"{text}\"\nconstants = {{ K = 1e9 }}\n");
    for (contact, told) in [
        (
            formula("K*x^2*y"),
            "x.toml:22:20: contact `felt`: `potential` cannot be used: there is no constant `y`; it can use x, pi, K; add `y` to `constants`",
        ),
        (
            formula("K*x^2*"),
            "x.toml:22:20: contact `felt`: `potential` cannot be used: the formula ends here; write a number",
        ),
        (
            formula("K*tan(x)"),
            "x.toml:22:16: contact `felt`: `potential` cannot be used: there is no function `tan`",
        ),
        (
            formula("K*x^1.2"),
            "x.toml:22:13: contact `felt`: `potential` has V′ = 0 and V″ = inf at x = 0; both must be finite",
        ),
        (
            formula("x^2").replace("1e9", "\\\"1e9 furlong\\\"").replace('\\', ""),
            "`constants` has `K`, which cannot be read: `furlong` is no unit",
        ),
        (formula("x^2").replace("{ K = 1e9 }", "1e9"), "`constants` takes a table, not a number"),
        (
            format!("{}sides = \"both\"\nloss = 0.1\n", formula("x^2")),
            "`loss` has an effect only with sides = \"one\"",
        ),
        ("law = \"formula\"\n".into(), "`potential` is missing; add potential = \"1e9*K*x^2.5/2.5\""),
        ("law = \"table\"\n".into(), "needs forces against penetrations: give one of points (N), file"),
        (
            "law = \"table\"\npoints = [[0.001, 2], [0.002, 1]]\n".into(),
            "x.toml:22:10: contact `felt`: `points` has the force 1 at x = 0.002 after 2 at 0.001; forces must not fall",
        ),
        (
            "law = \"table\"\npoints = [[0.002, 2], [0.001, 3]]\n".into(),
            "`points` has 0.001 m after 0.002 m, but",
        ),
        ("law = \"table\"\npoints = [[\"1 mm\", \"2 Pa\"]]\n".into(), "is measured in N, not in Pa"),
        ("law = \"table\"\nfile = \"nowhere.csv\"\n".into(), "`file` cannot be read: nowhere.csv"),
    ] {
        let said = said(&contact);
        assert!(said.contains(told), "{contact}\n{said}");
    }
}
