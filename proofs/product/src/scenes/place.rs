//! Places on bodies, drawn from their geometry.

use super::draw::Draw;
use hamiltone_core::geometry::{Geometry, Surface};

/// Where on a body a place lies, as a scene writes it after the name: `""`, `"@0.3"`, `"@0.1 m,0.2 m"`, …
pub fn on(draw: &mut Draw, geometry: Geometry) -> String {
    match geometry {
        Geometry::Point => String::new(),
        Geometry::Line { length } if draw.chance(0.2) => format!("@{} m", part(draw) * length),
        Geometry::Line { .. } => format!("@{}", part(draw)),
        Geometry::Surface(Surface::Rectangle { sides: [a, b] }) if draw.chance(0.2) => {
            format!("@{} m,{} m", part(draw) * a, part(draw) * b)
        }
        Geometry::Surface(Surface::Rectangle { .. }) => format!("@{},{}", part(draw), part(draw)),
        Geometry::Surface(Surface::Disc { .. }) => {
            format!("@{},{} deg", part(draw), draw.between(0.0, 360.0))
        }
    }
}

/// A part of the way, now and then an end or the middle.
fn part(draw: &mut Draw) -> f64 {
    if draw.chance(0.1) { *draw.any(&[0.0, 0.5, 1.0]) } else { draw.between(0.01, 0.99) }
}
