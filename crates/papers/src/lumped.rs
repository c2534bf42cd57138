//! One-coordinate systems: m ÿ + mγ ẏ + mω₀² y + f(y − h) = f_ex   (C15 (2), (23); C19 (45), (55); D17 (1)).

use crate::figure::Unable;
use hamiltone_bodies::{Mass, Oscillator};
use hamiltone_core::{
    body::Body,
    element::{Element, ElementLaw},
    geometry::Place,
    input::Input,
    system::System,
};

/// A mass with what acts on it.
#[derive(Clone, Debug, Default)]
pub struct Lumped {
    /// m, kg (kg/m² per unit area).
    pub mass: f64,
    /// ω₀, rad/s; 0 for a mass without a spring, whose γ is then 0.
    pub omega: f64,
    /// γ, 1/s.
    pub gamma: f64,
    /// y(0), m.
    pub position: f64,
    /// ẏ(0), m/s.
    pub velocity: f64,
    /// The contact with the ground, if there is one.
    pub contact: Option<ElementLaw>,
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
        let body: Box<dyn Body> = if self.omega == 0.0 {
            Box::new(Mass::new(self.mass)?.with_initial(self.position, self.velocity)?)
        } else {
            let oscillator = Oscillator::new(self.mass, self.omega)?.damped(self.gamma)?;
            Box::new(oscillator.with_initial(self.position, self.velocity)?)
        };
        let placed = body.add_to(&mut system, "mass")?;
        let row = || placed.row(Place::Whole).map_err(Unable);
        if let Some(ElementLaw { law, gap }) = self.contact {
            system.elements.push(Element::new("contact", row()?, gap, law));
        }
        if self.driven {
            system.inputs.push(Input::force("force", row()?));
        }
        Ok(system)
    }
}
