//! Models broken on purpose: each defect must be noticed, and no intact model complained of.

use super::{EPS, body, contact, length};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Measure, Placed, Representation},
    element::{Compliant, ElementLaw},
    geometry::{Geometry, Position},
    identity::Identity,
    operator::Operator,
    parameter::{Complaint, Entry},
    potential::Potential,
    row::Row,
    system::{Block, System},
};
use hamiltone_laws::parts;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use std::sync::Arc;

/// A law with one thing wrong.
#[derive(Debug)]
struct Broken(Arc<dyn Potential>, Defect);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
    None,
    /// The force is 1 % too large.
    Force,
    /// Below 0.1 mm the force falls where it should grow.
    NotConvex,
    /// An energy that is not 0 at rest on one side.
    NegativeEnergy,
    /// The curvature is 1 % too small.
    Curvature,
    /// The quotient is the force below steps of 0.1 µm.
    EarlySwitch,
    /// The quotient's slope is 1 % too large.
    Slope,
    /// A loss that gives energy.
    Loss,
}

impl Potential for Broken {
    fn energy(&self, x: f64) -> f64 {
        self.0.energy(x) - if self.1 == Defect::NegativeEnergy { 1e-9 } else { 0.0 }
    }
    fn force(&self, x: f64) -> f64 {
        let force = self.0.force(x);
        match self.1 {
            Defect::Force => 1.01 * force,
            Defect::NotConvex if x.abs() < 1e-4 => -force,
            _ => force,
        }
    }
    fn curvature(&self, x: f64) -> f64 {
        self.0.curvature(x) * if self.1 == Defect::Curvature { 0.99 } else { 1.0 }
    }
    fn quotient(&self, x: f64, s: f64) -> (f64, f64) {
        let (mean, slope) = self.0.quotient(x, s);
        match self.1 {
            Defect::EarlySwitch if s.abs() < 1e-7 => (self.0.force(x), slope),
            Defect::Slope => (mean, 1.01 * slope),
            _ => (mean, slope),
        }
    }
    fn identity(&self) -> Identity {
        self.0.identity().count(self.1 as usize)
    }
    fn onset(&self) -> f64 {
        self.0.onset()
    }
}

/// How many of 500 random contacts of each kind that has a potential a defect is noticed in.
fn noticed(defect: Defect) -> Vec<usize> {
    let mut runner = TestRunner::deterministic();
    let mut notices = |entry: &'static Entry<ElementLaw>| {
        let (part, x, s) = (parts::part(entry), length(), length()).new_tree(&mut runner).unwrap().current();
        let law = part.make().law;
        law.compliant().map(|law| {
            let loss = if defect == Defect::Loss { -1e-3 } else { law.loss };
            let potential = Arc::new(Broken(law.potential.clone(), defect));
            contact::laws(&Compliant { potential, loss, ..law.clone() }, x, s, EPS).is_err()
        })
    };
    let count = |entry| {
        let notices: Option<Vec<bool>> = (0..500).map(|_| notices(entry)).collect();
        notices.map(|notices| notices.into_iter().filter(|notices| *notices).count())
    };
    hamiltone_elements::catalogue().iter().filter_map(count).collect()
}

#[test]
fn broken_contacts_are_noticed() {
    assert!(noticed(Defect::None).iter().all(|&count| count == 0));
    for defect in [
        Defect::Force,
        Defect::NotConvex,
        Defect::NegativeEnergy,
        Defect::Curvature,
        Defect::EarlySwitch,
        Defect::Slope,
        Defect::Loss,
    ] {
        let counts = noticed(defect);
        assert!(counts.iter().all(|&count| count >= 5), "{defect:?} went unnoticed: {counts:?} of 500");
    }
}

/// A body of two coordinates: their mass, their stiffness, the coordinate that it reads, and its mode shape or none.
struct Raw(f64, Operator, usize, Option<[f64; 2]>);

impl Body for Raw {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let dofs = system.size()..system.size() + 2;
        dofs.clone().for_each(|_| {
            system.add_dof(self.0, 0.0, 0.0);
        });
        let (stiffness, damping) = (self.1.clone(), Operator::Zero);
        system.blocks.push(Block { name: name.into(), dofs: dofs.clone(), stiffness, damping });
        Ok(Placed {
            dofs,
            measure: Measure::Length,
            geometry: Geometry::Point,
            representation: Box::new(Reads { coordinate: self.2, first: system.size() - 2, shape: self.3 }),
            modal: None,
        })
    }
}

/// A point that reads the coordinate that it is told, and has the mode shape that it is told.
struct Reads {
    coordinate: usize,
    first: usize,
    shape: Option<[f64; 2]>,
}

impl Representation for Reads {
    fn row(&self, _: Position) -> Row {
        Row::unit(self.coordinate)
    }

    fn resolution(&self) -> f64 {
        f64::INFINITY
    }

    fn project(&self, _: &InitialMotion<'_>) -> Vec<InitialValue> {
        Vec::new()
    }

    fn modes(&self) -> usize {
        usize::from(self.shape.is_some())
    }

    fn mode(&self, _: usize) -> Vec<(usize, f64)> {
        (self.first..).zip(self.shape.into_iter().flatten()).collect()
    }
}

#[test]
fn broken_bodies_are_noticed() {
    let spring = |k| Operator::Strains(vec![(k, Row::Sparse(vec![(0, 1.0), (1, -1.0)]))]);
    let numbers = [0.3, -0.2, 0.7, 0.1, -0.5, 0.9, 0.4];
    let noticed = |body: Raw| body::laws(&body, &numbers).err().unwrap_or_default();
    assert_eq!(noticed(Raw(1.0, spring(2.0), 1, None)), "");
    assert!(noticed(Raw(-1.0, spring(2.0), 1, None)).contains("mass"));
    assert!(noticed(Raw(1.0, spring(-2.0), 1, None)).contains("< 0"));
    assert!(noticed(Raw(1.0, spring(2.0), 0, None)).contains("another body"));
    assert_eq!(noticed(Raw(1.0, spring(2.0), 1, Some([1.0, -1.0]))), "");
    assert!(noticed(Raw(1.0, spring(2.0), 1, Some([1.0, 0.9]))).contains("no eigenvector"));
}
