//! The linear accelerations of explicit schemes, row by row: v⁺ = v − h M⁻¹(K q + R v).
//!
//! K and R are assembled once and divided by the mass, and applied to differences of coordinates,
//!
//!   (K q)ᵢ = sᵢqᵢ + Σ_j Kᵢⱼ(qⱼ − qᵢ),   sᵢ = Σ_j Kᵢⱼ = (K 1)ᵢ
//!
//! s by the strains, which a common displacement leaves at exactly 0: rounded weights times positions would pull a free body
//! back, and add the same δ(ω²) to each of its modes. Where the rows of a body repeat to the last bit, as they do
//! inside a uniform grid, one stencil serves them all; elsewhere every row has its own. The loops are compiled for
//! several processors and chosen when a stepper is prepared; sums run in eight lanes and nothing is fused, so that
//! the bits are the same on all of them ([`mod@stencil`]). What R takes is exact for the kick as it is made,
//!
//!   h Σ (R v)ᵢ (vᵢ + vᵢ⁺)/2
//!
//! Springs between far coordinates stay single rows.

use crate::{
    instructions,
    stencil::{self, LANES, REACH},
};
use fearless_simd::{Level, Simd, dispatch};
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
    level: Level,
    spans: Vec<Span>,
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
    /// One symmetric stencil: the sums of the rows, the weights of distance 1, 2, 3, and how far K and R reach.
    Stencil { spring: [f64; REACH + 1], damper: [f64; REACH + 1], mass: f64, reach: (usize, usize) },
    /// Row by row: the weights of K and R for the coordinates i − half … i + half, in the middle the sums of the rows.
    Own { weights: Vec<(f64, f64)>, half: usize },
}

