//! Systems on which orders and areas can be measured: an oscillator with a contact whose force is smooth.
//!
//! Which contacts those are is found by trying: every law of the catalogue with many values, kept
//! where its curvature along the motion is smooth, and bends enough to matter.

use crate::{grid, reference};
use hamiltone_core::{
    element::{Compliant, Element, ElementLaw, Law},
    input::Input,
    operator::Operator,
    parameter::Role,
    row::Row,
    system::{Block, System},
};
use std::sync::LazyLock;

/// m, kg.
pub const MASS: f64 = 0.05;
/// ω₀, rad/s.
pub const OMEGA: f64 = 3000.0;
/// γ, 1/s.
pub const GAMMA: f64 = 1500.0;
/// A third of a period, s.
pub const DURATION: f64 = 0.7e-3;

/// A damped oscillator, started with a velocity from where it is accelerated.
pub fn oscillator() -> System {
    let mut system = System::default();
    add_oscillator(&mut system, MASS, OMEGA, GAMMA, (1e-4, 0.4));
    system
}

/// Adds m ÿ + mγẏ + mω²y = 0 from (y, ẏ).
pub fn add_oscillator(system: &mut System, mass: f64, omega: f64, gamma: f64, start: (f64, f64)) {
    let dof = system.add_dof(mass, start.0, start.1);
    system.blocks.push(Block {
        name: format!("oscillator {dof}"),
        dofs: dof..dof + 1,
        stiffness: Operator::Diagonal(vec![mass * omega * omega]),
        damping: Operator::Diagonal(vec![mass * gamma]),
    });
}

/// Two masses of different size and one spring between, which a contact can join.
pub fn pair() -> System {
    let mut system = oscillator();
    add_oscillator(&mut system, 0.6 * MASS, 0.7 * OMEGA, GAMMA, (-0.6e-4, 0.1));
    let row = Row::Sparse(vec![(0, 1.0), (1, -1.0)]);
    system.blocks.push(Block {
        name: "link".into(),
        dofs: 0..2,
        stiffness: Operator::Strains(vec![(0.4 * MASS * OMEGA * OMEGA, row)]),
        damping: Operator::Zero,
    });
    system
}

/// The system with a contact along the difference of its first and last coordinate, or from its only one to the ground; all rows of a law
/// of several lie there but for those that nothing may move.
pub fn with_contact(mut system: System, contact: &ElementLaw) -> System {
    let row = match system.size() {
        1 => Row::unit(0),
        n => Row::Sparse(vec![(0, 1.0), (n - 1, -1.0)]),
    };
    let (rows, still, apart) = match &contact.law {
        Law::Port(law) => (law.port.measures().len(), law.port.still(), law.port.is_apart()),
        _ => (1, 0, false),
    };
    // What presses a law whose rows are met one after the other is at rest.
    let is_ground = |i: usize| i < still || apart && i > 0;
    system.elements.push(Element {
        name: "contact".into(),
        rows: (0..rows).map(|i| if is_ground(i) { Row::ground() } else { row.clone() }).collect(),
        gap: contact.gap,
        law: contact.law.clone(),
    });
    system
}

/// The system with an input on its first coordinate.
pub fn driven(mut system: System) -> System {
    system.inputs.push(Input::force("drive", Row::unit(0)));
    system
}

/// A contact whose force is smooth along the motion, with the name of its kind.
pub struct SmoothContact {
    /// The kind, and its loss.
    pub name: String,
    /// Whether it has a loss.
    pub lossy: bool,
    /// The contact.
    pub contact: ElementLaw,
}

/// For every kind of contact the values with which its force on [`oscillator`] and [`pair`] is smooth, with loss
/// and without: those that bend most first.
pub fn contacts() -> &'static [Vec<SmoothContact>] {
    static CONTACTS: LazyLock<Vec<Vec<SmoothContact>>> = LazyLock::new(find);
    &CONTACTS
}

fn find() -> Vec<Vec<SmoothContact>> {
    let mut kinds = Vec::new();
    for entry in hamiltone_elements::catalogue() {
        let mut found: [Vec<(f64, SmoothContact)>; 2] = [Vec::new(), Vec::new()];
        for values in grid::values(&entry.kind, numbers) {
            let Ok(contact) = entry.build(&values) else { continue };
            let Law::Compliant(law) = &contact.law else { continue };
            let lossy = law.loss > 0.0;
            let bends = [oscillator(), pair()].map(|system| bend(&with_contact(system, &contact), law));
            if let [Some(one), Some(two)] = bends {
                let name = format!("{}{}", entry.kind.name, if lossy { " with loss" } else { "" });
                found[usize::from(lossy)].push((one.min(two), SmoothContact { name, lossy, contact }));
            }
        }
        for mut found in found {
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            if !found.is_empty() {
                kinds.push(found.into_iter().map(|(_, given)| given).collect());
            }
        }
    }
    kinds
}

/// Values worth trying, by role.
fn numbers(role: Role) -> Vec<f64> {
    match role {
        Role::Number => vec![1.5, 2.5, 3.0],
        Role::Odd => vec![3.0],
        Role::Length | Role::Displacement => vec![-1e-3, 1e-4],
        Role::ContactLoss => vec![0.3],
        Role::Relaxation => vec![1e-4],
        Role::PowerStiffness(_) | Role::HertzStiffness => {
            (8..28).map(|half| 10f64.powf(f64::from(half) / 2.0)).collect()
        }
        _ => Vec::new(),
    }
}

/// How much the curvature varies along the free motion, as a fraction of the linear stiffness; `None` where
/// it has a kink, hardly varies, or dwarfs the oscillator.
fn bend(system: &System, law: &Compliant) -> Option<f64> {
    let (low, high) = reference::integrate(system, DURATION, 1, 256, |_| 0.0).reach[0];
    let samples = 64;
    let at = |i: usize| law.curvature(low + (high - low) * i as f64 / f64::from(samples));
    let curvatures: Vec<f64> = (0..=samples as usize).map(at).collect();
    let range = curvatures.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &c| (l.min(c), h.max(c)));
    // A kink of the curvature shows as one interval in which its slope changes by all that it changes elsewhere.
    let sharpest = curvatures.windows(3).map(|c| (c[0] - 2.0 * c[1] + c[2]).abs()).fold(0.0, f64::max);
    let linear = MASS * OMEGA * OMEGA;
    let bend = (range.1 - range.0) / linear;
    (sharpest < 0.01 * (range.1 - range.0) && range.1 < 4.0 * linear && bend > 0.1).then_some(bend)
}
