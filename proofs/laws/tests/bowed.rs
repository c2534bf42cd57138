//! A bowed string: its friction beside whatever else acts in a step, and the motions that it is known for.
//!
//! Helmholtz motion (1863): the string sticks but for the part β of a period, in which it slides with the speed v_b/β relative to the bow. It
//! is possible between two forces of the bow (J. C. Schelleng 1973, J. Acoust. Soc. Am. 53):
//!
//!   N_max = 2Z₀v_b/(β Δμ),   N_min ∝ v_b/(β² Δμ),   Δμ = μ_s − μ(v_b/β)

use hamiltone_core::{
    audit::Audit,
    element::{Compliant, Element, Law, Resistive},
    input::Input,
    ledger::Bookkeeping,
    operator::Operator,
    port::Ported,
    row::Row,
    saved::Saved,
    simulation::Simulation,
    system::{Block, Output, Quantity, System},
};
use hamiltone_elements::{Bow, ElastoPlasticBow, Friction, LinearDamper, Power, ThermalBow};
use hamiltone_laws::long;
use hamiltone_schemes::named;
use std::f64::consts::{PI, TAU};

pub const RATE: f64 = 44_100.0;
pub const FRICTION: Friction = Friction::SteadySliding;
/// The D string of a cello: L (m), kg/m, N.
const LENGTH: f64 = 0.69;
const DENSITY: f64 = 2.5e-3;
const TENSION: f64 = 102.6;

/// The frequency of the string, Hz.
pub fn pitch() -> f64 {
    0.5 / LENGTH * (TENSION / DENSITY).sqrt()
}

/// u at x of the modes of a string.
pub fn place(modes: usize, x: f64) -> Row {
    Row::Dense { first: 0, weights: (1..=modes).map(|n| (n as f64 * PI * x).sin()).collect() }
}

/// A string of sine modes, whose losses σ = 3 + 0.03n² (1/s) rise as those of real ones do.
pub fn string(modes: usize) -> System {
    let mut system = System::default();
    let mass = 0.5 * DENSITY * LENGTH;
    let omega = |n: usize| n as f64 * PI / LENGTH * (TENSION / DENSITY).sqrt();
    for _ in 0..modes {
        system.add_dof(mass, 0.0, 0.0);
    }
    system.blocks.push(Block {
        name: "string".into(),
        dofs: 0..modes,
        stiffness: Operator::Diagonal((1..=modes).map(|n| mass * omega(n).powi(2)).collect()),
        damping: Operator::Diagonal(
            (1..=modes).map(|n| 2.0 * mass * (3.0 + 0.03 * (n * n) as f64)).collect(),
        ),
    });
    system
}

/// Dry friction.
fn dry() -> Ported {
    Ported::new(Bow { friction: FRICTION }, 0.0)
}

/// Elasto-plastic friction.
pub const BRISTLES: ElastoPlasticBow = ElastoPlasticBow {
    at_rest: 1.2,
    sliding: 0.35,
    speed: 0.1,
    stiffness: 1e5,
    damping: 0.5,
    break_away: 0.7,
};

