//! Which body a mode belongs to, for messages: how many modes to ask for is a matter of each body.

use hamiltone_core::system::System;
use hamiltone_numerics::operator::Operator;

/// The names of the blocks with the coordinates of each, in the order of the blocks: those that it has springs of its own for,
/// and for a spring to the ground those that nothing else holds.
pub fn by_block(system: &System) -> Vec<(&str, Vec<usize>)> {
    let mut free = vec![true; system.size()];
    let is_body = |operator: &Operator| matches!(operator, Operator::Diagonal(_));
    let mut owned = vec![Vec::new(); system.blocks.len()];
    for bodies in [true, false] {
        for (block, own) in
            system.blocks.iter().zip(&mut owned).filter(|(b, _)| is_body(&b.stiffness) == bodies)
        {
            let squares = block.stiffness.squares().flat_map(|(_, row)| row.entries().collect::<Vec<_>>());
            let dofs: Vec<usize> = squares.map(|(i, _)| block.dofs.start + i).filter(|i| free[*i]).collect();
            dofs.into_iter().for_each(|i| {
                if std::mem::take(&mut free[i]) {
                    own.push(i);
                }
            });
        }
    }
    system.blocks.iter().map(|block| block.name.as_str()).zip(owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::{row::Row, system::Block};

    #[test]
    fn coordinates_belong_to_their_body_before_a_link() {
        let mut system = System::default();
        (0..4).for_each(|_| {
            system.add_dof(1.0, 0.0, 0.0);
        });
        let mut block = |name: &str, dofs: std::ops::Range<usize>, stiffness| {
            system.blocks.push(Block { name: name.into(), dofs, stiffness, damping: Operator::Zero });
        };
        block("spring", 0..4, Operator::Strains(vec![(1.0, Row::unit(3)), (1.0, Row::unit(1))]));
        block("bar", 0..2, Operator::Diagonal(vec![1.0, 2.0]));
        assert_eq!(by_block(&system), [("spring", vec![3]), ("bar", vec![0, 1])]);
    }
}
