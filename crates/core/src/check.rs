//! Whether a system is one: sizes, signs and finite numbers, checked before any scheme reads it.

use crate::{
    element::{Element, Law, LossLaw},
    form::Form,
    input::{Action, Input},
    islands::without_ports,
    joint::Joint,
    operator::Operator,
    port::Ported,
    refusal::Refusal,
    row::Row,
    system::{Block, Quantity, System},
};
use std::collections::BTreeSet;

/// More problems of one kind are counted, not listed.
const MAX_LISTED: usize = 8;

/// Checks `system` and the time step `dt` (s).
///
/// # Errors
/// [`Refusal::Invalid`] with everything that is wrong.
pub fn check(system: &System, dt: f64) -> Result<(), Refusal> {
    let mut problems = Problems::default();
    if !(dt > 0.0 && (dt * dt).is_normal() && (dt * dt).recip().is_normal()) {
        problems
            .add(format!("the time step {dt} s is not a positive number whose square is a normal number"));
    }
    masses(system, &mut problems);
    initial(system, &mut problems);
    system.blocks.iter().for_each(|block| check_block(system, block, &mut problems));
    joints(system, &mut problems);
    system.forms.iter().for_each(|form| check_form(system, form, &mut problems));
    straining(system, &mut problems);
    system.elements.iter().for_each(|element| check_element(system, element, &mut problems));
    inputs(system, &mut problems);
    outputs(system, &mut problems);
    // Of a system whose rows fit.
    if problems.listed.is_empty() {
        apart(system, &mut problems);
    }
    problems.close()
}

/// Whether anything but itself connects the rows of a port that is to meet them one after the other.
fn apart(system: &System, problems: &mut Problems) {
    let is_apart = |element: &&Element| matches!(&element.law, Law::Port(law) if law.port.is_apart());
    if system.elements.iter().find(is_apart).is_none() {
        return;
    }
    let set = without_ports(system);
    for element in system.elements.iter().filter(is_apart) {
        let width = element.rows.len() / element.branches().max(1);
        // Of a row those on all its branches.
        let sets = |row: usize| -> BTreeSet<usize> {
            let branches = element.rows[row..].iter().step_by(width.max(1));
            branches.flat_map(Row::entries).filter(|(_, w)| *w != 0.0).map(|(i, _)| set[i]).collect()
        };
        let rows: Vec<BTreeSet<usize>> = (0..width).map(sets).collect();
        if rows.iter().enumerate().any(|(i, own)| rows[..i].iter().any(|other| !other.is_disjoint(own))) {
            let message = format!(
                "element `{}`: a link, another contact or a body connects what presses it with what it acts on; leave that out",
                element.name
            );
            problems.add(message);
        }
    }
}

/// What is wrong, up to a length that can be read.
#[derive(Default)]
struct Problems {
    listed: Vec<String>,
    more: usize,
}

impl Problems {
    fn add(&mut self, problem: String) {
        if self.listed.len() < MAX_LISTED { self.listed.push(problem) } else { self.more += 1 }
    }

    fn close(mut self) -> Result<(), Refusal> {
        if self.more > 0 {
            self.listed.push(format!("{} more", self.more));
        }
        if self.listed.is_empty() { Ok(()) } else { Err(Refusal::Invalid { problems: self.listed }) }
    }
}

/// Whether a row reads coordinates below `size` with finite weights.
fn fits(row: &Row, size: usize) -> bool {
    row.last_dof().is_none_or(|last| last < size) && row.entries().all(|(_, w)| w.is_finite())
}

fn masses(system: &System, problems: &mut Problems) {
    if system.size() == 0 {
        problems.add("it has no coordinates".into());
    }
    for (i, mass) in system.mass.iter().enumerate().filter(|(_, m)| !(m.is_finite() && **m > 0.0)) {
        problems.add(format!("the mass {mass} of degree of freedom {i} is not a positive number"));
    }
}

fn initial(system: &System, problems: &mut Problems) {
    let (n, q, v) = (system.size(), &system.initial.position, &system.initial.velocity);
    if q.len() != n || v.len() != n || !q.iter().chain(v).all(|x| x.is_finite()) {
        problems
            .add(format!("the initial conditions are not {n} finite positions and {n} finite velocities"));
    }
}

