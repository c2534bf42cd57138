//! The triangle of a least-squares problem, kept while columns join and leave it.
//!
//!   Qᵀ(A | d) = (R | Qᵀd),   R z = Qᵀd
//!
//! by Householder reflections, after which the number of rows does not matter. A column that joins is one reflection of all columns,
//! one that leaves some rotations of two rows (Lawson & Hanson 1974, ch. 10, 24). Columns are scaled to unit length.

use crate::subset_cholesky::dot;

/// The columns of a matrix (each of as many rows), scaled to unit length, and d, after the reflections so far.
pub(crate) struct Triangle {
    pub columns: Vec<Vec<f64>>,
    pub right: Vec<f64>,
    pub scales: Vec<f64>,
}

/// The reflection I − 2vvᵀ/v·v that leaves of x, from row `first` on, its first entry alone: v, and that entry.
fn reflection(x: &[f64], first: usize) -> (Vec<f64>, f64) {
    let mut v = x[first..].to_vec();
    let size = dot(&v, &v).sqrt();
    // The sign that adds: nothing cancels in v₀.
    let kept = -size.copysign(v[0]);
    v[0] -= kept;
    (v, kept)
}

fn reflect(v: &[f64], x: &mut [f64], first: usize) {
    let square = dot(v, v);
    if square > 0.0 {
        let factor = 2.0 * dot(v, &x[first..]) / square;
        x[first..].iter_mut().zip(v).for_each(|(x, v)| *x -= factor * v);
    }
}

impl Triangle {
    /// The triangle of (A | d).
    pub fn new(mut columns: Vec<Vec<f64>>, mut right: Vec<f64>) -> Self {
        assert!(
            columns.iter().all(|column| column.len() == right.len()),
            "columns as long as the right side"
        );
        let mut scales = Vec::with_capacity(columns.len());
        for column in &mut columns {
            let size = dot(column, column).sqrt();
            let scale = if size > 0.0 { 1.0 / size } else { 0.0 };
            column.iter_mut().for_each(|x| *x *= scale);
            scales.push(scale);
        }
        let count = columns.len().min(right.len());
        for k in 0..count {
            let (before, after) = columns.split_at_mut(k + 1);
            let (v, kept) = reflection(&before[k], k);
            after.iter_mut().for_each(|column| reflect(&v, column, k));
            reflect(&v, &mut right, k);
            before[k].truncate(k);
            before[k].push(kept);
            before[k].resize(count, 0.0);
        }
        columns.iter_mut().for_each(|column| column.truncate(count));
        right.truncate(count);
        Self { columns, right, scales }
    }

    /// z of the triangle that the first rows of these columns are, R z = d.
    pub fn solve(&self, passive: &[usize]) -> Vec<f64> {
        let mut z = self.right[..passive.len()].to_vec();
        for (row, j) in passive.iter().enumerate().rev() {
            let column = &self.columns[*j];
            z[row] /= column[row];
            let value = z[row];
            z[..row].iter_mut().zip(column).for_each(|(z, r)| *z -= r * value);
        }
        z
    }

    /// Column j as the next of the triangle, row `first`.
    pub fn join(&mut self, j: usize, first: usize) {
        let (v, kept) = reflection(&self.columns[j], first);
        for (k, column) in self.columns.iter_mut().enumerate() {
            if k == j {
                column[first] = kept;
                column[first + 1..].fill(0.0);
            } else {
                reflect(&v, column, first);
            }
        }
        reflect(&v, &mut self.right, first);
    }

    /// The columns behind row `place` of the triangle, each one row higher.
    pub fn leave(&mut self, place: usize, behind: &[usize]) {
        for (row, j) in (place..).zip(behind) {
            let (x, y) = (self.columns[*j][row], self.columns[*j][row + 1]);
            let size = (x * x + y * y).sqrt();
            let (c, s) = if size > 0.0 { (x / size, y / size) } else { (1.0, 0.0) };
            for column in self.columns.iter_mut().chain([&mut self.right]) {
                let (x, y) = (column[row], column[row + 1]);
                (column[row], column[row + 1]) = (c * x + s * y, c * y - s * x);
            }
            self.columns[*j][row + 1] = 0.0;
        }
    }
}
