//! Schemes that take forms in different ways converge to one motion: what they have in common is the order two alone, so that with each halving of the step
//! their difference falls to a quarter.

use super::{coupled, modes, schemes};
use hamiltone_bodies::{CircularPlate, End, Mass, Membrane, Plate, StiffString, stretching};
use hamiltone_core::{
    body::Body,
    element::Element,
    form::Form,
    geometry::Place,
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    scheme::Scheme,
    system::{Output, Quantity, System},
};
use hamiltone_elements::{LinearDamper, Power};
use std::f64::consts::PI;

/// Hz and s. Rates are 1, 2, 4 and 8 times this one.
const RATE: f64 = 96_000.0;
const DURATION: f64 = 6e-3;
const TIMES: [usize; 4] = [1, 2, 4, 8];

/// A system with what its inputs are at each time (s).
struct Case {
    name: &'static str,
    system: System,
    input: fn(f64) -> f64,
}

fn still(_: f64) -> f64 {
    0.0
}

/// Comes and goes, smoothly.
fn swelling(t: f64) -> f64 {
    4.0 * (PI * t / DURATION).sin().powi(2)
}

fn output(system: &mut System, quantity: Quantity) {
    system.outputs.push(Output { name: "read".into(), quantity });
}

/// The first modes of these coordinates from these heights (m), those of higher ones less.
fn raise(system: &mut System, dofs: std::ops::Range<usize>, height: f64) {
    for (n, i) in dofs.enumerate() {
        system.initial.position[i] = height * (0.7 * (n + 1) as f64).sin() / ((n + 1) * (n + 1)) as f64;
    }
}

/// A steel string with two polarisations, whose tension a player moves; what is read are a place and the tension.
fn string() -> System {
    let string =
        StiffString::new(0.65, 3.2e-3, 75.0).unwrap().stiff(2e-4).unwrap().damped(1.0, 1e-4).unwrap();
    let body = string.elastic(6.9e4).unwrap().by_modes(8, 32).unwrap();
    let mut system = System::default();
    let [up, across] = ["up", "across"].map(|name| body.add_to(&mut system, name).unwrap().dofs);
    stretching::join(&mut system, [&up, &across]).unwrap();
    raise(&mut system, up.clone(), 5e-3);
    raise(&mut system, across, -2e-3);
    system.inputs.push(Input::strain("peg", 0..1));
    output(&mut system, Quantity::Displacement(Row::Dense { first: up.start, weights: vec![1.0; up.len()] }));
    let stretch = system.forms[0].stretch;
    output(&mut system, Quantity::Tension(Row::unit(0).scaled(1.0 / stretch), Row::ground()));
    system
}

/// A hammer on a string with longitudinal modes.
fn struck() -> System {
    let string =
        StiffString::new(1.965, 75.5e-3, 1764.0).unwrap().stiff(0.05).unwrap().elastic(3.5e5).unwrap();
    let string = string.longitudinal(3, 200.0).unwrap().by_modes(10, 40).unwrap();
    let mut system = System::default();
    let body = string.add_to(&mut system, "string").unwrap();
    let hammer = Mass::new(10.5e-3).unwrap().with_initial(-1e-6, 6.0).unwrap();
    let hammer = hammer.add_to(&mut system, "hammer").unwrap().row(Place::Whole).unwrap();
    let row = hammer.minus(&body.row(Place::Fraction(0.12)).unwrap());
    let felt = Power::new(1e8, 2.5).unwrap().at_gap(0.0);
    system.elements.push(Element::new("felt", row.clone(), felt.gap, felt.law));
    let damper = LinearDamper.with_resistance(0.3);
    system.elements.push(Element::new(
        "damper",
        body.row(Place::Fraction(0.8)).unwrap(),
        damper.gap,
        damper.law,
    ));
    output(&mut system, Quantity::Displacement(body.row(Place::Fraction(0.37)).unwrap()));
    system
}

/// Berger's membrane.
fn membrane() -> System {
    let membrane = Membrane::new(0.15, 0.26, 2e3).unwrap().damped(3.0, 1e-3).unwrap().elastic(1e6).unwrap();
    let mut system = System::default();
    let dofs = membrane.by_modes(10).unwrap().add_to(&mut system, "membrane").unwrap().dofs;
    raise(&mut system, dofs.clone(), 4e-3);
    output(
        &mut system,
        Quantity::Displacement(Row::Dense { first: dofs.start, weights: vec![1.0; dofs.len()] }),
    );
    system
}