/// The other laws of a bow, each with its name.
pub fn others() -> [(&'static str, Ported); 3] {
    let smooth = Bow { friction: Friction::Smooth { most: 1.2, speed: 0.07 } };
    let thermal =
        ThermalBow { cold: 1.2, hot: 0.3, softening: 20.0, range: 20.0, capacity: 1e-5, cooling: 0.04 };
    [
        ("smooth", Ported::new(smooth, 0.0)),
        ("thermal", Ported::new(thermal, 0.0)),
        ("elasto-plastic", Ported::new(BRISTLES, 0.0)),
    ]
}

/// A bow on a string at x, with an output of u there and of its force; inputs are its speed and its force.
pub fn add_bow(system: &mut System, x: f64, law: &Ported) {
    let (row, element) = (place(system.size(), x), system.elements.len());
    let law = Law::Port(law.clone());
    system.elements.push(Element::new(format!("bow {element}"), row.clone(), 0.0, law));
    system.inputs.push(Input::rate("speed", element..element + 1));
    system.inputs.push(Input::control("force", element..element + 1));
    add_outputs(system, element, row);
}

fn add_outputs(system: &mut System, element: usize, row: Row) {
    let (u, f) = (Quantity::Displacement(row), Quantity::MeanForce(element..element + 1));
    system.outputs.push(Output { name: "u".into(), quantity: u });
    system.outputs.push(Output { name: "F".into(), quantity: f });
}

pub fn prepare(system: &System) -> Simulation {
    named("modal-ec").unwrap().prepare(system, 1.0 / RATE).unwrap()
}

/// A string that is bowed, stopped on a rigid fret by a soft finger, and damped: all at once.
fn crowded(bows: &[f64], law: &Ported) -> System {
    let mut system = string(60);
    bows.iter().for_each(|x| add_bow(&mut system, *x, law));
    let fret = Law::Rigid { restitution: 0.0 };
    let finger = Law::Compliant(Compliant::new(Power::new(3e6, 1.5).unwrap()).with_loss(0.5));
    let damper = Law::Resistive(Resistive::new(LinearDamper, 0.0));
    for (name, x, sign, gap, law) in [
        ("fret", 0.31, -1.0, 2e-4, fret),
        ("finger", 0.3, 1.0, -5e-4, finger),
        ("felt", 0.6, 1.0, 0.0, damper),
    ] {
        let Row::Dense { first, weights } = place(60, x) else { unreachable!() };
        let row = Row::Dense { first, weights: weights.iter().map(|w| sign * w).collect() };
        let element = system.elements.len();
        system.elements.push(Element::new(name, row.clone(), gap, law));
        add_outputs(&mut system, element, row);
    }
    let felt = system.elements.len() - 1;
    system.inputs.push(Input::control("felt", felt..felt + 1));
    system
}

/// Inputs of the step end n: bows that change their speed, direction and force and are lifted, felt that comes and goes.
fn inputs(bows: usize, n: u64) -> Vec<f64> {
    let t = n as f64 / RATE;
    let bow = |k: usize| {
        let turn = TAU * (1.3 + 0.7 * k as f64) * t;
        [0.3 * turn.sin(), (2.0 * (0.37 * turn + k as f64).sin()).max(0.0)]
    };
    (0..bows).flat_map(bow).chain([(0.4 * (TAU * 0.9 * t).sin()).max(0.0)]).collect()
}

/// The law of a bow, of the mean rate relative to it in a step, by what came out. w is known to a rounding of its `size`, and F to that over Y,
/// which is 0.7 m/(N s) of this string.
fn is_met(w: f64, force: f64, pressed: f64, size: f64) -> bool {
    let (mu, slope) = FRICTION.at(w.abs());
    let most = pressed * FRICTION.at(0.0).0;
    let (known, slides) = (64.0 * f64::EPSILON * size, pressed * mu * w.signum());
    w.abs() <= known && force.abs() <= most * (1.0 + 8.0 * f64::EPSILON)
        || (force - slides).abs() <= 8.0 * f64::EPSILON * most + (2.0 + pressed * slope.abs()) * known
}

struct Run {
    audit: Audit,
    sound: Vec<f64>,
    least: f64,
    unmet: usize,
    faults: usize,
}

/// So many steps of the crowded string; from the first to `resumed` and then from what was saved there.
fn run(bows: &[f64], law: &Ported, steps: u64, resumed: Option<u64>) -> Run {
    let system = crowded(bows, law);
    let (count, outputs) = (bows.len(), system.outputs.len());
    let mut simulation = prepare(&system);
    let mut audit = Audit::open(simulation.reset(&inputs(count, 0)), simulation.balance());
    let (mut before, mut now) = (vec![0.0; outputs], vec![0.0; outputs]);
    simulation.outputs(&mut before);
    let mut run = Run { audit: audit.clone(), sound: Vec::new(), least: 0.0, unmet: 0, faults: 0 };
    for n in 0..steps {
        if resumed == Some(n) {
            let saved: Saved = simulation.save();
            simulation = prepare(&system);
            simulation.restore(&saved).unwrap();
        }
        let ends = [inputs(count, n), inputs(count, n + 1)];
        let ledger = simulation.step(&ends.concat(), Bookkeeping::Full);
        run.faults += usize::from(ledger.effort.fault.is_some());
        run.least = run.least.min(ledger.dissipated - ledger.contact_work);
        audit.post(&ledger);
        simulation.outputs(&mut now);
        let mut met = true;
        for bow in 0..count {
            let mean = |k: usize| 0.5 * (ends[0][2 * bow + k] + ends[1][2 * bow + k]);
            let (u, force) = ([before[2 * bow], now[2 * bow]], now[2 * bow + 1]);
            let w = (u[1] - u[0]) * RATE - mean(0);
            // u is a sum over modes of about their own size.
            let size = RATE * (8.0 * u[1].abs() + 1e-3) + mean(0).abs();
            met &= is_met(w, force, mean(1), size);
        }
        run.unmet += usize::from(!met);
        run.sound.extend(&now);
        std::mem::swap(&mut before, &mut now);
    }
    run.audit = audit;
    run
}

/// Bow, fret, finger and felt on one string: each step meets the law of the bow with all others as they act in it, takes energy, and the
/// balance is exact. The equation of each other element is in its own force, by which the balance closes.
#[test]
fn one_bow_among_contacts_meets_its_law_in_every_step() {
    let steps = u64::from(long::cases(1_000_000));
    let run = run(&[0.87], &dry(), steps, None);
    let audit = &run.audit;
    println!("residual {:e} per step, least taken {:e} J", audit.residual_max_relative_per_step(), run.least);
    assert!(audit.ok(0.0), "{audit:?}");
    assert_eq!((run.unmet, run.faults), (0, 0));
    // A rounding of what passes through in a step.
    assert!(run.least >= -16.0 * f64::EPSILON * audit.scale(), "{:e}", run.least);
}

/// Two bows, near each other and far: every step takes energy, whatever the turns come to, few of them fail, and each that fails says so.
#[test]
fn two_bows_never_give_energy() {
    let steps = u64::from(long::cases(300_000));
    for second in [0.84, 0.55] {
        let run = run(&[0.87, second], &dry(), steps, None);
        println!(
            "{second}: {} of {steps} steps unmet, {} faults, least {:e}",
            run.unmet, run.faults, run.least
        );
        assert!(run.audit.ok(0.0) && run.faults == run.unmet, "{:?}", run.audit);
        assert!(run.least >= -16.0 * f64::EPSILON * run.audit.scale(), "{:e}", run.least);
        assert!(run.unmet as u64 * 1000 <= steps, "{} of {steps} steps by dampers", run.unmet);
    }
}

/// The same of the other laws, also of one whose memory stores energy, which a step by dampers leaves as it was.
#[test]
fn two_bows_of_any_law_never_give_energy() {
    let steps = u64::from(long::cases(100_000));
    for (name, law) in others() {
        for second in [0.84, 0.55] {
            let run = run(&[0.87, second], &law, steps, None);
            println!("{name}, {second}: {} of {steps} steps by dampers, least {:e}", run.faults, run.least);
            assert!(run.audit.ok(0.0), "{name}, {second}: {:?}", run.audit);
            assert!(run.least >= -16.0 * f64::EPSILON * run.audit.scale(), "{name}: {:e}", run.least);
            assert!(run.faults as u64 * 100 <= steps, "{name}: {} of {steps} steps", run.faults);
        }
    }
}

/// The other laws of a bow among the same contacts: balanced, and every step takes energy.
#[test]
fn other_frictions_among_contacts_take_energy() {
    let steps = u64::from(long::cases(300_000));
    for (name, law) in others() {
        let run = run(&[0.87], &law, steps, None);
        let audit = &run.audit;
        println!("{name}: residual {:e}, least {:e}", audit.residual_max_relative_per_step(), run.least);
        assert!(audit.ok(0.0) && run.faults == 0, "{name}: {audit:?}, {} faults", run.faults);
        assert!(run.least >= -16.0 * f64::EPSILON * audit.scale(), "{name}: {:e}", run.least);
    }
}

#[test]
fn a_resumed_bow_has_the_same_bits() {
    let laws = others().into_iter().map(|(_, law)| law).chain([dry()]);
    for law in laws {
        let whole = run(&[0.87, 0.84], &law, 12_000, None);
        for at in [1, 3_777, 9_000] {
            let resumed = run(&[0.87, 0.84], &law, 12_000, Some(at));
            let same = whole.sound.iter().zip(&resumed.sound).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same && whole.audit.energy_final.to_bits() == resumed.audit.energy_final.to_bits());
        }
    }
}

