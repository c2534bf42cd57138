//! Eight shifts of one symmetric band matrix, factored and solved side by side in lanes.
//!
//!   B − σ_l = L_l D_l L_lᵀ,   l = 0 … 7
//!
//! as in [`crate::banded`], without pivoting: the signs of D_l count the eigenvalues below σ_l. A row of a factorisation waits
//! for the pivot of the row before; here eight wait at once. No lane reads another, so that the bits of each depend neither on
//! its neighbours nor on the instruction set.

use crate::{
    banded::{Band, by_width},
    lanes::LANES,
};

/// One number a lane.
pub(crate) type Eight = [f64; LANES];

/// Wider bands do not stay in the near caches eight at a time.
pub(crate) const WIDEST: usize = 16;

/// L and D of eight shifts.
#[derive(Clone, Debug)]
pub(crate) struct ShiftedBands {
    half: usize,
    /// 1/d_i at i·(half + 1), l_{i,i−d} at d behind it; before them `half` rows of zeros, so that all rows are alike.
    rows: Vec<Eight>,
    negative: [usize; LANES],
}

impl ShiftedBands {
    /// Memory for matrices of the shape of this one.
    pub fn new(band: &Band) -> Self {
        let half = band.half_bandwidth();
        let rows = vec![[0.0; LANES]; (band.size() + half) * (half + 1)];
        Self { half, rows, negative: [0; LANES] }
    }

    /// Factors `band` − σ_l.
    pub fn factor(&mut self, band: &Band, shifts: &Eight) {
        self.negative = by_width!(self.half, eliminate(band, self.half, shifts, &mut self.rows));
    }

    /// The number of eigenvalues below each shift.
    pub fn negative(&self) -> [usize; LANES] {
        self.negative
    }

    /// x ← (B − σ)⁻¹x, lane by lane; `x` begins with as many rows of zeros as the band reaches.
    pub fn solve(&self, x: &mut [Eight]) {
        by_width!(self.half, substitute(&self.rows, self.half, x));
    }
}

#[inline(always)]
fn subtract_product(x: &mut Eight, a: &Eight, b: &Eight) {
    for l in 0..LANES {
        x[l] -= a[l] * b[l];
    }
}

#[inline(always)]
fn product(a: &Eight, b: &Eight) -> Eight {
    std::array::from_fn(|l| a[l] * b[l])
}

/// The number of negative pivots. B is the half bandwidth, 0 where it is large.
fn eliminate<const B: usize>(band: &Band, half: usize, shifts: &Eight, rows: &mut [Eight]) -> [usize; LANES] {
    let b = if B == 0 { half } else { B };
    let width = b + 1;
    let mut negative = [0; LANES];
    for (i, entries) in band.rows().enumerate() {
        // b rows of zeros stand before the first.
        let (done, row) = rows.split_at_mut((i + b) * width);
        let (above, row) = (&done[i * width..], &mut row[..width]);
        // Entry d of the row is first t = l d, then l.
        for d in (1..=b).rev() {
            let mut t = [entries[d]; LANES];
            for k in d + 1..=b {
                subtract_product(&mut t, &above[(b - d) * width + k - d], &row[k]);
            }
            row[d] = t;
        }
        let mut pivot: Eight = std::array::from_fn(|l| entries[0] - shifts[l]);
        for d in (1..=b).rev() {
            let l = product(&row[d], &above[(b - d) * width]);
            subtract_product(&mut pivot, &l, &row[d]);
            row[d] = l;
        }
        for l in 0..LANES {
            negative[l] += usize::from(pivot[l] < 0.0);
        }
        // Solves multiply by 1/d: divisions in lanes are slow, and each factorisation serves many solves.
        row[0] = pivot.map(|pivot| 1.0 / pivot);
    }
    negative
}

fn substitute<const B: usize>(rows: &[Eight], half: usize, x: &mut [Eight]) {
    let b = if B == 0 { half } else { B };
    let width = b + 1;
    let size = x.len() - b;
    for i in 0..size {
        let row = &rows[(i + b) * width..][..width];
        let x = &mut x[i..][..width];
        let mut sum = x[b];
        for d in (1..=b).rev() {
            subtract_product(&mut sum, &row[d], &x[b - d]);
        }
        x[b] = sum;
    }
    for (x, row) in x[b..].iter_mut().zip(rows[b * width..].chunks_exact(width)) {
        *x = product(x, &row[0]);
    }
    for i in (0..size).rev() {
        let row = &rows[(i + b) * width..][..width];
        let x = &mut x[i..][..width];
        let own = x[b];
        for d in 1..=b {
            subtract_product(&mut x[b - d], &row[d], &own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each lane as the factorisation of one shift.
    #[test]
    fn lanes_agree_with_single_shifts() {
        let n = 40;
        for half in 0..=7 {
            let mut band = Band::zero(n, half);
            for i in 0..n {
                band.add(i, i, 4.0 + (i as f64).sin());
                (1..=half.min(i)).for_each(|d| band.add(i, i - d, -0.7 / d as f64));
            }
            let shifts: Eight = std::array::from_fn(|l| 0.37 + 0.9 * l as f64);
            let mut eight = ShiftedBands::new(&band);
            eight.factor(&band, &shifts);
            let rhs: Vec<f64> = (0..n).map(|i| 1.0 - 0.1 * i as f64).collect();
            let mut x = vec![[0.0; LANES]; half];
            x.extend(rhs.iter().map(|x| [*x; LANES]));
            eight.solve(&mut x);
            for (l, shift) in shifts.into_iter().enumerate() {
                let mut shifted = band.clone();
                (0..n).for_each(|i| shifted.add(i, i, -shift));
                let (single, mut expected) = (shifted.factor(), rhs.clone());
                single.solve(&mut expected);
                assert_eq!(single.pivots().filter(|d| *d < 0.0).count(), eight.negative()[l]);
                let largest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                for (x, expected) in x[half..].iter().zip(expected) {
                    assert!((x[l] - expected).abs() < 1e-10 * largest, "{half} {l}: {} {expected}", x[l]);
                }
            }
        }
    }
}
