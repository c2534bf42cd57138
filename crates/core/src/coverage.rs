//! What a scheme covers, as data, and what a system needs.
//!
//! Before any code of a scheme sees a system, each thing that the system needs is looked up in the scheme's list. What
//! is not on the list is refused by name, so that a kind of law or input that is new to this crate is refused by every
//! scheme that was written before it.

use crate::{
    element::{Element, Law, LossLaw},
    input::Action,
    operator::Operator,
    system::{Quantity, System},
};

/// Something that a system may need and a scheme may cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// More than one coordinate.
    ManyCoordinates,
    /// Springs of grids: K couples the coordinates of a body.
    CoupledStiffness,
    /// Damping of grids: R couples the coordinates of a body.
    CoupledDamping,
    /// Single springs between places, each along one row.
    Links,
    /// Single dampers between places, each along one row.
    LinkDamping,
    /// Bodies that stand on others.
    Joints,
    /// Energies that are squares of quadratic forms, and inputs that strain them.
    Forms,
    /// Compliant laws.
    Compliant,
    /// Compliant laws with a loss by the rate of the penetration.
    ContactLoss,
    /// Compliant laws with a loss by relaxation.
    Relaxation,
    /// Rigid laws with restitution.
    Rigid,
    /// Resistive laws.
    Resistive,
    /// Laws that solve their own equation, of one or more rows and with a memory.
    Ports,
    /// Inputs that control a resistive law.
    Control,
    /// Inputs that move the reference of a compliant or resistive law.
    Motion,
    /// Inputs that prescribe the rate of the reference of a port.
    Rate,
    /// Inputs that move the reference of a rigid law.
    RigidMotion,
    /// Outputs of the mean force of elements over a step; a scheme for rigid laws has it, since it has their impulses.
    MeanForce,
}

impl Feature {
    /// Every feature, in the order of tables.
    pub const ALL: [Self; 18] = [
        Self::ManyCoordinates,
        Self::CoupledStiffness,
        Self::CoupledDamping,
        Self::Links,
        Self::LinkDamping,
        Self::Joints,
        Self::Forms,
        Self::Compliant,
        Self::ContactLoss,
        Self::Relaxation,
        Self::Rigid,
        Self::Resistive,
        Self::Ports,
        Self::Control,
        Self::Motion,
        Self::Rate,
        Self::RigidMotion,
        Self::MeanForce,
    ];

    /// Its name in tables and messages.
    pub fn label(self) -> &'static str {
        match self {
            Self::ManyCoordinates => "several coordinates",
            Self::CoupledStiffness => "coupled stiffness",
            Self::CoupledDamping => "coupled damping",
            Self::Links => "links",
            Self::LinkDamping => "link damping",
            Self::Joints => "joints",
            Self::Forms => "quadratic forms",
            Self::Compliant => "compliant contacts",
            Self::ContactLoss => "contact loss",
            Self::Relaxation => "contact relaxation",
            Self::Rigid => "rigid contacts",
            Self::Resistive => "resistive elements",
            Self::Ports => "ports",
            Self::Control => "controls",
            Self::Motion => "moving references",
            Self::Rate => "prescribed rates",
            Self::RigidMotion => "moving rigid contacts",
            Self::MeanForce => "mean forces",
        }
    }
}

/// What a scheme covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The features; what is not listed is refused.
    pub features: &'static [Feature],
    /// The kinds of custom laws and inputs that it knows.
    pub custom: &'static [&'static str],
}

impl Coverage {
    /// These features and no custom kinds.
    pub const fn of(features: &'static [Feature]) -> Self {
        Self { features, custom: &[] }
    }

    /// Whether it covers a need.
    pub fn covers(&self, need: Need) -> bool {
        match need {
            Need::Feature(feature) => self.features.contains(&feature),
            Need::Custom(kind) => self.custom.contains(&kind),
        }
    }

    /// Whether it covers all that `system` needs.
    pub fn covers_system(&self, system: &System) -> bool {
        requirements(system).iter().all(|requirement| self.covers(requirement.need))
    }
}

/// One thing that a system needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A feature of this crate.
    Feature(Feature),
    /// A custom kind of law or input.
    Custom(&'static str),
}

/// A need and what in the system has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What is needed.
    pub need: Need,
    /// The first part of the system that needs it, in words.
    pub what: String,
}