impl Accelerations {
    /// The kicks of `springs` and `dampers` of a system.
    pub fn new(system: &System, springs: bool, dampers: bool) -> Self {
        let n = system.size();
        let (stiffness, spring_sums, far_springs) = split(system, |block| &block.stiffness, springs);
        let (damping, damper_sums, far_dampers) = split(system, |block| &block.damping, dampers);
        let half = stiffness.half_bandwidth().max(damping.half_bandwidth());
        let row = |band: &Band, sums: &[f64], i: usize| -> Vec<f64> {
            let at = |d: usize| match (i + d).checked_sub(half).filter(|&j| j < n) {
                None => 0.0,
                Some(j) if j == i => sums[i] / system.mass[i],
                Some(j) => band.get(i.max(j), i.min(j)) / system.mass[i],
            };
            (0..=2 * half).map(at).collect()
        };
        let both =
            |i: usize| (row(&stiffness, &spring_sums, i), row(&damping, &damper_sums, i), system.mass[i]);
        let rows: Vec<(Vec<f64>, Vec<f64>, f64)> = (0..n).map(both).collect();
        let mut spans = Vec::new();
        let mut first = 0;
        while first < n {
            let equal = rows[first..].iter().take_while(|row| **row == rows[first]).count();
            let (spring, damper, mass) = &rows[first];
            let kind = if spring.iter().chain(damper).all(|w| *w == 0.0) {
                Some(Kind::Still)
            } else {
                let (k, r) = (symmetric(spring, half), symmetric(damper, half));
                let both = k.zip(r).filter(|_| equal >= FEWEST);
                both.map(|((spring, k), (damper, r))| Kind::Stencil {
                    spring,
                    damper,
                    mass: *mass,
                    reach: (k, r),
                })
            };
            match kind {
                Some(kind) => {
                    spans.push(Span { rows: first..first + equal, kind });
                    first += equal;
                }
                None => {
                    let own = spring.iter().copied().zip(damper.iter().copied());
                    match spans.last_mut() {
                        Some(Span { rows, kind: Kind::Own { weights, .. } }) => {
                            rows.end += 1;
                            weights.extend(own);
                        }
                        _ => {
                            let kind = Kind::Own { weights: own.collect(), half };
                            spans.push(Span { rows: first..first + 1, kind });
                        }
                    }
                    first += 1;
                }
            }
        }
        Self { level: instructions::level(), spans, far_springs, far_dampers, mass: system.mass.clone() }
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
                Kind::Stencil { spring, damper, .. } => (stencil(spring), stencil(damper)),
                Kind::Own { weights, half } => {
                    let rows = weights.chunks(2 * half + 1).map(|row| {
                        let (middle, sides) = (row[*half], [&row[..*half], &row[half + 1..]].concat());
                        let of =
                            |part: fn(&(f64, f64)) -> &f64| sum(*part(&middle), &mut sides.iter().map(part));
                        (of(|pair| &pair.0), of(|pair| &pair.1))
                    });
                    rows.fold((0.0, 0.0), |(k, r): (f64, f64), (spring, damper)| {
                        (k.max(spring), r.max(damper))
                    })
                }
            };
            (springs, dampers) = (springs.max(k), dampers.max(r));
        }
        let far =
            |rows: &[(f64, Row)]| rows.iter().map(|(weight, row)| weight * self.mobility(row)).sum::<f64>();
        (springs + far(&self.far_springs), dampers + far(&self.far_dampers))
    }

    /// cᵀM⁻¹c.
    pub fn mobility(&self, row: &Row) -> f64 {
        row.entries().map(|(i, w)| w * w / self.mass[i]).sum()
    }

    /// `next` = v − h M⁻¹(K q + R v); returns what R took.
    pub fn kick(&self, h: f64, q: &[f64], v: &[f64], next: &mut [f64]) -> f64 {
        let mut dissipated = dispatch!(self.level, simd => self.near(simd, h, (q, v), next));
        for (weight, row) in &self.far_springs {
            self.pull(row, h * weight * row.dot(q), next);
        }
        for (weight, row) in &self.far_dampers {
            let (force, before) = (h * weight * row.dot(v), row.dot(next));
            self.pull(row, force, next);
            dissipated += 0.5 * force * (before + row.dot(next));
        }
        dissipated
    }

    /// The kick of all but the far ones.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, h: f64, (q, v): (&[f64], &[f64]), next: &mut [f64]) -> f64 {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut dissipated = 0.0;
                for span in &self.spans {
                    dissipated += span.kick(simd, h, (q, v), next, &self.mass);
                }
                dissipated
            },
        )
    }

    /// c·M⁻¹R v.
    pub fn damping_along(&self, row: &Row, v: &[f64]) -> f64 {
        let near = |i: usize| {
            let span = self.spans.iter().find(|span| span.rows.contains(&i));
            span.map_or(0.0, |span| span.damping(i, v))
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

    /// q += h v.
    pub fn drift(&self, h: f64, v: &[f64], q: &mut [f64]) {
        dispatch!(self.level, simd => drift(simd, h, v, q));
    }
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

#[inline(always)]
fn drift<S: Simd>(simd: S, h: f64, v: &[f64], q: &mut [f64]) {
    simd.vectorize(
        #[inline(always)]
        || q.iter_mut().zip(v).for_each(|(q, v)| *q += h * v),
    );
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
fn symmetric(row: &[f64], half: usize) -> Option<([f64; REACH + 1], usize)> {
    let mut weights = [0.0; REACH + 1];
    let mut reach = 0;
    for d in 0..=half {
        let (left, right) = (row[half - d], row[half + d]);
        if left != right || (d > REACH && left != 0.0) {
            return None;
        }
        if left != 0.0 {
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
            Kind::Stencil { damper, reach, .. } => {
                let sides = (1..=reach.1).map(|d| damper[d] * ((v[i - d] - v[i]) + (v[i + d] - v[i])));
                damper[0] * v[i] + sides.sum::<f64>()
            }
            Kind::Own { weights, half } => {
                let width = 2 * half + 1;
                products(&weights[(i - self.rows.start) * width..][..width], i, *half, (v, v)).1
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
            Kind::Stencil { spring, damper, mass, reach } => {
                let dissipated = stencil::kick(simd, *reach, h, (spring, damper), (q, v), next, rows);
                0.5 * h * mass * dissipated
            }
            Kind::Own { weights, half } => {
                let mut dissipated = 0.0;
                for (i, row) in rows.zip(weights.chunks_exact(2 * half + 1)) {
                    let (pull, loss) = products(row, i, *half, (q, v));
                    next[i] = v[i] - h * (pull + loss);
                    dissipated += mass[i] * (loss * (v[i] + next[i]));
                }
                0.5 * h * dissipated
            }
        }
    }
}

/// kᵢqᵢ + Σ kⱼ(qⱼ − qᵢ) and the same of r and v over j = i − half … i + half, j ≠ i, where they exist; kᵢ and rᵢ are the sums
/// of the rows.
#[inline(always)]
fn products(row: &[(f64, f64)], i: usize, half: usize, (q, v): (&[f64], &[f64])) -> (f64, f64) {
    let first = i.saturating_sub(half);
    let (mut pull, mut loss) = (0.0, 0.0);
    let (middle, own) = (row[half], (q[i], v[i]));
    for ((k, r), (q, v)) in row[first + half - i..].iter().zip(q[first..].iter().zip(&v[first..])) {
        // Of the row itself the difference is 0.
        pull += k * (q - own.0);
        loss += r * (v - own.1);
    }
    pull += middle.0 * own.0;
    loss += middle.1 * own.1;
    (pull, loss)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// A common displacement makes no force at all, and forces of a bent free beam add up to their roundings: n of them
    /// of 10 products of 2⁻⁵³ of the largest each. Weights times positions would leave eps·6k/m·q.
    #[test]
    fn a_free_beam_keeps_its_momentum() {
        let (n, h) = (100, 1e-5);
        let kicks = Accelerations::new(&beam(n), true, false);
        let mut next = vec![0.0; n];
        kicks.kick(h, &vec![0.1; n], &vec![0.0; n], &mut next);
        assert_eq!(next, vec![0.0; n]);
        let bent: Vec<f64> = (0..n).map(|i| 0.1 + 1e-6 * (0.01 * (i * i) as f64).sin()).collect();
        kicks.kick(h, &bent, &vec![0.0; n], &mut next);
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
