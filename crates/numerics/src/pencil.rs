//! The symmetric eigenproblem K x = λ M x of a sum of squares K and a diagonal M, in the coordinates y = M^½x:
//!
//!   A y = λ y,   A = M^(−½) K M^(−½) = B + Σ wⱼ cⱼcⱼᵀ      (B a narrow band, cⱼ few far couplings)
//!
//! The number of eigenvalues below λ is the number of negative pivots of the LDLᵀ factorisation of A − λ (Sylvester's
//! law of inertia). With far couplings C W Cᵀ it is the number for B − λ, less the number of negative pivots of
//! W⁻¹ + Cᵀ(B − λ)⁻¹C.
//! The same factors solve (A − λ)x = b. Products and quotients with A go through the strains of K, so that a quotient
//! yᵀAy is never negative and its rounding is relative to the strains, not to the positions.

use crate::math::square;
use crate::{
    banded::{Band, Factored},
    eight_products,
    operator::Operator,
    row::Row,
    shifted_bands::{Eight, WIDEST},
    woodbury::UpdatedBand,
};

/// A strain below this, relative to what its terms add up to in magnitude, is a rounding of 0.
const NO_STRAIN: f64 = 1024.0 * f64::EPSILON;

/// A = M^(−½) K M^(−½).
#[derive(Debug)]
pub struct Pencil<'a> {
    /// K, each part from its first coordinate on.
    stiffness: Vec<(usize, &'a Operator)>,
    /// √m.
    root: Vec<f64>,
    matrix: UpdatedBand,
    /// No eigenvalue of B exceeds this.
    norm: f64,
    /// No eigenvalue of A exceeds this.
    bound: f64,
}

impl<'a> Pencil<'a> {
    /// Of these masses m > 0 and parts of K, each with the number of its first coordinate.
    pub fn new(mass: &[f64], stiffness: impl IntoIterator<Item = (usize, &'a Operator)>) -> Self {
        let stiffness: Vec<(usize, &Operator)> = stiffness.into_iter().collect();
        let terms: Vec<_> = stiffness.iter().map(|&(first, operator)| (first, operator, 1.0)).collect();
        let none = std::iter::repeat_n(0.0, mass.len());
        let UpdatedBand { band: k, far } = UpdatedBand::assemble(none, &terms, usize::MAX);
        let (size, half) = (k.size(), k.half_bandwidth());
        let root: Vec<f64> = mass.iter().map(|m| m.sqrt()).collect();
        let mut band = Band::zero(size, half);
        // Gershgorin: no eigenvalue exceeds the largest absolute row sum; a far coupling adds its own at most.
        let mut sums = vec![0.0; size];
        for i in 0..size {
            for j in i.saturating_sub(half)..=i {
                let a = k.get(i, j) / root[i] / root[j];
                band.add(i, j, a);
                sums[i] += a.abs();
                if j < i {
                    sums[j] += a.abs();
                }
            }
        }
        let scaled = |row: &Row| Row::Sparse(row.entries().map(|(i, w)| (i, w / root[i])).collect());
        // A coupling without weight would have no W⁻¹.
        let far = far.iter().filter(|(weight, _)| *weight > 0.0);
        let far: Vec<(f64, Row)> = far.map(|(weight, row)| (*weight, scaled(row))).collect();
        let own = far.iter().map(|(weight, row)| weight * row.sum(|_, w| w * w)).sum::<f64>();
        let norm = sums.into_iter().fold(0.0, f64::max);
        Self { stiffness, root, matrix: UpdatedBand { band, far }, norm, bound: norm + own }
    }

    /// The number of coordinates.
    pub fn size(&self) -> usize {
        self.root.len()
    }

    /// A number that no eigenvalue of the band B exceeds: the rounding of a factorisation is relative to it.
    pub fn norm(&self) -> f64 {
        self.norm
    }

    /// A number that no eigenvalue exceeds.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The stiffest square of A over the upper quartile: how many digits a stiff spring or a light mass costs. A quarter
    /// of the squares may be alike, as those of bending are where a string has hardly any tension.
    pub fn spread(&self) -> f64 {
        let squares = self.stiffness.iter().flat_map(|&(first, operator)| {
            let stiff =
                move |(weight, row): (f64, Row)| weight * row.sum(|i, w| square(w / self.root[first + i]));
            operator.squares().map(stiff)
        });
        let mut squares: Vec<f64> = squares.filter(|square| *square > 0.0).collect();
        squares.sort_by(f64::total_cmp);
        match (squares.last(), squares.get(3 * squares.len() / 4)) {
            (Some(stiffest), Some(usual)) => stiffest / usual,
            _ => 1.0,
        }
    }

    /// The number of eigenvalues below λ.
    pub fn count_below(&self, lambda: f64) -> usize {
        self.shifted(lambda).negative()
    }

    /// The eigenvalue of index k, the lowest being 0, to the last bits of the largest one, by bisection on the count.
    pub fn eigenvalue(&self, k: usize) -> f64 {
        let band = &self.matrix.band;
        if band.half_bandwidth() == 0 && self.matrix.far.is_empty() {
            let mut diagonal: Vec<f64> = (0..band.size()).map(|i| band.get(i, i)).collect();
            diagonal.sort_by(f64::total_cmp);
            return diagonal[k];
        }
        // A little more than [0, bound], since both ends are known to rounding only.
        let (mut low, mut high) = (-f64::EPSILON * self.bound, self.bound * (1.0 + 4.0 * f64::EPSILON));
        // 200 halvings reach the smallest interval between two doubles from any start.
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.count_below(middle) > k { high = middle } else { low = middle }
        }
        high
    }

