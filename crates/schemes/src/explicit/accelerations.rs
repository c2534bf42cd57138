//! The linear accelerations of explicit schemes, row by row: v⁺ = v − h M⁻¹(K q + R v).
//!
//! K and R are assembled once and divided by the mass, and applied to differences of coordinates,
//!
//!   (K q)ᵢ = sᵢqᵢ + Σ_j Kᵢⱼ(qⱼ − qᵢ),   sᵢ = Σ_j Kᵢⱼ = (K 1)ᵢ
//!
//! s by the strains, which a common displacement leaves at exactly 0: rounded weights times positions would pull a free body
//! back, and add the same δ(ω²) to each of its modes. Where the rows of a body repeat to the last bit, as they do
//! inside a uniform grid, one stencil serves them all; elsewhere every row has its own. The loops are compiled for
//! several processors; sums run in eight lanes and nothing is fused, so that the bits are the same on all of them
//! ([`mod@stencil`]). What R takes is exact for the kick as it is made,
//!
//!   h Σ (R v)ᵢ (vᵢ + vᵢ⁺)/2
//!
//! Springs between far coordinates stay single rows.

use crate::explicit::{
    row_block::RowBlock,
    stencil::{self, LANES, REACH, Weights},
};
use fearless_simd::Simd;
use hamiltone_core::{
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::banded::Band;
use std::ops::Range;

/// Strains that reach farther are kept as rows of their own: a thick bar's, the widest stencil of a body, reaches 5
/// coordinates. Products cost in proportion to the band, so the reserve here is smaller than that of a factored band
/// (`woodbury.rs`), in which a far strain costs a solve.
const NARROW: usize = 6;
/// Equal rows that are worth a loop of their own.
const FEWEST: usize = 2 * LANES;

/// M⁻¹K and M⁻¹R.
#[derive(Clone, Debug)]
pub(crate) struct Accelerations {
    spans: Vec<Span>,
    /// How far the rows reach.
    half: usize,
    far_springs: Vec<(f64, Row)>,
    far_dampers: Vec<(f64, Row)>,
    mass: Vec<f64>,
}

/// Rows of one kind.
#[derive(Clone, Debug)]
struct Span {
    rows: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// No springs and no dampers.
    Still,
    /// One symmetric row each of K and R, and how far it reaches.
    Stencil { spring: (Weights, usize), damper: (Weights, usize), mass: f64 },
    /// Row by row: the weights for the coordinates i − half … i + half, in the middle the sums of the rows; and the same in lanes.
    Own { springs: Vec<f64>, dampers: Vec<f64>, half: usize, blocks: Vec<RowBlock> },
}

impl Accelerations {
    /// The kicks of `springs` and `dampers` of a system.
    pub fn new(system: &System, springs: bool, dampers: bool) -> Self {
        let n = system.size();
        let (stiffness, spring_sums, far_springs) = split(system, |block| &block.stiffness, springs);
        let (damping, damper_sums, far_dampers) = split(system, |block| &block.damping, dampers);
        // One reach for both, so that K and R share one loop over neighbours.
        let half = stiffness.half_bandwidth().max(damping.half_bandwidth());
        let row = |band: &Band, sums: &[f64], i: usize| -> Vec<f64> {
            let at = |d: usize| match (i + d).checked_sub(half).filter(|&j| j < n) {
                None => 0.0,
                Some(j) if j == i => sums[i] / system.mass[i],
                Some(j) => band.get(i.max(j), i.min(j)) / system.mass[i],
            };
            (0..=2 * half).map(at).collect()
        };
        let rows = (0..n).map(|i| (row(&stiffness, &spring_sums, i), row(&damping, &damper_sums, i)));
        let spans = spans(rows, half, &system.mass);
        Self { spans, half, far_springs, far_dampers, mass: system.mass.clone() }
    }

    /// Given accelerations of springs: of each coordinate the weights of the coordinates i − half … i + half, and in the
    /// middle their sum.
    pub fn of_rows(rows: &[f64], half: usize, mass: &[f64]) -> Self {
        let width = 2 * half + 1;
        let rows = rows.chunks_exact(width).map(|row| (row.to_vec(), vec![0.0; width]));
        let spans = spans(rows, half, mass);
        Self { spans, half, far_springs: Vec::new(), far_dampers: Vec::new(), mass: mass.to_vec() }
    }

    /// How far the rows reach; `None` with springs or dampers between far coordinates.
    pub fn half(&self) -> Option<usize> {
        (self.far_springs.is_empty() && self.far_dampers.is_empty()).then_some(self.half)
    }

    /// Upper bounds of the largest eigenvalues of M⁻¹K, 1/s², and M⁻¹R, 1/s: Gershgorin's, and weight·cᵀM⁻¹c for
    /// the far ones.
    pub fn bounds(&self) -> (f64, f64) {
        // |Kᵢᵢ| = |sᵢ − Σ Kᵢⱼ| and the |Kᵢⱼ|, j ≠ i.
        let sum = |middle: f64, others: &mut dyn Iterator<Item = &f64>| {
            let (diagonal, sides) = others.fold((middle, 0.0), |(d, s), w| (d - w, s + w.abs()));
            diagonal.abs() + sides
        };
        let stencil = |row: &[f64]| sum(row[0], &mut row[1..].iter().chain(&row[1..]));
        let (mut springs, mut dampers) = (0.0_f64, 0.0_f64);
        for span in &self.spans {
            let (k, r) = match &span.kind {
                Kind::Still => (0.0, 0.0),
                Kind::Stencil { spring, damper, .. } => (stencil(&spring.0), stencil(&damper.0)),
                Kind::Own { springs, dampers, half, .. } => {
                    let of = |row: &[f64]| sum(row[*half], &mut row[..*half].iter().chain(&row[half + 1..]));
                    let largest = |rows: &[f64]| rows.chunks(2 * half + 1).map(of).fold(0.0, f64::max);
                    (largest(springs), largest(dampers))
                }
            };
            (springs, dampers) = (springs.max(k), dampers.max(r));
        }
        let far =
            |rows: &[(f64, Row)]| rows.iter().map(|(weight, row)| weight * self.mobility(row)).sum::<f64>();
        (springs + far(&self.far_springs), dampers + far(&self.far_dampers))
    }

    /// M.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// cᵀM⁻¹c.
    pub fn mobility(&self, row: &Row) -> f64 {
        row.entries().map(|(i, w)| w * w / self.mass[i]).sum()
    }

    /// v −= h M⁻¹K q.
    pub fn push<S: Simd>(&self, simd: S, h: f64, q: &[f64], v: &mut [f64]) {
        simd.vectorize(
            #[inline(always)]
            || {
                for span in &self.spans {
                    span.push(simd, h, q, v);
                }
            },
        );
        for (weight, row) in &self.far_springs {
            self.pull(row, h * weight * row.dot(q), v);
        }
    }

    /// `next` = v − h M⁻¹(K q + R v); returns what R took.
    pub fn kick<S: Simd>(&self, simd: S, h: f64, (q, v): (&[f64], &[f64]), next: &mut [f64]) -> f64 {
        let mut dissipated = simd.vectorize(
            #[inline(always)]
            || {
                let mut dissipated = 0.0;
                for span in &self.spans {
                    dissipated += span.kick(simd, h, (q, v), next, &self.mass);
                }
                dissipated
            },
        );
        for (weight, row) in &self.far_springs {
            self.pull(row, h * weight * row.dot(q), next);
        }
        for (weight, row) in &self.far_dampers {
            let (force, before) = (h * weight * row.dot(v), row.dot(next));
            self.pull(row, force, next);
            // Impulse times the mean velocity: exact for the kick, including what the springs did in it.
            dissipated += 0.5 * force * (before + row.dot(next));
        }
        dissipated
    }

    /// `next` = v − M⁻¹K v, of rows without far ones; returns the kinetic energy that this takes.
    pub fn decay<S: Simd>(&self, simd: S, v: &[f64], next: &mut [f64]) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut dissipated = 0.0;
                for span in &self.spans {
                    dissipated += span.decay(simd, v, next, &self.mass);
                }
                dissipated
            },
        )
    }

    /// c·M⁻¹R v.
    pub fn damping_along(&self, row: &Row, v: &[f64]) -> f64 {
        let near = |i: usize| {
            // They are in order and without gaps.
            let span = self.spans.partition_point(|span| span.rows.end <= i);
            self.spans[span].damping(i, v)
        };
        let far = self.far_dampers.iter().map(|(weight, damper)| {
            let along = |i: usize, w: f64| w * damper.weight(i) / self.mass[i];
            weight * damper.dot(v) * row.sum(along)
        });
        row.sum(|i, w| w * near(i)) + far.sum::<f64>()
    }

    /// v −= impulse·M⁻¹c.
    pub fn pull(&self, row: &Row, impulse: f64, v: &mut [f64]) {
        pull(&self.mass, row, impulse, v);
    }
}

