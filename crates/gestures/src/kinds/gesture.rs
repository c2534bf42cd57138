//! What a gesture is before it is known on what it acts, and what it may ask of that.

use crate::shape::Shape;
use hamiltone_core::parameter::{Complaint, DriveQuantity, Entry};

/// A line of the catalogue.
pub struct GestureEntry {
    /// What it acts on.
    pub target: Target,
    /// Its name, equation and parameters, and how it is made of their values.
    pub entry: Entry<Box<dyn Gesture>>,
}

/// What a gesture acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A place on a body, by a force.
    Place,
    /// A contact whose law has a resistance, by its value.
    Control,
    /// A contact whose law has a force as its control, by its value.
    Pressed,
    /// A contact whose law knows rates alone, by the speed of its reference.
    Rate,
    /// A contact whose law has an opening as its control, by its value.
    Opened,
    /// A contact that has several bores, by the one that it plays.
    Fingered,
    /// A contact whose law has a pressure on one side, by that.
    Blown,
    /// A contact that can move along a body, by its place.
    Shifted,
    /// A contact, by the position of its obstacle.
    Obstacle,
    /// A string or membrane, by what is added to its tension.
    Strained,
}

impl Target {
    /// The key of a scene that names it.
    pub fn key(self) -> &'static str {
        match self {
            Target::Place => "at",
            Target::Control | Target::Pressed | Target::Opened => "control",
            Target::Rate | Target::Blown => "rate",
            Target::Fingered => "fingering",
            Target::Shifted => "place",
            Target::Obstacle => "motion",
            Target::Strained => "tension_of",
        }
    }

    /// What it sets of a contact, and that in words; `None` of a place, an obstacle or a tension, for which its key asks.
    pub fn sets(self) -> Option<(DriveQuantity, &'static str)> {
        match self {
            Target::Place | Target::Obstacle | Target::Strained => None,
            Target::Control => Some((DriveQuantity::Resistance, "the resistance of a damper")),
            Target::Pressed => Some((DriveQuantity::Force, "the force of a bow")),
            Target::Opened => {
                Some((DriveQuantity::Opening, "the opening of a reed or of lips, or the distance of a jet"))
            }
            Target::Fingered => Some((DriveQuantity::Branch, "the bore of a reed, of lips or of a jet")),
            Target::Rate => Some((DriveQuantity::Rate, "the speed of a bow")),
            Target::Shifted => Some((DriveQuantity::Path, "the place of a bow")),
            Target::Blown => Some((DriveQuantity::Pressure, "the pressure at a reed, lips or a jet")),
        }
    }
}

/// What a gesture may ask of that on which it acts.
pub struct Acted<'a> {
    /// The value of the input where no gesture acts on it: 0 of a force and of the position of an obstacle, of a control
    /// what the contact itself has.
    pub own: f64,
    /// The mass of a body at one point, kg (kg/m² per unit area); `None` of any other target.
    pub mass: Option<f64>,
    /// c K⁻¹cᵀ, the static displacement by a unit force there, m/N (m/Pa per unit area), or why there is none.
    pub compliance: &'a dyn Fn() -> Result<f64, String>,
    /// What is added to the tension of a string so that its first mode goes by so many semitones, N (of a membrane N/m), or why none does.
    pub bend: &'a dyn Fn(f64) -> Result<f64, String>,
}

/// A gesture with its values.
pub trait Gesture {
    /// The shape of the input that it acts on.
    ///
    /// # Errors
    /// A [`Complaint`] where it cannot act on that.
    fn on(&self, acted: &Acted<'_>) -> Result<Shape, Complaint>;

    /// Over which width of the body its force is spread, m.
    fn width(&self) -> f64 {
        0.0
    }

    /// How far it moves a free body until it is over, m.
    fn travel(&self) -> f64 {
        0.0
    }
}
