//! A pluck: the body starts displaced, at rest.
//!
//! The initial displacement of a line between two ends that are held is a triangle,
//!
//!   u(x, 0) = h·min(x/x₀, (L − x)/(L − x₀)),   v(x, 0) = 0
//!
//! h (m) is the height of the corner at x₀ and L (m) the length; the ends are at 0. A finger of width w (m) rounds the corner: over
//! |x − x₀| < w/2 runs the parabola that is tangent to both sides, which is the triangle averaged over w,
//!
//!   u = u_△(x₀ − w/2) + s₁ξ + (s₂ − s₁)ξ²/2w,   ξ = x − x₀ + w/2,  s₁ = h/x₀,  s₂ = −h/(L − x₀)
//!
//! and lies lower at x₀ by w(s₁ − s₂)/8. Where an end can move, free or along a guide, the line is displaced as by a steady force,
//!
//!   u = h K⁻¹cᵀ/(c₀K⁻¹cᵀ)
//!
//! K being its stiffness with that of links to the ground, c₀ the row of x₀ and c that of the force, which a finger spreads over w;
//! an end is plucked at a point. A bar that is clamped at 0 and plucked at its free end L has u = h(3ξ² − ξ³)/2, ξ = x/L; a string with
//! a free end L rises to x₀ and is level beyond. What can shift or turn without strain has no such displacement. A surface is displaced
//! over a disc of diameter w,
//!
//!   u(x, y, 0) = h (1 + cos(2πρ/w))/2   for ρ < w/2
//!
//! ρ (m) being the distance from the place.

use super::{
    driving::{AtRest, Driving, InitialCondition},
    patch::{self, raised_cosine},
    spread,
};
use hamiltone_core::{
    body::{InitialMotion, InitialValue, Placed, Support},
    geometry::{Geometry, Position},
    parameter::{Absent, Complaint, Entry, Kind, Parameter, Range, Role, Takes},
};

/// The registry's line.
pub const ENTRY: Entry<Driving> = Entry {
    kind: Kind {
        name: "pluck",
        summary: "initial condition: triangular displacement of a string or bar, static where an end can move, raised cosine on a surface (plucked)",
        equation: "u(x, 0) = h·min(x/x₀, (L − x)/(L − x₀)),  its corner a parabola over the width w;  \
                   where an end is free or slides  u = h K⁻¹cᵀ/(c₀K⁻¹cᵀ);  on a surface u = h (1 + cos(2πρ/w))/2 for ρ < w/2",
        source: "–",
        parameters: &[
            Parameter {
                name: "height",
                takes: Takes::Number(Role::Displacement, Range::ANY),
                absent: Absent::Required,
                doc: "h, the height of the triangle's corner, at the place itself where an end can move, or in the middle of the disc",
            },
            Parameter {
                name: "width",
                takes: Takes::Number(Role::Length, Range::NOT_NEGATIVE),
                absent: Absent::Number(0.0),
                doc: "w, over which the corner is rounded: about 15 mm for a finger; not at an end; on a surface the diameter of the displaced disc",
            },
        ],
        rules: &[],
    },
    make: |values| {
        let (height, width) = (values.required("height")?, values.required("width")?);
        Ok(Driving::Initial(Box::new(Pluck { height, width })))
    },
};

struct Pluck {
    height: f64,
    width: f64,
}

impl InitialCondition for Pluck {
    fn on(
        &self,
        body: &Placed,
        at: Option<Position>,
        at_rest: AtRest<'_>,
    ) -> Result<Vec<InitialValue>, Complaint> {
        let at = patch::position(body, at)?;
        let held = |x: f64| body.row_at([x, 0.0]).is_zero();
        let motion = match body.geometry {
            Geometry::Line { length } if held(0.0) && held(length) => self.triangle(length, at[0])?,
            Geometry::Line { length } => return self.displaced(body, at, length, at_rest),
            Geometry::Point | Geometry::Surface(_) => self.disc(body, at)?,
        };
        Ok(body.representation.project(&motion))
    }
}

