//! Damping in the coordinates of modes: its diagonal, and what the rest of it would change.
//!
//!   r_jk = φ_jᵀRφ_k   (1/s, for modes of unit mass)
//!   s² + r_jj s + ω_j² = Σ_k≠j s² r_jk²/(s² + r_kk s + ω_k²)
//!   δs_j ≈ Σ_k≠j ½ω_j r_jk² (ω_j(r_kk − r_jj) + i(ω_k² − ω_j²))/((ω_k² − ω_j²)² + ω_j²(r_kk − r_jj)²)
//!
//! to second order in r_jk, at s ≈ iω_j: the imaginary part δω_j changes the frequency, the real part the decay, to which
//! the next order adds: of one damper, r_jk² = r_jj r_kk, the relative change (δω_j/σ_j)². Of two modes each part is at
//! most |r_jk|/2. In each group of equal frequencies the modes are those that diagonalise R on it, and so in each group that damping
//! couples far more than its frequencies differ, as a bar and the tube below it: of ω_j² on its diagonal K then has κ ≤ |ω_k² − ω_j²|/2 off
//! it, where R had r_jk.

use hamiltone_core::{operator::Operator, system::System};
use hamiltone_numerics::math::square;
use hamiltone_numerics::{
    eigenpairs::{self, Eigenpairs},
    jacobi, lanes,
    pencil::Pencil,
};

/// Frequencies whose squares differ by less than this part are one group: modes closer than rounding errors are not distinguished.
const DEGENERATE: f64 = 1e-10;
/// Modes are one group, too, where their ω² differ by less than this part of ω|r_jk|. The damping of the two that R is diagonal for then
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
}

/// The damping of a system in the coordinates of its modes, 1/s.
pub(super) struct Projected {
    /// r_jj of each mode.
    pub own: Vec<f64>,
    /// r_jk, row-major; empty where it is diagonal.
    all: Vec<f64>,
}

/// The damping of modes. Those of equal frequency are replaced by those of their span that damping does not couple.
pub(super) fn project(system: &System, pencil: &Pencil<'_>, pairs: &mut Eigenpairs) -> Projected {
    let count = pairs.values.len();
    let diagonal = |rate: f64| Projected { own: vec![rate; count], all: Vec::new() };
    if system.blocks.iter().all(|block| block.damping == Operator::Zero) {
        return diagonal(0.0);
    }
    if let Some(rate) = uniform(system) {
        return diagonal(rate);
    }
    let mut r = matrix(system, pencil, &pairs.vectors);
    let mut first = 0;
    let mut rotated = false;
    while first < count {
        let end = group(&pairs.values, &r, first);
        if end - first > 1 {
            let form: Vec<f64> =
                (first..end).flat_map(|j| r[j * count + first..j * count + end].to_vec()).collect();
            let (_, rotation) = jacobi::eigenpairs(form, end - first);
            eigenpairs::combine(&mut pairs.vectors[first..end], &rotation);
            mix(&mut pairs.values[first..end], &rotation);
            rotated = true;
        }
        first = end;
    }
    if rotated {
        r = matrix(system, pencil, &pairs.vectors);
    }
    Projected { own: (0..count).map(|k| r[k * count + k]).collect(), all: r }
}

/// Where the group ends that begins with a mode: those of its frequency, and those that damping couples to it far more than
/// their frequencies differ.
fn group(values: &[f64], r: &[f64], first: usize) -> usize {
    let count = values.len();
    let coupled =
        |j: usize, k: usize| values[k] - values[j] <= CLOSE * values[k].sqrt() * r[j * count + k].abs();
    let belongs = |k: &usize| {
        values[*k] - values[first] <= DEGENERATE * values[*k] || (first..*k).any(|j| coupled(j, *k))
    };
    (first + 1..count).take_while(belongs).last().unwrap_or(first) + 1
}

/// ω² of the combinations of modes, Σ_j ω_j² c_jk²; modes of one frequency keep theirs.
fn mix(values: &mut [f64], rotation: &[f64]) {
    let (own, count) = (values.to_vec(), values.len());
    let (least, most) = (own[0], own[count - 1]);
    if most - least > DEGENERATE * most {
        for (k, value) in values.iter_mut().enumerate() {
            *value = (0..count).map(|j| own[j] * square(rotation[j * count + k])).sum();
        }
    }
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
        let mut worst = NeglectedDamping::default();
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
