//! Scenes with one-dimensional bodies: places along them, barriers, initial conditions, tables within sections.

use hamiltone_core::operator::Operator;
use hamiltone_plan::Plan;
use hamiltone_render::{Block, Outcome, Sink, SinkError, Staged, run};
use hamiltone_scene::{Scene, Set};
use std::path::Path;

/// C19 §4: an ideal string of 0.7 m in 100 intervals.
const STRING: &str = r#"
hamiltone = 1
[run]
scheme = "ec"
duration = "20 ms"
[body.string]
kind = "string"
intervals = 100
length = "0.7 m"
linear_density = "1 g/m"
tension = "100 N"
loss = { d1 = "3 1/s" }
[pickup.left]
at = "string@0.35 m"
"#;

/// A flat barrier below it.
const BARRIER: &str = r#"
[contact.barrier]
between = ["ground", "string"]
law = "power"
stiffness = "1e7 N/m^2"
exponent = 1
gap = "0.1 mm"
[drive.start]
at = "string"
kind = "modes"
cosine = ["0.2 mm"]
[pickup.right]
at = "barrier"
quantity = "force"
"#;

fn plan(text: &str, sets: &[&str]) -> Result<Plan, String> {
    let sets: Vec<Set> = sets.iter().map(|set| Set::parse(set).unwrap()).collect();
    Scene::new(text, "x.toml", Path::new(""), &sets).plan().map_err(|e| e.to_string())
}

fn said(text: &str, sets: &[&str]) -> String {
    plan(text, sets).map_or_else(|said| said, |_| "nothing".into())
}

fn barrier(sets: &[&str]) -> Plan {
    plan(&[STRING, BARRIER].concat(), sets).unwrap()
}

/// V′ of a contact.
fn force(plan: &Plan, contact: usize, x: f64) -> f64 {
    plan.system.elements[contact].law.compliant().expect("a potential").force(x)
}

#[test]
fn a_table_within_a_section_is_read_like_any_other() {
    let damping = |sets: &[&str]| match &plan(STRING, sets).unwrap().system.blocks[0].damping {
        Operator::Zero => 0.0,
        Operator::Diagonal(r) => r[0],
        other => panic!("{other:?}"),
    };
    let one = damping(&[]);
    assert!(one > 0.0);
    // Twice and half of it are exact.
    assert_eq!(damping(&["body.string.loss.d1=6"]), 2.0 * one);
    assert_eq!(damping(&["body.string.loss={ d1 = \"1.5 1/s\" }"]), 0.5 * one);
    assert_eq!(damping(&["body.string.loss.d1=0"]), 0.0);
    for (set, says) in [
        ("body.string.loss.d4=1", "body `string`: `loss`: there is no key `d4`; did you mean"),
        (
            "body.string.loss.d1=3 m",
            "body `string`: `loss`: `d1` is measured in 1/s, not in m; write \"3 1/s\"",
        ),
        ("body.string.loss.d1=-1", "`d1` is -1 1/s, but must be ≥ 0 and ≤ 1000000000 1/s"),
        (
            "body.string.loss=3",
            "body `string`: `loss` takes a table, not a number; write for example loss = {",
        ),
    ] {
        let said = said(STRING, &[set]);
        assert!(said.contains(says) && said.starts_with("--set"), "{set}:\n{said}\nlacks {says}");
    }
}

#[test]
fn a_barrier_is_one_contact_a_point_per_unit_length() {
    let plan = barrier(&[]);
    let (step, contacts) = (0.7 / 100.0, &plan.system.elements);
    assert_eq!(contacts.len(), 99);
    assert_eq!((contacts[17].name.as_str(), contacts[17].gap), ("barrier[17]", 1e-4));
    assert_eq!(contacts[17].row().entries().collect::<Vec<_>>(), [(17, -1.0)]);
    // 1e7 N/m² · Δx · 1 mm, two roundings.
    assert!((force(&plan, 17, 1e-3) / (1e7 * step * 1e-3) - 1.0).abs() < 4.0 * f64::EPSILON);
    // Above the string the signs are the other way round.
    let above = barrier(&["contact.barrier.between=[\"string\", \"ground\"]"]);
    assert_eq!(above.system.elements[17].row().entries().collect::<Vec<_>>(), [(17, 1.0)]);
}

