//! Damping in the coordinates of modes: its diagonal, and what the rest of it would change.
//!
//!   r_jk = φ_jᵀRφ_k   (1/s, for modes of unit mass)
//!   s² + r_jj s + ω_j² = Σ_k≠j s² r_jk²/(s² + r_kk s + ω_k²)
//!   δs_j ≈ Σ_k≠j ½ω_j r_jk² (ω_j(r_kk − r_jj) + i(ω_k² − ω_j²))/((ω_k² − ω_j²)² + ω_j²(r_kk − r_jj)²)
//!
//! to second order in r_jk, at s ≈ iω_j: the imaginary part δω_j changes the frequency, the real part the decay, to which
//! the next order adds: of one damper, r_jk² = r_jj r_kk, the relative change (δω_j/σ_j)². Of two modes each part is at
//! most |r_jk|/2. In each group of equal frequencies the modes are those that diagonalise R on it, and so in each pair that damping
//! couples far more than its frequencies differ, as a bar and the tube below it: K then has κ ≤ |ω_k² − ω_j²|/2 off its diagonal,
//! where R had r_jk.

use hamiltone_core::{operator::Operator, system::System};
use hamiltone_numerics::math::square;
use hamiltone_numerics::{
    eigenpairs::{self, Eigenpairs},
    jacobi, lanes,
    pencil::Pencil,
};

/// Frequencies whose squares differ by less than this part are one group: modes closer than rounding errors are not distinguished.
const DEGENERATE: f64 = 1e-10;
/// Two modes are a pair where their ω² differ by less than this part of ω|r_jk| and of ω². The damping of the two that R is diagonal for then
/// differs by d ≥ 2|r_jk|, and what is left out, κ ≤ 0.025 ωd/2, changes their decay rates by κ²/2ω²d ≤ 8·10⁻⁵ d.
const CLOSE: f64 = 0.05;
/// Ratios of damping to mass that differ by less than this part are equal: some roundings of both.
const EQUAL: f64 = 8.0 * f64::EPSILON;
/// Couplings below this are rounding.
const UNCOUPLED: f64 = 1e-11;

/// What the damping between modes, which is left out, would change, to the leading orders. r_jj = 2σ_j is all that a mode loses, by laws
/// of frequency and on supports, too: a mode that a damper hardly moves beside its own losses, as the tilt of a bar on its suspension with
/// a link at the middle, is hardly changed by it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeglectedDamping {
    /// The largest |r_jk|/√(r_jj r_kk): 0 where damping is proportional, at most 1.
    pub coupling: f64,
    /// The largest relative change of a frequency, |δω_j|/ω_j.
    pub detuning: f64,
    /// The largest relative change of a decay rate, |δσ_j|/σ_j.
    pub decay: f64,
    /// The largest |κ|/ω_j² between the modes of a pair, which is stiffness that is left out.
    pub mixed: f64,
}

/// The damping of a system in the coordinates of its modes, 1/s.
pub(super) struct Projected {
    /// r_jj of each mode.
    pub own: Vec<f64>,
    /// r_jk, row-major; empty where it is diagonal.
    all: Vec<f64>,
    /// The largest |κ|/ω_j² of pairs.
    mixed: f64,
}

/// The damping of modes. Those of equal frequency, and pairs that are close, are replaced by those of their span that damping does not couple.
pub(super) fn project(system: &System, pencil: &Pencil<'_>, pairs: &mut Eigenpairs) -> Projected {
    let count = pairs.values.len();
    let diagonal = |rate: f64| Projected { own: vec![rate; count], all: Vec::new(), mixed: 0.0 };
    if system.blocks.iter().all(|block| block.damping == Operator::Zero) {
        return diagonal(0.0);
    }
    if let Some(rate) = uniform(system) {
        return diagonal(rate);
    }
    let mut r = matrix(system, pencil, &pairs.vectors);
    if separate_equal(pairs, &r) {
        r = matrix(system, pencil, &pairs.vectors);
    }
    let mixed = separate_close(pairs, &r);
    if mixed > 0.0 {
        r = matrix(system, pencil, &pairs.vectors);
    }
    Projected { own: (0..count).map(|k| r[k * count + k]).collect(), all: r, mixed }
}

/// Replaces the modes of each group of equal frequency by those of their span that damping does not couple.
fn separate_equal(pairs: &mut Eigenpairs, r: &[f64]) -> bool {
    let count = pairs.values.len();
    let (mut first, mut rotated) = (0, false);
    while first < count {
        let lowest = pairs.values[first];
        let equal = |value: &&f64| **value - lowest <= DEGENERATE * **value;
        let end = first + pairs.values[first..].iter().take_while(equal).count().max(1);
        if end - first > 1 {
            let form: Vec<f64> =
                (first..end).flat_map(|j| r[j * count + first..j * count + end].to_vec()).collect();
            let (_, rotation) = jacobi::eigenpairs(form, end - first);
            eigenpairs::combine(&mut pairs.vectors[first..end], &rotation);
            rotated = true;
        }
        first = end;
    }
    rotated
}

