//! Entries of the inverse of a symmetric band matrix within its band (Takahashi, Fagan & Chin 1973; Erisman & Tinney 1975).
//!
//! With A = LDLᵀ the inverse Z = A⁻¹ satisfies Z = D⁻¹L⁻¹ + (I − Lᵀ)Z. Since D⁻¹L⁻¹ is lower triangular, from the last row
//! to the first
//!
//!   z_ij = −Σ_{k>i} l_ki z_kj  (j > i),   z_ii = 1/d_i − Σ_{k>i} l_ki z_ki,   k ≤ i + b
//!
//! where all entries on the right lie within the band, too: n b² operations, as many as the factorisation. The compliance
//! c·A⁻¹c of a row within the band then takes no solve, however many rows there are.

use crate::{
    banded::{Band, Factored},
    row::Row,
};

impl Factored {
    /// The entries of A⁻¹ within the band of A.
    pub fn selected_inverse(&self) -> Band {
        let (n, b) = (self.size(), self.half_bandwidth());
        let mut z = Band::zero(n, b);
        let symmetric = |z: &Band, i: usize, j: usize| z.get(i.max(j), i.min(j));
        // Column i reads only columns behind it, which are complete; its diagonal, last, reads the entries below it.
        for i in (0..n).rev() {
            let last = (i + b).min(n - 1);
            for j in (i + 1..=last).rev() {
                let sum: f64 = (i + 1..=last).map(|k| self.factor_entry(k, i) * symmetric(&z, k, j)).sum();
                z.add(j, i, -sum);
            }
            let sum: f64 = (i + 1..=last).map(|k| self.factor_entry(k, i) * z.get(k, i)).sum();
            z.add(i, i, 1.0 / self.pivot(i) - sum);
        }
        z
    }
}

impl Band {
    /// c·A c for a row c that spans no more than the band.
    pub fn form(&self, row: &Row) -> f64 {
        row.sum(|i, wi| wi * row.sum(|j, wj| wj * self.get(i.max(j), i.min(j))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entry within the band, and forms with rows, as by a solve for each; bands as wide as the matrix, too.
    #[test]
    fn selected_entries_are_those_of_full_solves() {
        for (n, b) in [(1, 0), (6, 0), (9, 1), (9, 3), (12, 5), (5, 4)] {
            let mut a = Band::zero(n, b);
            for i in 0..n {
                a.add(i, i, 4.0 + i as f64);
                (1..=b.min(i)).for_each(|d| a.add(i, i - d, -1.0 / (d as f64 + 0.3 * i as f64)));
            }
            let factored = a.factor();
            let z = factored.selected_inverse();
            let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-14, "{n} {b}: {x} {y}");
            for j in 0..n {
                let mut column = vec![0.0; n];
                column[j] = 1.0;
                factored.solve(&mut column);
                (j..=(j + b).min(n - 1)).for_each(|i| close(z.get(i, j), column[i]));
            }
            for first in 0..n - b {
                let row = Row::Sparse((first..=first + b).map(|i| (i, 0.5 - i as f64)).collect());
                let mut column = vec![0.0; n];
                row.add_scaled(1.0, &mut column);
                factored.solve(&mut column);
                // Sums of up to 36 products of numbers up to 36: some eps of their size.
                let (form, solved) = (z.form(&row), row.dot(&column));
                assert!((form - solved).abs() < 1e-12 * (1.0 + solved.abs()), "{n} {b}: {form} {solved}");
            }
        }
    }
}
