//! Sums of squares of difference operators on a grid, stored by their stencils.
//!
//!   xᵀOx = Σ_f Σᵢ w_f,ᵢ (e_f,ᵢ)² + Σⱼ wⱼ(cⱼ·x)²,   e_f,ᵢ = Σₖ s_f,ₖ x[first + i·stride + k],   i = 0 … count − 1
//!
//! A family f is one difference operator with the stencil s, the same at every point; the
//! strains cⱼ are those near the ends, where boundary conditions change it. Products go
//! through the strains: differences first, weights after.

use crate::math::square;
use crate::{banded::Band, lanes, row::Row};

/// Points that are worked on at a time: their stresses stay in the nearest cache.
const CHUNK: usize = 64;
/// The longest stencil with loops of its own.
const LONGEST: usize = 4;
/// Fewer equal strains than this are not worth a loop of their own.
const FEWEST: usize = 4;

/// A sum of squares of difference operators.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stencils {
    /// What repeats along the grid.
    pub families: Vec<Family>,
    /// What does not: (weight, strain).
    pub ends: Vec<(f64, Row)>,
}

/// The first coordinates of the strains of one stencil, with their weights.
type Places = Vec<(usize, f64)>;

/// One difference operator at many points.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Family {
    /// The coordinate that `stencil[0]` reads at the first point.
    pub first: usize,
    /// Coordinates from one point to the next.
    pub stride: usize,
    /// s: the weights of consecutive coordinates.
    pub stencil: Vec<f64>,
    /// wᵢ ≥ 0.
    pub weights: Weights,
}

/// The weights of a family, one a point.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Weights {
    /// The same at so many points.
    Uniform(f64, usize),
    /// One a point.
    Each(Vec<f64>),
}

impl Weights {
    /// The number of points.
    pub fn count(&self) -> usize {
        match self {
            Weights::Uniform(_, count) => *count,
            Weights::Each(weights) => weights.len(),
        }
    }

    /// The weight of point i.
    #[inline]
    pub fn get(&self, i: usize) -> f64 {
        match self {
            Weights::Uniform(weight, _) => *weight,
            Weights::Each(weights) => weights[i],
        }
    }
}

impl Stencils {
    /// Finds the families in a list of strains: those of one stencil, in runs that move by one stride.
    pub fn new(strains: &[(f64, Row)]) -> Self {
        let mut groups: Vec<(Vec<f64>, Places)> = Vec::new();
        for (weight, row) in strains {
            // A row without entries has no strain.
            let Some((first, stencil)) = shape(row) else { continue };
            match groups.iter_mut().find(|(known, _)| *known == stencil) {
                Some((_, places)) => places.push((first, *weight)),
                None => groups.push((stencil, vec![(first, *weight)])),
            }
        }
        let mut lattice = Self::default();
        for (stencil, places) in groups {
            lattice.group(&stencil, &places);
        }
        lattice
    }

    /// Adds the strains of one stencil at these places with these weights.
    fn group(&mut self, stencil: &[f64], mut places: &[(usize, f64)]) {
        while let [(first, weight), ..] = places {
            let (count, stride) = run_length(places, stencil.len());
            let (run, rest) = places.split_at(count);
            places = rest;
            if count < FEWEST {
                let entries = |at: usize| {
                    let entries = stencil.iter().enumerate().filter(|(_, s)| **s != 0.0);
                    Row::Sparse(entries.map(|(k, s)| (at + k, *s)).collect())
                };
                self.ends.extend(run.iter().map(|(at, weight)| (*weight, entries(*at))));
                continue;
            }
            // One number for all points is not read from memory again and again.
            let weights = if run.iter().all(|(_, w)| w == weight) {
                Weights::Uniform(*weight, count)
            } else {
                Weights::Each(run.iter().map(|(_, w)| *w).collect())
            };
            self.families.push(Family { first: *first, stride, stencil: stencil.to_vec(), weights });
        }
    }