/// What `system` needs of a scheme, each thing once, named after the first part that needs it.
///
/// The system must be one that [`crate::check`] accepts: inputs and outputs name elements that exist.
pub fn requirements(system: &System) -> Vec<Requirement> {
    let mut found = Requirements(Vec::new());
    if system.size() > 1 {
        found.add(Feature::ManyCoordinates, || format!("{} coordinates", system.size()));
    }
    for block in &system.blocks {
        let grid = |operator: &Operator| matches!(operator, Operator::Stencils(_));
        if grid(&block.stiffness) {
            found.add(Feature::CoupledStiffness, || {
                format!("the stiffness of `{}`, which couples coordinates", block.name)
            });
        }
        if grid(&block.damping) {
            found.add(Feature::CoupledDamping, || {
                format!("the damping of `{}`, which couples velocities", block.name)
            });
        }
        if links(&block.stiffness) {
            found
                .add(Feature::Links, || format!("the spring of `{}`, which couples coordinates", block.name));
        }
        if links(&block.damping) {
            found.add(Feature::LinkDamping, || {
                format!("the damper of `{}`, which couples velocities", block.name)
            });
        }
    }
    for joint in &system.joints {
        found.add(Feature::Joints, || format!("the joint `{}`", joint.name));
    }
    for form in &system.forms {
        found.add(Feature::Forms, || format!("the quadratic form `{}`", form.name));
    }
    for element in &system.elements {
        let name = &element.name;
        match &element.law {
            Law::Compliant(law) => {
                found.add(Feature::Compliant, || format!("the contact `{name}`"));
                match law.loss_law {
                    _ if law.loss == 0.0 => {}
                    LossLaw::Rate => {
                        found.add(Feature::ContactLoss, || format!("the loss of contact `{name}`"));
                    }
                    LossLaw::Relaxation => {
                        found.add(Feature::Relaxation, || format!("the relaxation of contact `{name}`"));
                    }
                }
            }
            Law::Rigid { .. } => found.add(Feature::Rigid, || format!("the rigid contact `{name}`")),
            Law::Resistive(_) => {
                found.add(Feature::Resistive, || format!("the resistive element `{name}`"));
            }
            Law::Port(_) => found.add(Feature::Ports, || format!("the port `{name}`")),
            Law::Custom(law) => {
                found.add_custom(law.kind(), || format!("the element `{name}` of the kind `{}`", law.kind()));
            }
        }
    }
    for input in &system.inputs {
        let name = &input.name;
        match &input.action {
            // Only a port has branches and only forms are strained, and they ask for themselves.
            Action::Force(_) | Action::Branch(_) | Action::Strain(_) => {}
            Action::Control(_) => found.add(Feature::Control, || format!("the control `{name}`")),
            Action::Rate(_) => found.add(Feature::Rate, || format!("the prescribed rate `{name}`")),
            Action::Motion(elements) => {
                for element in &system.elements[elements.clone()] {
                    let rigid = matches!(element.law, Law::Rigid { .. });
                    let feature = if rigid { Feature::RigidMotion } else { Feature::Motion };
                    found.add(feature, || format!("the moving reference `{name}`"));
                }
            }
            Action::Custom { kind, .. } => {
                found.add_custom(kind, || format!("the input `{name}` of the kind `{kind}`"));
            }
        }
    }
    for output in &system.outputs {
        let name = &output.name;
        let mean =
            |element: &Element| matches!(element.law, Law::Rigid { .. } | Law::Port(_) | Law::Custom(_));
        let needed = match &output.quantity {
            // Only a form has a tension, and it asks for itself.
            Quantity::Displacement(_)
            | Quantity::Velocity(_)
            | Quantity::Motion(..)
            | Quantity::Tension(..) => false,
            Quantity::Force(elements) => system.elements[elements.clone()].iter().any(mean),
            Quantity::MeanForce(_) => true,
        };
        if needed {
            found.add(Feature::MeanForce, || format!("the output `{name}`, a mean force over a step"));
        }
    }
    found.0
}

/// Needs, each once.
struct Requirements(Vec<Requirement>);

impl Requirements {
    fn add(&mut self, feature: Feature, what: impl FnOnce() -> String) {
        self.enter(Need::Feature(feature), what);
    }

    fn add_custom(&mut self, kind: &'static str, what: impl FnOnce() -> String) {
        self.enter(Need::Custom(kind), what);
    }

    fn enter(&mut self, need: Need, what: impl FnOnce() -> String) {
        if self.0.iter().all(|known| known.need != need) {
            self.0.push(Requirement { need, what: what() });
        }
    }
}

/// Whether an operator has single squares that couple coordinates.
fn links(operator: &Operator) -> bool {
    match operator {
        Operator::Strains(strains) => strains.iter().any(|(_, row)| row.entries().nth(1).is_some()),
        Operator::Zero | Operator::Diagonal(_) | Operator::Stencils(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{custom::CustomLaw, element::Element, identity::Identity, input::Input, row::Row};
    use std::{any::Any, sync::Arc};

    #[derive(Debug)]
    struct Unknown;

    impl CustomLaw for Unknown {
        fn kind(&self) -> &'static str {
            "unknown"
        }
        fn identity(&self) -> Identity {
            Identity::of(self.kind())
        }
        fn as_any(&self) -> &dyn Any {
            self
        }
    }

    #[test]
    fn a_need_is_named_once_after_the_first_part_that_has_it() {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        for name in ["first", "second"] {
            system.elements.push(Element::new(name, Row::unit(0), 0.0, Law::Rigid { restitution: 0.5 }));
        }
        system.inputs.push(Input::motion("lift", 1..2));
        let needs = requirements(&system);
        let features = [Feature::Rigid, Feature::RigidMotion].map(Need::Feature);
        assert_eq!(needs.iter().map(|r| r.need).collect::<Vec<_>>(), features);
        assert!(needs[0].what.contains("`first`"));
    }

    #[test]
    fn a_custom_kind_is_covered_by_name_alone() {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        system.elements.push(Element::new("odd", Row::unit(0), 0.0, Law::Custom(Arc::new(Unknown))));
        assert!(!Coverage::of(&Feature::ALL).covers_system(&system));
        assert!(Coverage { features: &[], custom: &["unknown"] }.covers_system(&system));
    }
}
