//! Bodies by the frequency or the note at which they sound, in both formats; bars by the ratios of their partials.

use hamiltone_bodies::reduction::{self, Component, Keep};
use hamiltone_core::parameter::{Rule, Takes};
use hamiltone_scene::{Plan, Scene, catalogue::Category};
use hamiltone_schemes::eigenfrequencies;
use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};
use std::f64::consts::{LN_2, TAU};

/// The plan of a scene with the body `b`, or its errors.
fn plan(format: u8, body: &str) -> Result<Plan, String> {
    let is = |kind: &str| body.starts_with(&format!("kind = \"{kind}\""));
    let pickup = match () {
        () if is("oscillator") => "at = \"b\"",
        () if is("plate") || is("disc") || is("membrane") => "at = \"b@0.3,0.2\"",
        () if is("tube") => "at = \"b@0.3\"\nquantity = \"flow\"",
        () => "at = \"b@0.3\"",
    };
    let text =
        format!("hamiltone = {format}\n[run]\nduration = \"1 ms\"\n[pickup.p]\n{pickup}\n[body.b]\n{body}\n");
    Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().map_err(|e| e.to_string())
}

fn cents(f: f64, reference: f64) -> f64 {
    1200.0 * (f / reference).ln() / LN_2
}

/// √(ω² − σ²)/2π, Hz, of what will be stepped, without rigid motions, by ω: of modes by their own numbers, of a grid by bisection
/// on its eigenvalues and the losses of its shapes.
fn sounding(plan: &Plan) -> Vec<f64> {
    let system = &plan.system;
    let mut all: Vec<(f64, f64)> = match (system.diagonal_stiffness(), system.diagonal_damping()) {
        (Ok(stiffness), Ok(damping)) => {
            let dof = |i: usize| ((stiffness[i] / system.mass[i]).sqrt(), 0.5 * damping[i] / system.mass[i]);
            (0..system.size()).map(dof).collect()
        }
        _ => {
            let dofs = (0..system.size()).collect();
            let component = Component {
                name: "b".into(),
                dofs,
                keep: Keep::Lowest(5),
                losses: Vec::new(),
                supports: Vec::new(),
            };
            let reduced = reduction::reduce(system, &[component]).unwrap();
            let modes = reduced.components[0].modes.clone();
            eigenfrequencies::lowest(system, 5)
                .into_iter()
                .zip(modes)
                .map(|(omega, mode)| (omega, mode.sigma))
                .collect()
        }
    };
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().filter(|mode| mode.0 > 1.0).map(|(o, s)| (o * o - s * s).max(0.0).sqrt() / TAU).collect()
}

struct Random(TestRng);