/// What a bowed string does from the Helmholtz motion of the bow's speed on.
struct Motion {
    /// Whether it slides once a period.
    is_helmholtz: bool,
    /// The sliding speed in the median, m/s, the part of the time in which it sticks, and the frequency, Hz, over the last 40 periods.
    slides: f64,
    sticks: f64,
    frequency: f64,
}

/// With a bow at βL that presses by N and is drawn at v_b; it sticks where it slides at less than `still`.
fn bowed(law: &Ported, (beta, force, speed): (f64, f64, f64), still: f64) -> Motion {
    const MODES: usize = 140;
    let mut system = string(MODES);
    add_bow(&mut system, 1.0 - beta, law);
    let f0 = pitch();
    // The velocity of Helmholtz motion as the corner passes the bridge: Σ sin(nπξ)/n from the bridge on, which is (−1)ⁿ⁺¹ from the nut.
    for n in 1..=MODES {
        let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
        system.initial.velocity[n - 1] = -2.0 * speed / (PI * beta) * sign / n as f64;
    }
    let input = [speed, force, speed, force];
    let mut simulation = prepare(&system);
    simulation.reset(&input[..2]);
    let period = (RATE / f0) as usize;
    let (settle, measured) = (110 * period, 40 * period);
    let (mut out, mut before) = ([0.0; 2], 0.0);
    // As the string catches up with the bow it slips again for a few steps: a slide is what lasts for a third of βT or more.
    let least = (beta * period as f64 / 3.0) as usize;
    let (mut slide, mut slips, mut sliding) = (0, Vec::new(), Vec::new());
    for n in 0..settle + measured {
        simulation.step(&input, Bookkeeping::Flows);
        simulation.outputs(&mut out);
        let w = (out[0] - before) * RATE - speed;
        before = out[0];
        let sticks = w.abs() < still;
        if n >= settle {
            slide = if sticks { 0 } else { slide + 1 };
            if slide == least {
                slips.push(n as f64);
            }
            if !sticks {
                sliding.push(-w);
            }
        }
    }
    let frequency = match slips[..] {
        [first, .., last] => RATE * (slips.len() - 1) as f64 / (last - first),
        _ => 0.0,
    };
    sliding.sort_by(f64::total_cmp);
    let cents = 1200.0 * (frequency / f0).log2();
    Motion {
        is_helmholtz: (39..=41).contains(&slips.len()) && cents.abs() < 60.0,
        slides: sliding.get(sliding.len() / 2).copied().unwrap_or(0.0),
        sticks: 1.0 - sliding.len() as f64 / measured as f64,
        frequency,
    }
}

