//! Symmetric, positive semidefinite operators: stiffness and damping.
//!
//! Always a sum of squares,
//!
//!   xᵀOx = Σᵢ weightᵢ (strainᵢ·x)²,  weightᵢ ≥ 0,
//!
//! so that a potential energy or a loss is non-negative by construction, not by
//! inspection. Products are evaluated through the strains (differences first,
//! weights after), never through assembled rows: the rounding error of Kq is
//! then relative to the strain and not to the position.

use crate::{banded::Band, lanes, row::Row, stencils::Stencils};

/// A symmetric operator on a run of degrees of freedom, stored as tightly as it allows.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Operator {
    /// O = 0.
    Zero,
    /// O = diag(k): one weight a degree of freedom, strains are the coordinates.
    Diagonal(Vec<f64>),
    /// O = Σ weightᵢ cᵢcᵢᵀ with sparse strains cᵢ, indexed within the block.
    Strains(Vec<(f64, Row)>),
    /// O = Σ of squares of difference operators on a grid.
    Stencils(Stencils),
}

impl Operator {
    /// y += a·O x.
    #[inline]
    pub fn add_product(&self, a: f64, x: &[f64], y: &mut [f64]) {
        match self {
            Operator::Zero => {}
            Operator::Diagonal(k) => {
                for ((y, x), k) in y.iter_mut().zip(x).zip(k) {
                    *y += a * (k * x);
                }
            }
            Operator::Strains(strains) => {
                for (weight, row) in strains {
                    row.add_scaled(a * (weight * row.dot(x)), y);
                }
            }
            Operator::Stencils(lattice) => lattice.add_product(a, x, y),
        }
    }

    /// xᵀO x ≥ 0.
    #[inline]
    pub fn form(&self, x: &[f64]) -> f64 {
        match self {
            // Each strain is evaluated once; as a bilinear form it would be evaluated twice.
            Operator::Stencils(lattice) => lattice.form(x),
            _ => self.bilinear(x, x),
        }
    }

    /// Its squares: (weightᵢ, strainᵢ).
    pub fn squares(&self) -> Box<dyn Iterator<Item = (f64, Row)> + '_> {
        match self {
            Operator::Zero => Box::new(std::iter::empty()),
            Operator::Diagonal(k) => Box::new(k.iter().enumerate().map(|(i, k)| (*k, Row::unit(i)))),
            Operator::Strains(strains) => Box::new(strains.iter().cloned()),
            Operator::Stencils(stencils) => Box::new(stencils.strains()),
        }
    }

    /// xᵀO y.
    #[inline]
    pub fn bilinear(&self, x: &[f64], y: &[f64]) -> f64 {
        match self {
            Operator::Zero => 0.0,
            Operator::Diagonal(k) => lanes::sum_of([k, x, y], |[k, x, y]| k * x * y),
            Operator::Strains(strains) => strains.iter().map(|(w, row)| w * row.dot(x) * row.dot(y)).sum(),
            Operator::Stencils(lattice) => lattice.bilinear(x, y),
        }
    }

    /// band += a·O, its first degree of freedom at `offset`.
    pub fn assemble(&self, a: f64, offset: usize, band: &mut Band) {
        self.assemble_within(usize::MAX, a, offset, band);
    }

    /// As [`Operator::assemble`], but for the strains of [`Operator::strains_beyond`] the limit.
    pub fn assemble_within(&self, limit: usize, a: f64, offset: usize, band: &mut Band) {
        match self {
            Operator::Zero => {}
            Operator::Diagonal(k) => {
                k.iter().enumerate().for_each(|(i, k)| band.add(offset + i, offset + i, a * k));
            }
            Operator::Strains(strains) => {
                for (weight, row) in strains.iter().filter(|(_, row)| row.spread() <= limit) {
                    band.add_square(a * weight, &row.moved(offset));
                }
            }
            // The stencils of a grid are narrow: they always belong into the band.
            Operator::Stencils(lattice) => lattice.assemble(a, offset, band),
        }
    }

    /// The single strains that reach farther than `limit`.
    pub fn strains_beyond(&self, limit: usize) -> impl Iterator<Item = &(f64, Row)> {
        let strains: &[(f64, Row)] = match self {
            Operator::Strains(strains) => strains,
            _ => &[],
        };
        strains.iter().filter(move |(_, row)| row.spread() > limit)
    }

    /// How far from the diagonal the entries of a grid reach; 0 for single strains.
    pub fn narrow_half_bandwidth(&self) -> usize {
        match self {
            Operator::Stencils(lattice) => lattice.half_bandwidth(),
            _ => 0,
        }
    }

    /// How far from the diagonal its entries reach.
    pub fn half_bandwidth(&self) -> usize {
        self.half_bandwidth_within(usize::MAX)
    }

    /// The same without the strains of [`Operator::strains_beyond`] the limit.
    pub fn half_bandwidth_within(&self, limit: usize) -> usize {
        match self {
            Operator::Zero | Operator::Diagonal(_) => 0,
            Operator::Strains(strains) => {
                let spreads = strains.iter().map(|(_, row)| row.spread());
                spreads.filter(|spread| *spread <= limit).max().unwrap_or(0)
            }
            Operator::Stencils(lattice) => lattice.half_bandwidth(),
        }
    }

    /// diag += O, where O is diagonal; `None` where it couples coordinates.
    pub fn add_diagonal(&self, diagonal: &mut [f64]) -> Option<()> {
        match self {
            Operator::Zero => {}
            Operator::Diagonal(k) => diagonal.iter_mut().zip(k).for_each(|(d, k)| *d += k),
            Operator::Strains(strains) => {
                for (weight, row) in strains {
                    let mut entries = row.entries();
                    if let Some((i, w)) = entries.next() {
                        diagonal[i] += weight * w * w;
                    }
                    // The strain couples coordinates. The diagonal is then half written, and callers discard it.
                    if entries.next().is_some() {
                        return None;
                    }
                }
            }
            Operator::Stencils(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two coordinates joined by a spring of stiffness 3: K = 3·[1 −1; −1 1].
    #[test]
    fn strains_are_their_assembled_matrix() {
        let spring = Operator::Strains(vec![(3.0, Row::Sparse(vec![(0, 1.0), (1, -1.0)]))]);
        let (x, y) = ([2.0, -1.0], [0.5, 4.0]);
        let mut product = [0.0; 2];
        spring.add_product(2.0, &x, &mut product);
        assert_eq!(product, [18.0, -18.0]);
        assert_eq!(spring.form(&x), 27.0);
        assert_eq!(spring.bilinear(&x, &y), -31.5);
        assert_eq!(spring.half_bandwidth(), 1);
        assert_eq!(spring.add_diagonal(&mut [0.0; 2]), None);
        let mut band = Band::zero(3, 1);
        spring.assemble(1.0, 1, &mut band);
        assert_eq!([band.get(1, 1), band.get(2, 1), band.get(0, 0)], [3.0, -3.0, 0.0]);
    }
}
