//! Which coordinates stiffness and damping couple, and the part of a system that belongs to some of them.

use super::component::Component;
#[cfg(test)]
use super::owners::LOOKUPS;
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

/// The parts of a system that belong to components: each block is looked at once for every component that it reads, not
/// for every component that there is.
pub(super) struct Restrictions<'a> {
    system: &'a System,
    /// The blocks that read coordinates of each component, ascending.
    blocks: Vec<Vec<usize>>,
    /// The number within its component of each coordinate of the component at hand; `None` of all others.
    numbers: Vec<Option<usize>>,
}

impl<'a> Restrictions<'a> {
    /// To components of these coordinates.
    pub fn new<'c>(system: &'a System, components: impl ExactSizeIterator<Item = &'c [usize]>) -> Self {
        let mut blocks = vec![Vec::new(); components.len()];
        let mut owner = vec![None; system.size()];
        components.enumerate().for_each(|(c, dofs)| dofs.iter().for_each(|&dof| owner[dof] = Some(c)));
        for (number, block) in system.blocks.iter().enumerate() {
            let squares = [&block.stiffness, &block.damping].into_iter().flat_map(|o| o.squares());
            for (_, row) in squares {
                let owners = row.entries().filter_map(|(i, _)| owner[block.dofs.start + i]);
                for component in owners {
                    #[cfg(test)]
                    LOOKUPS.set(LOOKUPS.get() + 1);
                    let blocks: &mut Vec<usize> = &mut blocks[component];
                    if blocks.last() != Some(&number) {
                        blocks.push(number);
                    }
                }
            }
        }
        Self { system, blocks, numbers: vec![None; system.size()] }
    }

    /// Mass and blocks of component `c` with its coordinates numbered from 0, and the blocks of its supports apart; or the
    /// name of a block that couples them to others.
    pub fn system(&mut self, c: usize, component: &Component) -> Result<(System, Vec<Block>), String> {
        let dofs = &component.dofs;
        dofs.iter().enumerate().for_each(|(number, &dof)| self.numbers[dof] = Some(number));
        let held = |block: &usize| component.supports.binary_search(block).is_ok();
        let (supports, own): (Vec<usize>, Vec<usize>) = self.blocks[c].iter().partition(|block| held(block));
        let [supports, own] = [supports, own].map(|numbers| {
            let blocks = numbers.iter().map(|&block| &self.system.blocks[block]);
            renumbered(blocks, &self.numbers, dofs.len())
        });
        dofs.iter().for_each(|&dof| self.numbers[dof] = None);
        let mass = dofs.iter().map(|&dof| self.system.mass[dof]).collect();
        Ok((System { mass, blocks: own?, ..System::default() }, supports?))
    }
}

/// The parts of the blocks on the coordinates that have a number, or the name of a block that couples them to others.
pub(super) fn renumbered<'b>(
    blocks: impl IntoIterator<Item = &'b Block>,
    numbers: &[Option<usize>],
    size: usize,
) -> Result<Vec<Block>, String> {
    let mut parts = Vec::new();
    for block in blocks {
        #[cfg(test)]
        LOOKUPS.set(LOOKUPS.get() + block.dofs.len());
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
