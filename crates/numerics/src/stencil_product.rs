//! Products with operators of difference stencils, and their quadratic forms, a chunk of points at a time in lanes.
//!
//!   y += a Σ w σ² Cᵀ(C x),   xᵀOy = Σ w σ² (C x)(C y)
//!
//! C are stencils of whole numbers, σ their factor (`shape.rs`): a strain is a difference of coordinates, which between
//! neighbours that are nearly alike is exact. All families of a chunk are applied while it stays in the nearest cache. The strains
//! of a family are summed up in the order of [`lanes::sum`]. Stencils of other numbers and single strains are those of
//! [`crate::stencils`], whose products are the same but for rounding.

use crate::{
    double::Double,
    lanes,
    operator::Operator,
    row::Row,
    shape::{CHUNK, REACH, Shape, WIDE, by_shape, window},
    stencils::{Family, Weights},
};
use std::ops::Range;

/// The strains that act on a chunk.
const STRAINS: usize = CHUNK + REACH;

/// An operator, ready to be multiplied.
#[derive(Clone, Debug)]
pub struct StencilProduct {
    families: Vec<ShapedFamily>,
    /// Families of other stencils.
    others: Vec<Family>,
    rest: Rest,
}

/// What is no family.
#[derive(Clone, Debug)]
enum Rest {
    Diagonal(Vec<f64>),
    /// Single strains with their weights.
    Rows(Vec<(f64, Row)>),
}

/// Equal stencils along the coordinates, with w σ², one if they are all the same.
#[derive(Clone, Debug)]
struct ShapedFamily {
    shape: Shape,
    /// The first coordinates of its strains.
    places: Range<usize>,
    weights: Vec<f64>,
}

impl StencilProduct {
    /// The products of this operator.
    pub fn new(operator: &Operator) -> Self {
        let (mut families, mut others) = (Vec::new(), Vec::new());
        let rest = match operator {
            Operator::Diagonal(diagonal) => Rest::Diagonal(diagonal.clone()),
            Operator::Stencils(stencils) => {
                for family in &stencils.families {
                    match Shape::of(&family.stencil) {
                        // Strains of other strides are not a window that moves by one coordinate.
                        Some((shape, factor)) if family.stride == 1 => families.push(ShapedFamily {
                            shape,
                            places: family.first..family.first + family.weights.count(),
                            weights: match &family.weights {
                                Weights::Uniform(w, _) => vec![w * (factor * factor)],
                                Weights::Each(weights) => {
                                    weights.iter().map(|w| w * (factor * factor)).collect()
                                }
                            },
                        }),
                        _ => others.push(family.clone()),
                    }
                }
                Rest::Rows(stencils.ends.iter().cloned().map(by_whole_numbers).collect())
            }
            Operator::Zero | Operator::Strains(_) => {
                Rest::Rows(operator.squares().map(by_whole_numbers).collect())
            }
        };
        Self { families, others, rest }
    }

    /// y += a·O x.
    #[inline(always)]
    pub fn add(&self, a: f64, x: &[f64], y: &mut [f64]) {
        if !self.families.is_empty() {
            let (mut points, mut stress, n) = ([0.0; WIDE], [0.0; STRAINS], x.len());
            for begin in (0..n).step_by(CHUNK) {
                load(x, begin, &mut points);
                // The forces of all families are added up before y is touched: each point of y is read and written once.
                let mut force = [0.0; CHUNK];
                for family in &self.families {
                    family.add(begin, &points, &mut stress, &mut force);
                }
                for (y, force) in y[begin..n.min(begin + CHUNK)].iter_mut().zip(&force) {
                    *y += a * force;
                }
            }
        }
        for family in &self.others {
            family.add_product(a, x, y);
        }
        match &self.rest {
            Rest::Diagonal(diagonal) => {
                for ((y, x), k) in y.iter_mut().zip(x).zip(diagonal) {
                    *y += a * (k * x);
                }
            }
            Rest::Rows(rows) => {
                for (weight, row) in rows {
                    row.add_scaled(a * (weight * row.dot(x)), y);
                }
            }
        }
    }

    /// xᵀO x ≥ 0.
    #[inline(always)]
    pub fn form(&self, x: &[f64]) -> f64 {
        self.bilinear(x, x)
    }