    /// Every strain with its weight: the families' first.
    pub fn strains(&self) -> impl Iterator<Item = (f64, Row)> + '_ {
        self.families.iter().flat_map(Family::strains).chain(self.ends.iter().cloned())
    }

    /// y += a·O x.
    pub fn add_product(&self, a: f64, x: &[f64], y: &mut [f64]) {
        self.families.iter().for_each(|family| family.add_product(a, x, y));
        for (weight, row) in &self.ends {
            row.add_scaled(a * (weight * row.dot(x)), y);
        }
    }

    /// xᵀO y.
    pub fn bilinear(&self, x: &[f64], y: &[f64]) -> f64 {
        let families: f64 = self.families.iter().map(|family| family.bilinear(x, y)).sum();
        families + self.ends.iter().map(|(w, row)| w * row.dot(x) * row.dot(y)).sum::<f64>()
    }

    /// band += a·O, its first degree of freedom at `offset`.
    pub fn assemble(&self, a: f64, offset: usize, band: &mut Band) {
        for (weight, row) in self.strains() {
            band.add_square(a * weight, &row.moved(offset));
        }
    }

    /// xᵀO x ≥ 0.
    pub fn form(&self, x: &[f64]) -> f64 {
        let families: f64 = self.families.iter().map(|family| family.form(x)).sum();
        families + self.ends.iter().map(|(w, row)| w * square(row.dot(x))).sum::<f64>()
    }

    /// How far from the diagonal its entries reach.
    pub fn half_bandwidth(&self) -> usize {
        let families = self.families.iter().map(|family| family.stencil.len() - 1);
        families.chain(self.ends.iter().map(|(_, row)| row.spread())).max().unwrap_or(0)
    }
}

