//! Bodies by modes that no formula gives, and links between modes.

use hamiltone_core::{geometry::Place, operator::Operator};
use hamiltone_scene::{Plan, Scene};
use std::path::Path;

fn read(text: &str) -> Result<Plan, String> {
    Scene::new(text, "x.toml", Path::new(""), &[]).plan().map_err(|error| error.to_string())
}

fn plan(text: &str) -> Plan {
    read(text).unwrap_or_else(|said| panic!("{said}\n{text}"))
}

const RUN: &str = "hamiltone = 1\n[run]\nscheme = \"modal-moreau-jean\"\nduration = \"10 ms\"\n";

/// A scene of one body by modes, with a pickup in its middle.
fn alone(body: &str, quantity: &str) -> String {
    format!(
        "{RUN}[body.it]\nmethod = \"modal\"\n{body}\n[pickup.left]\nat = \"it@0.43\"\nquantity = \"{quantity}\"\n"
    )
}

const STRING: &str = "kind = \"string\"\nlength = \"0.65 m\"\nlinear_density = \"5 g/m\"\ntension = \"80 N\"\nstiffness = \"0.8 m^2/s\"";
const BAR: &str = "kind = \"bar\"\nlength = \"0.3 m\"\nthickness = \"1 cm\"";
const UNDERCUT: &str =
    r#"profile = [["0 m", "1 cm"], ["0.1 m", "4 mm"], ["0.2 m", "4 mm"], ["0.3 m", "1 cm"]]"#;

/// Every kind with a method, its ends held in every way: the modal scheme, which covers nothing between coordinates, runs
/// them.
#[test]
fn every_body_has_modes() {
    let thick = "kind = \"timoshenko-bar\"\nlength = \"0.3 m\"\nthickness = \"2 cm\"";
    let tube = "kind = \"tube\"\nlength = \"0.6 m\"";
    let horn = r#"profile = [["0 m", "6 mm"], ["0.5 m", "8 mm"], ["0.6 m", "3 cm"]]"#;
    let ends = ["hinged", "clamped", "free"];
    let held =
        ends.iter().flat_map(|left| ends.map(|right| format!("left = \"{left}\"\nright = \"{right}\"")));
    let mut cases: Vec<(String, &str)> = Vec::new();
    for held in held {
        let bodies = [STRING.into(), BAR.into(), format!("{BAR}\n{UNDERCUT}"), thick.into()];
        cases.extend(bodies.map(|body| (format!("{body}\n{held}"), "velocity")));
    }
    for bore in ["radius = \"1 cm\"", "radius_left = \"4 mm\"\nradius_right = \"2 cm\"", horn] {
        let ends = ["open", "closed"];
        let held = ends.iter().flat_map(|l| ends.map(|r| format!("left = \"{l}\"\nright = \"{r}\"")));
        cases.extend(held.map(|held| (format!("{tube}\n{bore}\n{held}"), "pressure")));
    }
    for (body, quantity) in cases {
        let plan = plan(&alone(&body, quantity));
        let stiffness = plan.system.diagonal_stiffness().unwrap();
        let highest = stiffness.iter().zip(&plan.system.mass).map(|(k, m)| k / m).fold(0.0, f64::max).sqrt();
        assert!(highest < std::f64::consts::TAU * 20e3, "{body}: {highest}");
        assert!(plan.system.size() >= 4 && plan.system.size() <= 500, "{body}: {}", plan.system.size());
    }
}

/// As many modes as are asked for, rigid motions among them; more than the grid has are refused, as is a grid too fine.
#[test]
fn modes_are_counted() {
    let bar = format!("{BAR}\n{UNDERCUT}");
    let plan_of = plan(&alone(&format!("{bar}\nmodes = 12"), "velocity"));
    let [reduced] = &plan_of.reduced[..] else { panic!("one body is reduced") };
    assert_eq!(
        (plan_of.system.size(), reduced.modes.len(), &reduced.bodies[..]),
        (12, 12, &["it".to_string()][..])
    );
    // Of four intervals a mode or more.
    assert!(reduced.coordinates >= 48);
    assert_eq!(reduced.modes.iter().filter(|mode| mode.omega == 0.0).count(), 2);
    for (more, says) in [
        ("modes = 30\nintervals = 20", "`modes` is 30, but a grid of 21 unknowns has no more modes"),
        ("intervals = 9000", "`it` has 9001 coordinates; at most"),
    ] {
        let said = read(&alone(&format!("{bar}\n{more}"), "velocity"))
            .map_or_else(|said| said, |_| "nothing".into());
        // The springs that would have been reduced are not the scheme's to complain of.
        assert!(said.contains(says) && said.lines().count() == 1, "{more}:\n{said}\nlacks {says}");
    }
}

