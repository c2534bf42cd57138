//! A strike: the body starts at rest position with a velocity around one place.
//!
//!   v(x, 0) = v₀ (1 + cos(2π(x − x₀)/w))/2   for |x − x₀| < w/2,   u(x, 0) = 0
//!
//! v₀ (m/s) is the velocity at x₀ and w (m) the width: a raised cosine, as of a soft hammer
//! that has bounced off at once. On a body of linear density ρA it is the momentum ρA v₀ w/2.

use super::driving::{Driving, Start, inside};
use hamiltone_core::{
    body::{Extent, Motion},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes},
};
use hamiltone_numerics::math::cos;
use std::f64::consts::TAU;

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "strike",
        summary: "initial condition: velocity of a string or bar around one place (struck)",
        equation: "v(x, 0) = v₀ (1 + cos(2π(x − x₀)/w))/2  for |x − x₀| < w/2",
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
                doc: "w, the width of what moves; what reaches beyond the body's ends is cut off",
            },
        ],
        rules: &[],
    },
    make: |values| {
        let (velocity, width) = (values.required("velocity")?, values.required("width")?);
        Ok(Driving::Start(Box::new(Strike { velocity, width })))
    },
};

struct Strike {
    velocity: f64,
    width: f64,
}

impl Start for Strike {
    fn on<'a>(&'a self, body: &'a Extent, place: Option<f64>) -> Result<Motion<'a>, Complaint> {
        let x0 = inside(body, place)?;
        let struck = move |x: f64| (x - x0).abs() < 0.5 * self.width;
        if !body.points.iter().any(|point| struck(point.x)) {
            return Err(Complaint::new(
                "width",
                format!("is {} m, so that no point of the body is struck", self.width),
            ));
        }
        let at = move |x: f64| {
            let v =
                if struck(x) { 0.5 * self.velocity * (1.0 + cos(TAU * (x - x0) / self.width)) } else { 0.0 };
            (0.0, v)
        };
        Ok(Motion { at: Box::new(at), corners: vec![x0 - 0.5 * self.width, x0 + 0.5 * self.width] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{
        body::{Point, lay_on_points},
        row::Row,
    };

    #[test]
    fn only_its_width_is_struck() {
        let points = vec![Point { row: Row::unit(0), x: 0.5, weight: 1.0 }];
        let body = Extent { length: 1.0, lay: lay_on_points(&points), points, partials: None, sines: 0 };
        let strike = Strike { velocity: -2.0, width: 0.5 };
        let motion = strike.on(&body, Some(0.5)).unwrap().at;
        assert_eq!([0.25, 0.5, 0.75].map(&motion), [0.0, -2.0, 0.0].map(|v| (0.0, v)));
        // Half way down the cosine, cos(π/2) rounds to 6e-17.
        assert!((motion(0.375).1 + 1.0).abs() < 1e-15);
        assert!(Strike { velocity: 1.0, width: 0.1 }.on(&body, Some(0.2)).is_err());
    }
}