/// Runs of equal rows of K and R.
fn spans(rows: impl Iterator<Item = (Vec<f64>, Vec<f64>)>, half: usize, mass: &[f64]) -> Vec<Span> {
    let rows: Vec<(Vec<f64>, Vec<f64>, f64)> = rows.zip(mass).map(|((k, r), m)| (k, r, *m)).collect();
    let mut spans = Vec::new();
    let mut first = 0;
    while first < rows.len() {
        // Compared to the last bit: an almost equal row would change the system.
        let equal = rows[first..].iter().take_while(|row| **row == rows[first]).count();
        let (spring, damper, mass) = &rows[first];
        let kind = if spring.iter().chain(damper).all(|w| *w == 0.0) {
            Some(Kind::Still)
        } else {
            let both = symmetric(spring, half).zip(symmetric(damper, half)).filter(|_| equal >= FEWEST);
            both.map(|(spring, damper)| Kind::Stencil { spring, damper, mass: *mass })
        };
        match kind {
            Some(kind) => {
                spans.push(Span { rows: first..first + equal, kind });
                first += equal;
            }
            None => {
                match spans.last_mut() {
                    Some(Span { rows, kind: Kind::Own { springs, dampers, .. } }) => {
                        rows.end += 1;
                        // Rows of their own behind each other become one span, which is then cut into blocks of eight lanes.
                        springs.extend(spring);
                        dampers.extend(damper);
                    }
                    _ => {
                        let (springs, dampers) = (spring.clone(), damper.clone());
                        let kind = Kind::Own { springs, dampers, half, blocks: Vec::new() };
                        spans.push(Span { rows: first..first + 1, kind });
                    }
                }
                first += 1;
            }
        }
    }
    for Span { rows: own, kind } in &mut spans {
        if let Kind::Own { springs, dampers, half, blocks } = kind {
            *blocks = RowBlock::all(own.clone(), (springs, dampers), *half, rows.len());
        }
    }
    spans
}