/// v_b/β within 3 %, 1 − β of the time within 3 %, and a pitch that falls as the bow presses harder.
#[test]
fn helmholtz_motion_has_its_speed_and_flattens() {
    let (beta, speed) = (0.113, 0.1);
    let mut last = f64::INFINITY;
    for force in [0.1, 0.3, 0.6, 0.95] {
        let motion = bowed(&dry(), (beta, force, speed), 1e-6);
        let Motion { is_helmholtz, slides, sticks, frequency } = motion;
        println!("{force} N: {slides:.3} m/s, sticks {sticks:.3}, {frequency:.3} Hz");
        assert!(is_helmholtz, "{force} N");
        assert!((slides / (speed / beta) - 1.0).abs() < 0.03, "{force} N: {slides} m/s");
        assert!((sticks / (1.0 - beta) - 1.0).abs() < 0.03, "{force} N: {sticks}");
        assert!(frequency <= last * (1.0 + 1e-4), "{force} N: {frequency} Hz after {last}");
        last = frequency;
    }
}

/// The other laws have Helmholtz motion, too, with less exact speeds: what bends, rises from 0 or cools first sticks by and by.
#[test]
fn other_frictions_have_helmholtz_motion() {
    let (beta, speed) = (0.113, 0.1);
    for (name, law) in others() {
        // Rosin that 0.1 N warm less is slower to let go.
        for (force, apart) in [(0.1, 0.21), (0.3, 0.06), (0.6, 0.06)] {
            let motion = bowed(&law, (beta, force, speed), 0.5 * speed);
            let Motion { is_helmholtz, slides, sticks, frequency } = motion;
            println!("{name}, {force} N: {slides:.3} m/s, sticks {sticks:.3}, {frequency:.3} Hz");
            assert!(is_helmholtz, "{name}, {force} N");
            assert!((slides / (speed / beta) - 1.0).abs() < apart, "{name}, {force} N: {slides} m/s");
            assert!((sticks / (1.0 - beta) - 1.0).abs() < 0.06, "{name}, {force} N: {sticks}");
        }
    }
}

