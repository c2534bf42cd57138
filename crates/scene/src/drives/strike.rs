//! A strike: the body starts undisplaced with a velocity around one place.
//!
//!   v(x, 0) = v₀ (1 + cos(2πρ/w))/2   for ρ < w/2,   u(x, 0) = 0
//!
//! v₀ (m/s) is the velocity at the place, ρ (m) the distance from it and w (m) the width: a raised cosine, as of a soft
//! hammer whose contact is over at once. On a body of mass per length ρA it is the momentum ρA v₀ w/2; on a surface of
//! mass per area ρh, where w is the diameter of a disc, it is ρh v₀ π(w/2)² (1/2 − 2/π²).

use super::{
    driving::{AtRest, Driving, InitialCondition},
    patch::{self, raised_cosine},
};
use hamiltone_core::{
    body::{InitialMotion, InitialValue, Placed},
    geometry::Position,
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes},
};

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "strike",
        summary: "initial condition: velocity of a string, bar or surface around one place (struck)",
        equation: "v(x, 0) = v₀ (1 + cos(2πρ/w))/2  for ρ < w/2,  ρ the distance from the place",
        source: "–",
        parameters: &[
            Parameter {
                name: "velocity",
                takes: Takes::Number(Role::Velocity, Range::ANY),
                absent: Absent::Required,
                doc: "v₀, the velocity in the middle",
            },
            Parameter {
                name: "width",
                takes: Takes::Number(Role::Length, Range::POSITIVE),
                absent: Absent::Required,
                doc: "w, the width of what moves; what reaches beyond the ends of a string or bar is cut off; on a surface a disc of this diameter, which must lie on it",
            },
        ],
        rules: &[],
    },
    make: |values| {
        let (velocity, width) = (values.required("velocity")?, values.required("width")?);
        Ok(Driving::Initial(Box::new(Strike { velocity, width })))
    },
};

struct Strike {
    velocity: f64,
    width: f64,
}

impl InitialCondition for Strike {
    fn on(&self, body: &Placed, at: Option<Position>, _: AtRest<'_>) -> Result<Vec<InitialValue>, Complaint> {
        let centre = patch::position(body, at)?;
        let (support, geometry) = (patch::support(body, centre, self.width)?, body.geometry);
        let at = move |at| (0.0, self.velocity * raised_cosine(geometry.distance(centre, at), self.width));
        let values = body.representation.project(&InitialMotion { at: Box::new(at), support });
        if self.velocity != 0.0 && values.iter().all(|value| value.velocity == 0.0) {
            let message = format!(
                "is {} m, so that no point of the body is struck: its points lie {} m apart; make it wider than that",
                self.width,
                body.representation.resolution()
            );
            return Err(Complaint::new("width", message));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_bodies::{Membrane, StiffString};
    use hamiltone_core::{body::Body, system::System};

    fn struck(body: &dyn Body, width: f64, at: Position) -> Result<Vec<InitialValue>, Complaint> {
        let placed = body.add_to(&mut System::default(), "body").unwrap();
        Strike { velocity: -2.0, width }.on(&placed, Some(at), &|_| Err(String::new()))
    }

    #[test]
    fn only_its_width_is_struck() {
        let string = StiffString::new(1.0, 1.0, 1.0).unwrap().on_grid(8).unwrap();
        let velocities: Vec<f64> =
            struck(&string, 0.5, [0.5, 0.0]).unwrap().iter().map(|value| value.velocity).collect();
        // Half way down the cosine, cos(π/2) rounds to 6e-17.
        for (v, expected) in velocities.iter().zip([0.0, 0.0, -1.0, -2.0, -1.0, 0.0, 0.0]) {
            assert!((v - expected).abs() < 1e-15, "{velocities:?}");
        }
        assert_eq!(struck(&string, 0.1, [0.2, 0.0]).unwrap_err().parameter, "width");
        assert_eq!(struck(&string, 0.1, [1.0, 0.0]).unwrap_err().parameter, "at");
        // Modes take any width: nothing lies between their points.
        let modes = StiffString::new(1.0, 1.0, 1.0).unwrap().by_modes(7, 8).unwrap();
        assert!(struck(&modes, 0.01, [0.2, 0.0]).is_ok());
    }

    #[test]
    fn a_surface_has_room_between_the_place_and_its_edge() {
        let drum = Membrane::new(0.2, 0.3, 2000.0).unwrap().by_modes(30).unwrap();
        assert!(struck(&drum, 0.1, [0.1, 0.2]).is_ok());
        assert_eq!(struck(&drum, 0.3, [0.1, 0.2]).unwrap_err().parameter, "width");
        assert_eq!(struck(&drum, 0.3, [0.2, 0.2]).unwrap_err().parameter, "at");
    }
}
