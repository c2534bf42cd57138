//! A raised cosine around one place: what a soft finger or hammer moves.
//!
//!   p(ρ) = (1 + cos(2πρ/w))/2   for ρ < w/2, else 0
//!
//! ρ (m) is the distance from the place and w (m) the width: of a piece of a line, or the diameter of a disc on a
//! surface.

use hamiltone_core::{
    body::{Placed, Support},
    geometry::{Geometry, Position},
    parameter::Complaint,
};
use hamiltone_numerics::math::cos;
use std::f64::consts::TAU;

/// A row whose weights all lie below this reads a fixed point: what remains is rounding.
const HELD: f64 = 1e-9;

/// The position of an initial condition, which must be one that can move.
///
/// # Errors
/// A [`Complaint`] where there is no position, or the body is fixed there.
pub fn position(body: &Placed, at: Option<Position>) -> Result<Position, Complaint> {
    if body.geometry == Geometry::Point {
        let message = "is a body at one place, whose modes share what moves there: use kind = \"modes\"";
        return Err(Complaint::new("at", message));
    }
    let at = at.ok_or_else(|| Complaint::new("at", "must say where on the body, such as \"BODY@0.2\""))?;
    if body.representation.row(at).entries().all(|(_, weight)| weight.abs() < HELD) {
        let message = "is a fixed point of the body: nothing can be set in motion there";
        return Err(Complaint::new("at", message).help("use a place that moves"));
    }
    Ok(at)
}

/// p at the distance ρ, m.
pub fn raised_cosine(rho: f64, width: f64) -> f64 {
    if rho.abs() < 0.5 * width { 0.5 * (1.0 + cos(TAU * rho / width)) } else { 0.0 }
}

/// Where a patch of this width (m) is smooth; on a line what reaches beyond its ends is cut off.
///
/// # Errors
/// A [`Complaint`] of `width` where a surface has no room for it.
pub fn support(body: &Placed, at: Position, width: f64) -> Result<Support, Complaint> {
    match body.geometry {
        Geometry::Point | Geometry::Line { .. } => {
            Ok(Support::Whole { corners: vec![at[0] - 0.5 * width, at[0] + 0.5 * width] })
        }
        Geometry::Surface(surface) => {
            let room = 2.0 * surface.margin(at);
            if width > room {
                let message = format!(
                    "is {width} m, but between the place and the edge there is room for {room} m at most; use a smaller width, or a place farther from the edge"
                );
                return Err(Complaint::new("width", message));
            }
            Ok(Support::Disc { centre: at, radius: 0.5 * width })
        }
    }
}
