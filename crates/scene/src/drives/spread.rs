//! A force that is spread over a width of a body, as by a finger:
//!
//!   c = Σᵢ p(ρᵢ) cᵢ / Σᵢ p(ρᵢ),   p(ρ) = (1 + cos(2πρ/w))/2
//!
//! cᵢ being the rows of points i that lie evenly over the width w (m), the diameter of a disc on a surface, and ρᵢ (m)
//! their distance from the place. The sum of the force is that of the same force at one point.

use super::patch::raised_cosine;
use hamiltone_core::{
    body::Placed,
    geometry::{Geometry, Position},
    parameter::Complaint,
    row::Row,
};
use std::collections::BTreeMap;

/// So many points lie at least along the width, and so many in the finest detail of the body.
const POINTS: f64 = 16.0;
const POINTS_IN_DETAIL: f64 = 4.0;
/// The most points along the width of a line, and of a surface.
const MAX_POINTS: [usize; 2] = [1024, 64];

/// The row of a force over this width (m) around a position.
///
/// # Errors
/// A [`Complaint`] of `width` where there is no room for it.
pub fn row(body: &Placed, centre: Position, width: f64) -> Result<Row, Complaint> {
    let (room, surface) = match body.geometry {
        Geometry::Point => {
            let message = "has no effect on a body at one point";
            return Err(Complaint::new("width", message).help("leave it out"));
        }
        Geometry::Line { length } => (2.0 * centre[0].min(length - centre[0]), false),
        Geometry::Surface(surface) => (2.0 * surface.margin(centre), true),
    };
    if width > room {
        let message = format!("is {width} m, but around the place there is room for {room} m at most");
        return Err(Complaint::new("width", message).help("use a smaller width, or another place"));
    }
    let detail = body.representation.resolution();
    let count =
        POINTS.max(POINTS_IN_DETAIL * width / detail).ceil().min(MAX_POINTS[usize::from(surface)] as f64);
    let [x, y] = body.geometry.cartesian(centre);
    let offset = |i: usize| width * ((i as f64 + 0.5) / count - 0.5);
    let (mut weights, mut total) = (BTreeMap::new(), 0.0);
    for i in 0..count as usize {
        for j in 0..if surface { count as usize } else { 1 } {
            let (u, v) = (offset(i), if surface { offset(j) } else { 0.0 });
            let p = raised_cosine((u * u + v * v).sqrt(), width);
            if p > 0.0 {
                let row = body.representation.row(body.geometry.at([x + u, y + v]));
                row.for_each(|dof, weight| *weights.entry(dof).or_insert(0.0) += p * weight);
                total += p;
            }
        }
    }
    Ok(Row::Sparse(weights.into_iter().map(|(dof, weight)| (dof, weight / total)).collect()).dense())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_bodies::{Membrane, StiffString};
    use hamiltone_core::{body::Body, system::System};
    use hamiltone_numerics::math::sin;
    use std::f64::consts::PI;

    fn placed(body: &dyn Body) -> Placed {
        body.add_to(&mut System::default(), "body").unwrap()
    }

    /// The mean of sin(kπx/L) over a raised cosine: sin(kπx₀/L) sinc(a)/(1 − a²), a = kw/2L. The midpoint rule is off by
    /// 7h⁴/5760 of the jump of the third derivative, 2·3p″g′ with p″ = (2π/w)²/2 and g′ = kπ/L, over the integral of p, w/2:
    /// by 7e-6 for k = 40 and h = w/32.
    #[test]
    fn modes_are_weighted_by_their_mean() {
        let string = placed(&StiffString::new(1.0, 1.0, 1.0).unwrap().by_modes(40, 41).unwrap());
        let (x0, width) = (0.3, 0.2);
        let spread = row(&string, [x0, 0.0], width).unwrap();
        let point = string.representation.row([x0, 0.0]);
        for k in 1..=40 {
            let a = 0.5 * f64::from(k) * width;
            let mean = if (a - 1.0).abs() < 1e-9 { 0.5 } else { sin(PI * a) / (PI * a) / (1.0 - a * a) };
            let (found, expected) = (spread.weight(k as usize - 1), mean * point.weight(k as usize - 1));
            assert!((found - expected).abs() < 1e-5, "{k}: {found} {expected}");
        }
    }

    /// Where a body is displaced evenly, a spread force has the weight of one at a point.
    #[test]
    fn the_sum_of_the_force_is_kept() {
        let grid = placed(&StiffString::new(1.0, 1.0, 1.0).unwrap().on_grid(50).unwrap());
        let sum = |row: &Row| row.entries().map(|(_, weight)| weight).sum::<f64>();
        assert!((sum(&row(&grid, [0.4, 0.0], 0.1).unwrap()) - 1.0).abs() < 1e-14);
        let drum = placed(&Membrane::new(0.2, 0.3, 2000.0).unwrap().by_modes(30).unwrap());
        let (small, point) = (row(&drum, [0.1, 0.2], 1e-6).unwrap(), drum.representation.row([0.1, 0.2]));
        for (dof, weight) in point.entries() {
            // A disc of 1 µm sees shapes of some centimetres as flat: (1e-6/1e-2)².
            assert!((small.weight(dof) - weight).abs() < 1e-7, "{dof}");
        }
        for (width, at) in [(0.3, [0.1, 0.2]), (0.1, [0.2, 0.2])] {
            assert_eq!(row(&drum, at, width).unwrap_err().parameter, "width");
        }
        assert_eq!(row(&grid, [0.99, 0.0], 0.1).unwrap_err().parameter, "width");
    }
}
