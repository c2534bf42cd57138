//! A pluck: the body starts drawn aside to a triangle, at rest.
//!
//!   u(x, 0) = h·min(x/x₀, (L − x)/(L − x₀)),   v(x, 0) = 0
//!
//! h (m) is the height of the corner at x₀ and L (m) the length; the ends are at 0. A finger
//! of width w (m) rounds the corner: over |x − x₀| < w/2 runs the parabola that touches both
//! sides, which is the triangle averaged over w,
//!
//!   u = u_△(x₀ − w/2) + s₁ξ + (s₂ − s₁)ξ²/2w,   ξ = x − x₀ + w/2,  s₁ = h/x₀,  s₂ = −h/(L − x₀)
//!
//! and lies lower at x₀ by w(s₁ − s₂)/8.

use super::driving::{Driving, Start, inside};
use hamiltone_core::{
    body::{Extent, Motion},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes},
};

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "pluck",
        summary: "initial condition: triangular displacement of a string or bar (plucked)",
        equation: "u(x, 0) = h·min(x/x₀, (L − x)/(L − x₀)),  its corner a parabola over the width w",
        source: "–",
        parameters: &[
            Parameter {
                name: "height",
                takes: Takes::Number(Role::Displacement, Range::ANY),
                absent: Absent::Required,
                doc: "h, the height of the triangle's corner",
            },
            Parameter {
                name: "width",
                takes: Takes::Number(Role::Length, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "w, over which the corner is rounded: a finger's breadth",
            },
        ],
        rules: &[],
    },
    make: |values| {
        let (height, width) = (values.required("height")?, values.required("width")?);
        Ok(Driving::Start(Box::new(Pluck { height, width })))
    },
};

struct Pluck {
    height: f64,
    width: f64,
}

impl Start for Pluck {
    fn on<'a>(&'a self, body: &'a Extent, place: Option<f64>) -> Result<Motion<'a>, Complaint> {
        let (h, w, length) = (self.height, self.width, body.length);
        let x0 = inside(body, place)?;
        let most = 2.0 * x0.min(length - x0);
        if w > most {
            let message = format!("is {w} m, but at {x0} m of {length} m there is room for {most} m at most");
            return Err(Complaint::new("width", message));
        }
        let (rise, fall) = (h / x0, -h / (length - x0));
        let at = move |x: f64| {
            let xi = x - x0 + 0.5 * w;
            let u = match xi {
                xi if xi <= 0.0 => rise * x,
                xi if xi >= w => fall * (x - length),
                xi => rise * x + (fall - rise) * xi * xi / (2.0 * w),
            };
            (u, 0.0)
        };
        let mut corners = vec![x0 - 0.5 * w, x0 + 0.5 * w];
        corners.dedup();
        Ok(Motion { at: Box::new(at), corners })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::body::lay_on_points;

    /// L = 1, x₀ = 1/4, h = 3, w = 1/4: all dyadic, so that values are exact.
    #[test]
    fn the_corner_is_the_average_of_the_triangle() {
        let (points, lay) = (Vec::new(), lay_on_points(&[]));
        let body = Extent { length: 1.0, points, lay, partials: None, sines: 0 };
        let sharp = Pluck { height: 3.0, width: 0.0 };
        let (round, triangle) = (Pluck { height: 3.0, width: 0.25 }, sharp.on(&body, Some(0.25)).unwrap().at);
        let shape = round.on(&body, Some(0.25)).unwrap().at;
        assert_eq!([0.0, 0.125, 0.25, 1.0].map(triangle), [0.0, 1.5, 3.0, 0.0].map(|u| (u, 0.0)));
        assert_eq!([0.0, 0.125, 0.375, 1.0].map(&shape), [0.0, 1.5, 2.5, 0.0].map(|u| (u, 0.0)));
        // At x₀ the average of both sides over w/2 each: 3 − (12·w/2 + 4·w/2)/4 = 2.5.
        assert_eq!(shape(0.25), (2.5, 0.0));
        assert!(round.on(&body, Some(0.1)).is_err() && round.on(&body, None).is_err());
        assert!(round.on(&body, Some(0.0)).is_err());
    }
}