/// Von Kármán's plates of steel at heights of two thicknesses.
fn plate(body: &dyn Body) -> System {
    let mut system = System::default();
    let dofs = body.add_to(&mut system, "plate").unwrap().dofs;
    // The first three of a free disc are those of a rigid body.
    raise(&mut system, dofs.start + 3..dofs.end, 4e-3);
    output(
        &mut system,
        Quantity::Displacement(Row::Dense { first: dofs.start, weights: vec![1.0; dofs.len()] }),
    );
    system
}

/// One mode, three times as stiff at its amplitude by its form.
fn stretched_mode() -> System {
    let mut system = modes(&[(1500.0, 2.0, 3e-3)]);
    let b = (2.0 * 3.0 * system.mass[0] * 1500.0_f64.powi(2)).sqrt() / 3e-3;
    system.forms.push(Form {
        name: "length".into(),
        quadratic: vec![(0, 0, b)],
        linear: Row::ground(),
        strain: Row::ground(),
        stretch: 1.0,
    });
    system
}

fn cases() -> Vec<Case> {
    let thin = 1e-3;
    let bending = 2e11 * thin * thin * thin / (12.0 * 0.91);
    let disc = |rise: f64| {
        let plate = CircularPlate::new(0.18, 7860.0 * thin, bending, End::Free, 0.3).unwrap();
        plate.von_karman(2e11 * thin, 6).unwrap().risen(rise).unwrap().by_modes(15).unwrap()
    };
    let rectangle = Plate::new([0.4, 0.3], 7860.0 * thin, bending).unwrap();
    let rectangle = rectangle.von_karman(2e11 * thin, 6).unwrap().by_modes(12).unwrap();
    vec![
        Case { name: "one mode", system: stretched_mode(), input: still },
        Case { name: "coupled modes", system: coupled(0.3), input: swelling },
        Case { name: "string", system: string(), input: swelling },
        Case { name: "struck string", system: struck(), input: still },
        Case { name: "membrane", system: membrane(), input: still },
        Case { name: "rectangle", system: plate(&rectangle), input: still },
        Case { name: "free disc", system: plate(&disc(0.0)), input: still },
        Case { name: "cap", system: plate(&disc(3.0 * thin)), input: still },
    ]
}

/// The outputs at each step of 1/`RATE`, at a rate that is so many times as high.
fn motion(scheme: &dyn Scheme, case: &Case, times: usize) -> Vec<Vec<f64>> {
    let (system, rate) = (&case.system, RATE * times as f64);
    let mut simulation = scheme.prepare(system, 1.0 / rate).unwrap();
    let inputs = |n: usize| vec![(case.input)(n as f64 / rate); system.inputs.len()];
    simulation.reset(&inputs(0));
    let mut sounds = vec![Vec::new(); system.outputs.len()];
    let mut output = vec![0.0; system.outputs.len()];
    for n in 0..(DURATION * rate).round() as usize {
        simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Flows);
        if (n + 1) % times == 0 {
            simulation.outputs(&mut output);
            sounds.iter_mut().zip(&output).for_each(|(sound, x)| sound.push(*x));
        }
    }
    sounds
}

/// √(Σ(x − y)²/Σy²).
fn apart(x: &[f64], y: &[f64]) -> f64 {
    let difference: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum();
    (difference / y.iter().map(|y| y * y).sum::<f64>()).sqrt()
}

#[test]
fn all_converge_to_one_motion() {
    let mut schemes = schemes();
    // With other options it is the same method here.
    schemes.dedup_by_key(|scheme| scheme.name());
    assert!(schemes.len() > 1, "there is no second scheme to compare with");
    for case in cases() {
        let motions: Vec<Vec<Vec<Vec<f64>>>> = schemes
            .iter()
            .map(|scheme| TIMES.iter().map(|times| motion(&**scheme, &case, *times)).collect())
            .collect();
        for (scheme, own) in schemes.iter().zip(&motions).skip(1) {
            for output in 0..case.system.outputs.len() {
                let differences: Vec<f64> = own
                    .iter()
                    .zip(&motions[0])
                    .map(|(own, other)| apart(&own[output], &other[output]))
                    .collect();
                let named = format!("{}, {output}: {} and {}", case.name, schemes[0].name(), scheme.name());
                println!("{named}: {differences:?}");
                assert!(differences[0] < 0.3 && differences[3] > 1e-12, "{named}: {differences:?}");
                for two in differences.windows(2).skip(1) {
                    let order = (two[0] / two[1]).log2();
                    assert!((1.9..=2.1).contains(&order), "{named}: order {order}, {differences:?}");
                }
            }
        }
    }
}