impl Family {
    /// Every strain with its weight.
    pub(crate) fn strains(&self) -> impl Iterator<Item = (f64, Row)> + '_ {
        (0..self.weights.count()).map(|i| {
            let at = self.first + i * self.stride;
            let entries = self.stencil.iter().enumerate().filter(|(_, s)| **s != 0.0);
            (self.weights.get(i), Row::Sparse(entries.map(|(k, s)| (at + k, *s)).collect()))
        })
    }

    pub(crate) fn add_product(&self, a: f64, x: &[f64], y: &mut [f64]) {
        match (self.stride, self.stencil.as_slice()) {
            (1, &[s0]) => self.gather([s0], a, x, y),
            (1, &[s0, s1]) => self.gather([s0, s1], a, x, y),
            (1, &[s0, s1, s2]) => self.gather([s0, s1, s2], a, x, y),
            (1, &[s0, s1, s2, s3]) => self.gather([s0, s1, s2, s3], a, x, y),
            _ => self.scatter(a, x, y),
        }
    }

    /// y[m] += a Σₖ sₖ w_{m−k} e_{m−k}: each point of y is written once.
    fn gather<const L: usize>(&self, stencil: [f64; L], a: f64, x: &[f64], y: &mut [f64]) {
        let count = self.weights.count();
        let (x, y) = (&x[self.first..][..count + L - 1], &mut y[self.first..][..count + L - 1]);
        let mut reversed = stencil;
        // Point m takes s_k from strain m − k, so that the weights meet the stresses in reverse order.
        reversed.reverse();
        // Strain i stands at i + L − 1 − begin; what lies beyond the ends is 0.
        let mut stresses = [0.0; CHUNK + LONGEST - 1];
        for (chunk, y) in y.chunks_mut(CHUNK).enumerate() {
            let begin = chunk * CHUNK;
            // The strains that act on this chunk, the first of which begins L − 1 coordinates before it.
            let (from, to) = ((begin + 1).saturating_sub(L), (begin + y.len()).min(count));
            let shift = from + L - 1 - begin;
            stresses[..shift].fill(0.0);
            let inside = &mut stresses[shift..shift + to - from];
            let windows = inside.iter_mut().zip(x[from..].windows(L));
            match &self.weights {
                Weights::Uniform(weight, _) => {
                    windows.for_each(|(stress, x)| *stress = a * (weight * strain(&stencil, x)));
                }
                Weights::Each(weights) => {
                    let weighted = windows.zip(&weights[from..]);
                    weighted.for_each(|((stress, x), w)| *stress = a * (w * strain(&stencil, x)));
                }
            }
            stresses[shift + to - from..][..y.len() + L - 1 - (shift + to - from)].fill(0.0);
            for (y, stresses) in y.iter_mut().zip(stresses.windows(L)) {
                // Stresses of neighbours are nearly alike, too, and their differences exact.
                *y += strain(&reversed, stresses);
            }
        }
    }

    fn scatter(&self, a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..self.weights.count() {
            let at = self.first + i * self.stride;
            let stress = a * (self.weights.get(i) * strain(&self.stencil, &x[at..]));
            self.stencil.iter().zip(&mut y[at..]).for_each(|(s, y)| *y += s * stress);
        }
    }

    pub(crate) fn bilinear(&self, x: &[f64], y: &[f64]) -> f64 {
        match (self.stride, self.stencil.as_slice()) {
            (1, &[s0]) => self.product([s0], x, y),
            (1, &[s0, s1]) => self.product([s0, s1], x, y),
            (1, &[s0, s1, s2]) => self.product([s0, s1, s2], x, y),
            (stride, stencil) => {
                let at = |i: usize| self.first + i * stride;
                // The product of strains first: exchanging x and y does not change the bits.
                let each =
                    |i| self.weights.get(i) * (strain(stencil, &x[at(i)..]) * strain(stencil, &y[at(i)..]));
                lanes::sum(self.weights.count(), each)
            }
        }
    }

    fn product<const L: usize>(&self, stencil: [f64; L], x: &[f64], y: &[f64]) -> f64 {
        let reach = self.weights.count() + L - 1;
        let (x, y) = (&x[self.first..][..reach], &y[self.first..][..reach]);
        let e = |x: &[f64], i: usize| strain(&stencil, &x[i..i + L]);
        match &self.weights {
            Weights::Uniform(weight, count) => weight * lanes::sum(*count, |i| e(x, i) * e(y, i)),
            Weights::Each(weights) => lanes::sum(weights.len(), |i| weights[i] * (e(x, i) * e(y, i))),
        }
    }

    fn form(&self, x: &[f64]) -> f64 {
        match (self.stride, self.stencil.as_slice()) {
            (1, &[s0]) => self.square([s0], x),
            (1, &[s0, s1]) => self.square([s0, s1], x),
            (1, &[s0, s1, s2]) => self.square([s0, s1, s2], x),
            _ => self.bilinear(x, x),
        }
    }

    fn square<const L: usize>(&self, stencil: [f64; L], x: &[f64]) -> f64 {
        let x = &x[self.first..][..self.weights.count() + L - 1];
        let e = |i: usize| strain(&stencil, &x[i..i + L]);
        match &self.weights {
            Weights::Uniform(weight, count) => weight * lanes::sum(*count, |i| e(i) * e(i)),
            Weights::Each(weights) => lanes::sum(weights.len(), |i| weights[i] * (e(i) * e(i))),
        }
    }
}

/// Σₖ sₖ xₖ as Σₖ sₖ (xₖ − x_c) + x_c Σₖ sₖ, c the middle: between neighbours that are nearly alike the differences
/// are exact, where the products would each be rounded to eps of the whole. A middle that hardly counts (of a central
/// difference, of two fields) is left as it is.
#[inline(always)]
fn strain(stencil: &[f64], x: &[f64]) -> f64 {
    if !centred(stencil) {
        return stencil.iter().zip(x).map(|(s, x)| s * x).sum();
    }
    let centre = x[stencil.len() / 2];
    let differences = stencil.iter().zip(x).map(|(s, x)| s * (x - centre)).sum::<f64>();
    differences + stencil.iter().sum::<f64>() * centre
}

