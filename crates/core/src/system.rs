//! The assembled mechanical system: what every scheme steps and no scheme looks behind.
//!
//!   M q̈ + R q̇ + K q + ∇ΣV(q) + Σⱼ cⱼ fⱼ(cⱼ·q − hⱼ − h_ref,ⱼ(t), cⱼ·q̇ − ḣ_ref,ⱼ; uⱼ) = B u(t)
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | q | positions, one a degree of freedom | m |
//! | M | mass, diagonal | kg (kg/m² per unit area) |
//! | R | damping, a sum of squares | kg/s |
//! | K | stiffness, a sum of squares | N/m |
//! | V | potential of a joint, bodies on others as supports ([`crate::joint`]), or of a form, a square of a quadratic form ([`crate::form`]) | J |
//! | cⱼ, hⱼ, fⱼ | row, gap and law of element j | –, m, N |
//! | h_ref,ⱼ, uⱼ | moving reference and control of element j, where an input prescribes them | m, the law's |
//! | B, u | rows and values of the forces among the inputs | –, N |
//!
//! **Architecture Invariant:** a system is constant data. It holds no state, and
//! nothing in it says what instrument it came from.

use crate::{
    acting::Acting,
    element::{Element, Law},
    form::Form,
    input::{Action, Input},
    joint::Joint,
    operator::Operator,
    row::Row,
};
use hamiltone_numerics::lanes;
use std::ops::Range;

/// A mechanical system with its initial conditions. Bodies add themselves to it; schemes prepare from it.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// M, one positive mass a degree of freedom.
    pub mass: Vec<f64>,
    /// K and R, a block a body or link; blocks may overlap, they add up.
    pub blocks: Vec<Block>,
    /// Bodies that stand on others.
    pub joints: Vec<Joint>,
    /// Energies that are squares of quadratic forms.
    pub forms: Vec<Form>,
    /// Every other force law, each along rows between any bodies.
    pub elements: Vec<Element>,
    /// What acts from outside.
    pub inputs: Vec<Input>,
    /// What is read at each step.
    pub outputs: Vec<Output>,
    /// Positions and velocities at t = 0.
    pub initial: Initial,
}

/// The stiffness and damping of a run of degrees of freedom.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// A named quantity that is read at each step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Output {
    /// The pickup's name.
    pub name: String,
    /// What it reads.
    pub quantity: Quantity,
}

/// What an output reads.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Quantity {
    /// c·q, m.
    Displacement(Row),
    /// c·q̇, m/s; schemes that hold the velocity half a step away give the mean of its neighbours.
    Velocity(Row),
    /// c·q + d·q̇: what both the place and the speed of a body make, such as the sound that a bore radiates.
    ///
    /// A [`crate::simulation::Simulation`] adds it up; a stepper is asked for its parts.
    Motion(Row, Row),
    /// The sum of the forces of these elements, N (one contact, or an obstacle along a body): what their laws give for
    /// the positions, velocities and inputs now. Rigid and custom laws have none at an instant and give their mean force.
    ///
    /// A [`crate::simulation::Simulation`] reads it; a stepper is asked for displacements and velocities instead.
    Force(Range<usize>),
    /// The sum of the mean forces of these elements over the last step, N: the impulse that the step gave, over Δt; 0
    /// before the first step. Schemes whose step has one cover [`crate::coverage::Feature::MeanForce`].
    MeanForce(Range<usize>),
    /// Σ aⱼ(ψⱼ + eⱼ) + c·q of the forms j that the first row weighs, eⱼ being what inputs strain, and the row c of coordinates: by how much the tension of a string or
    /// membrane is above that at rest, N or N/m (aⱼ = 1/sⱼ), or the force along a string on its end, N. Schemes that cover
    /// [`crate::coverage::Feature::Forms`] have it.
    Tension(Row, Row),
}

impl Quantity {
    /// The rows that it reads, none of forces.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        let (first, second) = match self {
            Quantity::Displacement(row) | Quantity::Velocity(row) => (Some(row), None),
            Quantity::Motion(place, speed) => (Some(place), Some(speed)),
            Quantity::Tension(_, row) => (Some(row).filter(|row| !row.is_zero()), None),
            Quantity::Force(_) | Quantity::MeanForce(_) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The same along other rows.
    #[must_use]
    pub fn along(&self, row: impl Fn(&Row) -> Row) -> Self {
        match self {
            Quantity::Displacement(along) => Quantity::Displacement(row(along)),
            Quantity::Velocity(along) => Quantity::Velocity(row(along)),
            Quantity::Motion(place, speed) => Quantity::Motion(row(place), row(speed)),
            Quantity::Tension(forms, along) => Quantity::Tension(forms.clone(), row(along)),
            Quantity::Force(_) | Quantity::MeanForce(_) => self.clone(),
        }
    }

