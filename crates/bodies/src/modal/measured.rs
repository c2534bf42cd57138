//! Shapes as they were measured at places: straight between them, constant beyond.
//!
//!   φ_k(x) = φ_k(x_i) + (φ_k(x_(i+1)) − φ_k(x_i)) (x − x_i)/(x_(i+1) − x_i),   ∫φ_k² dx = Σ Δx (a² + ab + b²)/3

use super::shapes::Shapes;
use hamiltone_core::geometry::Position;

/// The values of shapes at places.
pub(crate) struct Measured {
    /// L, m.
    length: f64,
    /// x_i, m, ascending, from 0 to L.
    places: Vec<f64>,
    /// φ_k(x_i): a list a place.
    values: Vec<Vec<f64>>,
}

impl Measured {
    /// Shapes on the length L (m) by their values at places x (m) on it, ascending.
    pub fn new(length: f64, columns: &[(f64, Vec<f64>)]) -> Self {
        let (mut places, mut values): (Vec<f64>, Vec<Vec<f64>>) = columns.iter().cloned().unzip();
        if let (Some(first), Some(last)) = (columns.first(), columns.last()) {
            if first.0 > 0.0 {
                places.insert(0, 0.0);
                values.insert(0, first.1.clone());
            }
            if last.0 < length {
                places.push(length);
                values.push(last.1.clone());
            }
        }
        Self { length, places, values }
    }

    /// ∫φ_k² dx.
    pub fn norms(&self, modes: usize) -> Vec<f64> {
        let part = |i: usize, k: usize| {
            let (a, b) = (self.values[i][k], self.values[i + 1][k]);
            (self.places[i + 1] - self.places[i]) * (a * a + a * b + b * b) / 3.0
        };
        (0..modes).map(|k| (0..self.places.len() - 1).map(|i| part(i, k)).sum()).collect()
    }
}

impl Shapes for Measured {
    fn fill(&self, [x, _]: Position, values: &mut [f64]) {
        let right = self.places.iter().position(|place| *place > x).unwrap_or(self.places.len() - 1).max(1);
        let (left, step) = (right - 1, self.places[right] - self.places[right - 1]);
        let share = (x - self.places[left]) / step;
        for ((value, a), b) in values.iter_mut().zip(&self.values[left]).zip(&self.values[right]) {
            *value = a + (b - a) * share;
        }
    }

    fn half_wavelength(&self) -> f64 {
        self.length
    }

    fn corners(&self) -> &[f64] {
        &self.places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::quadrature;

    #[test]
    fn shapes_are_straight_between_places() {
        let shapes = Measured::new(1.0, &[(0.25, vec![1.0, 0.0]), (0.5, vec![3.0, -1.0])]);
        let at = |x: f64| {
            let mut values = [0.0; 2];
            shapes.fill([x, 0.0], &mut values);
            values
        };
        assert_eq!(
            [at(0.0), at(0.25), at(0.375), at(0.5), at(1.0)],
            [[1.0, 0.0], [1.0, 0.0], [2.0, -0.5], [3.0, -1.0], [3.0, -1.0]]
        );
        let panels = quadrature::panels(1.0, shapes.corners(), shapes.half_wavelength());
        for (k, norm) in shapes.norms(2).into_iter().enumerate() {
            let sum: f64 = panels.iter().flatten().map(|(x, w)| w * at(*x)[k] * at(*x)[k]).sum();
            assert!((norm / sum - 1.0).abs() < 1e-14, "{k}: {norm} {sum}");
        }
    }
}
