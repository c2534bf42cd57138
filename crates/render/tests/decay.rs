//! Decay as requested: the times in which partials of the rendered sound fall by 60 dB, for strings and bars of all ends in
//! both of their representations, and for plates and membranes, within 2 %.

use hamiltone_plan::Plan;
use hamiltone_render::{loss, run, tuning::discrete};
use hamiltone_scene::Scene;
use std::{f64::consts::TAU, path::Path};

/// The amplitude of a frequency in a Hann window of `window` seconds from `begin` on.
pub fn amplitude(samples: &[f64], rate: f64, frequency: f64, begin: f64, window: f64) -> f64 {
    let (first, count) = ((begin * rate) as usize, (window * rate) as usize);
    let (mut re, mut im) = (0.0, 0.0);
    for (i, x) in samples[first..first + count].iter().enumerate() {
        let weight = 0.5 - 0.5 * (TAU * i as f64 / count as f64).cos();
        let phase = TAU * frequency * i as f64 / rate;
        (re, im) = (re + weight * x * phase.cos(), im + weight * x * phase.sin());
    }
    re.hypot(im)
}

/// T60 of the partial nearest to a frequency, from two windows.
fn decay_time(samples: &[f64], rate: f64, frequency: f64) -> f64 {
    let (begin, later, window) = (0.05, 0.25, 0.1);
    let near = (-40..=40).map(|k| frequency * (1.0 + 5e-4 * f64::from(k)));
    let level = |f: &f64| amplitude(samples, rate, *f, begin, window);
    let f = near.max_by(|a, b| level(a).total_cmp(&level(b))).unwrap();
    let ratio = level(&f) / amplitude(samples, rate, f, later, window);
    (later - begin) * 3.0 / ratio.log10()
}