#[test]
fn a_profile_is_touched_where_it_is() {
    let profile = |points: &str, between: &str| {
        let sets =
            [format!("contact.barrier.profile={points}"), format!("contact.barrier.between={between}")];
        let more = ["contact.barrier.gap=0", "drive.start.cosine=[0.0]"];
        barrier(&[sets[0].as_str(), sets[1].as_str(), more[0], more[1]])
    };
    // Points 1 … 10 of 7 mm each, and a slope of −1 mm in 70 mm: −0.1 mm a point.
    let slope = "[[\"0 m\", \"0 mm\"], [\"0.07 m\", \"-1 mm\"]]";
    for (between, sign) in [("[\"ground\", \"string\"]", -1.0), ("[\"string\", \"ground\"]", 1.0)] {
        let plan = profile(slope, between);
        let gaps: Vec<f64> = plan.system.elements.iter().map(|c| c.gap).collect();
        assert_eq!(gaps.len(), 10);
        for (i, gap) in gaps.iter().enumerate() {
            // The height is b(x) = −x/70, its rounding that of x/0.07.
            let height = -1e-4 * (i + 1) as f64;
            assert!((gap - sign * height).abs() < 1e-18, "{i}: {gap}");
        }
    }
    for (set, says) in [
        ("contact.barrier.profile=[[0, 0]]", "`profile` takes 2 pairs [x, y] or more, not 1"),
        (
            "contact.barrier.profile=[[0.1, 0], [0, 0]]",
            "`profile` has 0 m after 0.1 m, but the first of each pair must increase",
        ),
        ("contact.barrier.profile=[[0.8, 0], [0.9, 0]]", "`profile` reaches no point of `string`"),
        (
            "contact.barrier.between=[\"ground\", \"string@0.5\"]",
            "`profile` applies only to a contact along a body",
        ),
    ] {
        let both = [
            "contact.barrier.profile=[[0, 0], [0.7, 0]]",
            "contact.barrier.exponent=2",
            "contact.barrier.stiffness=1",
            set,
        ];
        let said = said(&[STRING, BARRIER].concat(), &both);
        assert!(said.contains(says), "{set}: {said}");
    }
}

#[test]
fn what_cannot_lie_along_a_body_is_refused() {
    let second = STRING.split("[body.string]").nth(1).unwrap().split("[pickup").next().unwrap();
    let text = [STRING, BARRIER, "[body.other]", second].concat();
    for (set, says) in [
        (
            "contact.barrier.between=[\"other\", \"string\"]",
            "a contact along a body is with the ground or a point body",
        ),
        ("contact.barrier.between=[\"other@0.3\", \"string\"]", "not with a second string, bar or surface"),
        ("contact.barrier.stiffness=1e7 N/m", "`stiffness` is measured in N/m^2, not in N/m"),
        ("contact.barrier.stiffness=1e7 N/m", "it acts along the body, so that forces are per unit length"),
    ] {
        let said = said(&text, &[set]);
        assert!(said.contains(says), "{set}: {said}");
    }
    let hertz = text.replace(
        "law = \"power\"\nstiffness = \"1e7 N/m^2\"\nexponent = 1",
        "law = \"hertz\"\neffective_modulus = 1e9\nradius = 0.01",
    );
    let said = said(&hertz, &[]);
    assert!(
        said.contains("along a body the law needs a strength per unit length; give `stiffness`"),
        "{said}"
    );
}

/// A barrier on a moving body: the second entry of each row is the body's.
#[test]
fn a_barrier_may_move() {
    let text = [STRING, BARRIER, "[body.bar]\nkind = \"mass\"\nmass = \"1 g\"\n"].concat();
    let plan = plan(&text, &["contact.barrier.between=[\"bar\", \"string\"]"]).unwrap();
    assert_eq!(plan.system.elements[3].row().entries().collect::<Vec<_>>(), [(3, -1.0), (99, 1.0)]);
}

#[test]
fn initial_conditions_are_no_inputs() {
    let start = |drive: &str| plan(&[STRING, "[drive.start]\n", drive].concat(), &[]);
    let pluck = start("kind = \"pluck\"\nat = \"string@0.5\"\nheight = \"2 mm\"").unwrap();
    assert!(pluck.drives.is_empty() && pluck.system.inputs.is_empty());
    let (u, v) = (&pluck.system.initial.position, &pluck.system.initial.velocity);
    // The middle of 99 points is the corner, and its neighbours lie 1/50 below.
    assert!((u[49] - 2e-3).abs() < 1e-17 && (u[48] - 1.96e-3).abs() < 1e-17 && u[48] == u[50]);
    assert!(v.iter().all(|v| *v == 0.0));
    let strike = start("kind = \"strike\"\nat = \"string@0.5\"\nvelocity = -1\nwidth = \"70 mm\"").unwrap();
    let struck = strike.system.initial.velocity.iter().filter(|v| **v != 0.0).count();
    assert_eq!((strike.system.initial.velocity[49], struck), (-1.0, 9));
    let modes = start("kind = \"modes\"\nat = \"string\"\ncosine = [\"1 mm\", 0, \"0.5 mm\"]\nsine = [1e-3]")
        .unwrap();
    assert!((modes.system.initial.position[49] - 0.5e-3).abs() < 1e-15);
    // c = √(100 N/1 g/m), f₁ = c/2L: 1 mm · 2πf₁.
    let speed = 1e-3 * std::f64::consts::PI / 0.7 * 1e5_f64.sqrt();
    assert!((modes.system.initial.velocity[49] / speed - 1.0).abs() < 1e-14);
    for (drive, says) in [
        ("kind = \"pluck\"\nat = \"string\"\nheight = 1", "`at` must say where on the body"),
        ("kind = \"pluck\"\nat = \"string@0\"\nheight = 1", "`at` is a fixed point of the body"),
        ("kind = \"pluck\"\nat = \"string@0.1\"\nheight = 1\nwidth = \"20 cm\"", "`width` is 0.2 m, but at"),
        (
            "kind = \"strike\"\nat = \"string@0.5\"\nvelocity = 1\nwidth = \"70 m\"\nheight = 2",
            "there is no key `height`",
        ),
        ("kind = \"modes\"\nat = \"string@0.5\"\ncosine = [1]", "`at` must be the whole body, without @"),
        ("kind = \"modes\"\nat = \"string\"", "needs cosine (m) or sine (m)"),
        (
            "kind = \"pluck\"\nat = \"mass\"\nheight = 1\n[body.mass]\nkind = \"mass\"\nmass = 1",
            "`at` must be a string, bar or surface",
        ),
        (
            "kind = \"constant\"\nat = \"string\"\nvalue = 1",
            "`string` is no place: it is a line: say where; write \"string@0.2\"",
        ),
        (
            "kind = \"constant\"\nat = \"string@0\"\nvalue = 1",
            "`string@0` is a fixed point: a force moves nothing there",
        ),
        (
            "kind = \"constant\"\nat = \"string@0.8 m\"\nvalue = 1",
            "0.8 m is not on it: it reaches from 0 to 0.7 m",
        ),
    ] {
        let said = start(drive).map_or_else(|said| said, |_| "nothing".into());
        assert!(said.contains(says), "{drive}:\n{said}\nlacks {says}");
    }
}

