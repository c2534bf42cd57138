//! A body of your own: a chain of n beads of mass m between fixed ends, a distance d apart, joined by springs k.
//!
//!   m ü_i = k (u_{i+1} − 2u_i + u_{i−1}),   u_0 = u_{n+1} = 0,   ω₁ = 2√(k/m) sin(π/(2n + 2))
//!
//! It adds itself to a system and answers for its places: every force law can act on it, every scheme steps it.

use hamiltone::core::body::{Body, InitialMotion, InitialValue, Measure, Placed, Representation, Support};
use hamiltone::core::geometry::{Geometry, Place, Position};
use hamiltone::core::{audit::Audit, ledger::Bookkeeping, operator::Operator, row::Row};
use hamiltone::core::{parameter::Complaint, parameter::Range, system::Block, system::System};
use hamiltone::{numerics::math::sin, schemes};
use std::{error::Error, f64::consts::PI, ops::Range as Span};

/// n, m (kg), k (N/m), d (m).
struct Chain(usize, f64, f64, f64);

impl Body for Chain {
    fn add_to(&self, system: &mut System, name: &str) -> Result<Placed, Complaint> {
        let Chain(beads, mass, stiffness, spacing) = *self;
        let check = |name, value| Range::POSITIVE.check(name, value);
        let (mass, stiffness, first) = (check("mass", mass)?, check("stiffness", stiffness)?, system.size());
        for _ in 0..beads {
            system.add_dof(mass, 0.0, 0.0);
        }
        let dofs = first..system.size();
        // The operators of a block count from its first coordinate; the ends 0 and n + 1 do not move.
        let bead = |i: usize| if (1..=beads).contains(&i) { Row::unit(i - 1) } else { Row::ground() };
        let springs = (0..=beads).map(|i| (stiffness, bead(i + 1).minus(&bead(i)))).collect();
        let (name, stiffness, damping) = (name.into(), Operator::Strains(springs), Operator::Zero);
        system.blocks.push(Block { name, dofs: dofs.clone(), stiffness, damping });
        let geometry = Geometry::Line { length: spacing * (beads + 1) as f64 };
        let representation = Box::new(Beads { dofs: dofs.clone(), spacing });
        Ok(Placed { dofs, measure: Measure::Length, geometry, representation, modal: None })
    }
}

/// One coordinate a bead; between two beads the chain is straight.
struct Beads {
    dofs: Span<usize>,
    spacing: f64,
}

impl Representation for Beads {
    fn row(&self, [x, _]: Position) -> Row {
        let weight = |i: usize| (1.0 - (x / self.spacing - (i + 1) as f64).abs()).max(0.0);
        let weights = self.dofs.clone().enumerate().map(|(i, dof)| (dof, weight(i)));
        Row::Sparse(weights.filter(|(_, weight)| *weight > 0.0).collect())
    }
    fn resolution(&self) -> f64 {
        self.spacing
    }
    fn project(&self, motion: &InitialMotion<'_>) -> Vec<InitialValue> {
        let at = |i: usize| (motion.at)([self.spacing * (i + 1) as f64, 0.0]);
        let value = |(i, dof)| InitialValue { dof, position: at(i).0, velocity: at(i).1 };
        self.dofs.clone().enumerate().map(value).collect()
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut system = System::default();
    let chain = Chain(9, 1e-3, 2e3, 0.05).add_to(&mut system, "chain")?;
    // In the shape of the first mode, 1 mm high, it comes back after T = 2π/ω₁, here 14.2 ms.
    let at = Box::new(|[x, _]: Position| (1e-3 * sin(PI * x / 0.5), 0.0));
    for value in
        chain.representation.project(&InitialMotion { at, support: Support::Whole { corners: vec![] } })
    {
        system.initial.position[value.dof] = value.position;
    }
    let period = PI / ((2e3_f64 / 1e-3).sqrt() * sin(PI / 20.0));
    let mut simulation = schemes::named("ec").ok_or("no `ec`")?.prepare(&system, period / 1000.0)?;
    let mut audit = Audit::open(simulation.reset(&[]), simulation.balance());
    while audit.steps < 1000 && audit.post(&simulation.step(&[], Bookkeeping::Full)) {}
    let middle = chain.row(Place::Fraction(0.5))?.dot(&simulation.motion().q);
    println!("the middle is back at {:.6} mm after {:.2} ms", 1e3 * middle, 1e3 * period);
    if audit.ok(0.0) && (middle - 1e-3).abs() < 1e-8 { Ok(()) } else { Err("not the first mode".into()) }
}
