//! Islands: the parts of a system that nothing connects.
//!
//! Two coordinates belong to one island where an operator, an element, an input or an output couples them, or through a chain
//! of such couplings. With the coordinates in the order of the islands M, R and K have diagonal blocks and every row lies in
//! one of them, so that the motion of an island depends on no other:
//!
//!   q = (q₁, q₂, …),   M = diag(M₁, M₂, …),   c·q = cᵢ·qᵢ
//!
//! Each island is a system of its own, which a scheme can step at a rate of its own. A body is never split: the modes of one
//! body are one block, though they are uncoupled.

use crate::{
    element::{Element, Law},
    form::Form,
    input::{Action, Input},
    joint::{Joint, Support},
    operator::Operator,
    row::{Row, Sine},
    system::{Block, Output, Quantity, System},
};
use std::ops::Range;

/// A part of a system that nothing connects with the rest.
#[derive(Clone, Debug)]
pub struct Island {
    /// The part, with elements, inputs and outputs renumbered in their order.
    pub system: System,
    /// The numbers in the whole system of its coordinates, ascending.
    pub dofs: Vec<usize>,
    /// The same of its elements.
    pub elements: Vec<usize>,
    /// The same of its inputs.
    pub inputs: Vec<usize>,
    /// The same of its outputs.
    pub outputs: Vec<usize>,
}

/// The islands of a valid system ([`crate::check::check`]), in the order of their first coordinates.
///
/// What couples to no coordinate, such as a contact of the ground with the ground, belongs to the first island.
///
/// ```
/// use hamiltone_core::{islands::islands, row::Row, system::{Output, Quantity, System}};
///
/// let mut system = System::default();
/// (0..3).for_each(|_| _ = system.add_dof(1.0, 0.0, 0.0));
/// let relative = Row::unit(0).minus(&Row::unit(2));
/// system.outputs.push(Output { name: "distance".into(), quantity: Quantity::Displacement(relative) });
/// let islands = islands(&system);
/// assert_eq!([&islands[0].dofs[..], &islands[1].dofs[..]], [&[0, 2][..], &[1]]);
/// ```
pub fn islands(system: &System) -> Vec<Island> {
    let split = Split::of(system);
    let groups = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut groups = vec![Vec::new(); split.count];
        numbers.enumerate().for_each(|(number, island)| groups[island].push(number));
        groups.into_iter()
    };
    let dofs = groups(&mut split.island.iter().copied());
    let elements = groups(&mut split.elements.iter().copied());
    let inputs = groups(&mut system.inputs.iter().map(|input| split.of_input(input)));
    let outputs = groups(&mut system.outputs.iter().map(|output| split.of_output(output)));
    let mut blocks = vec![Vec::new(); split.count];
    for (number, block) in system.blocks.iter().enumerate() {
        for &island in &split.island[block.dofs.clone()] {
            if blocks[island].last() != Some(&number) {
                blocks[island].push(number);
            }
        }
    }
    let all = dofs.zip(elements).zip(inputs.zip(outputs)).zip(blocks);
    let island = |(number, (((dofs, elements), (inputs, outputs)), blocks)): (
        usize,
        (((_, _), (_, _)), Vec<usize>),
    )| {
        let mut island = Island { system: System::default(), dofs, elements, inputs, outputs };
        split.fill(&mut island, system, number, &blocks);
        island
    };
    all.enumerate().map(island).collect()
}

/// The coordinates that operators and elements couple but for ports, by the number of their set.
pub(crate) fn without_ports(system: &System) -> Vec<usize> {
    let mut sets = Sets::of_blocks(system);
    system.forms.iter().for_each(|form| sets.join(form.dofs()));
    let others = system.elements.iter().filter(|element| !matches!(element.law, Law::Port(_)));
    others.for_each(|element| sets.join(element.rows.iter().flat_map(|row| coupled(row, 0))));
    sets.numbered().1
}