fn check_block(system: &System, block: &Block, problems: &mut Problems) {
    let size = block.dofs.len();
    let valid = |operator: &Operator| match operator {
        Operator::Zero => true,
        Operator::Diagonal(k) => k.len() == size && k.iter().all(|&k| k.is_finite() && k >= 0.0),
        Operator::Strains(strains) => {
            strains.iter().all(|(w, row)| w.is_finite() && *w >= 0.0 && fits(row, size))
        }
        Operator::Stencils(stencils) => {
            stencils.strains().all(|(w, row)| w.is_finite() && w >= 0.0 && fits(&row, size))
        }
    };
    let inside = block.dofs.start <= block.dofs.end && block.dofs.end <= system.size();
    if !(inside && valid(&block.stiffness) && valid(&block.damping)) {
        problems.add(format!(
            "block `{}` reads coordinates that do not exist, or has a weight that is negative or not finite",
            block.name
        ));
    }
}

fn joints(system: &System, problems: &mut Problems) {
    let mut lifted = vec![false; system.size()];
    for joint in &system.joints {
        let name = &joint.name;
        if !fits_together(system, joint) {
            problems.add(format!(
                "joint `{name}` has no support, or reads coordinates that do not exist, or its numbers do not fit together"
            ));
            continue;
        }
        // Else the sum with the springs of blocks is no sum of squares.
        if lifted[joint.dofs()].contains(&true) {
            problems.add(format!("joint `{name}` lifts coordinates that another joint lifts"));
        }
        lifted[joint.dofs()].fill(true);
        let own = own_stiffness(system, joint);
        if own.iter().zip(&joint.springs).any(|(own, k)| k > own) {
            problems.add(format!("joint `{name}` lifts springs that no body has on its coordinates"));
        }
        if !is_stiffness(&joint.stiffness, joint.supports.len()) {
            problems.add(format!(
                "joint `{name}`: κ must be symmetric, with no positive numbers beside the diagonal and no negative sums of rows"
            ));
        }
    }
}

/// Whether the sizes of a joint's parts agree, and all numbers are finite.
fn fits_together(system: &System, joint: &Joint) -> bool {
    let count = joint.supports.len();
    let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
    let inside = joint.first <= system.size() && joint.springs.len() <= system.size() - joint.first;
    let supports = joint.supports.iter().all(|support| {
        support.lift.len() == joint.springs.len()
            && finite(&support.lift)
            && fits(&support.place, system.size())
            // A support that the body is a part of would make ζ depend on itself.
            && support.place.entries().all(|(i, w)| w == 0.0 || !joint.dofs().contains(&i))
    });
    count > 0
        && !joint.springs.is_empty()
        && inside
        && joint.stiffness.len() == count * count
        && joint.springs.iter().all(|k| k.is_finite() && *k >= 0.0)
        && finite(&joint.stiffness)
        && supports
}

/// The stiffness on the coordinates that a joint lifts, one spring a coordinate.
fn own_stiffness(system: &System, joint: &Joint) -> Vec<f64> {
    let mut own = vec![0.0; joint.springs.len()];
    for block in &system.blocks {
        if let Operator::Diagonal(k) = &block.stiffness {
            let here = block.dofs.clone().zip(k).filter(|(i, _)| joint.dofs().contains(i));
            here.for_each(|(i, k)| own[i - joint.first] += k);
        }
    }
    own
}

fn check_form(system: &System, form: &Form, problems: &mut Problems) {
    let name = &form.name;
    let inside = |(i, j, b): &(usize, usize, f64)| i.max(j) < &system.size() && b.is_finite();
    if !(form.quadratic.iter().all(inside)
        && [&form.linear, &form.strain].iter().all(|row| fits(row, system.size()))
        && form.stretch.is_finite())
    {
        problems.add(format!(
            "form `{name}` reads coordinates that do not exist, or has a number that is not finite"
        ));
    }
    let mut pairs: Vec<(usize, usize)> = form.quadratic.iter().map(|(i, j, _)| (*i, *j)).collect();
    pairs.sort_unstable();
    // Else B were not symmetric, or an entry of it two numbers.
    if pairs.iter().any(|(i, j)| i > j) || pairs.windows(2).any(|two| two[0] == two[1]) {
        problems.add(format!(
            "form `{name}` gives an entry of its matrix twice, or below the diagonal: give each pair i ≤ j once"
        ));
    }
}