/// A law of losses by frequency holds for numerical modes: T₆₀ = 3 ln 10/σ.
#[test]
fn losses_follow_a_law_by_frequency() {
    let loss = "loss = { t60 = [[100, 4], [1000, 4], [10000, 4]] }";
    let plan = plan(&alone(&format!("{STRING}\nleft = \"clamped\"\n{loss}"), "velocity"));
    // The system has its modes alone, with R = 2σm.
    let Operator::Diagonal(damping) = &plan.system.blocks[0].damping else {
        panic!("modes are not diagonal")
    };
    assert_eq!(damping.len(), plan.reduced[0].modes.len());
    for (damping, mass) in damping.iter().zip(&plan.system.mass) {
        let t60 = 6.0 * std::f64::consts::LN_10 * mass / damping;
        assert!((t60 - 4.0).abs() < 1e-11, "{t60}");
    }
}

/// Two strings on a bridge, one of which is plucked.
fn bridge(low: &str, more: &str) -> String {
    format!(
        r#"{RUN}[body.low]
{STRING}
{low}
[body.high]
{STRING}
method = "modal"
left = "clamped"
right = "free"
[body.bridge]
kind = "oscillator"
mass = "20 g"
frequency = "180 Hz"
[body.hammer]
kind = "mass"
mass = "5 g"
[link.low]
between = ["low@0.97", "bridge"]
stiffness = "1e6 N/m"
[link.high]
between = ["high@1.0", "bridge"]
stiffness = "1e6 N/m"
[contact.felt]
between = ["hammer", "high@0.2"]
law = "power"
stiffness = "1e6 N/m^2.5"
exponent = 2.5
gap = "5 mm"
[drive.pluck]
kind = "pluck"
at = "high@0.2"
height = "2 mm"
[pickup.left]
at = "bridge"
quantity = "velocity"
[pickup.right]
at = "low@0.3"
{more}"#
    )
}

/// Modes by formula, numerical ones and grids that links join are reduced together; what is not linked stays.
#[test]
fn linked_bodies_have_common_modes() {
    for low in ["method = \"modal\"\nmodes = 60", "method = \"modal\"\nright = \"free\"", "intervals = 80"] {
        let plan = plan(&bridge(low, ""));
        let [reduced] = &plan.reduced[..] else { panic!("one component is reduced") };
        assert_eq!(reduced.bodies, ["low", "high", "bridge"]);
        assert_eq!(plan.system.size(), reduced.modes.len() + 1);
        assert!(plan.system.diagonal_stiffness().is_ok());
        let dofs = reduced.dofs.clone();
        for body in &plan.bodies {
            let linked = body.name != "hammer";
            assert_eq!(body.placed.dofs == dofs, linked, "{}", body.name);
            let place = if linked && body.name != "bridge" { Place::Fraction(0.5) } else { Place::Whole };
            let row = body.placed.row(place).unwrap();
            assert!(row.entries().all(|(dof, _)| body.placed.dofs.contains(&dof)));
        }
        // The pluck is held by modes up to 20 kHz: 2 mm at 13 cm, its corner rounded off.
        let high = &plan.bodies.iter().find(|body| body.name == "high").unwrap().placed;
        let height = high.row(Place::Fraction(0.2)).unwrap().dot(&plan.system.initial.position);
        assert!((height / 2e-3 - 1.0).abs() < 0.02, "{low}: {height}");
    }
}