impl Pluck {
    /// The displacement by a steady force on a line of this length, m.
    fn displaced(
        &self,
        body: &Placed,
        at: Position,
        length: f64,
        at_rest: AtRest<'_>,
    ) -> Result<Vec<InitialValue>, Complaint> {
        let row = body.row_at(at);
        if self.width > 0.0 && (at[0] <= 0.0 || at[0] >= length) {
            let message = format!("is {} m, but an end is plucked at a point", self.width);
            return Err(Complaint::new("width", message).help("leave it out, or pluck beside the end"));
        }
        let spread = if self.width > 0.0 { spread::row(body, at, self.width)? } else { row.clone() };
        let mut values = at_rest(&spread).map_err(|why| {
            Complaint::new("height", why).help(
                "strike the body (kind = \"strike\", or a hammer with a contact), clamp an end or hold both, or link it to \"ground\" at two places; contacts and suspensions do not count",
            )
        })?;
        let first = body.dofs.start;
        let scale = self.height / row.sum(|dof, weight| weight * values[dof - first].position);
        values.iter_mut().for_each(|value| value.position *= scale);
        Ok(values)
    }

    /// The triangle on a line of this length, m, its corner at x₀, m.
    fn triangle(&self, length: f64, x0: f64) -> Result<InitialMotion<'_>, Complaint> {
        let (h, w) = (self.height, self.width);
        let most = 2.0 * x0.min(length - x0);
        if w > most {
            let message = format!(
                "is {w} m, but at {x0} m of {length} m there is room for {most} m at most; use a smaller width, or another place"
            );
            return Err(Complaint::new("width", message));
        }
        let (rise, fall) = (h / x0, -h / (length - x0));
        let at = move |[x, _]: Position| {
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
        Ok(InitialMotion { at: Box::new(at), support: Support::Whole { corners } })
    }

    /// The raised cosine on a surface around a position.
    fn disc(&self, body: &Placed, centre: Position) -> Result<InitialMotion<'_>, Complaint> {
        if self.width == 0.0 {
            let message = "must be given on a surface: the diameter of the displaced disc";
            return Err(Complaint::new("width", message));
        }
        let (support, geometry) = (patch::support(body, centre, self.width)?, body.geometry);
        let at = move |at| (self.height * raised_cosine(geometry.distance(centre, at), self.width), 0.0);
        Ok(InitialMotion { at: Box::new(at), support })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L = 1, x₀ = 1/4, h = 3, w = 1/4: all dyadic, so that values are exact.
    #[test]
    fn the_corner_is_the_average_of_the_triangle() {
        let sharp = Pluck { height: 3.0, width: 0.0 };
        let round = Pluck { height: 3.0, width: 0.25 };
        let at = |motion: &InitialMotion<'_>, x: f64| (motion.at)([x, 0.0]);
        let (triangle, shape) = (sharp.triangle(1.0, 0.25).unwrap(), round.triangle(1.0, 0.25).unwrap());
        let values = |motion: &InitialMotion<'_>, x: [f64; 4]| x.map(|x| at(motion, x));
        assert_eq!(values(&triangle, [0.0, 0.125, 0.25, 1.0]), [0.0, 1.5, 3.0, 0.0].map(|u| (u, 0.0)));
        assert_eq!(values(&shape, [0.0, 0.125, 0.375, 1.0]), [0.0, 1.5, 2.5, 0.0].map(|u| (u, 0.0)));
        // At x₀ the average of both sides over w/2 each: 3 − (12·w/2 + 4·w/2)/4 = 2.5.
        assert_eq!(at(&shape, 0.25), (2.5, 0.0));
        assert_eq!(round.triangle(1.0, 0.1).err().unwrap().parameter, "width");
    }
}
