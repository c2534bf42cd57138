//! Modes of a body on a suspension, whose springs and dampers act on rigid motions alone.
//!
//!   K = K₀ + Σ wⱼ cⱼcⱼᵀ,   K₀ M⁻¹cⱼ = 0   ⟹   cⱼ·φ = 0 for every mode φ of K₀ that bends
//!
//! since φ_kᵀM(M⁻¹cⱼ) = 0 between modes of different eigenvalues: bent modes are those of K₀, and the others those of K on the
//! span of M⁻¹cⱼ, a matrix of the number of strains. So the eigenproblem keeps its narrow band. Where something else holds the
//! body, as a link does, K₀M⁻¹cⱼ ≠ 0, and the springs belong to the eigenproblem.

use hamiltone_core::system::{Block, System};
use hamiltone_numerics::{
    eigenpairs::{self, Eigenpairs},
    jacobi, lanes,
    pencil::Pencil,
};

/// The part of a unit vector, squared, that must be orthogonal to those before it, so that it is a further mode. Two rigid
/// motions, one of which is supported, are found as any two vectors of their span: their parts orthogonal to the supported motion
/// add up to 1, and the larger is at least ½.
const OWN: f64 = 0.25;
/// The same of strains: a smaller part is rounding, and the strain depends on those before it.
const LEAST: f64 = 1e-20;
/// The least such part of a mode that bends, which is orthogonal to the rigid motions but for rounding.
const WHOLE: f64 = 0.99;

/// The supports of a component.
pub(super) struct Supported {
    blocks: Vec<Block>,
    /// Whether they belong to the eigenproblem.
    within: bool,
}

impl Supported {
    /// The system whose modes are to be found, and the supports.
    pub fn split(mut own: System, blocks: Vec<Block>) -> (System, Self) {
        let within = {
            let pencil = pencil(&own);
            let rigid = |c: &Vec<f64>| pencil.rigid(&pencil.positions(c));
            !strains(&blocks, own.size()).iter().all(rigid)
        };
        if within {
            own.blocks.extend(blocks.iter().cloned());
        }
        (own, Self { blocks, within })
    }