/// Each coordinate that strains a form does that alone, and no input strains the form as well: a scheme knows then what follows from it.
fn straining(system: &System, problems: &mut Problems) {
    let weighed =
        |row: &Row| row.entries().filter(|(_, w)| *w != 0.0).map(|(i, _)| i).collect::<Vec<usize>>();
    if system.forms.iter().all(|form| form.strain.is_zero()) {
        return;
    }
    let mut readers = vec![0; system.size()];
    for i in system.forms.iter().flat_map(Form::dofs).filter(|i| *i < system.size()).collect::<Vec<_>>() {
        readers[i] += 1;
    }
    for (number, form) in system.forms.iter().enumerate().filter(|(_, form)| !form.strain.is_zero()) {
        let name = &form.name;
        if weighed(&form.strain).iter().any(|i| readers.get(*i).is_some_and(|count| *count > 1)) {
            problems
                .add(format!("form `{name}` is strained by a coordinate that a form reads in another way"));
        }
        let by_input =
            |input: &Input| matches!(&input.action, Action::Strain(forms) if forms.contains(&number));
        if system.inputs.iter().any(by_input) {
            problems.add(format!("form `{name}` is strained by coordinates and by an input"));
        }
    }
}

/// Whether κ is a sum of squares of displacements and of their differences.
fn is_stiffness(kappa: &[f64], count: usize) -> bool {
    kappa.chunks_exact(count).enumerate().all(|(e, row)| {
        let symmetric = row.iter().enumerate().all(|(f, k)| *k == kappa[f * count + e]);
        let beside = row.iter().enumerate().all(|(f, k)| f == e || *k <= 0.0);
        symmetric && beside && row.iter().sum::<f64>() >= 0.0
    })
}

/// The rows of a port that nothing may move, on each of its branches.
fn still<'a>(element: &'a Element, law: &Ported) -> impl Iterator<Item = &'a Row> + use<'a> {
    let (width, count) = (law.port.measures().len().max(1), law.port.still());
    element.rows.chunks(width).flat_map(move |branch| &branch[..count.min(branch.len())])
}

fn check_element(system: &System, element: &Element, problems: &mut Problems) {
    let name = &element.name;
    let wanted = match &element.law {
        Law::Compliant(_) | Law::Rigid { .. } | Law::Resistive(_) => 1,
        // Each branch has as many.
        Law::Port(law) => law.port.measures().len().max(1) * element.branches().max(1),
        Law::Custom(_) => element.rows.len().max(1),
    };
    if element.rows.len() != wanted {
        problems
            .add(format!("element `{name}` has {} rows where its law takes {wanted}", element.rows.len()));
    }
    if !(element.rows.iter().all(|row| fits(row, system.size())) && element.gap.is_finite()) {
        problems
            .add(format!("element `{name}` reads coordinates that do not exist, or its gap is not finite"));
    }
    let in_range = |x: f64| x.is_finite() && x >= 0.0;
    match &element.law {
        Law::Compliant(law) if !(in_range(law.loss) && in_range(law.scale)) => problems.add(format!(
            "contact `{name}`: its loss {} and its scale {} must be finite and not negative",
            law.loss, law.scale
        )),
        // Its force is cut off at 0, which would take the pull of a law that acts on both sides.
        Law::Compliant(law) if law.loss_law == LossLaw::Relaxation && !law.onset().is_finite() => {
            problems.add(format!("contact `{name}`: a relaxation belongs to laws with an onset alone"));
        }
        Law::Rigid { restitution } if !(0.0..=1.0).contains(restitution) => {
            problems.add(format!("contact `{name}`: its restitution {restitution} must be 0 to 1"));
        }
        Law::Resistive(law) if !(law.control.is_finite() && in_range(law.scale)) => {
            problems.add(format!(
                "element `{name}`: its control value {} and its scale {} must be finite, the scale not negative",
                law.control, law.scale
            ));
        }
        Law::Port(law) if still(element, law).any(|row| !row.is_zero()) => {
            problems.add(format!(
                "element `{name}`: the first {} of its rows on each branch must be empty",
                law.port.still()
            ));
        }
        Law::Port(law) if !law.control.is_finite() => {
            problems.add(format!("element `{name}`: its control value {} must be finite", law.control));
        }
        law => {
            if let Some(control) = law.control().filter(|control| !control.allowed.holds(control.own)) {
                problems.add(format!(
                    "element `{name}`: its {} {} must be {}",
                    control.name, control.own, control.allowed
                ));
            }
        }
    }
}