    /// A − λ, factored.
    pub fn shifted(&self, lambda: f64) -> Shifted<'_> {
        let mut shifted = self.matrix.band.clone();
        (0..shifted.size()).for_each(|i| shifted.add(i, i, -lambda));
        let (band, far) = (shifted.factor(), &self.matrix.far);
        let mut small = Band::zero(far.len(), far.len().saturating_sub(1));
        let mut columns = Vec::with_capacity(far.len());
        for (j, (weight, row)) in far.iter().enumerate() {
            let mut column = vec![0.0; band.size()];
            row.add_scaled(1.0, &mut column);
            band.solve(&mut column);
            small.add(j, j, 1.0 / weight);
            for (i, (_, other)) in far.iter().enumerate().skip(j) {
                small.add(i, j, other.dot(&column));
            }
            columns.push(column);
        }
        Shifted { far, band, columns, small: small.factor() }
    }

    /// A, where it is a band that is narrow enough for eight shifts at once.
    pub(crate) fn narrow_band(&self) -> Option<&Band> {
        let UpdatedBand { band, far } = &self.matrix;
        (far.is_empty() && band.half_bandwidth() <= WIDEST).then_some(band)
    }

    /// √m.
    pub(crate) fn roots(&self) -> &[f64] {
        &self.root
    }

    /// p = K x of eight vectors, and their energies xᵀK x.
    pub(crate) fn forces(&self, x: &[Eight], p: &mut [Eight]) -> Eight {
        let mut energies = Eight::default();
        p.fill(Eight::default());
        for (first, operator) in &self.stiffness {
            eight_products::add(operator, &x[*first..], &mut p[*first..], &mut energies);
        }
        energies
    }

    /// A y.
    pub fn product(&self, y: &[f64]) -> Vec<f64> {
        let (x, mut product) = (self.positions(y), vec![0.0; self.size()]);
        for (first, operator) in &self.stiffness {
            operator.add_product(1.0, &x[*first..], &mut product[*first..]);
        }
        product.iter_mut().zip(&self.root).for_each(|(p, root)| *p /= root);
        product
    }

    /// yᵀA z.
    pub fn form(&self, y: &[f64], z: &[f64]) -> f64 {
        let x = self.positions(y);
        // A quadratic form evaluates each strain once.
        if std::ptr::eq(y, z) {
            return self.stiffness.iter().map(|(first, operator)| operator.form(&x[*first..])).sum();
        }
        let z = self.positions(z);
        self.stiffness.iter().map(|(first, operator)| operator.bilinear(&x[*first..], &z[*first..])).sum()
    }

    /// yⱼᵀA yₖ of all of these, row-major.
    pub fn forms(&self, vectors: &[Vec<f64>]) -> Vec<f64> {
        let n = vectors.len();
        let positions: Vec<Vec<f64>> = vectors.iter().map(|y| self.positions(y)).collect();
        let mut forms = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let (x, z) = (&positions[i], &positions[j]);
                let of = |(first, operator): &(usize, &Operator)| match i == j {
                    true => operator.form(&x[*first..]),
                    false => operator.bilinear(&x[*first..], &z[*first..]),
                };
                let value = self.stiffness.iter().map(of).sum();
                // Both triangles from one value: Jacobi's rotations rely on exact symmetry.
                (forms[i * n + j], forms[j * n + i]) = (value, value);
            }
        }
        forms
    }

    /// Whether every strain of y is a rounding of 0: a rigid motion.
    pub fn rigid(&self, y: &[f64]) -> bool {
        let x = self.positions(y);
        let (mut energy, mut magnitude) = (0.0, 0.0);
        for (first, operator) in &self.stiffness {
            let x = &x[*first..];
            for (weight, row) in operator.squares() {
                energy += weight * square(row.dot(x));
                magnitude += weight * square(row.magnitude(x));
            }
        }
        energy <= NO_STRAIN * NO_STRAIN * magnitude
    }

    /// x = M^(−½)y.
    pub fn positions(&self, y: &[f64]) -> Vec<f64> {
        y.iter().zip(&self.root).map(|(y, root)| y / root).collect()
    }
}

