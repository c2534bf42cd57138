//! Joints: a body whose modes stand on supports that move, such as a string on a bridge.
//!
//! The coordinates qᵢ of the body are those of its whole displacement, that of the supports included. Where the supports move by
//! w_e = φ_e·q, the body is at rest at Σ bᵢₑwₑ: its springs Kᵢ, which a [`crate::system::Block`] states as ½Σ Kᵢqᵢ², stretch from there.
//! A joint adds the difference:
//!
//!   V = Σᵢ Kᵢ[½(qᵢ − Σₑ bᵢₑwₑ)² − ½qᵢ²] + ½ wᵀκw  =  −Σₑ wₑζₑ + ½ wᵀDw
//!   ζₑ = Σᵢ Kᵢbᵢₑqᵢ,   D = bᵀKb + κ
//!
//! With the springs of the body it is a sum of squares, whatever moves. κ is what the supports feel of a body that does not bend: T/L
//! at each end of a string of length L under the tension T, and −T/L between both.
//!
//! The modes sin nπx/L of a string that stays straight and is lifted by w at x = L, u = xw/L, have bₙ = 2(−1)ⁿ⁺¹/nπ; lifted at x = 0,
//! bₙ = 2/nπ (sine series).
//!
//! A scheme may take V at the middle of its step, without a solve ([`crate::coverage::Feature::Joints`]).

use crate::row::Row;
use std::ops::Range;

/// A body on supports that move.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    /// Its name in the scene, for messages.
    pub name: String,
    /// The first coordinate of the body.
    pub first: usize,
    /// K of each of its coordinates, N/m: a part of the diagonal of the system's stiffness, or all of it.
    pub springs: Vec<f64>,
    /// The supports, one or more.
    pub supports: Vec<Support>,
    /// κ, N/m: symmetric and positive semidefinite, one row a support, row-major.
    pub stiffness: Vec<f64>,
}

/// A place on which a body stands.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Support {
    /// b: where each coordinate of the body is at rest, for each metre that this support is lifted.
    pub lift: Vec<f64>,
    /// φ: the displacement of the support, m.
    pub place: Row,
}

/// ζ and D of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupling {
    /// The row of ζₑ, N/m, of each support.
    pub pulls: Vec<Row>,
    /// D, N/m, row-major.
    pub stiffness: Vec<f64>,
}

impl Joint {
    /// The coordinates of the body.
    pub fn dofs(&self) -> Range<usize> {
        self.first..self.first + self.springs.len()
    }

    /// ζ and D of the coordinates that move: a mode that a scheme leaves out follows its supports, and its springs do not stretch.
    pub fn coupling(&self, moves: impl Fn(usize) -> bool) -> Coupling {
        let part = |(i, k): (usize, &f64)| if moves(self.first + i) { *k } else { 0.0 };
        let springs: Vec<f64> = self.springs.iter().enumerate().map(part).collect();
        let pull = |lift: &[f64]| springs.iter().zip(lift).map(|(k, b)| k * b).collect::<Vec<f64>>();
        let mut stiffness = self.stiffness.iter();
        let mut sums = Vec::with_capacity(self.stiffness.len());
        for support in &self.supports {
            let pulled = pull(&support.lift);
            for (other, own) in self.supports.iter().zip(&mut stiffness) {
                sums.push(pulled.iter().zip(&other.lift).map(|(kb, b)| kb * b).sum::<f64>() + own);
            }
        }
        let row = |support: &Support| Row::Dense { first: self.first, weights: pull(&support.lift) };
        Coupling { pulls: self.supports.iter().map(row).collect(), stiffness: sums }
    }

    /// V at the positions q, J.
    pub fn energy(&self, q: &[f64]) -> f64 {
        let w: Vec<f64> = self.supports.iter().map(|support| support.place.dot(q)).collect();
        let own = &q[self.dofs()];
        let stretched = own.iter().zip(&self.springs).enumerate().map(|(i, (q, k))| {
            let rest: f64 = self.supports.iter().zip(&w).map(|(support, w)| support.lift[i] * w).sum();
            // ½(q − r)² − ½q² without the cancellation of the squares.
            k * rest * (0.5 * rest - q)
        });
        let rows = self.stiffness.chunks_exact(w.len().max(1)).zip(&w);
        let straight = rows.map(|(row, w_e)| 0.5 * w_e * row.iter().zip(&w).map(|(k, w)| k * w).sum::<f64>());
        stretched.sum::<f64>() + straight.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// V with the springs of the body is Σ ½K(q − Σ bw)² + ½wᵀκw, and −wζ + ½wᵀDw where all coordinates move.
    #[test]
    fn the_potential_is_that_of_the_squares() {
        let support = |lift: [f64; 2], dof| Support { lift: lift.to_vec(), place: Row::unit(dof) };
        let joint = Joint {
            name: "string".into(),
            first: 1,
            springs: vec![3.0, 5.0],
            supports: vec![support([0.6, -0.3], 0), support([0.6, 0.3], 3)],
            stiffness: vec![2.0, -2.0, -2.0, 2.0],
        };
        let q = [0.7, 1.1, -0.4, 0.2];
        let (w, v) = ([q[0], q[3]], joint.energy(&q));
        let own = 0.5 * (3.0 * q[1] * q[1] + 5.0 * q[2] * q[2]);
        let stretch = |q: f64, b: [f64; 2]| q - b[0] * w[0] - b[1] * w[1];
        let (one, two) = (stretch(q[1], [0.6, 0.6]), stretch(q[2], [-0.3, 0.3]));
        let squares = 0.5 * (3.0 * one * one + 5.0 * two * two) + (w[0] - w[1]) * (w[0] - w[1]);
        assert!((own + v - squares).abs() <= 1e-15, "{v}");
        let Coupling { pulls, stiffness } = joint.coupling(|_| true);
        let pulled = pulls[0].dot(&q) * w[0] + pulls[1].dot(&q) * w[1];
        let straight =
            stiffness[0] * w[0] * w[0] + 2.0 * stiffness[1] * w[0] * w[1] + stiffness[3] * w[1] * w[1];
        assert!((v - (0.5 * straight - pulled)).abs() <= 1e-15);
        // A mode that does not move follows: its spring is in none of them.
        let part = joint.coupling(|i| i != 2);
        assert_eq!((part.pulls[0].weight(2), part.stiffness[0]), (0.0, 2.0 + 3.0 * 0.36));
    }
}
