//! A pluck: a force grows and is released,
//!
//!   f(t) = F s((t − t₀ + T₁)/T₁) before t₀,   f(t) = F (1 − s((t − t₀)/T₂)) after it,   s(a) = (1 − cos πa)/2
//!
//! t₀ (s) is when the release begins: a pluck sounds then, and the pull begins T₁ earlier. The force acts on the body as it
//! moves: a string that sounds goes on sounding, and nothing is reset. A finger first holds the string and then lets it slip
//! off, which takes the time T₂ (Chadefaux, Le Carrou, Fabre & Daudet 2012, J. Acoust. Soc. Am. 131, 844). Partials far
//! above 1/T₂ are hardly excited: 0.1 ms, as of a hard plectrum, excites those up to about 10 kHz, and 1 ms, as of soft flesh,
//! those up to about 1 kHz. The default of 0.5 ms is between them.
//!
//! In place of F the height h (m) may be given to which the pull displaces the body at rest: F = h/(c K⁻¹cᵀ), c K⁻¹cᵀ
//! being the static compliance of the body there by its own springs and those that join it to the ground.

use super::gesture::{Acted, Gesture, GestureEntry, Target};
use crate::shape::Shape;
use hamiltone_core::parameter::{
    Absent, Complaint, Entry, Kind, OneOf, Parameter, Range, Role, Rule, Takes, Values,
};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Place,
    entry: Entry {
        kind: Kind {
            name: "pluck",
            summary: "a force that grows and is released: a finger or plectrum that plucks a body, also while it sounds",
            equation: "f(t) = F (1 − cos(π(t − t₀ + T₁)/T₁))/2  before t₀, when it is released,  \
                       f(t) = F (1 + cos(π(t − t₀)/T₂))/2  after it",
            source: "two phases, of holding and of slipping: Chadefaux, Le Carrou, Fabre & Daudet 2012",
            parameters: &[
                Parameter {
                    name: "force",
                    takes: Takes::Number(Role::Drive, Range::ANY),
                    absent: Absent::Rule,
                    doc: "F, the largest force (a pressure on a body per unit area); positive along the body's displacement",
                },
                Parameter {
                    name: "height",
                    takes: Takes::Number(Role::Displacement, Range::ANY),
                    absent: Absent::Rule,
                    doc: "h, how far the pull displaces the body from rest: F = h/(c K⁻¹cᵀ) by the stiffness of the body itself",
                },
                Parameter {
                    name: "width",
                    takes: Takes::Number(Role::Length, Range::NOT_NEGATIVE),
                    absent: Absent::Number(0.0),
                    doc: "over which the force is spread as a raised cosine: about 15 mm for a finger; on a surface the diameter of a disc",
                },
                Parameter {
                    name: "rise",
                    takes: Takes::Number(Role::Time, Range::POSITIVE),
                    absent: Absent::Number(0.02),
                    doc: "T₁, how long the pull takes, before `time`",
                },
                Parameter {
                    name: "release",
                    takes: Takes::Number(Role::Time, Range::POSITIVE),
                    absent: Absent::Number(5e-4),
                    doc: "T₂, how long the release takes, from `time` on: 0.1 ms for a hard plectrum, some ms for soft flesh",
                },
            ],
            rules: &[Rule::OneOf(OneOf {
                states: "how far it is pulled",
                alternatives: &[&["force"], &["height"]],
                required: true,
            })],
        },
        make: |values: &Values| {
            let strength = match values.number("force") {
                Some(force) => Strength::Force(force),
                None => Strength::Height(values.required("height")?),
            };
            let (rise, release) = (values.required("rise")?, values.required("release")?);
            Ok(Box::new(Pluck { strength, width: values.required("width")?, rise, release }))
        },
    },
};

enum Strength {
    Force(f64),
    Height(f64),
}

struct Pluck {
    strength: Strength,
    width: f64,
    rise: f64,
    release: f64,
}

impl Gesture for Pluck {
    fn on(&self, acted: &Acted<'_>) -> Result<Shape, Complaint> {
        let force = match self.strength {
            Strength::Force(force) => force,
            Strength::Height(height) => {
                let compliance = (acted.compliance)()
                    .map_err(|why| Complaint::new("height", why).help("give `force` in place of `height`"))?;
                height / compliance
            }
        };
        Ok(Shape::Pull { force, rise: self.rise, release: self.release })
    }

    fn width(&self) -> f64 {
        self.width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_height_is_a_force_over_the_compliance() {
        let pluck = |name: &'static str, compliance: Result<f64, String>| {
            let values = Values::defaults(ENTRY.entry.kind.parameters).with(name, -0.5);
            let gesture = ENTRY.entry.build(&values).unwrap();
            gesture.on(&Acted {
                own: 0.0,
                mass: None,
                compliance: &|| compliance.clone(),
                bend: &|_| Err(String::new()),
            })
        };
        let pull = |force| Shape::Pull { force, rise: 0.02, release: 5e-4 };
        assert_eq!(pluck("height", Ok(0.25)), Ok(pull(-2.0)));
        assert_eq!(pluck("force", Err("is loose".into())), Ok(pull(-0.5)));
        let refused = pluck("height", Err("is loose".into())).unwrap_err();
        assert_eq!((&*refused.parameter, &*refused.message), ("height", "is loose"));
    }
}