    /// xᵀO y.
    #[inline(always)]
    pub fn bilinear(&self, x: &[f64], y: &[f64]) -> f64 {
        // Few terms of very different size: compensated, the sum is rounded once.
        let mut sum = Double::default();
        for family in &self.families {
            sum += Double::from(family.bilinear(x, y));
        }
        for family in &self.others {
            sum += Double::from(family.bilinear(x, y));
        }
        sum += Double::from(match &self.rest {
            Rest::Diagonal(diagonal) => lanes::sum(diagonal.len(), |i| diagonal[i] * (x[i] * y[i])),
            Rest::Rows(rows) => rows.iter().map(|(w, row)| w * (row.dot(x) * row.dot(y))).sum(),
        });
        sum.rounded()
    }
}

/// w(c·x)² = wσ²(c/σ·x)², where c/σ are whole numbers for the least |c| as σ: as of [`Shape`], differences are then exact. c x itself
/// is rounded relative to x, which is much more than a strain where an end of a bar has moved far.
fn by_whole_numbers((weight, row): (f64, Row)) -> (f64, Row) {
    let Row::Sparse(entries) = &row else { return (weight, row) };
    let least = entries.iter().map(|(_, c)| c.abs()).filter(|c| *c > 0.0).fold(f64::INFINITY, f64::min);
    let whole: Vec<(usize, f64)> = entries.iter().map(|&(i, c)| (i, c / least)).collect();
    match least.is_finite() && whole.iter().all(|(_, c)| c.fract() == 0.0) {
        true => (weight * (least * least), Row::Sparse(whole)),
        false => (weight, row),
    }
}

impl ShapedFamily {
    /// Its strains that act on a chunk: from and up to which number, of those from `REACH` coordinates before it on.
    #[inline(always)]
    fn strains(&self, begin: usize) -> (usize, usize) {
        // Places outside of the chunk's window are moved to its ends.
        let place = |first: usize| (first + REACH).saturating_sub(begin).min(STRAINS);
        (place(self.places.start), place(self.places.end))
    }

    /// The weights from the first of these strains on.
    #[inline(always)]
    fn weights(&self, begin: usize, from: usize) -> &[f64] {
        &self.weights[begin + from - REACH - self.places.start..]
    }

    #[inline(always)]
    fn add(&self, begin: usize, x: &[f64; WIDE], stress: &mut [f64; STRAINS], force: &mut [f64; CHUNK]) {
        let (from, to) = self.strains(begin);
        if from < to {
            by_shape!(self.shape, |strain, push| self.add_shape(
                (begin, from, to),
                x,
                stress,
                force,
                strain,
                push
            ));
        }
    }

    #[inline(always)]
    fn add_shape(
        &self,
        (begin, from, to): (usize, usize, usize),
        x: &[f64; WIDE],
        stress: &mut [f64; STRAINS],
        force: &mut [f64; CHUNK],
        strain: impl Fn(f64, f64, f64) -> f64,
        push: impl Fn(f64, f64, f64) -> f64,
    ) {
        if let [weight] = self.weights[..] {
            // All strains of the window, whether they exist or not: loops of a fixed length run in lanes.
            // Those beyond the ends are set to 0 below.
            for p in 0..STRAINS {
                stress[p] = weight * strain(x[p], x[p + 1], x[p + 2]);
            }
        } else {
            for (p, weight) in (from..to).zip(self.weights(begin, from)) {
                stress[p] = weight * strain(x[p], x[p + 1], x[p + 2]);
            }
        }
        stress[..from].fill(0.0);
        stress[to..].fill(0.0);
        for i in 0..CHUNK {
            force[i] += push(stress[i], stress[i + 1], stress[i + 2]);
        }
    }

    /// What its strains add to xᵀO y.
    #[inline(always)]
    fn bilinear(&self, x: &[f64], y: &[f64]) -> f64 {
        by_shape!(self.shape, |strain, _push| self.bilinear_of(x, y, strain))
    }

