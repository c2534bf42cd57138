//! GMRES (Saad & Schultz 1986): a linear system of which only products with its matrix are known.
//!
//!   min ‖b − Mx‖ over x in the span of b, Mb, …, Mᵐ⁻¹b,   ‖y‖² = Σ wᵢyᵢ²
//!
//! Directions are made orthonormal in the inner product of the weights w (Arnoldi, by the modified method of Gram and Schmidt); rotations of Givens keep
//! the small system triangular, so that the residual is known after each product.
//!
//! ```
//! use hamiltone_numerics::gmres::Gmres;
//!
//! let mut gmres = Gmres::new(2, 2);
//! let mut x = [3.0, 5.0];
//! let left = gmres.solve(&[1.0, 1.0], 1e-12, &mut x, |v, mv| {
//!     mv[0] = 2.0 * v[0] - v[1];
//!     mv[1] = v[0] + 3.0 * v[1];
//! });
//! assert!(left < 1e-12 && (x[0] - 2.0).abs() < 1e-12 && (x[1] - 1.0).abs() < 1e-12);
//! ```

use crate::lanes;

/// The memory of solves with matrices of one size: all of it is allocated when it is made.
#[derive(Clone, Debug, Default)]
pub struct Gmres {
    size: usize,
    rounds: usize,
    /// The directions, one behind the other.
    basis: Vec<f64>,
    /// The triangle of the small system, a column of `rounds` numbers each; its right-hand side; the rotations.
    triangle: Vec<f64>,
    right: Vec<f64>,
    rotations: Vec<(f64, f64)>,
}

impl Gmres {
    /// For n unknowns and this many products at most.
    pub fn new(n: usize, rounds: usize) -> Self {
        Self {
            size: n,
            rounds,
            basis: vec![0.0; (rounds + 1) * n],
            triangle: vec![0.0; rounds * rounds],
            right: vec![0.0; rounds + 1],
            rotations: vec![(1.0, 0.0); rounds],
        }
    }

    /// x ← M⁻¹x up to a residual of this part of x, or as near as the rounds allow; `product`(v, y) writes Mv into y. Returns the part of x that the
    /// residual is.
    pub fn solve(
        &mut self,
        weights: &[f64],
        tolerance: f64,
        x: &mut [f64],
        mut product: impl FnMut(&[f64], &mut [f64]),
    ) -> f64 {
        let Self { size, rounds, basis, triangle, right, rotations } = self;
        let (n, rounds) = (*size, *rounds);
        let dot = |a: &[f64], b: &[f64]| lanes::sum_of([weights, a, b], |[w, a, b]| w * (a * b));
        let norm = dot(x, x).sqrt();
        // A right-hand side that is no number has no solution, and one of 0 has 0.
        if !(norm > 0.0 && norm.is_finite()) {
            return 0.0;
        }
        basis[..n].iter_mut().zip(&*x).for_each(|(v, x)| *v = x / norm);
        right.fill(0.0);
        right[0] = norm;
        let mut count = 0;
        while count < rounds && right[count].abs() > tolerance * norm {
            let (known, next) = basis.split_at_mut((count + 1) * n);
            let next = &mut next[..n];
            product(&known[count * n..], next);
            let column = &mut triangle[count * rounds..][..rounds];
            for (entry, v) in column.iter_mut().zip(known.chunks_exact(n)) {
                *entry = dot(v, next);
                next.iter_mut().zip(v).for_each(|(y, v)| *y -= *entry * v);
            }
            let below = dot(next, next).sqrt();
            for (i, (c, s)) in rotations[..count].iter().enumerate() {
                (column[i], column[i + 1]) =
                    (c * column[i] + s * column[i + 1], c * column[i + 1] - s * column[i]);
            }
            let length = (column[count] * column[count] + below * below).sqrt();
            // M maps all that is known onto itself and to 0, or is no number.
            if !(length > 0.0 && length.is_finite()) {
                break;
            }
            let (c, s) = (column[count] / length, below / length);
            rotations[count] = (c, s);
            column[count] = length;
            (right[count], right[count + 1]) = (c * right[count], -s * right[count]);
            count += 1;
            if below == 0.0 {
                break;
            }
            next.iter_mut().for_each(|y| *y /= below);
        }
        let left = right[count].abs() / norm;
        for k in (0..count).rev() {
            let known: f64 = (k + 1..count).map(|m| triangle[m * rounds + k] * right[m]).sum();
            right[k] = (right[k] - known) / triangle[k * rounds + k];
        }
        x.fill(0.0);
        for (v, a) in basis.chunks_exact(n).zip(&right[..count]) {
            x.iter_mut().zip(v).for_each(|(x, v)| *x += a * v);
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unsymmetric matrix 1 + uvᵀ + diagonal, in other weights: its residual is what is said, and of rank two it takes few rounds.
    #[test]
    fn solves_what_is_not_symmetric() {
        let n = 40;
        let of = |k: f64| (0..n).map(|i| (k * i as f64).sin()).collect::<Vec<f64>>();
        let (u, v, b) = (of(0.7), of(1.9), of(0.3));
        let weights: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let mut rounds = 0;
        let mut multiply = |x: &[f64], y: &mut [f64]| {
            rounds += 1;
            let along: f64 = v.iter().zip(x).map(|(v, x)| v * x).sum();
            for i in 0..n {
                y[i] = x[i] + 0.5 * u[i] * along + if i < 5 { 3.0 * x[i] } else { 0.0 };
            }
        };
        let mut x = b.clone();
        let left = Gmres::new(n, 20).solve(&weights, 1e-13, &mut x, &mut multiply);
        let mut y = vec![0.0; n];
        multiply(&x, &mut y);
        assert!(left <= 1e-13 && rounds < 8, "{left:e} after {rounds}");
        assert!(y.iter().zip(&b).all(|(y, b)| (y - b).abs() < 1e-11), "{y:?}");
    }

    /// Where the rounds do not suffice it is the nearest, and 0 remains 0.
    #[test]
    fn stops_at_its_rounds() {
        let turn = |x: &[f64], y: &mut [f64]| (0..8).for_each(|i| y[(i + 1) % 8] = x[i]);
        let mut gmres = Gmres::new(8, 7);
        let mut x = [0.0; 8];
        assert_eq!((gmres.solve(&[1.0; 8], 1e-9, &mut x, turn), x), (0.0, [0.0; 8]));
        x[0] = 1.0;
        assert_eq!(gmres.solve(&[1.0; 8], 1e-9, &mut x, turn), 1.0);
        x = [0.0; 8];
        x[0] = 1.0;
        assert!(Gmres::new(8, 8).solve(&[1.0; 8], 1e-9, &mut x, turn) < 1e-9 && x[7] == 1.0);
    }
}
