//! The sample points of bodies by their modes.
//!
//! | geometry | points | each stands for |
//! |---|---|---|
//! | line, N intervals | x = iL/N, 0 < i < N | L/N |
//! | rectangle, N × P intervals | x = ia/N, y = jb/P, inner nodes | ab/NP |
//! | disc, N rings of P spokes | r = (i + ½)R/N, θ = j/P turns | r ΔrΔθ |

use hamiltone_core::geometry::{Geometry, Position, Surface};
use std::f64::consts::TAU;

/// So many intervals as let a surface's sample points resolve half waves of this length, m.
pub(crate) fn intervals(surface: Surface, half_wavelength: f64) -> [usize; 2] {
    let count = |length: f64, least: f64| (length / half_wavelength).ceil().max(least) as usize;
    match surface {
        Surface::Rectangle { sides: [a, b] } => [count(a, 2.0), count(b, 2.0)],
        Surface::Disc { radius } => [count(radius, 1.0), count(TAU * radius, 4.0)],
    }
}

/// Positions, and the length (m) or area (m²) that each stands for.
pub(crate) fn points(geometry: Geometry, [n, p]: [usize; 2]) -> Vec<(Position, f64)> {
    let part = |i: usize, n: usize| i as f64 / n as f64;
    match geometry {
        Geometry::Point => Vec::new(),
        Geometry::Line { length } => {
            let step = length / n as f64;
            (1..n).map(|i| ([part(i, n) * length, 0.0], step)).collect()
        }
        Geometry::Surface(Surface::Rectangle { sides: [a, b] }) => {
            let area = a * b / (n * p) as f64;
            let row = |j: usize| (1..n).map(move |i| ([part(i, n) * a, part(j, p) * b], area));
            (1..p).flat_map(row).collect()
        }
        Geometry::Surface(Surface::Disc { radius }) => {
            let (step, turn) = (radius / n as f64, TAU / p as f64);
            let ring = |i: usize| {
                let r = (i as f64 + 0.5) * step;
                (0..p).map(move |j| ([r, part(j, p)], r * step * turn))
            };
            (0..n).flat_map(ring).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of inner nodes and rings add up to what they stand for.
    #[test]
    fn weights_add_up() {
        let sum = |geometry, intervals| points(geometry, intervals).iter().map(|point| point.1).sum::<f64>();
        assert!((sum(Geometry::Line { length: 2.0 }, [8, 1]) - 1.75).abs() < 1e-15);
        let disc = Surface::Disc { radius: 0.3 };
        assert!((sum(Geometry::Surface(disc), [10, 24]) / disc.area() - 1.0).abs() < 1e-13);
        let plate = Surface::Rectangle { sides: [0.4, 0.3] };
        let inner = sum(Geometry::Surface(plate), [8, 6]) / plate.area();
        assert!((inner - 35.0 / 48.0).abs() < 1e-14, "{inner}");
        assert_eq!(intervals(plate, 0.05), [8, 6]);
    }
}
