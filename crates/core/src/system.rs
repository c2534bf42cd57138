//! The assembled mechanical system: what every scheme steps and no scheme looks behind.
//!
//!   M q̈ + R q̇ + K q + Σⱼ cⱼ fⱼ(cⱼ·q − hⱼ, cⱼ·q̇) = B u(t)
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | q | positions, one a degree of freedom | m |
//! | M | mass, diagonal | kg (kg/m² per unit area) |
//! | R | damping, a sum of squares | kg/s |
//! | K | stiffness, a sum of squares | N/m |
//! | cⱼ, hⱼ, fⱼ | row, gap and law of contact j | –, m, N |
//! | B, u | rows and values of the inputs | –, N |
//!
//! **Architecture Invariant:** a system is constant data. It holds no state, and
//! nothing in it says what instrument it came from.

use crate::{law::Law, operator::Operator, row::Row};
use std::ops::Range;

/// A mechanical system with its start. Bodies add themselves to it; schemes prepare from it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// M, one positive mass a degree of freedom.
    pub mass: Vec<f64>,
    /// K and R, a block a body or link; blocks may overlap, they add up.
    pub blocks: Vec<Block>,
    /// The contacts, each one row between any bodies.
    pub contacts: Vec<Contact>,
    /// The external forces.
    pub inputs: Vec<Port>,
    /// What is listened to.
    pub outputs: Vec<Output>,
    /// Positions and velocities at t = 0.
    pub start: Start,
}

/// The stiffness and damping of a run of degrees of freedom.
#[derive(Clone, Debug)]
pub struct Block {
    /// The body or link that it came from, for messages.
    pub name: String,
    /// Its degrees of freedom; the operators are indexed from its first.
    pub dofs: Range<usize>,
    /// Its part of K.
    pub stiffness: Operator,
    /// Its part of R.
    pub damping: Operator,
}

/// A contact: a law along one row.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name in the scene, for messages.
    pub name: String,
    /// c: the law's force pushes the system along −c.
    pub row: Row,
    /// h, m: it touches where c·q > h (for a one-sided law).
    pub gap: f64,
    /// What it does.
    pub law: Law,
}

/// A named row through which an external force enters.
#[derive(Clone, Debug)]
pub struct Port {
    /// The drive's name.
    pub name: String,
    /// The column of B: the input u pushes the system along +row.
    pub row: Row,
}

/// A named quantity that is listened to at each step.
#[derive(Clone, Debug)]
pub struct Output {
    /// The pickup's name.
    pub name: String,
    /// What it reads.
    pub quantity: Quantity,
}

/// What an output reads.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// c·q, m.
    Displacement(Row),
    /// c·q̇, m/s; schemes that hold the velocity half a step away give the mean of its neighbours.
    Velocity(Row),
    /// The force of contact `.0`, N: the mean that the last step applied where a scheme is implicit (0 before the
    /// first step), V′ at the position now where it is explicit or of two steps; of a rigid one its impulse over Δt.
    ContactForce(usize),
    /// The sum of the forces of these contacts, N: of a barrier along a body.
    ContactForces(Range<usize>),
}

/// The state at t = 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Positions, m.
    pub position: Vec<f64>,
    /// Velocities, m/s.
    pub velocity: Vec<f64>,
}

impl System {
    /// The number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.mass.len()
    }

    /// Adds one degree of freedom and returns its number.
    pub fn add_dof(&mut self, mass: f64, position: f64, velocity: f64) -> usize {
        self.mass.push(mass);
        self.start.position.push(position);
        self.start.velocity.push(velocity);
        self.mass.len() - 1
    }

    /// y += a·K x.
    #[inline]
    pub fn add_stiffness(&self, a: f64, x: &[f64], y: &mut [f64]) {
        self.blocks
            .iter()
            .for_each(|b| b.stiffness.add_product(a, &x[b.dofs.clone()], &mut y[b.dofs.clone()]));
    }

    /// y += a·R x.
    #[inline]
    pub fn add_damping(&self, a: f64, x: &[f64], y: &mut [f64]) {
        self.blocks.iter().for_each(|b| b.damping.add_product(a, &x[b.dofs.clone()], &mut y[b.dofs.clone()]));
    }

    /// xᵀK y.
    #[inline]
    pub fn stiffness_form(&self, x: &[f64], y: &[f64]) -> f64 {
        self.blocks.iter().map(|b| b.stiffness.bilinear(&x[b.dofs.clone()], &y[b.dofs.clone()])).sum()
    }

    /// xᵀR x.
    #[inline]
    pub fn damping_form(&self, x: &[f64]) -> f64 {
        self.blocks.iter().map(|b| b.damping.form(&x[b.dofs.clone()])).sum()
    }

    /// The diagonal of R, or the name of the first block whose damping couples coordinates.
    pub fn diagonal_damping(&self) -> Result<Vec<f64>, &str> {
        self.diagonal(|block| &block.damping)
    }

    /// The diagonal of K, or the name of the first block whose stiffness couples coordinates.
    pub fn diagonal_stiffness(&self) -> Result<Vec<f64>, &str> {
        self.diagonal(|block| &block.stiffness)
    }

    fn diagonal(&self, part: impl Fn(&Block) -> &Operator) -> Result<Vec<f64>, &str> {
        let mut diagonal = vec![0.0; self.size()];
        for block in &self.blocks {
            part(block).add_diagonal(&mut diagonal[block.dofs.clone()]).ok_or(block.name.as_str())?;
        }
        Ok(diagonal)
    }

    /// The physical energy ½vᵀMv + ½qᵀKq + ΣV, J.
    pub fn energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let kinetic: f64 = self.mass.iter().zip(v).map(|(m, v)| 0.5 * m * v * v).sum();
        let held = |c: &Contact| c.law.potential().map_or(0.0, |v| v.energy(c.row.dot(q) - c.gap));
        let contact = self.contacts.iter().map(held);
        kinetic + 0.5 * self.stiffness_form(q, q) + contact.sum::<f64>()
    }
}
