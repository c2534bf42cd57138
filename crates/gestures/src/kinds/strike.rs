//! A strike: a hammer is thrown,
//!
//!   f(t) = (m v/T)(1 − cos(2π(t − t₀)/T))   for t₀ < t < t₀ + T,   ∫f dt = m v
//!
//! on the mass m (kg) of a body at one point, which it gives the speed v (m/s) within T (s); where the body has a spring of
//! its own, the spring acts meanwhile. Free, the body has gone v T/2 when the pulse is over, and should not have reached what
//! it hits. What follows – the blow, the rebound, the return – is the scene's. The work of the force is supplied energy: ½mv² of a
//! body at rest.

use super::gesture::{Acted, Gesture, GestureEntry, Target};
use crate::shape::Shape;
use hamiltone_core::parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes, Values};

/// The line of the catalogue.
pub const ENTRY: GestureEntry = GestureEntry {
    target: Target::Place,
    entry: Entry {
        kind: Kind {
            name: "strike",
            summary: "a hammer or mallet, a body at one point, is thrown with a speed",
            equation: "f(t) = (m v/T)(1 − cos(2π(t − t₀)/T))  for t₀ < t < t₀ + T,  ∫f dt = m v",
            source: "–",
            parameters: &[
                Parameter {
                    name: "speed",
                    takes: Takes::Number(Role::Velocity, Range::ANY),
                    absent: Absent::Required,
                    doc: "v, the velocity that it gains, with the sign of its displacement",
                },
                Parameter {
                    name: "duration",
                    takes: Takes::Number(Role::Time, Range::POSITIVE),
                    absent: Absent::Number(1e-3),
                    doc: "T, in which it gains it",
                },
            ],
            rules: &[],
        },
        make: |values: &Values| {
            let (speed, duration) = (values.required("speed")?, values.required("duration")?);
            Ok(Box::new(Strike { speed, duration }))
        },
    },
};

struct Strike {
    speed: f64,
    duration: f64,
}

impl Gesture for Strike {
    fn on(&self, acted: &Acted<'_>) -> Result<Shape, Complaint> {
        let mass = acted.mass.ok_or_else(|| {
            let message = "must be a body at one point, which is thrown";
            let help = "add a hammer, a [body.NAME] of kind \"mass\" or \"oscillator\", with a contact between it and what it \
                        hits, and strike it; or use gesture = \"pluck\"";
            Complaint::new("at", message).help(help)
        })?;
        Ok(Shape::Blow { impulse: mass * self.speed, duration: self.duration })
    }

    fn travel(&self) -> f64 {
        0.5 * self.speed * self.duration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_impulse_is_mass_times_speed() {
        let values = Values::defaults(ENTRY.entry.kind.parameters).with("speed", -4.0);
        let strike = ENTRY.entry.build(&values).unwrap();
        let on = |mass| {
            strike.on(&Acted {
                own: 0.0,
                mass,
                compliance: &|| Err(String::new()),
                bend: &|_| Err(String::new()),
            })
        };
        assert_eq!(on(Some(0.5)), Ok(Shape::Blow { impulse: -2.0, duration: 1e-3 }));
        assert_eq!(on(None).unwrap_err().parameter, "at");
        assert_eq!(strike.travel(), -2e-3);
    }
}