/// A push on a string enters at its place: the points beside it share it.
#[test]
fn a_force_enters_where_it_pushes() {
    let drive = "[drive.push]\nkind = \"constant\"\nat = \"string@0.35 m\"\nvalue = \"2 N\"\n";
    let plan = plan(&[STRING, drive].concat(), &[]).unwrap();
    assert_eq!((&*plan.drives[0].unit, plan.system.inputs[0].row().unwrap().entries().count()), ("N", 1));
}

#[test]
fn pickups_read_the_outputs_of_a_string() {
    let reading = |sets: &[&str]| {
        let text = STRING.replace("at = \"string@0.35 m\"", "at = \"string@0\"\nquantity = \"velocity\"");
        plan(&text, sets).map(|plan| {
            let pickup = &plan.pickups[0];
            (pickup.quantity.to_string(), pickup.unit.to_string())
        })
    };
    assert_eq!(reading(&[]), Ok(("velocity".into(), "m/s".into())));
    assert_eq!(reading(&["pickup.left.quantity=force"]), Ok(("force".into(), "N".into())));
    for (quantity, at, says) in [
        (
            "pressure",
            "string@0.5",
            "`string@0.5` has no output `pressure`; it has `displacement`, `velocity`, `force`",
        ),
        ("force", "string", "`string` is no place: it is a line: say where; write \"string@0.2\""),
        ("loudness", "string@0.5", "`quantity` is not `loudness`; words that it takes: `displacement`"),
        ("velocity", "string@1.2", "1.2 is not a fraction between 0 and 1"),
    ] {
        let sets = [format!("pickup.left.quantity={quantity}"), format!("pickup.left.at={at}")];
        let said = reading(&sets.each_ref().map(String::as_str)).unwrap_err();
        assert!(said.contains(says), "{said}\nlacks {says}");
    }
}

/// What a sink sees of a run: the last pickups and positions.
#[derive(Default)]
struct Seen(Vec<(Vec<f64>, Vec<f64>)>);

impl Sink for Seen {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }

    fn stride(&self, _: &Plan) -> Option<u64> {
        Some(1)
    }

    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        self.0.push((block.outputs.to_vec(), block.q.to_vec()));
        Ok(())
    }

    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        Ok(Vec::new())
    }
}

/// An explicit scheme's force is that of the positions now: the sum over the points.
#[test]
fn the_force_of_a_barrier_is_the_sum_of_its_parts() {
    for scheme in ["run.scheme=vv", "run.scheme=sprk-4"] {
        forces_add_up(scheme);
    }
}

fn forces_add_up(scheme: &str) {
    let plan = barrier(&[scheme, "run.sample_rate=384000", "body.string.loss.d1=0"]);
    assert_eq!((&*plan.pickups[1].quantity, &*plan.pickups[1].unit), ("force", "N"));
    let mut seen = Seen::default();
    let outcome = run(&plan, &mut [&mut seen], &mut |_, _| {}).unwrap();
    assert!(outcome.ok);
    let mut in_contact = 0;
    for (outputs, q) in &seen.0[1..] {
        let sum: f64 = (0..99).map(|i| force(&plan, i, -q[i] - 1e-4)).sum();
        assert!((outputs[1] - sum).abs() <= 1e-13 * sum.abs(), "{} {sum}", outputs[1]);
        in_contact += usize::from(sum > 0.0);
    }
    assert!(in_contact > 10);
}

#[test]
fn a_start_inside_a_barrier_is_reported_once() {
    let said = said(&[STRING, BARRIER].concat(), &["contact.barrier.gap=-20 mm", "drive.start.cosine=[0.0]"]);
    assert!(said.contains("contact `barrier`: the initial penetration of 0.02 m"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
