//! Numerical modes: a reduced system moves as the one that it stands for.
//!
//! With all modes kept a reduction is a change of coordinates, under which every linear scheme steps alike: what is read
//! differs by rounding only. With fewer, the exact modes of `modal-moreau-jean` stand for a grid at a high rate.

use hamiltone_bodies::reduction::{Component, Keep, Reduction, components, reduce};
use hamiltone_bodies::{Bar, End, Oscillator, StiffString, TimoshenkoBar, Tube, link};
use hamiltone_core::{
    audit::Audit,
    body::{Body, Placed},
    geometry::Place,
    input::Input,
    ledger::Bookkeeping,
    row::Row,
    system::{Output, Quantity, System},
};

mod frequencies;
mod laws;
mod losses;
mod motions;

/// A system under test: its coordinates are one component.
struct Case {
    name: &'static str,
    system: System,
    /// A place where it is driven and one where it is read.
    places: [Row; 2],
}

fn single(name: &'static str, body: &dyn Body, places: [f64; 2]) -> Case {
    let mut system = System::default();
    let placed = body.add_to(&mut system, name).unwrap();
    Case { name, places: places.map(|x| at(&placed, x)), system }
}

fn at(placed: &Placed, fraction: f64) -> Row {
    placed.row(Place::Fraction(fraction)).unwrap()
}

/// Bodies without a formula for their modes.
fn cases(intervals: usize) -> Vec<Case> {
    let n = intervals;
    let undercut = |x: f64| if (0.12..0.28).contains(&x) { 0.45 } else { 1.0 };
    let bar = Bar::new(0.4, 1.5, 20.0).unwrap();
    let string = StiffString::new(0.63, 6e-3, 600.0).unwrap().stiff(6e-3).unwrap();
    let thick = TimoshenkoBar::new(0.4, [1.5, 1e-4], [1e6, 20.0]).unwrap();
    let tine = thick.clone().with_ends([End::Clamped, End::Free]);
    let cone = Tube::cone(0.7, [0.004, 0.02]).unwrap().closed([true, false]);
    vec![
        single("undercut bar", &bar.clone().shaped(undercut).on_grid(n).unwrap(), [0.1, 0.37]),
        single("Timoshenko bar", &thick.on_grid(n).unwrap(), [0.0, 0.6]),
        single("clamped Timoshenko bar", &tine.on_grid(n).unwrap(), [1.0, 0.6]),
        single("cone", &cone.on_grid(n).unwrap(), [0.1, 0.8]),
        single("clamped bar", &bar.with_ends([End::Clamped; 2]).on_grid(n).unwrap(), [0.3, 0.7]),
        single("clamped string", &string.with_ends([End::Clamped; 2]).on_grid(n).unwrap(), [0.12, 0.9]),
        bridge(n),
    ]
}

/// A string of which one end pulls at a bridge that an oscillator stands for; the bridge carries a second string, far
/// away in the numbering of the coordinates.
fn bridge(n: usize) -> Case {
    let mut system = System::default();
    let string = StiffString::new(0.63, 6e-3, 600.0).unwrap().stiff(6e-3).unwrap();
    let strings = [string.with_ends([End::Hinged, End::Free]), string.with_ends([End::Clamped, End::Free])];
    let strings = strings.map(|string| string.on_grid(n).unwrap().add_to(&mut system, "string").unwrap());
    let bridge = Oscillator::new(0.05, 400.0).unwrap().add_to(&mut system, "bridge").unwrap();
    let saddle = bridge.row(Place::Whole).unwrap();
    for string in &strings {
        link::add_to(&mut system, "link", at(string, 1.0).minus(&saddle), 1e7, 0.0).unwrap();
    }
    Case { name: "strings on a bridge", places: [at(&strings[0], 0.2), saddle], system }
}

impl Case {
    /// Driven at its first place and read at its second.
    fn wired(mut self) -> Self {
        let [driven, read] = self.places.clone();
        self.system.inputs.push(Input::force("force", driven));
        for quantity in [Quantity::Displacement(read.clone()), Quantity::Velocity(read)] {
            self.system.outputs.push(Output { name: "pickup".into(), quantity });
        }
        self
    }
}

/// The first component by its modes.
fn reduced(system: &System, keep: Keep) -> Reduction {
    let dofs = components(system).swap_remove(0);
    reduce(
        system,
        &[Component { name: "modes".into(), dofs, keep, losses: Vec::new(), supports: Vec::new() }],
    )
    .unwrap()
}

/// All outputs at each step, with the same input for every drive at each end of a step; the run's balance must smooth.
fn run(system: &System, scheme: &str, rate: f64, steps: usize, input: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
    let scheme = hamiltone_schemes::named(scheme).unwrap();
    let mut simulation = scheme.prepare(system, 1.0 / rate).unwrap();
    let inputs = |n: usize| vec![input(n as f64 / rate); system.inputs.len()];
    let mut audit = Audit::open(simulation.reset(&inputs(0)), simulation.balance());
    let mut outputs = vec![0.0; system.outputs.len()];
    let mut read = Vec::with_capacity(steps);
    for n in 0..steps {
        audit.post(&simulation.step(&[inputs(n), inputs(n + 1)].concat(), Bookkeeping::Full));
        simulation.outputs(&mut outputs);
        read.push(outputs.clone());
    }
    assert!(audit.ok(0.0), "the balance of {} leaves {:e}", scheme.name(), audit.residual_max_relative());
    read
}

/// The largest difference of one output, relative to its largest value.
fn distance(a: &[Vec<f64>], b: &[Vec<f64>], output: usize) -> f64 {
    let largest = a.iter().map(|row| row[output].abs()).fold(0.0, f64::max);
    let apart = a.iter().zip(b).map(|(a, b)| (a[output] - b[output]).abs()).fold(0.0, f64::max);
    apart / largest
}
