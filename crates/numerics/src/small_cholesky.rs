//! The Cholesky factor of a small symmetric positive definite matrix that is another one in each step.
//!
//!   M = L Lᵀ,   M x = b
//!
//! ```
//! use hamiltone_numerics::small_cholesky::SmallCholesky;
//!
//! let mut factor = SmallCholesky::new(2);
//! factor.become_of(|i, j| if i == j { 4.0 } else { 2.0 });
//! let mut x = [8.0, 10.0];
//! factor.solve(&mut x);
//! assert_eq!(x.map(|x| (x * 1e12).round() * 1e-12), [1.0, 2.0]);
//! ```

/// L, row after row. All memory is allocated when it is made.
#[derive(Clone, Debug, Default)]
pub struct SmallCholesky {
    count: usize,
    lower: Vec<f64>,
}

/// Where row a begins.
fn start(a: usize) -> usize {
    a * (a + 1) / 2
}

impl SmallCholesky {
    /// Room for a matrix of n rows.
    pub fn new(n: usize) -> Self {
        Self { count: n, lower: vec![0.0; start(n)] }
    }

    /// The factor of the matrix with these entries at (i, j ≤ i).
    pub fn become_of(&mut self, entry: impl Fn(usize, usize) -> f64) {
        for i in 0..self.count {
            for j in 0..=i {
                let (above, row) = self.lower.split_at_mut(start(i));
                let before = if i == j { &row[..j] } else { &above[start(j)..start(j) + j] };
                let left = entry(i, j) - row[..j].iter().zip(before).map(|(a, b)| a * b).sum::<f64>();
                row[j] = if i == j { left.sqrt() } else { left / above[start(j) + j] };
            }
        }
    }

    /// x ← L⁻¹x.
    pub fn forward(&self, x: &mut [f64]) {
        for i in 0..self.count {
            let row = &self.lower[start(i)..=start(i) + i];
            let sum: f64 = x[..i].iter().zip(row).map(|(x, l)| x * l).sum();
            x[i] = (x[i] - sum) / row[i];
        }
    }

    /// x ← M⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        for i in (0..self.count).rev() {
            let row = &self.lower[start(i)..=start(i) + i];
            x[i] /= row[i];
            let value = x[i];
            x[..i].iter_mut().zip(row).for_each(|(x, l)| *x -= l * value);
        }
    }
}
