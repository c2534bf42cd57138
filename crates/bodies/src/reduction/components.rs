//! Which coordinates stiffness and damping couple, and the part of a system that belongs to some of them.

use hamiltone_core::{
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use std::ops::Range;

/// The sets of coordinates that blocks couple, each ascending, in the order of their first coordinates; a coordinate
/// that nothing couples is a set of its own. A strain couples what it reads, be it with the weight 0: the point of a
/// body where a mode has a node belongs to the body.
pub fn components(system: &System) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..system.size()).collect();
    for block in &system.blocks {
        for operator in [&block.stiffness, &block.damping] {
            for (_, row) in operator.squares() {
                let mut entries = row.entries().map(|(i, _)| block.dofs.start + i);
                let Some(first) = entries.next() else { continue };
                entries.for_each(|i| join(&mut root, first, i));
            }
        }
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); system.size()];
    (0..system.size()).for_each(|i| sets[find(&mut root, i)].push(i));
    sets.retain(|set| !set.is_empty());
    sets
}

/// The smallest coordinate of the set, with shorter ways to it for the next search.
fn find(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}

fn join(root: &mut [usize], i: usize, j: usize) {
    let (i, j) = (find(root, i), find(root, j));
    root[i.max(j)] = i.min(j);
}

/// Mass and blocks of these coordinates, ascending, numbered from 0; or the name of a block that couples them to others.
pub(super) fn restrict(system: &System, dofs: &[usize]) -> Result<System, String> {
    let mut numbers = vec![None; system.size()];
    dofs.iter().enumerate().for_each(|(number, &dof)| numbers[dof] = Some(number));
    let blocks = renumbered(&system.blocks, &numbers, dofs.len())?;
    Ok(System { mass: dofs.iter().map(|&dof| system.mass[dof]).collect(), blocks, ..System::default() })
}

/// The parts of the blocks on the coordinates that have a number, or the name of a block that couples them to others.
pub(super) fn renumbered(
    blocks: &[Block],
    numbers: &[Option<usize>],
    size: usize,
) -> Result<Vec<Block>, String> {
    let mut parts = Vec::new();
    for block in blocks {
        let own = &numbers[block.dofs.clone()];
        if own.iter().all(Option::is_none) {
            continue;
        }
        if let Some(dofs) = run(own) {
            parts.push(Block { dofs, ..block.clone() });
            continue;
        }
        let part = |operator| picked(operator, own).ok_or_else(|| block.name.clone());
        let (stiffness, damping) = (part(&block.stiffness)?, part(&block.damping)?);
        if (&stiffness, &damping) != (&Operator::Zero, &Operator::Zero) {
            parts.push(Block { name: block.name.clone(), dofs: 0..size, stiffness, damping });
        }
    }
    Ok(parts)
}

/// The numbers, where they follow each other.
fn run(numbers: &[Option<usize>]) -> Option<Range<usize>> {
    let first = (*numbers.first()?)?;
    let follow = |(i, number): (usize, &Option<usize>)| *number == Some(first + i);
    numbers.iter().enumerate().all(follow).then_some(first..first + numbers.len())
}

/// The squares on the coordinates that have a number; `None` where one reads others, too.
fn picked(operator: &Operator, numbers: &[Option<usize>]) -> Option<Operator> {
    let mut strains = Vec::new();
    for (weight, row) in operator.squares() {
        let inside = row.entries().filter(|(i, _)| numbers[*i].is_some()).count();
        if inside == 0 {
            continue;
        }
        let entries: Option<Vec<(usize, f64)>> =
            row.entries().filter(|(_, w)| *w != 0.0).map(|(i, w)| Some((numbers[i]?, w))).collect();
        strains.push((weight, Row::Sparse(entries?)));
    }
    Some(if strains.is_empty() { Operator::Zero } else { Operator::Strains(strains) })
}
