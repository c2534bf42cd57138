//! The Cholesky factor of some rows and columns of a symmetric matrix, kept while they change.
//!
//!   L Lᵀ = G_SS + diag(added_S)
//!
//! Row a of L depends on the members 0 … a in their order, and on nothing else: a set that changes at its end keeps all rows before,
//! and the factor of a set in an order has the same bits however it came about.

use crate::list::List;

/// A pivot below this part of its diagonal is rounding.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;

/// L of the members S, row after row.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubsetCholesky {
    pub members: List<usize>,
    /// What is added to each one's diagonal.
    added: List<f64>,
    lower: Vec<f64>,
}

/// G (P × P, row-major), and what is added to its diagonal.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    pub count: usize,
    pub entries: &'a [f64],
    pub added: &'a [f64],
}

impl Matrix<'_> {
    /// A row of G.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.count..(i + 1) * self.count]
    }

    /// A number of the diagonal, with what is added.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.entries[i * self.count + i] + self.added[i]
    }

    /// The square of a pivot that has `own` left of its diagonal: no less than what is added, G being ≥ 0, nor than rounding.
    fn square(&self, i: usize, own: f64) -> f64 {
        let least = if self.added[i] > 0.0 { self.added[i] } else { DEPENDENT * self.diagonal(i) };
        own.max(least)
    }
}

impl SubsetCholesky {
    /// Room for so many members.
    pub fn new(count: usize) -> Self {
        let members = List::with_room(count);
        Self { members, added: List::with_room(count), lower: vec![0.0; count * (count + 1) / 2] }
    }

    /// The factor of the `wanted` members: the rows of those that S begins with already are kept.
    pub fn become_of(&mut self, wanted: impl Iterator<Item = usize>, matrix: Matrix<'_>) {
        let (mut count, mut kept) = (0, 0);
        for i in wanted {
            // Only a common beginning is kept, since a row depends on all members before it.
            let same = self.members.get(count) == Some(&i) && self.added[count] == matrix.added[i];
            if kept == count && same {
                kept += 1;
            } else {
                self.members.truncate(count);
                self.added.truncate(count);
                self.members.push(i);
                self.added.push(matrix.added[i]);
            }
            count += 1;
        }
        self.members.truncate(count);
        self.added.truncate(count);
        self.refactor(kept, matrix);
    }

    /// Removes the member at a place.
    pub fn remove(&mut self, place: usize, matrix: Matrix<'_>) {
        self.members.remove(place);
        self.added.remove(place);
        // Rows before the place do not depend on the member.
        self.refactor(place, matrix);
    }

    /// Writes down `row` = L⁻¹G_Si of a member i that may follow.
    pub fn propose(&mut self, row: &[f64]) {
        self.lower[start(row.len())..][..row.len()].copy_from_slice(row);
    }

    /// Adds the member i that was proposed last, which has `own` left of its diagonal.
    pub fn accept(&mut self, i: usize, own: f64, matrix: Matrix<'_>) {
        let n = self.members.len();
        // The entries left of the pivot were written by `propose`.
        self.lower[start(n) + n] = matrix.square(i, own).sqrt();
        self.members.push(i);
        self.added.push(matrix.added[i]);
    }

    /// The rows of L from one on.
    fn refactor(&mut self, first: usize, matrix: Matrix<'_>) {
        for a in first..self.members.len() {
            let i = self.members[a];
            let (above, row) = self.lower.split_at_mut(start(a));
            let row = &mut row[..=a];
            for (entry, &j) in row.iter_mut().zip(&self.members[..a]) {
                *entry = matrix.entries[j * matrix.count + i];
            }
            forward(above, &mut row[..a]);
            row[a] = matrix.square(i, matrix.diagonal(i) - dot(&row[..a], &row[..a])).sqrt();
        }
    }

    /// The squared pivot of the member at a place, over its diagonal.
    pub fn own_part(&self, place: usize, matrix: Matrix<'_>) -> f64 {
        let pivot = self.lower[start(place) + place];
        pivot * pivot / matrix.diagonal(self.members[place])
    }

    /// Whether `own`, what the members leave of a diagonal, is more than rounding.
    pub fn is_apart(i: usize, own: f64, matrix: Matrix<'_>) -> bool {
        own > DEPENDENT * matrix.diagonal(i)
    }

    /// x ← L⁻¹x.
    pub fn forward(&self, x: &mut [f64]) {
        forward(&self.lower, x);
    }

    /// x ← L⁻ᵀx.
    pub fn backward(&self, x: &mut [f64]) {
        for a in (0..x.len()).rev() {
            let row = &self.lower[start(a)..][..=a];
            x[a] /= row[a];
            // Row a of L is column a of Lᵀ: by columns all reads are in order.
            let value = x[a];
            x[..a].iter_mut().zip(row).for_each(|(x, l)| *x -= l * value);
        }
    }
}

/// Where row a begins.
fn start(a: usize) -> usize {
    a * (a + 1) / 2
}

/// x ← L⁻¹x, L given row after row.
fn forward(lower: &[f64], x: &mut [f64]) {
    for a in 0..x.len() {
        let row = &lower[start(a)..][..=a];
        x[a] = (x[a] - dot(&row[..a], &x[..a])) / row[a];
    }
}

/// Σ xᵢyᵢ in four running sums, whatever the processor: a sum in a row would wait for each addition.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((x, rest), (y, other)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (x, y) in x.iter().zip(y) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    // Terms behind the last four are added at the end, in a row.
    let rest: f64 = rest.iter().zip(other).map(|(x, y)| x * y).sum();
    ((sums[0] + sums[2]) + (sums[1] + sums[3])) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members that come, go and come again leave the bits of a factor that is made of them at once.
    #[test]
    fn the_factor_is_a_function_of_the_ordered_members() {
        let count = 9;
        let entry = |i: usize, j: usize| if i == j { 3.0 } else { ((i * j + i + j) as f64).sin() * 0.3 };
        let entries: Vec<f64> = (0..count * count).map(|k| entry(k / count, k % count)).collect();
        let matrix = Matrix { count, entries: &entries, added: &[0.25; 9] };
        let mut factor = SubsetCholesky::new(count);
        factor.become_of([4, 2, 7, 1].into_iter(), matrix);
        factor.remove(1, matrix);
        factor.become_of([4, 7, 3, 8, 0].into_iter(), matrix);
        let mut direct = SubsetCholesky::new(count);
        direct.become_of([4, 7, 3, 8, 0].into_iter(), matrix);
        assert_eq!((&factor.members, &factor.lower[..15]), (&direct.members, &direct.lower[..15]));
        // L Lᵀ is the matrix.
        let x = [1.0, -2.0, 0.5, 3.0, -1.0];
        let product: Vec<f64> = (0..5)
            .map(|a| {
                let row =
                    |b: usize| entry(factor.members[a], factor.members[b]) + if a == b { 0.25 } else { 0.0 };
                (0..5).map(|b| row(b) * x[b]).sum()
            })
            .collect();
        let mut solved = product;
        factor.forward(&mut solved);
        factor.backward(&mut solved);
        // The diagonal dominates: a condition below 10, some eps of the largest entry.
        x.iter().zip(&solved).for_each(|(x, y)| assert!((x - y).abs() < 1e-14, "{x} {y}"));
    }
}
