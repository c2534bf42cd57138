//! A point mass without a spring: contacts and links alone act on it.
//!
//!   m ÿ = f
//!
//! y (m) is its position, m (kg) its mass, f (N) the sum of all forces on it.
//! I18 (2): a piano hammer; D17 (1): a particle in a potential.

use crate::lumped::{self, InitialState, POSITION, VELOCITY};
use hamiltone_core::{
    body::{Body, Measure, Placed},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values},
    system::System,
};

/// m ÿ = f.
///
/// ```
/// use hamiltone_bodies::Mass;
/// use hamiltone_core::{body::Body, system::System};
///
/// let hammer = Mass::new(5.687e-3)?.with_initial(0.5e-3, -4.0)?;
/// let mut system = System::default();
/// let placed = hammer.add_to(&mut system, "hammer")?;
/// assert_eq!(placed.dofs, 0..1);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    mass: f64,
    initial: InitialState,
}

impl Mass {
    /// A mass m > 0 (kg), at rest at 0.
    ///
    /// # Errors
    /// A [`Complaint`] where m is not positive.
    pub fn new(mass: f64) -> Result<Self, Complaint> {
        Ok(Self { mass: Range::POSITIVE.check("mass", mass)?, initial: InitialState::default() })
    }

    /// The same mass with a position (m) and velocity (m/s) at t = 0.
    ///
    /// # Errors
    /// A [`Complaint`] where one is not finite.
    pub fn with_initial(self, position: f64, velocity: f64) -> Result<Self, Complaint> {
        Ok(Self { initial: InitialState::new(position, velocity)?, ..self })
    }
}

impl Body for Mass {
    fn add_to(&self, system: &mut System, _name: &str) -> Result<Placed, Complaint> {
        Ok(lumped::add(system, self.mass, self.initial, Measure::Length))
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<Box<dyn Body>> = Entry {
    kind: Kind {
        name: "mass",
        summary: "point mass without a spring: a hammer, a particle",
        equation: "m ÿ = f",
        source: "I18 (2); D17 (1)",
        parameters: &[
            Parameter {
                name: "mass",
                takes: Takes::Number(Role::Mass, Range::POSITIVE),
                absent: Absent::Required,
                doc: "m",
            },
            POSITION,
            VELOCITY,
        ],
        rules: &[],
    },
    make: |values: &Values| {
        let initial = InitialState::read(values)?;
        Ok(Box::new(Mass::new(values.required("mass")?)?.with_initial(initial.position, initial.velocity)?))
    },
};
