//! The linear damper: felt on a string, a palm on a plate, an eddy brake.
//!
//!   f = r ẋ,   ẋ = c·q̇ − ḣ_ref,   r ≥ 0
//!
//! r (N s/m) is the resistance: a constant, or a control r(t) that an input prescribes. The power f ẋ = r ẋ² that it
//! takes is never negative. A resistance below 0 is refused; a control that falls below 0 while a simulation runs counts as
//! 0, and so it is in the energy balance.

use hamiltone_core::{
    element::{ElementLaw, Law, Resistive},
    identity::Identity,
    parameter::{Absent, DriveQuantity, Entry, Kind, Parameter, Range, Role, Takes, Values},
    resistance::Resistance,
};

/// f = r ẋ with r as the control value.
///
/// ```
/// use hamiltone_core::resistance::Resistance;
/// use hamiltone_elements::LinearDamper;
///
/// assert_eq!(LinearDamper.force(2.0, 0.5), (1.0, 0.5));
/// assert!(!LinearDamper.allowed().holds(-0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinearDamper;

impl LinearDamper {
    /// The damper along a row, with this resistance (N s/m) where no input controls it.
    pub fn with_resistance(self, resistance: f64) -> ElementLaw {
        ElementLaw { law: Law::Resistive(Resistive::new(self, resistance)), gap: 0.0 }
    }
}

impl Resistance for LinearDamper {
    fn force(&self, rate: f64, control: f64) -> (f64, f64) {
        (control * rate, control)
    }

    fn is_idle(&self, control: f64) -> bool {
        control == 0.0
    }

    fn control(&self) -> (&'static str, DriveQuantity) {
        ("resistance", DriveQuantity::Resistance)
    }

    fn identity(&self) -> Identity {
        Identity::of("damper")
    }

    fn allowed(&self) -> Range {
        Range::NOT_NEGATIVE
    }
}

/// The line of the catalogue.
pub(crate) const ENTRY: Entry<ElementLaw> = Entry {
    kind: Kind {
        name: "damper",
        summary: "linear damper: felt, palm mute; its resistance can be controlled by a drive",
        equation: "f = r ẋ,  ẋ = d/dt(first − second)",
        source: "linear viscous damper; passive for every r(t) ≥ 0",
        parameters: &[Parameter {
            name: "resistance",
            takes: Takes::Number(Role::Resistance, Range::NOT_NEGATIVE),
            absent: Absent::Number(0.0),
            doc: "r where no drive controls it; a drive with `control = \"NAME\"` replaces it by r(t)",
        }],
        rules: &[],
    },
    make: |values: &Values| Ok(LinearDamper.with_resistance(values.required("resistance")?)),
};
