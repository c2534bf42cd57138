//! The fingerprint of a run: 64 bits that tell whether a saved state belongs to it, and whether another run shares all that is
//! constant with it.
//!
//! It is the [`Identity`] of the run, made of
//!
//! | covered | as |
//! |---|---|
//! | the scheme | its identity: its name and options |
//! | Δt, M | numbers |
//! | K, R | each block's coordinates and operators as they are stored: the order in which they are summed is part of them |
//! | joints | springs, supports and κ |
//! | forms | B, l and s, where there are any |
//! | elements | rows, gap; scale, loss, restitution, control value; the identity of the law, and what its branches are where it has several |
//! | inputs | kind, row or elements |
//!
//! Names, outputs and initial conditions are not: the next step does not depend on them. The elements of one contact along a body
//! share their law, which is asked once for all of them: a table or a formula is long.

use crate::{
    element::{Element, Law},
    form::Form,
    identity::Identity,
    input::{Action, Input},
    joint::{Joint, Support},
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::stencils::{Family, Stencils, Weights};
use std::{ops::Range, sync::Arc};

/// The fingerprint of this scheme on this system at the time step `dt`, s.
pub fn fingerprint(scheme: Identity, dt: f64, system: &System) -> u64 {
    let System { mass, blocks, joints, forms, elements, inputs, outputs: _, initial: _ } = system;
    let mut shared = SharedLaw::default();
    let run = scheme.number(dt).numbers(mass).each(blocks, block).each(joints, joint);
    // A system without forms has the fingerprint that it had before there were any.
    let run = if forms.is_empty() { run } else { run.each(forms, form) };
    run.each(elements, |run, own| element(run, own, &mut shared)).each(inputs, input).bits()
}

/// The identity of the law of the element before, by the address of the law. The system holds its laws while they are
/// asked, so that no two of them have the same address.
#[derive(Default)]
struct SharedLaw(Option<(*const (), Identity)>);

impl SharedLaw {
    /// Asks a law, unless it is that of the element before.
    fn of<T: ?Sized>(&mut self, law: &Arc<T>, ask: impl Fn(&T) -> Identity) -> Identity {
        let address = Arc::as_ptr(law).cast::<()>();
        let known = self.0.filter(|(last, _)| *last == address);
        self.0.insert(known.unwrap_or_else(|| (address, ask(law)))).1
    }
}

fn range(run: Identity, range: &Range<usize>) -> Identity {
    run.count(range.start).count(range.end)
}

fn block(run: Identity, Block { name: _, dofs, stiffness, damping }: &Block) -> Identity {
    operator(operator(range(run, dofs), stiffness), damping)
}

// Alternatives are numbered, so that an empty list of one is not an empty list of another.

fn row(run: Identity, row: &Row) -> Identity {
    match row {
        Row::Sparse(entries) => {
            run.count(0).each(entries, |run, (dof, weight)| run.count(*dof).number(*weight))
        }
        Row::Dense { first, weights } => run.count(1).count(*first).numbers(weights),
        // The table follows from the number of its intervals.
        Row::Sine(sine) => {
            let counts = [sine.first, sine.modes, sine.point, sine.intervals()];
            run.count(2).each(counts, Identity::count).number(sine.scale)
        }
    }
}

fn strains(run: Identity, strains: &[(f64, Row)]) -> Identity {
    run.each(strains, |run, (weight, strain)| row(run.number(*weight), strain))
}

fn operator(run: Identity, operator: &Operator) -> Identity {
    match operator {
        Operator::Zero => run.count(0),
        Operator::Diagonal(k) => run.count(1).numbers(k),
        Operator::Strains(list) => strains(run.count(2), list),
        Operator::Stencils(Stencils { families, ends }) => strains(run.count(3).each(families, family), ends),
    }
}

fn family(run: Identity, Family { first, stride, stencil, weights }: &Family) -> Identity {
    let run = run.count(*first).count(*stride).numbers(stencil);
    match weights {
        Weights::Uniform(weight, count) => run.count(0).number(*weight).count(*count),
        Weights::Each(weights) => run.count(1).numbers(weights),
    }
}

fn joint(run: Identity, Joint { name: _, first, springs, supports, stiffness }: &Joint) -> Identity {
    let support = |run: Identity, Support { lift, place }: &Support| row(run.numbers(lift), place);
    run.count(*first).numbers(springs).each(supports, support).numbers(stiffness)
}

fn form(run: Identity, Form { name: _, quadratic, linear, strain, stretch }: &Form) -> Identity {
    let entry = |run: Identity, (i, j, b): &(usize, usize, f64)| run.count(*i).count(*j).number(*b);
    row(row(run.each(quadratic, entry), linear), strain).number(*stretch)
}

fn element(run: Identity, element: &Element, shared: &mut SharedLaw) -> Identity {
    let (Element { name: _, rows, gap, law }, several) = (element, element.branches() > 1);
    let run = run.each(rows, row).number(*gap);
    match law {
        Law::Compliant(law) => {
            let potential = shared.of(&law.potential, |law| law.identity());
            run.count(0).number(law.scale).number(law.loss).count(law.loss_law as usize).with(potential)
        }
        Law::Rigid { restitution } => run.count(1).number(*restitution),
        Law::Resistive(law) => {
            let resistance = shared.of(&law.resistance, |law| law.identity());
            run.count(2).number(law.scale).number(law.control).with(resistance)
        }
        Law::Port(law) => {
            let run = run.count(4).number(law.control).with(shared.of(&law.port, |law| law.identity()));
            // What an input that puts it on a branch means.
            if several { run.count(law.port.branches() as usize) } else { run }
        }
        Law::Custom(law) => run.count(3).with(shared.of(law, |law| law.identity())),
    }
}

fn input(run: Identity, Input { name: _, action }: &Input) -> Identity {
    match action {
        Action::Force(force) => row(run.count(0), force),
        Action::Motion(elements) => range(run.count(1), elements),
        Action::Control(elements) => range(run.count(2), elements),
        Action::Rate(elements) => range(run.count(4), elements),
        Action::Branch(elements) => range(run.count(5), elements),
        Action::Strain(forms) => range(run.count(6), forms),
        Action::Custom { kind, elements } => range(run.count(3).text(kind), elements),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{element::Resistive, parameter::DriveQuantity, resistance::Resistance, system::Block};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A damper without force that counts how often it is asked.
    #[derive(Debug)]
    struct Counted(f64, AtomicUsize);

    impl Resistance for Counted {
        fn force(&self, _: f64, _: f64) -> (f64, f64) {
            (0.0, 0.0)
        }

        fn control(&self) -> (&'static str, DriveQuantity) {
            ("resistance", DriveQuantity::Resistance)
        }

        fn identity(&self) -> Identity {
            self.1.fetch_add(1, Ordering::Relaxed);
            Identity::of("counted").number(self.0)
        }
    }

    /// Two coordinates on a spring between them, driven, with a rigid contact.
    fn pair() -> System {
        let mut system = System::default();
        system.add_dof(1.0, 0.0, 0.0);
        system.add_dof(2.0, 0.0, 0.0);
        let strain = Row::Sparse(vec![(0, 1.0), (1, -1.0)]);
        let stiffness = Operator::Strains(vec![(3.0, strain.clone())]);
        let damping = Operator::Diagonal(vec![0.5, 0.25]);
        system.blocks.push(Block { name: "spring".into(), dofs: 0..2, stiffness, damping });
        system.elements.push(Element::new("stop", strain, 1e-3, Law::Rigid { restitution: 0.5 }));
        system.inputs.push(Input::force("push", Row::unit(1)));
        system
    }

    /// The bits that every machine must find: a change of the list of what is covered changes them.
    #[test]
    fn a_fingerprint_is_the_same_everywhere() {
        assert_eq!(fingerprint(Identity::of("ec").number(0.5), 1e-5, &pair()), 0xec81_8cf9_1745_3eed);
    }

    /// A shared law is asked once, and its elements have the fingerprint of elements with a law each.
    #[test]
    fn a_law_that_elements_share_is_asked_once() {
        let counted = |r: f64| Arc::new(Counted(r, AtomicUsize::new(0)));
        let of = |laws: Vec<Arc<Counted>>| {
            let mut system = pair();
            for resistance in laws {
                let law = Law::Resistive(Resistive { resistance, control: 0.0, scale: 1.0 });
                system.elements.push(Element::new("felt", Row::unit(0), 0.0, law));
            }
            fingerprint(Identity::of("ec"), 1e-5, &system)
        };
        let (one, two) = (counted(1.0), counted(2.0));
        let shared = of([&one, &one, &one, &two, &two].map(Arc::clone).to_vec());
        assert_eq!([&one, &two].map(|law| law.1.load(Ordering::Relaxed)), [1, 1]);
        assert_eq!(shared, of([1.0, 1.0, 1.0, 2.0, 2.0].map(counted).to_vec()));
        assert_ne!(shared, of([1.0, 1.0, 2.0, 2.0, 2.0].map(counted).to_vec()));
    }

    #[test]
    fn every_number_counts_and_no_name_does() {
        let of = |change: &dyn Fn(&mut System)| {
            let mut system = pair();
            change(&mut system);
            fingerprint(Identity::of("ec"), 1e-5, &system)
        };
        let own = of(&|_| {});
        let form = |b: f64, stretch: f64| Form {
            name: "string".into(),
            quadratic: vec![(0, 1, b)],
            linear: Row::ground(),
            strain: Row::ground(),
            stretch,
        };
        let changes: [&dyn Fn(&mut System); 12] = [
            &|s| s.mass[1] = 2.0_f64.next_up(),
            &|s| s.blocks[0].stiffness = Operator::Zero,
            &|s| s.blocks[0].damping = Operator::Diagonal(vec![0.25, 0.5]),
            &|s| s.elements[0].gap = -1e-3,
            &|s| s.elements[0].rows = vec![Row::Dense { first: 0, weights: vec![1.0, -1.0] }],
            &|s| s.elements[0].law = Law::Rigid { restitution: 0.25 },
            &|s| s.inputs[0] = Input::force("push", Row::unit(0)),
            &|s| s.inputs[0] = Input::motion("push", 0..1),
            &|s| s.inputs.clear(),
            &|s| s.forms.push(form(1.0, 2.0)),
            &|s| s.forms.push(form(1.0, 3.0)),
            &|s| s.forms.push(form(1.5, 2.0)),
        ];
        let mut found: Vec<u64> = changes.into_iter().map(of).chain([own]).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 13);
        assert_ne!(own, fingerprint(Identity::of("ec"), 2e-5, &pair()));
        assert_ne!(own, fingerprint(Identity::of("mr"), 1e-5, &pair()));
        assert_ne!(own, fingerprint(Identity::of("ec").count(1), 1e-5, &pair()));
        assert_eq!(own, of(&|s| s.elements[0].name = "post".into()));
        assert_eq!(own, of(&|s| s.initial.position[0] = 1e-3));
    }
}