/// Which island everything belongs to.
struct Split {
    count: usize,
    /// The island of each coordinate, and its number there.
    island: Vec<usize>,
    local: Vec<usize>,
    elements: Vec<usize>,
    forms: Vec<usize>,
}

impl Split {
    fn of(system: &System) -> Self {
        let mut sets = Sets::of_blocks(system);
        for joint in &system.joints {
            let places = joint.supports.iter().flat_map(|support| coupled(&support.place, 0));
            sets.join(joint.dofs().chain(places));
        }
        system.forms.iter().for_each(|form| sets.join(form.dofs()));
        let of_elements = |range: &Range<usize>| {
            let rows = system.elements[range.clone()].iter().flat_map(|element| &element.rows);
            rows.flat_map(|row| coupled(row, 0)).collect::<Vec<_>>()
        };
        (0..system.elements.len()).for_each(|j| sets.join(of_elements(&(j..j + 1))));
        for input in &system.inputs {
            match &input.action {
                Action::Force(row) => sets.join(coupled(row, 0)),
                Action::Strain(forms) => sets.join(system.forms[forms.clone()].iter().flat_map(Form::dofs)),
                Action::Motion(elements)
                | Action::Rate(elements)
                | Action::Branch(elements)
                | Action::Control(elements)
                | Action::Custom { elements, .. } => sets.join(of_elements(elements)),
            }
        }
        for output in &system.outputs {
            match &output.quantity {
                Quantity::Force(elements) | Quantity::MeanForce(elements) => sets.join(of_elements(elements)),
                Quantity::Tension(forms, row) => {
                    let of_forms = forms.entries().flat_map(|(form, _)| system.forms[form].dofs());
                    sets.join(of_forms.chain(coupled(row, 0)).collect::<Vec<_>>());
                }
                of_rows => sets.join(of_rows.rows().flat_map(|row| coupled(row, 0))),
            }
        }
        let (count, island) = sets.numbered();
        let mut sizes = vec![0; count];
        let mut next = |island: &usize| {
            sizes[*island] += 1;
            sizes[*island] - 1
        };
        let local = island.iter().map(&mut next).collect();
        let of_rows = |element: &Element| first(element.rows.iter(), &island);
        let elements = system.elements.iter().map(of_rows).collect();
        let of_form = |form: &Form| form.dofs().next().map_or(0, |dof| island[dof]);
        let forms = system.forms.iter().map(of_form).collect();
        Self { count, island, local, elements, forms }
    }

    fn of_row(&self, row: &Row) -> usize {
        first([row].into_iter(), &self.island)
    }

    fn of_joint(&self, joint: &Joint) -> usize {
        self.island[joint.first]
    }

    fn of_range(&self, elements: &Range<usize>) -> usize {
        self.elements[elements.clone()].first().copied().unwrap_or(0)
    }

    fn of_input(&self, input: &Input) -> usize {
        match &input.action {
            Action::Force(row) => self.of_row(row),
            Action::Strain(forms) => self.forms[forms.clone()].first().copied().unwrap_or(0),
            Action::Motion(elements)
            | Action::Rate(elements)
            | Action::Branch(elements)
            | Action::Control(elements)
            | Action::Custom { elements, .. } => self.of_range(elements),
        }
    }

    fn of_output(&self, output: &Output) -> usize {
        match &output.quantity {
            Quantity::Force(elements) | Quantity::MeanForce(elements) => self.of_range(elements),
            Quantity::Tension(forms, _) => forms.entries().next().map_or(0, |(form, _)| self.forms[form]),
            of_rows => first(of_rows.rows(), &self.island),
        }
    }