/// Whether the middle weight is the largest, so that strains are taken of the differences from it.
#[inline(always)]
pub(crate) fn centred(stencil: &[f64]) -> bool {
    let middle = stencil.len() / 2;
    // Equal magnitudes do not count as larger: (−1, 1) is centred.
    !stencil.iter().any(|s| s.abs() > stencil[middle].abs())
}

/// First coordinate and dense stencil of a row; `None` where it reads nothing.
fn shape(row: &Row) -> Option<(usize, Vec<f64>)> {
    let first = row.entries().map(|(i, _)| i).min()?;
    let mut stencil = vec![0.0; row.spread() + 1];
    // A row may have several entries for one coordinate.
    row.entries().for_each(|(i, w)| stencil[i - first] += w);
    Some((first, stencil))
}

/// How many of the first places follow each other by one stride, of at most a stencil's length, and that stride.
fn run_length(places: &[(usize, f64)], longest: usize) -> (usize, usize) {
    let [(first, _), (second, _), ..] = places else { return (1, 1) };
    // A place before the first wraps to a stride that is refused as too long.
    let stride = second.wrapping_sub(*first);
    if stride == 0 || stride > longest {
        return (1, 1);
    }
    let fits = |(i, (at, _)): &(usize, &(usize, f64))| *at == first + i * stride;
    (places.iter().enumerate().take_while(fits).count(), stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::Operator;

    /// Second differences of n points between fixed ends, every other family weighted by its place.
    fn strains(n: usize, weight: impl Fn(usize) -> f64) -> Vec<(f64, Row)> {
        let mut strains = vec![(0.5, Row::Sparse(vec![(0, -2.0), (1, 1.0)]))];
        let inner = (1..n - 1).map(|i| (weight(i), Row::Sparse(vec![(i - 1, 1.0), (i, -2.0), (i + 1, 1.0)])));
        strains.extend(inner);
        strains.push((0.5, Row::Sparse(vec![(n - 2, 1.0), (n - 1, -2.0)])));
        strains
    }

    #[test]
    fn families_are_found_and_do_what_their_strains_do() {
        for (n, uniform) in [(30, true), (30, false), (9, true)] {
            let list = strains(n, |i| if uniform { 2.0 } else { 1.0 + i as f64 });
            let lattice = Stencils::new(&list);
            assert_eq!((lattice.families.len(), lattice.ends.len()), (1, 2));
            let naive = Operator::Strains(list.clone());
            assert_eq!(lattice.half_bandwidth(), naive.half_bandwidth());
            let x: Vec<f64> = (0..n).map(|i| ((i * i) as f64 * 0.7).sin()).collect();
            let y: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).cos()).collect();
            let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
            lattice.add_product(3.0, &x, &mut a);
            naive.add_product(3.0, &x, &mut b);
            // A few roundings of sums of size 400.
            a.iter().zip(&b).for_each(|(a, b)| assert!((a - b).abs() < 1e-11, "{a} {b}"));
            let (p, q) = (lattice.bilinear(&x, &y), naive.bilinear(&x, &y));
            assert!((p - q).abs() < 1e-10, "{p} {q}");
            assert_eq!(lattice.strains().count(), list.len());
        }
    }

    #[test]
    fn strides_and_gaps() {
        let list: Vec<_> =
            (0..6).map(|i| (1.0, Row::Sparse(vec![(2 * i, -1.0), (2 * i + 2, 1.0)]))).collect();
        let lattice = Stencils::new(&list);
        assert_eq!(lattice.families[0].stencil, [-1.0, 0.0, 1.0]);
        assert_eq!(lattice.families[0].stride, 2);
        let x: Vec<f64> = (0..13).map(f64::from).collect();
        assert_eq!(lattice.bilinear(&x, &x), 24.0);
        let mut y = vec![0.0; 13];
        lattice.add_product(1.0, &x, &mut y);
        assert_eq!((y[0], y[6], y[12]), (-2.0, 0.0, 2.0));
    }
}