/// Modes by formula that nothing couples stay as they are, and so does a grid that asks for none.
#[test]
fn nothing_else_is_reduced() {
    let plan = plan(&alone(STRING, "velocity"));
    assert!(plan.reduced.is_empty());
    let grid =
        bridge("intervals = 80", "").replace("method = \"modal\"\n", "").replace("modal-moreau-jean", "ec");
    assert!(self::plan(&grid).reduced.is_empty());
}

/// A strong damper between modes is worth a warning, weak ones are not.
#[test]
fn neglected_damping_is_worth_a_warning() {
    let damper = |r: &str| {
        let scene = alone(&format!("{BAR}\n{UNDERCUT}"), "velocity");
        plan(&format!("{scene}[link.cord]\nbetween = [\"it@0.2\", \"ground\"]\nloss = \"{r} N s/m\"\n"))
            .warnings
    };
    assert!(damper("0.1").iter().all(|warning| !warning.contains("damping between its modes")));
    let warnings = damper("200");
    assert!(
        warnings.iter().any(|warning| warning.contains("damping between its modes is left out")),
        "{warnings:?}"
    );
}

/// A mistake elsewhere does not make the scheme refuse springs that would have been reduced.
#[test]
fn a_mistake_elsewhere_is_the_only_one() {
    let said = read(&bridge("method = \"modal\"", "quantity = \"pressure\"\n")).err().unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Stiffer links give the modes of a rigid joint, until rounding would hide the rest: then they are refused, and no mode
/// of a wrong frequency is accepted.
#[test]
fn stiff_links_converge_to_a_joint_or_are_refused() {
    let frequencies = |link: &str| -> Result<Vec<f64>, String> {
        let scene =
            bridge("method = \"modal\"\nmodes = 60\nright = \"free\"", "").replace("low@0.97", "low@1.0");
        let plan = read(&scene.replace("1e6 N/m\"", &format!("{link} N/m\"")))?;
        Ok(plan.reduced[0].modes[..20].iter().map(|mode| mode.omega).collect())
    };
    let joint = frequencies("1e12").unwrap();
    for link in ["1e10", "1e11", "1e13", "1e14", "1e16", "1e20", "1e25", "1e30", "1e100"] {
        match frequencies(link) {
            Ok(found) => {
                let apart = found.iter().zip(&joint).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-6, "{link}: {apart:e}");
            }
            Err(said) => {
                assert!(said.contains("cannot be resolved") && said.lines().count() == 1, "{link}: {said}");
                assert!(!["1e10", "1e11", "1e13"].contains(&link), "{link}: {said}");
            }
        }
    }
    assert!(frequencies("1e30").is_err());
}

/// So is a mass so light that its velocity is a rounding beside the others.
#[test]
fn light_masses_follow_or_are_refused() {
    let lowest = |mass: &str| {
        let scene = alone(&format!("{STRING}\nleft = \"clamped\"\nmodes = 10"), "velocity");
        let more = format!(
            "[body.bead]\nkind = \"mass\"\nmass = \"{mass} kg\"\n[link.wax]\nbetween = [\"it@0.3\", \"bead\"]\nstiffness = \"1e4 N/m\"\n"
        );
        read(&[scene, more].concat()).map(|plan| plan.reduced[0].modes[0].omega)
    };
    let without = lowest("1e-9").unwrap();
    for mass in ["1e-10", "1e-11", "1e-12"] {
        assert!((lowest(mass).unwrap() / without - 1.0).abs() < 1e-4, "{mass}");
    }
    assert!(lowest("1e-30").is_err_and(|said| said.contains("light bodies heavier")));
}

/// A foil of 0.1 mm and 43 m: shear is 10⁹ times as stiff as bending, and its low modes lie within rounding of 0. They were
/// looked for without an end.
#[test]
fn modes_that_rounding_does_not_tell_apart_are_refused() {
    let foil = "kind = \"timoshenko-bar\"\nlength = 43.0\nthickness = 0.0001\nwidth = 0.12452270377138477\ndensity = 200.0
youngs_modulus = 182577659.0\nshear_modulus = 61224091.0\nshear_correction = 0.1026099025615488\ndamping = 45.0
left = \"clamped\"";
    let said = read(&alone(foil, "displacement")).err().expect("it is too thin");
    assert!(said.contains("cannot be resolved") && said.contains("method = \"finite-difference\""), "{said}");
}
