//! Inverse iteration with eight isolated eigenvalues side by side in lanes.
//!
//!   y ← y − (A − σ)⁻¹(A y − θ y),   θ = yᵀA y,   |y| = 1
//!
//! The shift lies beside the middle of the interval at first, where a step contracts by the distance of the eigenvalue from the
//! middle over that of its neighbours. Once all vectors are near, it moves beside θ, whose error is the square of theirs: from
//! there on a step leaves [`BESIDE`] of an error.

use super::{
    groups::{CERTAIN, Interval},
    vectors::noise,
};
use crate::{
    lanes::LANES,
    pencil::Pencil,
    shifted_bands::{Eight, ShiftedBands},
};

/// Corrections of a vector; the fifth is a rounding where the first shift is usually far from all others.
const ITERATIONS: usize = 60;
/// A vector has converged where what the next step would change is below this,
const CONVERGED: f64 = 1e-13;
/// or where it was not halved in so many iterations, being below [`FINE`]: its rounding level.
const PATIENCE: usize = 2;
const FINE: f64 = 1e-10;
/// The shift moves once no correction is larger.
const NEAR: f64 = 1e-2;
/// The part of the gap around an eigenvalue that the second shift lies beside it: not within its rounding, where
/// a solve has no digits.
const BESIDE: f64 = 1e-5;

/// Memory for eight vectors of a pencil, for one batch of eigenvalues after another.
pub(super) struct Isolated<'a> {
    pencil: &'a Pencil<'a>,
    shifted: ShiftedBands,
    /// 1/√m.
    inverse: Vec<f64>,
    /// y and x = M^(−½)y.
    vectors: Vec<Eight>,
    positions: Vec<Eight>,
    /// K x.
    forces: Vec<Eight>,
    /// (A − σ)⁻¹(A y − θ y), behind as many zeros as the band reaches.
    corrections: Vec<Eight>,
}

/// How far a vector has come.
#[derive(Clone, Copy)]
struct Progress {
    best: f64,
    last: f64,
    idle: usize,
}

impl Progress {
    const START: Self = Self { best: f64::INFINITY, last: f64::INFINITY, idle: 0 };

    /// Records a correction of this size; returns whether the vector has converged.
    fn take(&mut self, size: f64) -> bool {
        // The next correction is smaller by the same ratio, once they fall evenly: the first rids the start of what is stiff.
        let even = self.last <= NEAR && size < self.last;
        let next = if even { size * (size / self.last) } else { size };
        (self.best, self.idle) = if size < 0.5 * self.best { (size, 0) } else { (self.best, self.idle + 1) };
        self.last = size;
        next <= CONVERGED || (size <= FINE && self.idle >= PATIENCE)
    }
}

impl<'a> Isolated<'a> {
    /// `None` where the matrix is no narrow band.
    pub fn new(pencil: &'a Pencil<'a>) -> Option<Self> {
        let (band, n) = (pencil.narrow_band()?, pencil.size());
        let zeros = || vec![Eight::default(); n];
        Some(Self {
            pencil,
            shifted: ShiftedBands::new(band),
            inverse: pencil.roots().iter().map(|root| 1.0 / root).collect(),
            vectors: zeros(),
            positions: zeros(),
            forces: zeros(),
            corrections: vec![Eight::default(); n + band.half_bandwidth()],
        })
    }

    /// The eigenvectors of at most eight isolated groups of one each, with shifts beside their middles by `part` of the gaps;
    /// `None` of those that do not converge.
    pub fn vectors(&mut self, groups: &[&Interval], part: f64) -> Vec<Option<Vec<f64>>> {
        let (n, bound, least) = (self.pencil.size(), self.pencil.bound(), CERTAIN * self.pencil.norm());
        // Lanes without a group do what the first does.
        let of: [&Interval; LANES] = std::array::from_fn(|l| groups[if l < groups.len() { l } else { 0 }]);
        let gaps = of.map(|group| group.gaps[0].min(group.gaps[1]).min(bound));
        let first = std::array::from_fn(|l| 0.5 * (of[l].low + of[l].high) + part * gaps[l]);
        self.shift(&first);
        for (l, group) in of.iter().enumerate() {
            self.vectors.iter_mut().zip(noise(n, group.indices.start)).for_each(|(y, start)| y[l] = start);
        }
        let (mut progress, mut done) = ([Progress::START; LANES], [false; LANES]);
        let mut moved = false;
        for _ in 0..ITERATIONS {
            let (sizes, values) = self.step();
            for l in 0..LANES {
                // An iteration may converge to a neighbour: its value must lie in the interval of the group.
                let own = !of[l].own(&[values[l]]).is_empty();
                done[l] = progress[l].take(sizes[l]) && own;
            }
            if done == [true; LANES] {
                break;
            }
            // All lanes move at the same time, since one factorisation serves all eight.
            if !moved && sizes.iter().all(|size| *size <= NEAR) {
                // Not nearer than a factorisation is certain, nor farther than the first shift.
                let beside = |gap: f64| (BESIDE * gap).max(least).min(part.abs() * gap);
                self.shift(&std::array::from_fn(|l| values[l] + beside(gaps[l])));
                moved = true;
            }
        }
        let vector = |l: usize| done[l].then(|| self.vectors.iter().map(|y| y[l]).collect());
        (0..groups.len()).map(vector).collect()
    }

    /// Factors A − σ.
    fn shift(&mut self, shifts: &Eight) {
        if let Some(band) = self.pencil.narrow_band() {
            self.shifted.factor(band, shifts);
        }
    }

    /// One correction of every vector: its size but for what lies along the vector, and the values θ before.
    fn step(&mut self) -> (Eight, Eight) {
        let Self { pencil, shifted, inverse, vectors, positions, forces, corrections } = self;
        let squares = sum(vectors, vectors);
        let scale = squares.map(|square| 1.0 / square.sqrt());
        for ((y, x), inverse) in vectors.iter_mut().zip(&mut *positions).zip(&*inverse) {
            for l in 0..LANES {
                y[l] *= scale[l];
                x[l] = y[l] * inverse;
            }
        }
        let values = pencil.forces(positions, forces);
        let reach = corrections.len() - vectors.len();
        let (before, own) = corrections.split_at_mut(reach);
        // The solve reads zeros before the first row. A lane that overflowed has left NaN there.
        before.fill(Eight::default());
        for (((r, p), y), inverse) in own.iter_mut().zip(&*forces).zip(&*vectors).zip(&*inverse) {
            for l in 0..LANES {
                r[l] = p[l] * inverse - values[l] * y[l];
            }
        }
        shifted.solve(corrections);
        let own = &corrections[reach..];
        // The part along a vector changes only its length, which the next step normalises.
        let along = sum(own, vectors);
        let mut sizes = Eight::default();
        for (y, r) in vectors.iter_mut().zip(own) {
            for l in 0..LANES {
                let outside = r[l] - along[l] * y[l];
                sizes[l] += outside * outside;
                y[l] -= r[l];
            }
        }
        (sizes.map(f64::sqrt), values)
    }
}

/// a·b, lane by lane.
fn sum(a: &[Eight], b: &[Eight]) -> Eight {
    let mut sum = Eight::default();
    for (a, b) in a.iter().zip(b) {
        for l in 0..LANES {
            sum[l] += a[l] * b[l];
        }
    }
    sum
}