    /// Replaces the rigid motions among the modes by those that are modes on the supports.
    pub fn raise(&self, pencil: &Pencil<'_>, pairs: &mut Eigenpairs) {
        if self.within || self.blocks.is_empty() {
            return;
        }
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for c in strains(&self.blocks, pencil.size()) {
            basis.extend(beside(&basis, pencil.positions(&c), LEAST).map(|(y, _)| y));
        }
        let held = basis.len();
        let shapes: Vec<Vec<f64>> = basis.iter().map(|y| pencil.positions(y)).collect();
        let entry = |at: usize| self.form(|block| &block.stiffness, &shapes[at / held], &shapes[at % held]);
        let (values, rotation) = jacobi::eigenpairs((0..held * held).map(entry).collect(), held);
        eigenpairs::combine(&mut basis, &rotation);
        let count = pairs.values.len();
        let mut all: Vec<(f64, Vec<f64>)> = values.into_iter().zip(basis.iter().cloned()).collect();
        for (value, y) in pairs.values.drain(..).zip(pairs.vectors.drain(..)) {
            if let Some((y, kept)) = beside(&basis, y, OWN) {
                // Not a mode that bends, but what is left of the other rigid motion: the next vector has no more than the same.
                if kept < WHOLE {
                    basis.push(y.clone());
                }
                all.push((value, y));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(count);
        (pairs.values, pairs.vectors) = all.into_iter().unzip();
    }

    /// Whether the mode of this eigenvalue is a rigid motion on the supports.
    pub fn holds(&self, value: f64, shape: &[f64]) -> bool {
        !self.within && value > 0.0 && self.form(|block| &block.stiffness, shape, shape) > 0.5 * value
    }

    /// φᵀRφ of the supports: what of it is in the damping of the system that was solved, and what comes beside it, of the
    /// mode of this eigenvalue.
    pub fn damping(&self, value: f64, shape: &[f64]) -> [f64; 2] {
        let damping = self.form(|block| &block.damping, shape, shape);
        match self.within {
            true => [damping, 0.0],
            false if self.holds(value, shape) => [0.0, damping],
            false => [0.0; 2],
        }
    }

    fn form(
        &self,
        operator: impl Fn(&Block) -> &hamiltone_core::operator::Operator,
        x: &[f64],
        y: &[f64],
    ) -> f64 {
        let of = |block: &Block| operator(block).bilinear(&x[block.dofs.clone()], &y[block.dofs.clone()]);
        self.blocks.iter().map(of).sum()
    }
}

fn pencil(system: &System) -> Pencil<'_> {
    Pencil::new(&system.mass, system.blocks.iter().map(|block| (block.dofs.start, &block.stiffness)))
}

/// The strains cⱼ of stiffness and damping over all coordinates.
fn strains(blocks: &[Block], size: usize) -> Vec<Vec<f64>> {
    let of = |block: &Block| {
        let first = block.dofs.start;
        let squares = [&block.stiffness, &block.damping].into_iter().flat_map(|operator| operator.squares());
        let vector = |(_, row): (f64, hamiltone_core::row::Row)| {
            let mut strain = vec![0.0; size];
            row.add_scaled(1.0, &mut strain[first..]);
            strain
        };
        squares.filter(|(weight, _)| *weight > 0.0).map(vector).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(of).collect()
}

/// The unit vector of what y has beside an orthonormal basis, taken twice, and how much of it that is, squared; `None` where
/// that is no more than `least`.
fn beside(basis: &[Vec<f64>], mut y: Vec<f64>, least: f64) -> Option<(Vec<f64>, f64)> {
    let dot = |a: &[f64], b: &[f64]| lanes::sum_of([a, b], |[a, b]| a * b);
    let before = dot(&y, &y);
    for _ in 0..2 {
        for other in basis {
            let part = dot(&y, other);
            y.iter_mut().zip(other).for_each(|(y, other)| *y -= part * other);
        }
    }
    let rest = dot(&y, &y);
    (rest > least * before).then(|| {
        let norm = rest.sqrt();
        y.iter_mut().for_each(|y| *y /= norm);
        (y, rest / before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bar,
        reduction::{Component, Keep, reduce},
    };
    use hamiltone_core::{body::Body, operator::Operator, row::Row};

    /// Two masses on a rod without weight: shift and tilt of a bar, one spring at the left end. Lowest modes are the rotation about
    /// that end, 0, and the swing on the spring; bent modes are those without it, and so is their number.
    #[test]
    fn one_spring_leaves_a_rotation_free() {
        let mut system = System::default();
        let placed =
            Bar::new(0.35, 0.6, 60.0).unwrap().on_grid(50).unwrap().add_to(&mut system, "bar").unwrap();
        let dofs: Vec<usize> = placed.dofs.clone().collect();
        let component = |supports: Vec<usize>| Component {
            name: "bar".into(),
            dofs: dofs.clone(),
            keep: Keep::Lowest(6),
            losses: Vec::new(),
            supports,
        };
        let free = reduce(&system, &[component(Vec::new())]).unwrap().components.remove(0);
        // The mean displacement: the row of the shift.
        let mass: f64 = system.mass.iter().sum();
        let mean = Row::Sparse(dofs.iter().map(|&i| (i, system.mass[i] / mass)).collect());
        system.blocks.push(Block {
            name: "bar suspension".into(),
            dofs: placed.dofs.clone(),
            stiffness: Operator::Strains(vec![(mass * 400.0, mean.clone())]),
            damping: Operator::Strains(vec![(mass * 20.0, mean)]),
        });
        let held = reduce(&system, &[component(vec![1])]).unwrap().components.remove(0);
        assert_eq!((held.modes[0].omega, &held.supported[..]), (0.0, &[1][..]));
        assert!((held.modes[1].omega - 20.0).abs() < 1e-12 && (held.modes[1].sigma - 10.0).abs() < 1e-12);
        assert_eq!((held.requested[1], held.modes[2].sigma), (0.0, 0.0));
        for (held, free) in held.modes.iter().zip(&free.modes).skip(2) {
            assert_eq!(held.omega, free.omega);
        }
    }
}
