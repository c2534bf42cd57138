//! One-coordinate systems: m ÿ + mγ ẏ + mω₀² y + f(y − h) = f_ex   (C15 (2), (23); C19 (45), (55); D17 (1)).

use crate::figure::Unable;
use hamiltone_core::{
    law::Touch,
    operator::Operator,
    row::Row,
    system::{Block, Contact, Port, System},
};

/// A mass with what acts on it.
#[derive(Clone, Debug, Default)]
pub struct Lumped {
    /// m, kg (kg/m² per unit area).
    pub mass: f64,
    /// ω₀, rad/s.
    pub omega: f64,
    /// γ, 1/s.
    pub gamma: f64,
    /// y(0), m.
    pub position: f64,
    /// ẏ(0), m/s.
    pub velocity: f64,
    /// The contact with the ground, if there is one.
    pub touch: Option<Touch>,
    /// Whether an external force acts.
    pub driven: bool,
}

impl Lumped {
    /// The system with this one coordinate.
    ///
    /// # Errors
    /// Where its numbers do not make a body.
    pub fn system(self) -> Result<System, Unable> {
        let mut system = System::default();
        system.add_dof(self.mass, self.position, self.velocity);
        system.blocks.push(Block {
            name: "mass".into(),
            dofs: 0..1,
            stiffness: Operator::Diagonal(vec![self.mass * self.omega * self.omega]),
            damping: Operator::Diagonal(vec![self.mass * self.gamma]),
        });
        if let Some(Touch { law, gap }) = self.touch {
            system.contacts.push(Contact { name: "contact".into(), row: Row::unit(0), gap, law });
        }
        if self.driven {
            system.inputs.push(Port { name: "force".into(), row: Row::unit(0) });
        }
        Ok(system)
    }
}