    /// The mean force that it reads of these, one an element, N; 0 for a displacement or velocity.
    ///
    /// A stepper is not asked for forces at an instant: they are read as mean forces.
    pub fn mean_force(&self, means: &[f64]) -> f64 {
        match self {
            Quantity::Force(elements) | Quantity::MeanForce(elements) => means[elements.clone()].iter().sum(),
            Quantity::Displacement(_)
            | Quantity::Velocity(_)
            | Quantity::Motion(..)
            | Quantity::Tension(..) => 0.0,
        }
    }
}

/// The initial conditions.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Initial {
    /// Positions, m.
    pub position: Vec<f64>,
    /// Velocities, m/s.
    pub velocity: Vec<f64>,
}

impl System {
    /// Whether a reed, lips or a jet are among its elements.
    pub fn is_blown(&self) -> bool {
        self.elements.iter().any(Element::is_blown)
    }

    /// Whether an input prescribes the pressure at anything that is blown.
    pub fn is_blown_by(&self, input: &Input) -> bool {
        matches!(&input.action, Action::Rate(elements) if self.elements[elements.clone()].iter().any(Element::is_blown))
    }

    /// The number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.mass.len()
    }

    /// Adds one degree of freedom and returns its number.
    pub fn add_dof(&mut self, mass: f64, position: f64, velocity: f64) -> usize {
        self.mass.push(mass);
        self.initial.position.push(position);
        self.initial.velocity.push(velocity);
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

    /// The physical energy ½vᵀMv + ½qᵀKq + ΣV, elements, joints and forms, J, at positions q (m) and velocities v (m/s), with the present values of
    /// the inputs, which may move the reference of an element or strain a form; none given are 0.
    pub fn energy(&self, q: &[f64], v: &[f64], inputs: &[f64]) -> f64 {
        self.energy_with(&self.acting(), q, v, inputs)
    }

    /// Which inputs act on which element and form.
    pub(crate) fn acting(&self) -> Acting {
        Acting::of(&self.inputs, (self.elements.len(), self.forms.len()))
    }

    /// The same where it is known which inputs act on which element.
    pub(crate) fn energy_with(&self, acting: &Acting, q: &[f64], v: &[f64], inputs: &[f64]) -> f64 {
        let kinetic = lanes::sum_of([&self.mass[..], v], |[m, v]| m * v * v);
        let stored = |(j, element): (usize, &Element)| match &element.law {
            Law::Compliant(law) => {
                law.energy(element.row().dot(q) - element.gap - acting.reference(j, inputs))
            }
            Law::Port(law) => law.port.energy(&|i| element.rows[i].dot(q)),
            Law::Rigid { .. } | Law::Resistive(_) | Law::Custom(_) => 0.0,
        };
        let elements: f64 = self.elements.iter().enumerate().map(stored).sum();
        let joints: f64 = self.joints.iter().map(|joint| joint.energy(q)).sum();
        let strained = |(j, form): (usize, &Form)| form.energy(q, form.stretch * acting.strain(j, inputs));
        let forms: f64 = self.forms.iter().enumerate().map(strained).sum();
        0.5 * (kinetic + self.stiffness_form(q, q)) + joints + forms + elements
    }

    /// Writes the outputs that a stepper is asked for, one value an output, at positions q (m), velocities v (m/s) and
    /// the elements' mean forces over the last step (N); a scheme without mean forces gives none.
    pub fn read_outputs(&self, q: &[f64], v: &[f64], means: &[f64], output: &mut [f64]) {
        self.read_outputs_at_rate(q, (1.0, v), means, output);
    }

    /// The same where velocities are `rate`·w, w in a unit of the scheme's own.
    pub fn read_outputs_at_rate(
        &self,
        q: &[f64],
        (rate, w): (f64, &[f64]),
        means: &[f64],
        output: &mut [f64],
    ) {
        for (named, out) in self.outputs.iter().zip(output) {
            *out = match &named.quantity {
                Quantity::Displacement(row) => row.dot(q),
                Quantity::Velocity(row) => rate * row.dot(w),
                Quantity::Motion(place, speed) => place.dot(q) + rate * speed.dot(w),
                of_elements => of_elements.mean_force(means),
            };
        }
    }
}