impl Random {
    fn new() -> Self {
        Self(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    /// Between two numbers, evenly in their logarithms.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.0.next_u64() as f64 / u64::MAX as f64)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[(self.0.next_u64() % all.len() as u64) as usize]
    }
}

/// Stiff, damped strings with all ends, by formula, by the modes of a grid and on a grid: the first partial of what is stepped
/// has the frequency that was asked for. Bisection on the eigenvalues of a grid of 100 intervals, of which the first is
/// 10⁻⁹ of the largest, leaves 10⁻⁷ of it, 10⁻⁴ cents.
#[test]
fn strings_sound_at_their_frequency() {
    let mut random = Random::new();
    let ends = ["hinged", "clamped", "free"];
    let mut tested = 0;
    // Of each pair of ends; all where `.ci/run` sets it.
    let each = if std::env::var_os("HAMILTONE_LONG").is_some() { 16 } else { 4 };
    for left in ends {
        for right in ends {
            for _ in 0..each {
                let (length, f) = (random.between(0.2, 2.0), random.between(40.0, 900.0));
                // κk² up to half of ω of the first partial, and T₆₀ down to some ten periods.
                let kappa = random.between(1e-3, 0.3) * TAU * f * (length / 4.0_f64).powi(2);
                let (t1, t2) = (random.between(20.0, 2000.0) / f, random.between(0.3, 0.9));
                let loss = match *random.of(&[0, 1, 2, 3]) {
                    0 => String::new(),
                    1 => format!("loss = {{ d1 = {}, d3 = {} }}", 10.0 / t1, 1e-2 * length * length),
                    2 => format!("loss = {{ t60 = [[{f}, {t1}], [{}, {}]] }}", 10.0 * f, t1 * t2),
                    _ => format!("loss = {{ t60 = [[{f}, {t1}]] }}"),
                };
                let method = random.of(&[
                    "",
                    "method = \"modal\"\nmodes = 8",
                    "method = \"finite-difference\"\nintervals = 40",
                    "method = \"finite-difference\"",
                    // Finer than those on which frequencies are found.
                    "intervals = 1500",
                ]);
                let body = format!(
                    "kind = \"string\"\nlength = {length}\nlinear_density = 5e-3\nfrequency = {f}\nstiffness = {kappa}\n\
                     left = \"{left}\"\nright = \"{right}\"\n{loss}\n{method}"
                );
                let plan = match plan(2, &body) {
                    Ok(plan) => plan,
                    // Times that no d₁ and d₃ give, at some tension on the way.
                    Err(said) if said.contains("must not be negative") => continue,
                    Err(said) => panic!("{said}\n{body}"),
                };
                let off = cents(sounding(&plan)[0], f);
                assert!(off.abs() < 0.01, "{off:e} cents\n{body}");
                assert!(plan.bodies[0].solved[0].name == "tension" && plan.bodies[0].solved[0].value > 0.0);
                tested += 1;
            }
        }
    }
    assert!(tested > 6 * each, "{tested}");
}

/// Every kind with a frequency, with losses, and what is found of it.
const KINDS: [(&str, &str); 17] = [
    (
        "kind = \"bar\"\nlength = 0.35\nleft = \"clamped\"\nmethod = \"finite-difference\"\nintervals = 700",
        "thickness",
    ),
    ("kind = \"timoshenko-bar\"\nthickness = 0.01\nintervals = 600", "length"),
    ("kind = \"oscillator\"\nmass = 1\ndamping = 300", ""),
    (
        "kind = \"bar\"\nlength = 0.35\ndensity = 900\nyoungs_modulus = 16e9\nloss = { t60 = [[200, 0.2]] }",
        "thickness",
    ),
    ("kind = \"bar\"\nthickness = 0.01\nleft = \"clamped\"\nloss = { d1 = 90, d3 = 0.1 }", "length"),
    ("kind = \"bar\"\nthickness = 0.01\nmethod = \"finite-difference\"\nintervals = 50", "length"),
    (
        "kind = \"bar\"\nlength = 0.3\nprofile = [[0, 0.02], [0.1, 0.02], [0.15, 0.01], [0.3, 0.02]]",
        "thickness",
    ),
    ("kind = \"timoshenko-bar\"\nlength = 0.35\ndamping = 100", "thickness"),
    ("kind = \"timoshenko-bar\"\nthickness = 0.03\nleft = \"hinged\"", "length"),
    (
        "kind = \"timoshenko-bar\"\nlength = 0.3\nprofile = [[0, 0.02], [0.15, 0.01], [0.3, 0.02]]",
        "thickness",
    ),
    ("kind = \"plate\"\nlength = 0.4\nwidth = 0.3\nloss = { t60 = [[200, 0.2]] }", "thickness"),
    (
        "kind = \"plate\"\nlength = 0.4\nwidth = 0.3\nright = \"free\"\nloss = { d1 = 60, d3 = 0.2 }",
        "thickness",
    ),
    ("kind = \"disc\"\nradius = 0.2\nloss = { t60 = [[200, 0.3], [1000, 0.1]] }", "thickness"),
    ("kind = \"disc\"\nradius = 0.2\nedge = \"clamped\"\nloss = { d1 = 60, d3 = 0.2 }", "thickness"),
    (
        "kind = \"membrane\"\nradius = 0.2\nthickness = 2e-4\nloss = { t60 = [[200, 0.3], [1000, 0.1]] }",
        "tension",
    ),
    ("kind = \"tube\"\nradius = 0.01\nleft = \"closed\"\ndamping = 100", "length"),
    ("kind = \"tube\"\nradius_left = 0.004\nradius_right = 0.02\nmethod = \"finite-difference\"", "length"),
];

#[test]
fn every_kind_sounds_at_its_frequency() {
    for (body, found) in KINDS {
        for f in [110.0, 311.127] {
            let plan =
                plan(2, &format!("{body}\nfrequency = {f}")).unwrap_or_else(|said| panic!("{said}\n{body}"));
            let off = cents(sounding(&plan)[0], f);
            assert!(off.abs() < 0.01, "{off:e} cents\n{body}");
            let solved: Vec<&str> = plan.bodies[0].solved.iter().map(|solved| solved.name).collect();
            assert_eq!(solved, found.split_whitespace().collect::<Vec<_>>(), "{body}");
        }
    }
}

/// No kind with a frequency is left out above, and each of them takes a note.
#[test]
fn every_kind_with_a_frequency_takes_a_pitch() {
    for kind in Category::Bodies.kinds() {
        let takes = |name: &str| kind.parameters.iter().any(|parameter| parameter.name == name);
        assert_eq!(takes("frequency"), takes("pitch"), "{}", kind.name);
        let tested = KINDS.iter().any(|(body, _)| body.starts_with(&format!("kind = \"{}\"", kind.name)));
        assert_eq!(takes("pitch"), tested || kind.name == "string", "{}", kind.name);
        let pitch = kind.parameters.iter().filter(|parameter| matches!(parameter.takes, Takes::Pitch));
        assert!(pitch.count() <= 1, "{}", kind.name);
    }
}

const NYLON: &str = "kind = \"string\"\nlength = 0.65\nlinear_density = 6.6e-3\nstiffness = 1.2\n";

#[test]
fn a_pitch_is_its_frequency() {
    let tension = |text: &str, run: &str| {
        let scene = format!(
            "hamiltone = 2\nrun.duration = 0.001\n{run}\npickup.p = {{ at = \"b@0.3\" }}\n[body.b]\n{NYLON}{text}\n"
        );
        let plan = Scene::new(&scene, "x.toml", ".".as_ref(), &[]).plan().map_err(|e| e.to_string());
        plan.unwrap().bodies[0].solved[0].value
    };
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    close(tension("pitch = \"A2\"", ""), tension("frequency = 110", ""));
    close(tension("pitch = \"A♯2 −100 cents\"", ""), tension("frequency = 110", ""));
    close(tension("pitch = \"A2\"", "run.a4 = \"442 Hz\""), tension("frequency = 110.5", ""));
}

/// What stands in the message, and where.
#[test]
fn what_cannot_be_is_explained() {
    for (body, says) in [
        (format!("{NYLON}pitch = \"e2\""), "`pitch` cannot be read: `e2` does not begin with a letter from A to G; write \"E2\""),
        (format!("{NYLON}pitch = 82"), "`pitch` takes a note in quotes, not a number; write for example \"E2\"; a number of Hz is a `frequency`"),
        (format!("{NYLON}pitch = \"E2\"\nfrequency = 82"), "both state the tension; give one of them"),
        (
            format!("{}frequency = 20", NYLON.replace("1.2", "40")),
            "`frequency` of 20 Hz cannot be reached: with a tension of",
        ),
        ("kind = \"bar\"\nthickness = 0.01".into(), "needs all but one of length (m), thickness (m) or bending_stiffness (N m^2) and frequency (Hz) or pitch; the one left out follows"),
        ("kind = \"bar\"\nthickness = 0.01\nlength = 0.3\npitch = \"A3\"".into(), "`pitch` follows from `length` and `thickness`; leave one of"),
        ("kind = \"bar\"\nlength = 0.3\npitch = \"A3\"\nfrequency = 220".into(), "`pitch` and `frequency` both state the same; give one of them"),
        ("kind = \"bar\"\nlength = 100\nfrequency = 20000".into(), "with a thickness of 0.5 m the first partial sounds at 0.259424 Hz; ask for a lower"),
        ("kind = \"tube\"\nfrequency = 100\nprofile = [[0, 0.01], [1, 0.01]]".into(), "`profile` needs `length` as well"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [4, 3]".into(), "`tuning` has 3 after 4, but ratios must increase"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [2, 3, 4]".into(), "`tuning` takes 1 to 2 ratios, not 3"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [2]".into(), "`tuning` of [2] cannot be reached: a cut over 0.6 of the length gives a second partial from 2.75"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [4, 20]".into(), "`tuning` of [4, 20] cannot be reached: a cut over 0.6 of the length gives a third partial from 8.4"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [4]\nleft = \"clamped\"".into(), "`tuning` has an effect only with left = \"free\""),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\nundercut = 0.5".into(), "`undercut` needs `tuning` as well"),
        ("kind = \"bar\"\nlength = 0.3\nthickness = 0.01\ntuning = [4]\nprofile = [[0, 0.01], [0.3, 0.02]]".into(), "`tuning` has no effect beside `profile`"),
    ] {
        let said = plan(2, &body).err().unwrap_or_else(|| panic!("accepted:\n{body}"));
        assert!(said.contains(says), "said {said}\nlacks {says}");
    }
}

/// A bar so thin that rounding hides its lowest modes on the grid of its losses: to turn these about each other took minutes.
#[test]
fn a_tuned_bar_whose_modes_rounding_hides_is_refused_at_once() {
    let body = "kind = \"timoshenko-bar\"\nmethod = \"finite-difference\"\nintervals = 6\nlength = 0.0378\ndensity = 200\n\
                shear_modulus = 1e7\nfrequency = 0.1\ntuning = [2.9082]\nloss = { t60 = [[1, 3.574], [12317, 1.7197]] }";
    let said = plan(2, body).err().unwrap();
    assert!(said.contains("`tuning` was not met"), "{said}");
}

/// A length that is not spelled or not measured as one is the only mistake: nothing follows from it yet.
#[test]
fn a_size_that_cannot_be_read_is_one_mistake() {
    for (length, says) in [
        ("length = \"3 kg\"", "`length` is measured in m, not in kg"),
        ("length = -1", "`length` is -1 m, but must be"),
        ("lenght = 3", "there is no key `lenght`; did you mean `length`?"),
    ] {
        let said =
            plan(2, &format!("kind = \"bar\"\nthickness = 0.01\npitch = \"A3\"\n{length}")).err().unwrap();
        assert!(
            said.contains(says) && said.matches("error: ").count() <= 1 && !said.contains("`pitch` follows"),
            "{said}"
        );
    }
}

/// The same bits as by the key that says what it means, and a message where the two meanings differ by more than a cent.
#[test]
fn in_format_1_a_frequency_is_that_of_the_ideal_body() {
    for (body, meant) in [
        (format!("{NYLON}loss = {{ t60 = [[82, 4], [3000, 0.8]] }}\n"), "ideal_frequency"),
        ("kind = \"oscillator\"\nmass = 1\ndamping = 300\n".into(), "undamped_frequency"),
        (
            "kind = \"membrane\"\nradius = 0.2\nthickness = 2e-4\nloss = { d1 = 300 }\n".into(),
            "undamped_frequency",
        ),
    ] {
        let [old, own, new] = [(1, "frequency"), (2, meant), (2, "frequency")].map(|(format, key)| {
            plan(format, &format!("{body}{key} = 82")).unwrap_or_else(|e| panic!("{e}\n{body}"))
        });
        let stiffness = |plan: &Plan| plan.system.diagonal_stiffness().unwrap();
        assert_eq!(stiffness(&old), stiffness(&own), "{body}");
        assert_ne!(stiffness(&old), stiffness(&new), "{body}");
        assert_eq!((own.warnings.len(), new.warnings.len()), (0, 0), "{:?} {:?}", own.warnings, new.warnings);
        let off = format!("{:+.1} cents", cents(sounding(&old)[0], 82.0)).replace('-', "−");
        let warning = old.warnings.first().unwrap_or_else(|| panic!("no message\n{body}"));
        for says in
            ["`frequency` is 82 Hz, but the first partial sounds at", &off, "write hamiltone = 2", meant]
        {
            assert!(warning.contains(says), "{warning}\nlacks {says}");
        }
    }
    // Within a cent there is nothing to say.
    let quiet = plan(1, "kind = \"oscillator\"\nmass = 1\ndamping = 1\nfrequency = 82").unwrap();
    assert!(quiet.warnings.is_empty(), "{:?}", quiet.warnings);
}

/// What keys of format 1 mean is one parameter of the same table, of the same kind.
#[test]
fn former_keys_mean_parameters_that_there_are() {
    let mut found = 0;
    for kind in Category::Bodies.kinds() {
        for rule in kind.rules {
            if let Rule::Formerly { parameter, meant } = rule {
                let [old, new] = [parameter, meant].map(|name| kind.table().find(name).unwrap().role());
                assert_eq!(old, new, "{}", kind.name);
                found += 1;
            }
        }
    }
    assert_eq!(found, 3);
}

/// Bars of both theories by their ratios, with pitch or without, on grids and by modes: f₂/f₁ and f₃/f₁ of what is stepped.
#[test]
fn tuned_bars_have_their_ratios() {
    let wood = "density = 1000\nyoungs_modulus = 18e9\n";
    for kind in ["kind = \"bar\"\n", "kind = \"timoshenko-bar\"\nshear_modulus = 1.3e9\n"] {
        for (ratios, size, f) in [
            ("[4, 10]", "length = 0.34\npitch = \"A3\"", Some(220.0)),
            ("[4, 9.88]", "thickness = 0.02\nfrequency = 440", Some(440.0)),
            ("[4]", "length = 0.34\nthickness = 0.02", None),
            ("[3]", "thickness = 0.02\npitch = \"A5\"", Some(880.0)),
            ("[3, 6]", "length = 0.34\nthickness = 0.015", None),
            ("[4, 10]", "length = 0.34\nthickness = 0.02\nundercut = 0.5", None),
        ] {
            for method in ["", "method = \"finite-difference\"\nintervals = 90", "damping"] {
                let loss = match (method, kind.contains("timoshenko")) {
                    ("damping", true) => "damping = 20",
                    ("damping", false) => "loss = { t60 = [[400, 0.5], [4000, 0.2]] }",
                    _ => method,
                };
                let body = format!("{kind}{wood}{size}\ntuning = {ratios}\n{loss}");
                let plan = plan(2, &body).unwrap_or_else(|said| panic!("{said}\n{body}"));
                let partials = sounding(&plan);
                let wanted: Vec<f64> =
                    ratios.trim_matches(['[', ']']).split(", ").map(|r| r.parse().unwrap()).collect();
                for (partial, ratio) in partials[1..].iter().zip(&wanted) {
                    let off = cents(partial / partials[0], *ratio);
                    assert!(off.abs() < 0.01, "{off:e} cents of {ratio}\n{body}");
                }
                if let Some(f) = f {
                    assert!(cents(partials[0], f).abs() < 0.01, "{} Hz\n{body}", partials[0]);
                }
                let names: Vec<&str> = plan.bodies[0].solved.iter().map(|solved| solved.name).collect();
                assert!(
                    names.ends_with(&["thickness in the middle", "exponent of the undercut"]),
                    "{names:?}"
                );
                assert_eq!(names.len(), if f.is_some() { 3 } else { 2 }, "{names:?}");
            }
        }
    }
}
