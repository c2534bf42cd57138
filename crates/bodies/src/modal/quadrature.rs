//! Points and weights for integrals over lines and surfaces.
//!
//! Along a line and along a radius the rule of Gauss and Legendre, n points in (−1, 1) that integrate polynomials of
//! degree 2n − 1 exactly,
//!
//!   ∫₋₁¹ f dx ≈ Σ wᵢ f(xᵢ),   P_n(xᵢ) = 0,   wᵢ = 2/((1 − xᵢ²) P_n′(xᵢ)²)
//!
//! on panels of half a wavelength; around a circle of radius ρ the trapezoidal rule of N points, which integrates every
//! e^(imφ) with 0 < |m| < N exactly. A wave of wave number k on the circle has Fourier coefficients J_m(kρ), which fall
//! faster than any power from m = kρ on: below 10⁻¹⁷ at N = kρ + 8(kρ)^⅓ + 20.

use super::shapes::Shapes;
use hamiltone_core::{
    body::Support,
    geometry::{Geometry, Position, Surface},
};
use hamiltone_numerics::math::{cos, pow, sincos};
use std::f64::consts::{PI, TAU};

/// Points a panel. Over a wave length the rule of 10 misses (2π)²⁰(10!)⁴/(21·(20!)³) = 5·10⁻¹⁵ of its height, over
/// half of one 5·10⁻²¹.
pub(crate) const POINTS: usize = 10;

/// Pairs of point and weight.
pub(crate) fn rule() -> [(f64, f64); POINTS] {
    let n = POINTS as f64;
    std::array::from_fn(|i| {
        let mut x = cos(PI * (i as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        // Newton from a point that is right to three digits.
        for _ in 0..6 {
            let (mut p, mut before) = (x, 1.0);
            for k in 2..=POINTS {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = n * (before - x * p) / (1.0 - x * x);
            x -= p / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
}

/// The points and weights of [`rule`] on panels no longer than `longest` between 0 and `length`, split at `corners`:
/// one list a panel.
pub(crate) fn panels(length: f64, corners: &[f64], longest: f64) -> Vec<[(f64, f64); POINTS]> {
    let rule = rule();
    let mut ends: Vec<f64> = corners.iter().copied().filter(|x| 0.0 < *x && *x < length).collect();
    ends.push(length);
    let (mut panels, mut left) = (Vec::new(), 0.0);
    for right in ends {
        let count = ((right - left) / longest).ceil().max(1.0);
        let half = 0.5 * (right - left) / count;
        for i in 0..count as usize {
            let middle = left + (2 * i + 1) as f64 * half;
            panels.push(rule.map(|(x, w)| (middle + half * x, half * w)));
        }
        left = right;
    }
    panels
}

/// Positions and weights on a body, panel by panel, for integrals of its shapes times a motion with this support.
pub(super) fn panels_of(
    geometry: Geometry,
    support: &Support,
    shapes: &dyn Shapes,
) -> Vec<Vec<(Position, f64)>> {
    let half = shapes.half_wavelength();
    match (geometry, support) {
        // A point has no extent to integrate over.
        (Geometry::Point, _) => Vec::new(),
        (Geometry::Line { length }, support) => {
            let own = match support {
                Support::Whole { corners } => corners.clone(),
                Support::Disc { centre: [x, _], radius } => vec![x - radius, x + radius],
            };
            let mut corners = [&own, shapes.corners()].concat();
            corners.sort_by(f64::total_cmp);
            let line = |panel: [(f64, f64); POINTS]| panel.map(|(x, w)| ([x, 0.0], w)).to_vec();
            panels(length, &corners, half).into_iter().map(line).collect()
        }
        (Geometry::Surface(Surface::Rectangle { sides: [a, b] }), Support::Whole { .. }) => {
            let (across, up) = (panels(a, &[], half), panels(b, &[], half));
            let tile = |x: &[(f64, f64)], y: &[(f64, f64)]| {
                y.iter().flat_map(|(y, v)| x.iter().map(move |(x, w)| ([*x, *y], w * v))).collect()
            };
            up.iter().flat_map(|y| across.iter().map(|x| tile(x, y)).collect::<Vec<_>>()).collect()
        }
        (Geometry::Surface(Surface::Disc { radius }), Support::Whole { .. }) => {
            disc(geometry, [0.0; 2], radius, half)
        }
        (Geometry::Surface(_), Support::Disc { centre, radius }) => disc(geometry, *centre, *radius, half),
    }
}

/// A disc in polar coordinates around its own centre: a panel is a run of ten radii.
fn disc(geometry: Geometry, centre: Position, radius: f64, half: f64) -> Vec<Vec<(Position, f64)>> {
    let [x, y] = geometry.cartesian(centre);
    let circle = |(rho, w): (f64, f64)| {
        let turn = PI / half * rho;
        // Twice as many where the motion has waves as short as the shapes' own.
        let n = 2.0 * (turn + 8.0 * pow(turn, 1.0 / 3.0) + 20.0).ceil();
        (0..n as usize).map(move |j| {
            let (sin, cos) = sincos(TAU * j as f64 / n);
            (geometry.at([x + rho * cos, y + rho * sin]), w * rho * TAU / n)
        })
    };
    panels(radius, &[], half).into_iter().map(|panel| panel.into_iter().flat_map(circle).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫₀² x¹⁹ dx = 2²⁰/20 on two panels, to a few roundings.
    #[test]
    fn polynomials_are_exact() {
        let panels = panels(2.0, &[0.3], 10.0);
        assert_eq!(panels.len(), 2);
        let sum: f64 = panels.iter().flatten().map(|(x, w)| w * x.powi(19)).sum();
        assert!((sum * 20.0 / 1048576.0 - 1.0).abs() < 1e-14, "{sum}");
    }
}
