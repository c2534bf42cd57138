//! A bow that bounces on a string (`hamiltone_elements::SprungBow`), beside a fret and a felt that comes and goes.

use crate::bowed::{BRISTLES, FRICTION, RATE, place, prepare, string};
use hamiltone_core::{
    audit::Audit,
    element::{Element, Law, Resistive},
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    port::Ported,
    row::Row,
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::{Bow, LinearDamper, SprungBow};
use hamiltone_laws::long;
use std::f64::consts::{PI, TAU};

const MODES: usize = 60;
/// Hair, N/m, and the stick: kg, its frequency, Hz, and its damping, 1/s.
const HAIR: f64 = 500.0;
const STICK: [f64; 3] = [0.03, 5.0, 10.0];

fn laws() -> [(&'static str, Ported); 2] {
    let dry = Bow { friction: FRICTION };
    [
        ("dry", Ported::new(SprungBow { bow: dry, hair: HAIR }, 0.0)),
        ("elasto-plastic", Ported::new(SprungBow { bow: BRISTLES, hair: HAIR }, 0.0)),
    ]
}

/// The string, the stick above it, a fret and a felt; inputs are the speed of the bow, the force on the stick and the felt.
fn system(law: &Ported, fretted: bool) -> System {
    let mut system = string(MODES);
    let [mass, frequency, damping] = STICK;
    let stick = system.add_dof(mass, 0.0, 0.0);
    let spring = mass * (TAU * frequency).powi(2);
    system.blocks.push(Block {
        name: "stick".into(),
        dofs: stick..stick + 1,
        stiffness: Operator::Diagonal(vec![spring]),
        damping: Operator::Diagonal(vec![mass * damping]),
    });
    let rows = vec![place(MODES, 0.87), Row::unit(stick)];
    system.elements.push(Element { name: "bow".into(), rows, gap: 0.0, law: Law::Port(law.clone()) });
    system.inputs.push(Input::rate("speed", 0..1));
    system.inputs.push(Input::force("hand", Row::unit(stick)));
    if fretted {
        let fret = Law::Rigid { restitution: 0.0 };
        let below = place(MODES, 0.31).scaled(-1.0);
        system.elements.push(Element::new("fret", below, 2e-4, fret));
        let felt = Law::Resistive(Resistive::new(LinearDamper, 0.0));
        system.elements.push(Element::new("felt", place(MODES, 0.6), 0.0, felt));
        system.inputs.push(Input::control("felt", 2..3));
    }
    let outputs = [Quantity::Displacement(Row::unit(stick)), Quantity::MeanForce(0..1)];
    system.outputs = outputs.map(|quantity| Output { name: "bow".into(), quantity }).into();
    system
}

/// A hand that throws the bow three times a second and draws it to and fro, and a felt now and then.
fn inputs(n: u64) -> [f64; 3] {
    let t = n as f64 / RATE;
    let throws = 0.4 * (TAU * 3.1 * t).sin() - 0.1;
    [0.2 * (TAU * 1.7 * t).sin(), throws, (0.4 * (TAU * 0.9 * t).sin()).max(0.0)]
}

/// What a run of a system with two outputs gave: these after each step, its audit, the least that a step took, J, and the steps that did not converge.
pub type Run = (Vec<[f64; 2]>, Audit, f64, usize);

/// Runs a system with these inputs at the end of step n; saved and resumed after `resumed` steps.
pub fn run_on(system: &System, inputs: impl Fn(u64) -> Vec<f64>, steps: u64, resumed: Option<u64>) -> Run {
    let mut simulation = prepare(system);
    let mut audit = Audit::open(simulation.reset(&inputs(0)), simulation.balance());
    let (mut out, mut least, mut faults) = (Vec::new(), 0.0_f64, 0);
    for n in 0..steps {
        if resumed == Some(n) {
            let saved = simulation.save();
            simulation = prepare(system);
            simulation.restore(&saved).unwrap();
        }
        let ledger = simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Full);
        least = least.min(ledger.dissipated - ledger.contact_work);
        faults += usize::from(ledger.effort.fault.is_some());
        audit.post(&ledger);
        let mut now = [0.0; 2];
        simulation.outputs(&mut now);
        out.push(now);
    }
    (out, audit, least, faults)
}

/// Whether two runs have the same bits.
pub fn is_same((one, audit, ..): &Run, (other, again, ..): &Run) -> bool {
    let bits = |out: &[[f64; 2]]| out.concat().iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
    bits(one) == bits(other) && audit.energy_final.to_bits() == again.energy_final.to_bits()
}

/// The stick and N.
fn run(law: &Ported, fretted: bool, steps: u64, resumed: Option<u64>) -> Run {
    let system = system(law, fretted);
    let count = system.inputs.len();
    run_on(&system, |n| inputs(n)[..count].to_vec(), steps, resumed)
}

/// The hair presses with the quotient of its energy in every step, each step takes energy, the balance is exact, and the bow is off the string for part of
/// the time.
#[test]
fn a_bouncing_bow_is_balanced_among_contacts() {
    let steps = u64::from(long::cases(300_000));
    for (name, law) in laws() {
        let (out, audit, least, faults) = run(&law, true, steps, None);
        println!("{name}: residual {:e}, least {least:e}", audit.residual_max_relative_per_step());
        assert!(audit.ok(0.0) && faults == 0, "{name}: {audit:?}, {faults} faults");
        assert!(least >= -16.0 * f64::EPSILON * audit.scale(), "{name}: {least:e}");
        let held = |x: f64| 0.5 * HAIR * x.max(0.0).powi(2);
        let mut off = 0;
        for (before, after) in out.iter().zip(&out[1..]) {
            let ([x, _], [end, pressed]) = (*before, *after);
            off += usize::from(pressed == 0.0);
            // Stick and step are known to a rounding of the way of the stick, about 5 cm.
            let known = 16.0 * f64::EPSILON * 0.05 * (pressed + HAIR * x.max(end).max(0.0));
            let work = pressed * (end - x);
            assert!((work - (held(end) - held(x))).abs() <= known, "{name}: {x:e} {end:e} {pressed:e}");
        }
        let part = off as f64 / out.len() as f64;
        assert!((0.2..0.9).contains(&part), "{name}: off the string for {part} of the time");
    }
}

/// Thrown on the string, the bow leaves it after half a period of its mass on both springs with its damping.
#[test]
fn a_thrown_bow_leaves_after_half_a_period() {
    let [mass, frequency, damping] = STICK;
    let spring = mass * (TAU * frequency).powi(2);
    let mut system = system(&laws()[0].1, false);
    system.initial.velocity[MODES] = 0.3;
    let mut simulation = prepare(&system);
    simulation.reset(&[0.0; 2]);
    let mut steps = 0.0;
    let mut out = [0.0, 1.0];
    while out[1] > 0.0 && steps < RATE {
        simulation.step(&[0.0; 4], Bookkeeping::Flows);
        simulation.outputs(&mut out);
        steps += 1.0;
    }
    let omega = ((HAIR + spring) / mass - 0.25 * damping * damping).sqrt();
    let expected = PI / omega * RATE;
    // The last step is the one in which it is off already, and its zero lies within the one before.
    assert!((steps - 1.0 - expected).abs() <= 1.0, "{steps} steps, expected {expected}");
}

/// What else connects the stick with the string would make friction and hair depend on each other within a step: a contact between them, also over
/// a third body, or a link. What acts on one of them alone does not.
#[test]
fn what_connects_stick_and_string_is_refused() {
    let refused = |add: &dyn Fn(&mut System)| {
        let mut system = system(&laws()[0].1, false);
        add(&mut system);
        let scheme = hamiltone_schemes::named("modal-ec").unwrap();
        scheme.prepare(&system, 1.0 / RATE).err().map(|refusal| refusal.to_string())
    };
    let damper =
        |row: Row| Element::new("damper", row, 0.0, Law::Resistive(Resistive::new(LinearDamper, 1.0)));
    let (stick, along) = (Row::unit(MODES), place(MODES, 0.4));
    assert_eq!(refused(&|system| system.elements.push(damper(stick.clone()))), None);
    assert_eq!(refused(&|system| system.elements.push(damper(along.clone()))), None);
    let told = refused(&|system| system.elements.push(damper(along.minus(&stick)))).unwrap();
    assert!(told.contains("connects what presses it with what it acts on"), "{told}");
    // As where a link has made common modes of some of theirs.
    let told = refused(&|system| {
        let shared = system.add_dof(1e-3, 0.0, 0.0);
        let with = |row: &Row| row.minus(&Row::unit(shared)).dense();
        system.elements[0].rows = system.elements[0].rows.iter().map(with).collect();
    });
    assert!(told.is_some());
    let told = refused(&|system| {
        let pad = system.add_dof(1e-3, 0.0, 0.0);
        system.elements.push(damper(along.minus(&Row::unit(pad))));
        system.elements.push(damper(Row::unit(pad).minus(&stick)));
    });
    assert!(told.is_some());
}

#[test]
fn a_resumed_bouncing_bow_has_the_same_bits() {
    for (name, law) in laws() {
        let whole = run(&law, true, 12_000, None);
        for at in [1, 3_777, 9_000] {
            assert!(is_same(&whole, &run(&law, true, 12_000, Some(at))), "{name} from {at}");
        }
    }
}
