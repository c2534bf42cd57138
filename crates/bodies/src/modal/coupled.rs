//! The modes of a body whose coordinates the linear parts of its forms couple: a plate that is not flat at rest.
//!
//!   (K + Σ lˡlˡᵀ) v = ω²Mv,   σ = Σ mᵢσᵢvᵢ²/Σ mᵢvᵢ²
//!
//! ½(l·q)² is what is quadratic in the energy ½ψ² of ψ = ½qᵀBq + l·q: at small amplitudes the body has these frequencies, and not those of
//! its coordinates. What damping carries from one mode to others is left out. Only coordinates that some l has in common are coupled: the
//! matrix falls into small ones.

use super::mode::Mode;
use crate::von_karman::AiryForm;
use hamiltone_numerics::{jacobi, math::square};

/// One mode.
#[derive(Clone, Debug)]
pub(super) struct Coupled {
    /// ω (rad/s) and σ (1/s) of it.
    pub omega: f64,
    pub sigma: f64,
    /// (coordinate, vᵢ√(mᵢ/m₀)), of length 1, the largest positive.
    pub shape: Vec<(usize, f64)>,
}

/// All modes, ω ascending; `None` where nothing couples them.
pub(super) fn modes(modes: &[Mode], forms: &[AiryForm]) -> Option<Vec<Coupled>> {
    if forms.iter().all(|form| form.linear.is_empty()) {
        return None;
    }
    let mut all: Vec<Coupled> =
        groups(modes.len(), forms).iter().flat_map(|group| of_group(group, modes, forms)).collect();
    all.sort_by(|a, b| a.omega.total_cmp(&b.omega));
    Some(all)
}

/// The coordinates that are coupled with each other.
fn groups(count: usize, forms: &[AiryForm]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..count).map(|i| vec![i]).collect();
    for form in forms {
        let reads = |group: &Vec<usize>| form.linear.iter().any(|(i, _)| group.contains(i));
        let (read, mut others): (Vec<_>, Vec<_>) = groups.into_iter().partition(reads);
        let read = read.concat();
        others.extend((!read.is_empty()).then_some(read));
        groups = others;
    }
    groups
}

fn of_group(group: &[usize], modes: &[Mode], forms: &[AiryForm]) -> Vec<Coupled> {
    let n = group.len();
    let mut matrix = vec![0.0; n * n];
    (0..n).for_each(|i| matrix[i * n + i] = square(modes[group[i]].omega));
    for form in forms {
        let weight = |i: &usize| {
            let entry = form.linear.iter().find(|(dof, _)| dof == i);
            entry.map_or(0.0, |(_, l)| l / modes[*i].mass.sqrt())
        };
        let l: Vec<f64> = group.iter().map(weight).collect();
        for i in 0..n {
            (0..n).for_each(|j| matrix[i * n + j] += l[i] * l[j]);
        }
    }
    let (squares, vectors) = jacobi::eigenpairs(matrix, n);
    let mode = |(k, omega2): (usize, &f64)| {
        let column: Vec<f64> = (0..n).map(|i| vectors[i * n + k]).collect();
        let largest = column.iter().fold(0.0_f64, |most, v| if v.abs() > most.abs() { *v } else { most });
        Coupled {
            omega: omega2.sqrt(),
            sigma: group.iter().zip(&column).map(|(i, v)| modes[*i].sigma * v * v).sum(),
            shape: group.iter().zip(&column).map(|(i, v)| (*i, v * largest.signum())).collect(),
        }
    };
    squares.iter().enumerate().map(mode).collect()
}