    /// Makes the system of an island, to which these blocks belong.
    fn fill(&self, island: &mut Island, system: &System, number: usize, blocks: &[usize]) {
        let Island { system: part, dofs, elements, inputs, outputs } = island;
        for &i in dofs.iter() {
            part.add_dof(system.mass[i], system.initial.position[i], system.initial.velocity[i]);
        }
        part.blocks =
            blocks.iter().filter_map(|block| self.block(&system.blocks[*block], dofs, number)).collect();
        let here = system.joints.iter().filter(|joint| self.of_joint(joint) == number);
        part.joints = here.map(|joint| self.joint(joint, number)).collect();
        let here = system.forms.iter().zip(&self.forms).filter(|(_, island)| **island == number);
        part.forms = here.map(|(form, _)| self.form(form, number)).collect();
        let strained = |range: &Range<usize>| {
            let start = self.forms[..range.start].iter().filter(|island| **island == number).count();
            start..start + range.len()
        };
        // Elements of one range are in one island, where they follow each other as before.
        let range = |range: &Range<usize>| {
            let start = elements.partition_point(|j| *j < range.start);
            start..start + range.len()
        };
        part.elements = elements.iter().map(|&j| self.element(&system.elements[j], number)).collect();
        let input = |&k: &usize| {
            let Input { name, action } = &system.inputs[k];
            let action = match action {
                Action::Force(row) => Action::Force(self.row(row, number)),
                Action::Motion(elements) => Action::Motion(range(elements)),
                Action::Strain(forms) => Action::Strain(strained(forms)),
                Action::Rate(elements) => Action::Rate(range(elements)),
                Action::Branch(elements) => Action::Branch(range(elements)),
                Action::Control(elements) => Action::Control(range(elements)),
                Action::Custom { kind, elements } => Action::Custom { kind, elements: range(elements) },
            };
            Input { name: name.clone(), action }
        };
        part.inputs = inputs.iter().map(input).collect();
        let output = |&k: &usize| {
            let Output { name, quantity } = &system.outputs[k];
            let quantity = match quantity {
                Quantity::Force(elements) => Quantity::Force(range(elements)),
                Quantity::MeanForce(elements) => Quantity::MeanForce(range(elements)),
                Quantity::Tension(forms, row) => {
                    let here = forms.entries().map(|(form, w)| (strained(&(form..form + 1)).start, w));
                    Quantity::Tension(Row::Sparse(here.collect()), self.row(row, number))
                }
                of_rows => of_rows.along(|row| self.row(row, number)),
            };
            Output { name: name.clone(), quantity }
        };
        part.outputs = outputs.iter().map(output).collect();
    }

    fn element(&self, element: &Element, island: usize) -> Element {
        let rows = element.rows.iter().map(|row| self.row(row, island)).collect();
        Element { rows, ..element.clone() }
    }

    fn form(&self, form: &Form, island: usize) -> Form {
        let own = |(i, j, b): &(usize, usize, f64)| (self.local[*i], self.local[*j], *b);
        // What has no weight may be a coordinate of another island.
        let here =
            form.quadratic.iter().filter(|(i, j, _)| [*i, *j].iter().all(|dof| self.island[*dof] == island));
        Form {
            quadratic: here.map(own).collect(),
            linear: self.row(&form.linear, island),
            strain: self.row(&form.strain, island),
            ..form.clone()
        }
    }

    fn joint(&self, joint: &Joint, island: usize) -> Joint {
        // A body is in one island, its coordinates in their order.
        let support =
            |support: &Support| Support { place: self.row(&support.place, island), ..support.clone() };
        Joint {
            first: self.local[joint.first],
            supports: joint.supports.iter().map(support).collect(),
            ..joint.clone()
        }
    }