/// Schelleng's diagram: N_max falls as 1/β and is within 25 % of 2Z₀v_b/(βΔμ). N_min falls as 1/β² where all partials lose alike; the losses of a
/// string rise, and a bow nearer to the bridge needs higher partials, so that it falls somewhat faster: by −2.31 here.
#[test]
#[ignore = "long: .ci/run runs it"]
fn schelleng_s_limits_have_their_slopes() {
    let (speed, impedance) = (0.1, (TENSION * DENSITY).sqrt());
    let mut limits = Vec::new();
    for beta in [0.031, 0.042, 0.058, 0.079, 0.108, 0.147, 0.201_f64] {
        let falls = FRICTION.at(0.0).0 - FRICTION.at(speed / beta).0;
        let theory = 2.0 * impedance * speed / (beta * falls);
        let plays = |force: f64| bowed(&dry(), (beta, force, speed), 1e-6).is_helmholtz;
        let ladder = |from: f64, by: f64| (0..40).map(move |k| from * by.powi(k));
        let most = ladder(1.5 * theory, 1.0 / 1.08).find(|force| plays(*force)).unwrap();
        // Down from there by larger steps until it no longer plays.
        let least = ladder(most, 1.0 / 1.12).take_while(|force| plays(*force)).last().unwrap();
        println!("β {beta}: {least:.4} to {most:.3} N, theory {theory:.3} N");
        assert!((most / theory - 1.0).abs() < 0.25, "β = {beta}: {most} N, theory {theory} N");
        limits.push([beta.ln(), least.ln(), most.ln()]);
    }
    let slope = |k: usize| {
        let n = limits.len() as f64;
        let mean = |k: usize| limits.iter().map(|l| l[k]).sum::<f64>() / n;
        let (x, y) = (mean(0), mean(k));
        let both: f64 = limits.iter().map(|l| (l[0] - x) * (l[k] - y)).sum();
        both / limits.iter().map(|l| (l[0] - x).powi(2)).sum::<f64>()
    };
    println!("slopes {:.3} and {:.3}", slope(1), slope(2));
    assert!((slope(1) + 2.15).abs() < 0.3 && (slope(2) + 1.0).abs() < 0.1, "{} {}", slope(1), slope(2));
}