fn inputs(system: &System, problems: &mut Problems) {
    let mut controlled = vec![false; system.elements.len()];
    let mut branched = controlled.clone();
    for input in &system.inputs {
        let name = &input.name;
        match &input.action {
            Action::Force(row) if !fits(row, system.size()) => {
                problems.add(format!("input `{name}` acts on coordinates that do not exist"));
            }
            Action::Force(_) => {}
            Action::Strain(range) => {
                if range.start > range.end || range.end > system.forms.len() {
                    problems.add(format!("input `{name}` strains forms {range:?}, which do not all exist"));
                }
            }
            Action::Motion(range)
            | Action::Rate(range)
            | Action::Branch(range)
            | Action::Control(range)
            | Action::Custom { elements: range, .. }
                if range.start > range.end || range.end > system.elements.len() =>
            {
                problems.add(format!("input `{name}` acts on elements {range:?}, which do not all exist"));
            }
            Action::Motion(range) => {
                let custom = |element: &&Element| matches!(element.law, Law::Custom(_));
                for element in system.elements[range.clone()].iter().filter(custom) {
                    problems.add(format!(
                        "input `{name}` moves the reference of `{}`, a custom law",
                        element.name
                    ));
                }
            }
            Action::Rate(range) => {
                let other = |element: &&Element| !matches!(element.law, Law::Port(_));
                for element in system.elements[range.clone()].iter().filter(other) {
                    problems.add(format!(
                        "input `{name}` prescribes the rate of `{}`, which is no port",
                        element.name
                    ));
                }
            }
            Action::Branch(range) => {
                for j in range.clone() {
                    let element = &system.elements[j];
                    if element.branches() < 2 {
                        problems.add(format!(
                            "input `{name}` puts `{}` on a branch, which has one",
                            element.name
                        ));
                    } else if std::mem::replace(&mut branched[j], true) {
                        problems.add(format!(
                            "two inputs put `{}` on a branch, one of them `{name}`",
                            element.name
                        ));
                    }
                }
            }
            Action::Control(range) => {
                for j in range.clone() {
                    let element = &system.elements[j];
                    if element.law.control().is_none() {
                        problems.add(format!(
                            "input `{name}` controls `{}`, which has no control value",
                            element.name
                        ));
                    } else if std::mem::replace(&mut controlled[j], true) {
                        problems.add(format!(
                            "`{}` is controlled by two inputs, one of them `{name}`",
                            element.name
                        ));
                    }
                }
            }
            Action::Custom { .. } => {}
        }
    }
}

fn outputs(system: &System, problems: &mut Problems) {
    let valid = |quantity: &Quantity| match quantity {
        Quantity::Force(elements) | Quantity::MeanForce(elements) => {
            elements.start <= elements.end && elements.end <= system.elements.len()
        }
        Quantity::Tension(forms, row) => fits(forms, system.forms.len()) && fits(row, system.size()),
        of_rows => of_rows.rows().all(|row| fits(row, system.size())),
    };
    for output in system.outputs.iter().filter(|output| !valid(&output.quantity)) {
        problems
            .add(format!("output `{}` reads coordinates, elements or forms that do not exist", output.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A form whose matrix is not symmetric, or reads what is not there, is refused by its name.
    #[test]
    fn a_form_must_be_one() {
        let wrong = |quadratic: Vec<(usize, usize, f64)>| {
            let mut system = System::default();
            (0..2).for_each(|_| _ = system.add_dof(1.0, 0.0, 0.0));
            system.forms.push(Form {
                name: "membrane".into(),
                quadratic,
                linear: Row::unit(1),
                strain: Row::ground(),
                stretch: 1.0,
            });
            check(&system, 1e-4).err().map(|refusal| refusal.to_string())
        };
        assert_eq!(wrong(vec![(0, 1, 2.0), (0, 0, -1.0)]), None);
        for (entries, said) in [
            (vec![(0, 2, 1.0)], "coordinates that do not exist"),
            (vec![(0, 0, f64::NAN)], "not finite"),
            (vec![(1, 0, 1.0)], "below the diagonal"),
            (vec![(0, 1, 1.0), (0, 1, 1.0)], "twice"),
        ] {
            let text = wrong(entries).unwrap();
            assert!(text.contains("`membrane`") && text.contains(said), "{text}");
        }
    }
}