    /// What a block does in an island of these coordinates, if it has any there.
    fn block(&self, block: &Block, dofs: &[usize], island: usize) -> Option<Block> {
        let from = dofs.partition_point(|i| *i < block.dofs.start);
        let to = dofs.partition_point(|i| *i < block.dofs.end);
        let part = |operator: &Operator| match operator {
            Operator::Strains(strains) => {
                let here = strains.iter().filter_map(|(weight, row)| {
                    let row = row.moved(block.dofs.start);
                    let row = (self.of_row(&row) == island).then(|| self.row(&row, island))?;
                    Some((*weight, back(&row, from)))
                });
                Operator::Strains(here.collect())
            }
            // Other operators couple all of their coordinates, or none.
            other => other.clone(),
        };
        let (stiffness, damping) = (part(&block.stiffness), part(&block.damping));
        let nothing = |operator: &Operator| match operator {
            Operator::Zero => true,
            Operator::Strains(strains) => strains.is_empty(),
            Operator::Diagonal(_) | Operator::Stencils(_) => false,
        };
        let elsewhere = nothing(&stiffness) && nothing(&damping) && to - from < block.dofs.len();
        (!elsewhere).then(|| Block { name: block.name.clone(), dofs: from..to, stiffness, damping })
    }

    /// A row of an island in its numbers.
    fn row(&self, row: &Row, island: usize) -> Row {
        let whole = |range: Range<usize>| self.island[range].iter().all(|i| *i == island);
        match row {
            Row::Dense { first, weights } if !weights.is_empty() && whole(*first..first + weights.len()) => {
                Row::Dense { first: self.local[*first], weights: weights.clone() }
            }
            Row::Sine(sine) if sine.modes > 0 && whole(sine.first..sine.first + sine.modes) => {
                Row::Sine(Sine { first: self.local[sine.first], ..sine.clone() })
            }
            other => {
                let here = other.entries().filter(|(i, _)| self.island[*i] == island);
                Row::Sparse(here.map(|(i, weight)| (self.local[i], weight)).collect())
            }
        }
    }
}

/// The coordinates that a row couples, `offset` farther on.
fn coupled(row: &Row, offset: usize) -> Vec<usize> {
    row.entries().filter(|(_, weight)| *weight != 0.0).map(|(i, _)| offset + i).collect()
}

/// The island of the first coordinate of these rows; the first island where there is none.
fn first<'a>(mut rows: impl Iterator<Item = &'a Row>, island: &[usize]) -> usize {
    let found = rows.find_map(|row| coupled(row, 0).first().copied());
    found.map_or(0, |dof| island[dof])
}

/// A row with every coordinate `offset` earlier.
fn back(row: &Row, offset: usize) -> Row {
    match row {
        Row::Dense { first, weights } => Row::Dense { first: first - offset, weights: weights.clone() },
        Row::Sine(sine) => Row::Sine(Sine { first: sine.first - offset, ..sine.clone() }),
        Row::Sparse(entries) => Row::Sparse(entries.iter().map(|&(i, w)| (i - offset, w)).collect()),
    }
}

/// Disjoint sets of coordinates, each known by its smallest.
struct Sets(Vec<usize>);

impl Sets {
    /// The coordinates that operators couple.
    fn of_blocks(system: &System) -> Self {
        let mut sets = Self((0..system.size()).collect());
        for block in &system.blocks {
            for operator in [&block.stiffness, &block.damping] {
                match operator {
                    Operator::Zero => {}
                    Operator::Diagonal(_) | Operator::Stencils(_) => sets.join(block.dofs.clone()),
                    Operator::Strains(strains) => {
                        strains.iter().for_each(|(_, row)| sets.join(coupled(row, block.dofs.start)));
                    }
                }
            }
        }
        sets
    }

    fn find(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn join(&mut self, members: impl IntoIterator<Item = usize>) {
        let mut members = members.into_iter();
        let Some(first) = members.next() else { return };
        let mut root = self.find(first);
        for member in members {
            let other = self.find(member);
            (self.0[root.max(other)], root) = (root.min(other), root.min(other));
        }
    }

    /// The number of sets, and that of each coordinate, in the order of their smallest; one set where there is no coordinate.
    fn numbered(mut self) -> (usize, Vec<usize>) {
        let (mut count, mut number) = (0, vec![0; self.0.len()]);
        for i in 0..number.len() {
            let root = self.find(i);
            if root == i {
                number[i] = count;
                count += 1;
            } else {
                number[i] = number[root];
            }
        }
        (count.max(1), number)
    }
}