/// A − λ, factored.
#[derive(Debug)]
pub struct Shifted<'a> {
    far: &'a [(f64, Row)],
    /// B − λ.
    band: Factored,
    /// (B − λ)⁻¹C.
    columns: Vec<Vec<f64>>,
    /// W⁻¹ + Cᵀ(B − λ)⁻¹C.
    small: Factored,
}

impl Shifted<'_> {
    /// The number of negative eigenvalues.
    pub fn negative(&self) -> usize {
        let near = self.band.pivots().filter(|pivot| *pivot < 0.0).count();
        // Inertia of the matrix ((B − λ, C), (Cᵀ, −W⁻¹)): its near + far negative eigenvalues are those of A − λ
        // and, from −W⁻¹, one for each coupling.
        let far = self.small.pivots().filter(|pivot| *pivot > 0.0).count();
        // Numbers of absurd size overflow to pivots that are neither, and can leave fewer than there are couplings.
        (near + far).saturating_sub(self.columns.len())
    }

    /// x ← (A − λ)⁻¹x, by Woodbury's formula.
    pub fn solve(&self, x: &mut [f64]) {
        self.band.solve(x);
        if self.far.is_empty() {
            return;
        }
        // The columns are (B − λ)⁻¹C, so that the small system is solved with C·x alone.
        let mut load: Vec<f64> = self.far.iter().map(|(_, row)| row.dot(x)).collect();
        self.small.solve(&mut load);
        for (column, load) in self.columns.iter().zip(load) {
            x.iter_mut().zip(column).for_each(|(x, c)| *x -= load * c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of springs 30 whose ends a far spring joins.
    fn ring(n: usize) -> (Vec<f64>, Operator) {
        let k = 30.0;
        let mut strains: Vec<_> = (1..n).map(|i| (k, Row::Sparse(vec![(i - 1, -1.0), (i, 1.0)]))).collect();
        strains.push((5.0 * k, Row::Sparse(vec![(0, 1.0), (n - 1, -1.0)])));
        strains.push((k, Row::unit(3)));
        ((0..n).map(|i| 0.1 + 0.01 * i as f64).collect(), Operator::Strains(strains))
    }

    /// As with the far spring in a wide band.
    #[test]
    fn far_couplings_are_counted() {
        let n = 40;
        let (mass, stiffness) = ring(n);
        let narrow = Pencil::new(&mass, [(0, &stiffness)]);
        assert_eq!(narrow.matrix.far.len(), 1);
        let mut wide = Pencil::new(&mass, [(0, &stiffness)]);
        let mut band = Band::zero(n, n - 1);
        for i in 0..n {
            (i.saturating_sub(1)..=i).for_each(|j| band.add(i, j, narrow.matrix.band.get(i, j)));
        }
        narrow.matrix.far.iter().for_each(|(w, row)| band.add_square(*w, row));
        wide.matrix = UpdatedBand { band, far: Vec::new() };
        for k in [0, 1, 7, n - 1] {
            let (a, b) = (narrow.eigenvalue(k), wide.eigenvalue(k));
            assert!((a - b).abs() < 1e-12 * narrow.bound, "{k}: {a} {b}");
        }
    }

    /// A thousandfold spring between a hundredfold and a unit mass; without it all squares are alike.
    #[test]
    fn the_spread_is_that_of_the_stiffest_square() {
        let spring = |i: usize, k: f64| (k, Row::Sparse(vec![(i, 1.0), (i + 1, -1.0)]));
        let even = Operator::Strains((0..9).map(|i| spring(i, 2.0)).collect());
        let mut strains: Vec<_> = (0..9).map(|i| spring(i, 2.0)).collect();
        strains[4].0 = 2000.0;
        let (stiff, mut mass) = (Operator::Strains(strains), vec![1.0; 10]);
        assert_eq!(Pencil::new(&mass, [(0, &even)]).spread(), 1.0);
        assert!((Pencil::new(&mass, [(0, &stiff)]).spread() - 1000.0).abs() < 1e-9);
        mass[4] = 1e-2;
        assert!((Pencil::new(&mass, [(0, &stiff)]).spread() - 1000.0 * 101.0 / 2.0).abs() < 1e-8);
        assert_eq!(Pencil::new(&mass, []).spread(), 1.0);
    }

    /// (A − λ)(A − λ)⁻¹b = b between the eigenvalues, where A − λ is indefinite.
    #[test]
    fn shifted_solves() {
        let n = 40;
        let (mass, stiffness) = ring(n);
        let pencil = Pencil::new(&mass, [(0, &stiffness)]);
        let shift = 0.5 * (pencil.eigenvalue(10) + pencil.eigenvalue(11));
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let (shifted, mut y) = (pencil.shifted(shift), b.clone());
        assert_eq!(shifted.negative(), 11);
        shifted.solve(&mut y);
        for ((product, y), b) in pencil.product(&y).iter().zip(&y).zip(&b) {
            assert!((product - shift * y - b).abs() < 1e-10, "{product} {y} {b}");
        }
    }
}