/// Replaces each two modes that damping couples far more than their frequencies differ by the two combinations that it does not couple,
/// of ω² = Σ_j ω_j² c_j², and returns the largest |κ|/ω² between them. The bound at [`CLOSE`] is that of two: a mode with several such partners stays as it is, and what is left out is told.
fn separate_close(pairs: &mut Eigenpairs, r: &[f64]) -> f64 {
    let count = pairs.values.len();
    let coupled = |j: usize, k: usize| {
        let (low, high) = (pairs.values[j].min(pairs.values[k]), pairs.values[j].max(pairs.values[k]));
        let damped = (high.sqrt() * r[j * count + k].abs()).min(high);
        // Of modes of equal frequency the combinations are uncoupled already.
        high - low > DEGENERATE * high && high - low <= CLOSE * damped
    };
    let only = |j: usize| {
        let mut partners = (0..count).filter(|&k| k != j && coupled(j, k));
        partners.next().filter(|_| partners.next().is_none())
    };
    let two: Vec<(usize, usize)> =
        (0..count).filter_map(|j| only(j).filter(|&k| j < k && only(k) == Some(j)).map(|k| (j, k))).collect();
    let mut mixed = 0.0_f64;
    for &(j, k) in &two {
        let form = vec![r[j * count + j], r[j * count + k], r[k * count + j], r[k * count + k]];
        let (_, rotation) = jacobi::eigenpairs(form, 2);
        let mut vectors = [std::mem::take(&mut pairs.vectors[j]), std::mem::take(&mut pairs.vectors[k])];
        eigenpairs::combine(&mut vectors, &rotation);
        [pairs.vectors[j], pairs.vectors[k]] = vectors;
        let own = [pairs.values[j], pairs.values[k]];
        // K in the new coordinates, from its difference: the columns of the rotation are orthogonal.
        let entry = |a: usize, b: usize| (own[1] - own[0]) * rotation[2 + a] * rotation[2 + b];
        [pairs.values[j], pairs.values[k]] = [own[0] + entry(0, 0), own[0] + entry(1, 1)];
        mixed = mixed.max(entry(0, 1).abs() / own[0].min(own[1]));
    }
    if !two.is_empty() {
        // The lowest first, as before.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&j, &k| pairs.values[j].total_cmp(&pairs.values[k]));
        pairs.values = order.iter().map(|&k| pairs.values[k]).collect();
        pairs.vectors = order.iter().map(|&k| std::mem::take(&mut pairs.vectors[k])).collect();
    }
    mixed
}

/// α of R = αM, whose modes are those of K: r_jk = α δ_jk.
fn uniform(system: &System) -> Option<f64> {
    let damping = system.diagonal_damping().ok()?;
    let rate = damping.first()? / system.mass.first()?;
    let equal = |(r, m): (&f64, &f64)| (r - rate * m).abs() <= EQUAL * r;
    damping.iter().zip(&system.mass).all(equal).then_some(rate)
}

/// φ_jᵀRφ_k, row-major.
fn matrix(system: &System, pencil: &Pencil<'_>, vectors: &[Vec<f64>]) -> Vec<f64> {
    let count = vectors.len();
    let shapes: Vec<Vec<f64>> = vectors.iter().map(|y| pencil.positions(y)).collect();
    let mut matrix = vec![0.0; count * count];
    let mut damped = vec![0.0; system.size()];
    for (k, shape) in shapes.iter().enumerate() {
        damped.fill(0.0);
        system.add_damping(1.0, shape, &mut damped);
        for (j, other) in shapes[..k].iter().enumerate() {
            let value = lanes::sum_of([other, &damped], |[x, r]| x * r);
            (matrix[k * count + j], matrix[j * count + k]) = (value, value);
        }
        // A sum of squares: never negative.
        matrix[k * count + k] = system.damping_form(shape);
    }
    matrix
}

impl Projected {
    /// What is left out of modes of these ω² and of these σ, with all losses.
    pub fn neglected(&self, values: &[f64], sigmas: &[f64]) -> NeglectedDamping {
        let mut worst = NeglectedDamping { mixed: self.mixed, ..NeglectedDamping::default() };
        if self.all.is_empty() {
            return worst;
        }
        let count = values.len();
        for j in 0..count {
            let (own, omega) = (2.0 * sigmas[j], values[j].sqrt());
            let (mut detuning, mut decay) = (0.0, 0.0);
            for k in (0..count).filter(|&k| k != j) {
                let (other, both) = (2.0 * sigmas[k], self.all[j * count + k]);
                let coupling = both.abs() / (own * other).sqrt();
                // Where one of them is not damped at all, both is a rounding of 0.
                if own > 0.0 && other > 0.0 && coupling > UNCOUPLED {
                    worst.coupling = worst.coupling.max(coupling.min(1.0));
                    let (apart, between) = (values[k] - values[j], omega * (other - own));
                    let part = 0.5 * omega * both * both / (apart * apart + between * between);
                    let most = 0.5 * both.abs();
                    detuning += (part * apart).clamp(-most, most);
                    decay += (part * between).clamp(-most, most);
                }
            }
            if omega > 0.0 && own > 0.0 {
                worst.detuning = worst.detuning.max(detuning.abs() / omega);
                worst.decay = worst.decay.max(decay.abs() / sigmas[j] + square(detuning / sigmas[j]));
            }
        }
        worst
    }
}
