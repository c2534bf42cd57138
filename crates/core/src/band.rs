//! Symmetric band matrices and their LDLᵀ factorisation.
//!
//!   A = L D Lᵀ,  L unit lower triangular of the same half bandwidth b.
//!
//! No pivoting: the matrices that a step solves are positive definite
//! (A = M + R̂ + K̂), where it is not needed; on indefinite ones the signs of D
//! count the eigenvalues below zero (Sylvester's law of inertia).

/// A symmetric matrix of half bandwidth b: entries (i, j) with |i − j| ≤ b.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    size: usize,
    half: usize,
    /// Row-major lower part: entry (i, i − d) at `i·(half + 1) + d`.
    lower: Vec<f64>,
}

impl Band {
    /// The zero matrix of `size` rows and half bandwidth `half`.
    pub fn zero(size: usize, half: usize) -> Self {
        let half = half.min(size.saturating_sub(1));
        Self { size, half, lower: vec![0.0; size * (half + 1)] }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The half bandwidth b.
    pub fn half_bandwidth(&self) -> usize {
        self.half
    }

    /// Entry (i, j) of the lower triangle, j ≤ i.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        if i - j > self.half { 0.0 } else { self.lower[i * (self.half + 1) + (i - j)] }
    }

    /// Adds to entry (i, j) of the lower triangle, j ≤ i ≤ j + b.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.lower[i * (self.half + 1) + (i - j)] += value;
    }

    /// Factors A = LDLᵀ in place.
    pub fn factor(mut self) -> Factored {
        let b = self.half;
        for i in 0..self.size {
            for j in i.saturating_sub(b)..=i {
                let mut sum = self.get(i, j);
                for k in i.saturating_sub(b)..j {
                    if j - k <= b {
                        sum -= self.get(i, k) * self.get(j, k) * self.get(k, k);
                    }
                }
                self.lower[i * (b + 1) + (i - j)] = if i == j { sum } else { sum / self.get(j, j) };
            }
        }
        Factored(self)
    }
}

/// A factored matrix, ready to solve.
#[derive(Clone, Debug)]
pub struct Factored(Band);

impl Factored {
    /// x ← A⁻¹x.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        if self.0.half == 0 {
            x.iter_mut().zip(&self.0.lower).for_each(|(x, d)| *x /= d);
        } else {
            self.substitute(x);
        }
    }

    fn substitute(&self, x: &mut [f64]) {
        let Band { size, half: b, lower } = &self.0;
        let at = |i: usize, j: usize| lower[i * (b + 1) + (i - j)];
        for i in 0..*size {
            for k in i.saturating_sub(*b)..i {
                x[i] -= at(i, k) * x[k];
            }
        }
        for i in (0..*size).rev() {
            x[i] /= at(i, i);
            for k in i + 1..size.min(&(i + b + 1)).to_owned() {
                x[i] -= at(k, i) * x[k];
            }
        }
    }

    /// The pivots D: positive exactly when A is positive definite.
    pub fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.0.size).map(|i| self.0.get(i, i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_factored() {
        let (n, b) = (7, 2);
        let mut a = Band::zero(n, b);
        for i in 0..n {
            a.add(i, i, 4.0 + i as f64);
            (1..=b.min(i)).for_each(|d| a.add(i, i - d, -1.0 / (d as f64 + 0.3 * i as f64)));
        }
        let x: Vec<f64> = (0..n).map(|i| 1.0 - 0.4 * i as f64).collect();
        let mut rhs = vec![0.0; n];
        for (i, rhs) in rhs.iter_mut().enumerate() {
            *rhs = x.iter().enumerate().map(|(j, x)| a.get(i.max(j), i.min(j)) * x).sum();
        }
        a.factor().solve(&mut rhs);
        // Well conditioned (diagonally dominant): a few eps.
        rhs.iter().zip(&x).for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
    }
}