    #[inline(always)]
    fn bilinear_of(&self, x: &[f64], y: &[f64], strain: impl Fn(f64, f64, f64) -> f64) -> f64 {
        // What a shape does not read may be any coordinate.
        let [x0, x1, x2] = self.read(x);
        match (&self.weights[..], std::ptr::eq(x, y)) {
            ([weight], true) => {
                // Each strain of a quadratic form is evaluated once.
                let square = |[a, b, c]: [f64; 3]| {
                    let strain = strain(a, b, c);
                    strain * strain
                };
                weight * lanes::sum_of([x0, x1, x2], square)
            }
            ([weight], false) => {
                let [y0, y1, y2] = self.read(y);
                let product = |[a, b, c, d, e, f]: [f64; 6]| strain(a, b, c) * strain(d, e, f);
                weight * lanes::sum_of([x0, x1, x2, y0, y1, y2], product)
            }
            (weights, _) => {
                let [y0, y1, y2] = self.read(y);
                let product = |[w, a, b, c, d, e, f]: [f64; 7]| strain(a, b, c) * strain(d, e, f) * w;
                lanes::sum_of([weights, x0, x1, x2, y0, y1, y2], product)
            }
        }
    }

    /// The first, second and third coordinates of its strains, the last of those that there are again for others.
    #[inline(always)]
    fn read<'a>(&self, x: &'a [f64]) -> [&'a [f64]; 3] {
        [0, 1, 2].map(|d| &x[self.places.start + d.min(self.shape.width() - 1)..][..self.places.len()])
    }
}

/// x from `REACH` coordinates before `begin` on, 0 beyond the ends.
#[inline(always)]
fn load(x: &[f64], begin: usize, points: &mut [f64; WIDE]) {
    let (given, places) = window(begin, x.len());
    points[..places.start].fill(0.0);
    points[places.end..].fill(0.0);
    points[places].copy_from_slice(&x[given]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stencils::Stencils;

    /// Strains of all shapes, one of another, and a single one.
    fn operator(n: usize, weight: impl Fn(usize) -> f64) -> Operator {
        let mut strains: Vec<(f64, Row)> = vec![(0.3, Row::Sparse(vec![(0, -2.1), (n - 1, 1.0)]))];
        let stencils: [&[f64]; 5] =
            [&[1.0], &[-3.7, 3.7], &[-0.3, 0.0, 0.3], &[3.7, -7.4, 3.7], &[0.1, 0.4, -0.3]];
        for (k, stencil) in stencils.into_iter().enumerate() {
            // Families that begin and end in all places of a chunk.
            for i in k..=n - stencil.len() - k {
                let entries = stencil.iter().enumerate().filter(|(_, s)| **s != 0.0);
                let row = Row::Sparse(entries.map(|(j, s)| (i + j, *s)).collect());
                strains.push((weight(i) / (k + 1) as f64, row));
            }
        }
        Operator::Stencils(Stencils::new(&strains))
    }

    #[test]
    fn agrees_with_the_operator() {
        for n in [16, 62, 63, 64, 65, 66, 67, 68, 69, 130, 300] {
            for uniform in [true, false] {
                let operator = operator(n, |i| if uniform { 1.7 } else { 1.0 + (i as f64 * 0.3).sin() });
                let product = StencilProduct::new(&operator);
                let shaped = product.families.len();
                assert_eq!((shaped, product.others.len()), (4, 1));
                let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin()).collect();
                let z: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).cos()).collect();
                let (mut expected, mut found) = (z.clone(), z.clone());
                operator.add_product(-0.7, &x, &mut expected);
                product.add(-0.7, &x, &mut found);
                let near = |a: f64, b: f64, size: f64| (a - b).abs() < 1e-13 * size;
                for (i, (a, b)) in expected.iter().zip(&found).enumerate() {
                    assert!(near(*a, *b, 300.0), "{n} {uniform} {i}: {a} {b}");
                }
                let (a, b) = (operator.form(&x), product.form(&x));
                assert!(near(a, b, a), "{n} {uniform}: {a} {b}");
                let (a, b) = (operator.bilinear(&x, &z), product.bilinear(&x, &z));
                assert!(near(a, b, 300.0 * n as f64), "{n} {uniform}: {a} {b}");
            }
        }
    }

    #[test]
    fn a_diagonal_is_one() {
        let product = StencilProduct::new(&Operator::Diagonal(vec![2.0, 0.5]));
        let mut y = [1.0; 2];
        product.add(3.0, &[1.0, -4.0], &mut y);
        assert_eq!(y, [7.0, -5.0]);
        assert_eq!(product.form(&[1.0, -4.0]), 10.0);
    }
}