/// A scene of a body, struck, with losses or none.
fn plan(body: &str, [at, near]: [&str; 2], loss: &str) -> Plan {
    let text = format!(
        "hamiltone = 1\n[run]\nscheme = \"ec\"\nduration = 0.4\noversampling = 4\n[body.b]\n{body}\n{loss}\n\
         [drive.hit]\nkind = \"strike\"\nat = \"b@{at}\"\nvelocity = 1\nwidth = 0.03\n\
         [pickup.p]\nat = \"b@{near}\"\nquantity = \"velocity\"\n",
    );
    Scene::new(&text, "b", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// Partials 1 and 3 of a body are asked to decay in 0.9 and 0.4 s, and measured.
fn check(body: &str, places: [&str; 2]) {
    let free = plan(body, places, "");
    let partials = discrete(&free, &free.bodies[0], 3);
    let (low, high) = (partials[0], partials[2]);
    let damped = plan(body, places, &format!("loss = {{ t60 = [[{low}, 0.9], [{high}, 0.4]] }}"));
    let samples = run(&damped, &mut [], &mut |_, _| {}).unwrap().sound.channel(0).unwrap();
    for (f, asked) in [(low, 0.9), (high, 0.4)] {
        let measured = decay_time(&samples, damped.sample_rate, f);
        let error = measured / asked - 1.0;
        assert!(error.abs() < 0.02, "{f} Hz: {measured} s, not {asked} s, of\n{body}");
    }
}

const METHODS: [&str; 2] = ["method = \"finite-difference\"\nintervals = 150", "method = \"modal\""];
const ENDS: [[&str; 2]; 9] = [
    ["sliding", "free"],
    ["clamped", "sliding"],
    ["sliding", "hinged"],
    ["free", "free"],
    ["clamped", "clamped"],
    ["clamped", "free"],
    ["hinged", "hinged"],
    ["free", "hinged"],
    ["clamped", "hinged"],
];

/// A bar of steel, and one that is undercut in the middle.
#[test]
fn bars_decay_in_the_times_that_are_asked_for() {
    let undercut =
        "profile = [[0, 0.006], [0.09, 0.006], [0.12, 0.004], [0.18, 0.004], [0.21, 0.006], [0.3, 0.006]]";
    for ([left, right], method, profile) in
        ENDS.iter().flat_map(|ends| METHODS.map(|method| (ends, method, ""))).chain(
            [&["free", "free"], &["clamped", "free"]]
                .into_iter()
                .flat_map(|ends| METHODS.map(|method| (ends, method, undercut))),
        )
    {
        check(
            &format!(
                "kind = \"bar\"\n{method}\nlength = 0.3\nthickness = 0.006\nleft = \"{left}\"\nright = \"{right}\"\n{profile}"
            ),
            ["0.37", "0.44"],
        );
    }
}

/// Thick bars, which shear: on a grid by d₃ of the slope of their shapes, by modes by the law; and one that is undercut.
#[test]
fn thick_bars_decay_in_the_times_that_are_asked_for() {
    let undercut = "profile = [[0, 0.02], [0.1, 0.02], [0.15, 0.012], [0.2, 0.02], [0.3, 0.02]]";
    for (method, more) in [(METHODS[0], ""), (METHODS[1], ""), (METHODS[1], undercut)] {
        check(
            &format!(
                "kind = \"timoshenko-bar\"\n{method}\nlength = 0.3\nthickness = 0.02\ndensity = 900\nyoungs_modulus = 1.6e10\n{more}"
            ),
            ["0.37", "0.44"],
        );
    }
}

/// Strings, slack and stiff: B = 10⁻⁴ as in a piano's middle, and 0.05 as of a rod.
#[test]
fn strings_decay_in_the_times_that_are_asked_for() {
    for [left, right] in [["hinged", "hinged"], ["clamped", "clamped"], ["clamped", "hinged"]] {
        for (method, stiffness) in METHODS.iter().flat_map(|method| [0.0, 1e-4, 0.05].map(|b| (method, b))) {
            check(
                &format!(
                    "kind = \"string\"\n{method}\nlength = 0.63\nlinear_density = 6e-3\ntension = 670\ninharmonicity = {stiffness}\n\
                     left = \"{left}\"\nright = \"{right}\""
                ),
                ["0.37", "0.44"],
            );
        }
    }
}

/// Quality factors of the material: σ = πf/Q, T₆₀ = 3 ln 10/σ; Q = 100 gives 0.83 s and 0.28 s here.
#[test]
fn quality_factors_give_their_decay() {
    let body = "kind = \"string\"\nmethod = \"modal\"\nlength = 0.63\nlinear_density = 6e-3\ntension = 670\n";
    let damped = plan(body, ["0.37", "0.44"], "loss = { quality = { thermoelastic = 0.01 } }");
    let samples = run(&damped, &mut [], &mut |_, _| {}).unwrap().sound.channel(0).unwrap();
    for f in discrete(&damped, &damped.bodies[0], 3) {
        let asked = 3.0 * std::f64::consts::LN_10 * 100.0 / (std::f64::consts::PI * f);
        let measured = decay_time(&samples, damped.sample_rate, f);
        assert!((measured / asked - 1.0).abs() < 0.02, "{f} Hz: {measured} s, not {asked} s");
    }
}

#[test]
fn surfaces_decay_in_the_times_that_are_asked_for() {
    for ends in ["", "\nleft = \"clamped\"\nright = \"free\"", "\nleft = \"free\"\nright = \"free\""] {
        let plate = "kind = \"plate\"\nmodes = 40\nlength = 0.3\nwidth = 0.2\nthickness = 0.002";
        check(&format!("{plate}{ends}"), ["0.37,0.41", "0.44,0.31"]);
    }
    check(
        "kind = \"membrane\"\nmodes = 40\nradius = 0.2\nthickness = 2e-4\nfrequency = 130",
        ["0.37,20 deg", "0.44,70 deg"],
    );
}

/// A bar on its suspension: struck by a mallet, its partials decay in the times of its `loss`, and no word is said.
fn suspended_decays_as_asked(text: &str, partials: usize, window: f64) {
    let text = &format!("hamiltone = 2\nrun.duration = {}\n{text}", 0.15 + 3.0 * window);
    let plan = Scene::new(text, "bell", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"));
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    let slow = |warning: &&String| warning.contains("decays in");
    assert_eq!(outcome.warnings.iter().find(slow), None);
    let samples = outcome.sound.channel(0).unwrap();
    let body = plan.bodies.iter().find(|body| body.name == "bar").unwrap();
    let frequencies = discrete(&plan, body, partials);
    let (asked, system) = (loss::requested(&plan, body, partials), loss::of_system(&plan, body, partials));
    for ((f, asked), system) in frequencies.into_iter().zip(asked).zip(system) {
        let (asked, system) = (asked.unwrap(), system.unwrap());
        // Both windows lie behind the blow.
        let [early, late] =
            [0.1, 0.1 + 2.0 * window].map(|begin| amplitude(&samples, plan.sample_rate, f, begin, window));
        let measured = 2.0 * window * 3.0 / (early / late).log10();
        assert!((system / asked - 1.0).abs() < 1e-6, "{f} Hz: {system} s of the system, not {asked} s");
        assert!((measured / asked - 1.0).abs() < 0.02, "{f} Hz: {measured} s, not {asked} s");
    }
}

/// Partials of which dampers on the first one's nodes took most: of a glockenspiel the second decayed in 0.20 s for 3.09 s.
#[test]
fn a_suspension_takes_nothing_from_partials_that_bend() {
    let mallet = "pickup.near = { at = \"bar@0.4\", quantity = \"velocity\" }\n\
                  body.mallet = { kind = \"mass\", mass = \"10 g\", velocity = \"2 m/s\" }\n\
                  contact.strike = { between = [\"mallet\", \"bar@0.02\"], law = \"hertz\", stiffness = \"5e9 N/m^1.5\" }\n";
    let glockenspiel = "[body.bar]\nkind = \"bar\"\npitch = \"C7\"\nthickness = \"8 mm\"\ndensity = \"7850 kg/m^3\"\n\
                        youngs_modulus = \"200 GPa\"\nsuspension = {}\n\
                        loss = { t60 = [[\"2000 Hz\", \"6 s\"], [\"10000 Hz\", \"2 s\"]] }\n";
    suspended_decays_as_asked(&[mallet, glockenspiel].concat(), 3, 0.1);
    let bell = "[body.bar]\nkind = \"bar\"\nfrequency = \"100 Hz\"\nlength = \"1.5 m\"\ndensity = \"8500 kg/m^3\"\n\
                youngs_modulus = \"100 GPa\"\nsuspension = {}\n\
                loss = { t60 = [[\"100 Hz\", \"15 s\"], [\"2000 Hz\", \"6 s\"]] }\n";
    suspended_decays_as_asked(&[mallet, bell].concat(), 4, 0.3);
    // Cords so stiff that the rigid motions lie above the first partial.
    suspended_decays_as_asked(&[mallet, &bell.replace("{}", "{ frequency = \"150 Hz\" }")].concat(), 4, 0.3);
    // Stiff cords at uneven places of an undercut bar.
    let undercut = "[body.bar]\nkind = \"bar\"\nfrequency = \"200 Hz\"\ntuning = [4]\nlength = \"0.35 m\"\n\
                    suspension = { at = [0.1, 0.3], frequency = \"20 Hz\", damping_ratio = 2 }\n\
                    loss = { t60 = [[\"200 Hz\", \"2 s\"], [\"3000 Hz\", \"0.5 s\"]] }\n";
    suspended_decays_as_asked(&[mallet, undercut].concat(), 3, 0.1);
}

/// On a grid the rows of the suspension read all nodes: its modes decay as those of the free bar.
#[test]
fn a_suspension_takes_nothing_from_a_grid() {
    let bar = |more: &str| {
        format!(
            "kind = \"bar\"\nmethod = \"finite-difference\"\nintervals = 100\nlength = 0.3\nthickness = 0.006\n{more}"
        )
    };
    let times = |more: &str| {
        let plan = plan(&bar(more), ["0.37", "0.44"], "loss = { t60 = [[346, 0.9], [1868, 0.4]] }");
        let body = &plan.bodies[0];
        (discrete(&plan, body, 4), loss::of_system(&plan, body, 4))
    };
    let (free, held) = (times(""), times("suspension = { at = [0.1, 0.6] }"));
    for k in 0..4 {
        assert!((free.0[k] / held.0[k] - 1.0).abs() < 1e-6, "{free:?} {held:?}");
        assert!((free.1[k].unwrap() / held.1[k].unwrap() - 1.0).abs() < 1e-6, "{free:?} {held:?}");
    }
}

/// Where links share the rigid motion with the partials, what the suspension takes is said, and is not what was requested.
#[test]
fn a_decay_that_was_not_asked_for_is_told() {
    let text = "hamiltone = 2\nrun.duration = \"0.2 s\"\npickup.near = { at = \"bar@0.4\", quantity = \"velocity\" }\n\
                link.post = { between = [\"bar@0\", \"ground\"], stiffness = \"1e7 N/m\" }\n\
                drive.hit = { kind = \"strike\", at = \"bar@0.9\", velocity = \"1 m/s\", width = \"2 cm\" }\n\
                [body.bar]\nkind = \"bar\"\nlength = \"0.3 m\"\nthickness = \"6 mm\"\n\
                suspension = { frequency = \"100 Hz\", damping_ratio = 1 }\nloss = { t60 = [[\"100 Hz\", \"2 s\"]] }\n";
    let plan = Scene::new(text, "bar", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"));
    let body = &plan.bodies[0];
    let [asked, own] = [loss::requested, loss::of_system].map(|of| of(&plan, body, 2)[0].unwrap());
    assert!((asked / 2.0 - 1.0).abs() < 1e-6 && own < 1.0, "{asked} {own}");
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap();
    let says = |warnings: &[String], what: &str| warnings.iter().any(|warning| warning.contains(what));
    let asked = "where its losses ask for 2.00 s: what suspends";
    assert!(says(&outcome.warnings, asked), "{:?}", outcome.warnings);
    // The same of a body that states no losses, unless it is hardly heard; nothing is said where nothing damps it.
    let lossless = |suspension: &str, duration: &str| {
        let (before, after) = text.split_once("suspension").unwrap();
        let rest = after.split_once("loss =").unwrap().0;
        let text = match suspension {
            "" => before.to_string(),
            _ => format!("{before}suspension{rest}"),
        };
        let text = text.replace("\"0.2 s\"", duration);
        let plan =
            Scene::new(&text, "bar", Path::new("."), &[]).plan().unwrap_or_else(|e| panic!("{text}\n{e}"));
        says(&loss::warnings(&plan), "where it states no losses: what suspends")
    };
    assert!(lossless("damped", "0.2") && !lossless("", "0.2") && !lossless("damped", "2e-4"));
}

/// What a plucked string gives to the top of a guitar decays at first as the string that moves towards it does on its bridge, and later as
/// that which moves across it.
#[test]
fn two_polarisations_decay_in_two_slopes() {
    let shipped = |scene: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
        Scene::read(path, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let plan = shipped("guitar_two_polarisations.toml");
    let sound: Vec<f64> = run(&plan, &mut [], &mut |_, _| {}).unwrap().sound.channel(0).unwrap();
    for (string, [begin, end]) in [("up", [0.1, 0.3]), ("across", [2.5, 4.0])] {
        let body = plan.bodies.iter().find(|body| body.name == string).unwrap();
        let t60 = body.solved.iter().find(|solved| solved.name == "T60 on its bridge").unwrap().value;
        let [first, last] = [begin, end].map(|begin| amplitude(&sound, plan.sample_rate, 196.0, begin, 0.5));
        let measured = 3.0 * (end - begin) / (first / last).log10();
        assert!((measured / t60 - 1.0).abs() < 0.05, "{string}: {measured} s, not {t60} s");
    }
}