/// v −= impulse·M⁻¹c.
pub(crate) fn pull(mass: &[f64], row: &Row, impulse: f64, v: &mut [f64]) {
    match row {
        Row::Sparse(entries) => entries.iter().for_each(|&(i, w)| v[i] -= impulse * w / mass[i]),
        Row::Dense { first, weights } => {
            for ((v, w), m) in v[*first..].iter_mut().zip(weights).zip(&mass[*first..]) {
                *v -= impulse * w / m;
            }
        }
        Row::Sine(sine) => {
            for ((v, w), m) in v[sine.first..].iter_mut().zip(sine.weights()).zip(&mass[sine.first..]) {
                *v -= impulse * w / m;
            }
        }
    }
}

/// The narrow part of an operator as a band, the sums of its rows, and the far strains.
fn split(
    system: &System,
    part: impl Fn(&Block) -> &Operator,
    wanted: bool,
) -> (Band, Vec<f64>, Vec<(f64, Row)>) {
    let parts = || system.blocks.iter().filter(|_| wanted).map(|block| (block.dofs.start, part(block)));
    let half = parts().map(|(_, operator)| operator.half_bandwidth_within(NARROW)).max().unwrap_or(0);
    let mut band = Band::zero(system.size(), half);
    // Far strains would widen the band to the whole system.
    parts().for_each(|(first, operator)| operator.assemble_within(NARROW, 1.0, first, &mut band));
    let (ones, mut sums) = (vec![1.0; system.size()], vec![0.0; system.size()]);
    for (first, operator) in parts() {
        match operator {
            Operator::Strains(strains) => {
                let near = strains.iter().filter(|(_, row)| row.spread() <= NARROW);
                near.for_each(|(weight, row)| {
                    row.add_scaled(weight * row.dot(&ones[first..]), &mut sums[first..]);
                });
            }
            Operator::Diagonal(weights) => {
                sums[first..].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
            Operator::Zero => {}
            Operator::Stencils(stencils) => stencils.add_product(1.0, &ones[first..], &mut sums[first..]),
        }
    }
    let far = parts().flat_map(|(first, operator)| {
        operator.strains_beyond(NARROW).map(move |(weight, row)| (*weight, row.moved(first)))
    });
    (band, sums, far.collect())
}

/// The sum and the weights of distance 1 … REACH of a symmetric row, and how far it reaches.
fn symmetric(row: &[f64], half: usize) -> Option<(Weights, usize)> {
    let mut weights = [0.0; REACH + 1];
    let mut reach = 0;
    for d in 0..=half {
        let (left, right) = (row[half - d], row[half + d]);
        if left != right || (d > REACH && left != 0.0) {
            return None;
        }
        if left != 0.0 {
            // The reach is that of the last weight that is not 0.
            (weights[d], reach) = (left, d);
        }
    }
    Some((weights, reach))
}

impl Span {
    /// (M⁻¹R v)ᵢ.
    fn damping(&self, i: usize, v: &[f64]) -> f64 {
        match &self.kind {
            Kind::Still => 0.0,
            Kind::Stencil { damper: (damper, reach), .. } => {
                let sides = (1..=*reach).map(|d| damper[d] * ((v[i - d] - v[i]) + (v[i + d] - v[i])));
                damper[0] * v[i] + sides.sum::<f64>()
            }
            Kind::Own { dampers, half, .. } => {
                let width = 2 * half + 1;
                product(&dampers[(i - self.rows.start) * width..][..width], i, *half, v)
            }
        }
    }

    #[inline(always)]
    fn push<S: Simd>(&self, simd: S, h: f64, q: &[f64], v: &mut [f64]) {
        let rows = self.rows.clone();
        match &self.kind {
            Kind::Still => {}
            Kind::Stencil { spring: (weights, reach), .. } => {
                stencil::push(simd, h, (weights, *reach), q, v, rows);
            }
            Kind::Own { blocks, .. } => {
                for block in blocks {
                    block.push(simd, h, q, v);
                }
            }
        }
    }

    #[inline(always)]
    fn kick<S: Simd>(
        &self,
        simd: S,
        h: f64,
        (q, v): (&[f64], &[f64]),
        next: &mut [f64],
        mass: &[f64],
    ) -> f64 {
        let rows = self.rows.clone();
        match &self.kind {
            Kind::Still => {
                next[rows.clone()].copy_from_slice(&v[rows]);
                0.0
            }
            Kind::Stencil { spring: (k, k_reach), damper: (r, r_reach), mass } => {
                let weights = ((k, *k_reach), (r, *r_reach));
                0.5 * mass * stencil::kick(simd, h, weights, (q, v), next, rows)
            }
            Kind::Own { blocks, .. } => {
                let mut dissipated = 0.0;
                for block in blocks {
                    block.kick(simd, h, (q, v), (&mut *next, mass), &mut dissipated);
                }
                0.5 * h * dissipated
            }
        }
    }

    #[inline(always)]
    fn decay<S: Simd>(&self, simd: S, v: &[f64], next: &mut [f64], mass: &[f64]) -> f64 {
        let rows = self.rows.clone();
        match &self.kind {
            Kind::Still => {
                next[rows.clone()].copy_from_slice(&v[rows]);
                0.0
            }
            Kind::Stencil { spring: (weights, reach), mass, .. } => {
                0.5 * mass * stencil::decay(simd, (weights, *reach), v, next, rows)
            }
            Kind::Own { blocks, .. } => {
                let mut dissipated = 0.0;
                for block in blocks {
                    block.decay(simd, v, next, mass, &mut dissipated);
                }
                0.5 * dissipated
            }
        }
    }
}

/// kᵢxᵢ + Σ kⱼ(xⱼ − xᵢ) over j = i − half … i + half, j ≠ i, where they exist; kᵢ is the sum of the row.
#[inline(always)]
fn product(row: &[f64], i: usize, half: usize, x: &[f64]) -> f64 {
    let (mut sum, own) = (0.0, x[i]);
    let (from, to) = (i.saturating_sub(half), x.len().min(i + half + 1));
    let (row_of, x) = (&row[from + half - i..to + half - i], &x[from..to]);
    // Of the row itself the difference is 0.
    for j in 0..x.len().min(row_of.len()) {
        sum += row_of[j] * (x[j] - own);
    }
    sum + row[half] * own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions;
    use fearless_simd::dispatch;

    /// A free beam of point masses: K is a sum of squares of second differences, k = 1/3 so that 6k rounds.
    fn beam(n: usize) -> System {
        let mut system = System::default();
        (0..n).for_each(|_| {
            system.add_dof(0.7, 0.0, 0.0);
        });
        let bend = |i: usize| (1e9 / 3.0, Row::Sparse(vec![(i, 1.0), (i + 1, -2.0), (i + 2, 1.0)]));
        let stiffness = Operator::Strains((0..n - 2).map(bend).collect());
        system.blocks.push(Block { name: "beam".into(), dofs: 0..n, stiffness, damping: Operator::Zero });
        system
    }

    fn push(kicks: &Accelerations, h: f64, q: &[f64], v: &mut [f64]) {
        dispatch!(instructions::level(), simd => kicks.push(simd, h, q, v));
    }

    /// A common displacement makes no force at all, and forces of a bent free beam add up to their roundings: n of them
    /// of 10 products of 2⁻⁵³ of the largest each. Weights times positions would leave eps·6k/m·q.
    #[test]
    fn a_free_beam_keeps_its_momentum() {
        let (n, h) = (100, 1e-5);
        let kicks = Accelerations::new(&beam(n), true, false);
        let mut next = vec![0.0; n];
        push(&kicks, h, &vec![0.1; n], &mut next);
        assert_eq!(next, vec![0.0; n]);
        let bent: Vec<f64> = (0..n).map(|i| 0.1 + 1e-6 * (0.01 * (i * i) as f64).sin()).collect();
        push(&kicks, h, &bent, &mut next);
        let largest = next.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        let sum = next.iter().sum::<f64>();
        assert!(
            largest > 1e-4 && sum.abs() < 10.0 * n as f64 * f64::EPSILON * largest,
            "{sum:e} of {largest:e}"
        );
    }

    /// Gershgorin's bound of the rows [1, −4, 6, −4, 1]k/m: 16k/m.
    #[test]
    fn the_bound_counts_the_diagonal_once() {
        let bound = Accelerations::new(&beam(100), true, false).bounds().0;
        assert!((bound / (16.0 * 1e9 / 3.0 / 0.7) - 1.0).abs() < 8.0 * f64::EPSILON, "{bound}");
    }
}
