//! The fingerprint of a run: 64 bits that tell whether a saved state belongs to it, and whether another run shares all that is
//! constant with it.
//!
//! The hash is the FNV-1a of [`checksum`], the same on every machine. Numbers enter as the little-endian bytes of their
//! IEEE 754 representation, counts as 64-bit integers, texts with their length in front.
//!
//! | covered | as |
//! |---|---|
//! | the scheme | its name, and its options as its `Debug` writes them |
//! | Δt, M | numbers |
//! | K, R | each block's coordinates and operators as they are stored: the order in which they are summed is part of them |
//! | elements | rows, gap; scale, loss, restitution, control value; the law as its `Debug` writes it |
//! | inputs | kind, row or elements |
//!
//! Names, outputs and initial conditions are not: the next step does not depend on them. What a law's `Debug` does not
//! write is not seen. The elements of one contact along a body share their law: its text is formatted once for all of
//! them, since numbers take some hundred times longer to format than to hash. Rust does not promise that derived `Debug` writes the same in every release: a state that another
//! release refuses is refused without need, none is accepted that should not be.

use crate::{
    checksum,
    element::{Element, Law},
    input::{Action, Input},
    operator::Operator,
    row::Row,
    system::System,
};
use hamiltone_numerics::stencils::{Family, Stencils, Weights};
use std::{
    fmt::{self, Debug, Write},
    ops::Range,
    sync::Arc,
};

/// The fingerprint of a scheme with its options on this system at the time step `dt`, s.
pub(crate) fn fingerprint<S: Debug + ?Sized>(name: &str, options: &S, dt: f64, system: &System) -> u64 {
    let mut hash = Fnv(checksum::OFFSET);
    hash.text(name);
    hash.debug(options);
    hash.number(dt);
    hash.numbers(&system.mass);
    hash.count(system.blocks.len());
    for block in &system.blocks {
        hash.range(&block.dofs);
        hash.operator(&block.stiffness);
        hash.operator(&block.damping);
    }
    hash.count(system.elements.len());
    let mut law = LawText::default();
    system.elements.iter().for_each(|element| hash.element(element, &mut law));
    hash.count(system.inputs.len());
    system.inputs.iter().for_each(|input| hash.input(input));
    hash.0
}

/// What `Debug` writes of the law of the element before, by the address of the law. The system holds its laws while it is
/// hashed, so that no two of them have the same address.
#[derive(Default)]
struct LawText {
    address: Option<*const ()>,
    text: String,
    written: bool,
}

impl LawText {
    /// Formats a law, unless it is that of the element before.
    fn of<T: Debug + ?Sized>(&mut self, law: &Arc<T>) -> &Self {
        let address = Some(Arc::as_ptr(law).cast::<()>());
        if self.address != address {
            self.text.clear();
            self.written = write!(self.text, "{law:?}").is_ok();
            self.address = address;
        }
        self
    }
}

/// The hash so far.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0 = checksum::add(self.0, bytes);
    }

    /// What kind of thing follows.
    fn tag(&mut self, tag: u8) {
        self.bytes(&[tag]);
    }

    fn count(&mut self, count: usize) {
        self.bytes(&(count as u64).to_le_bytes());
    }

    fn range(&mut self, range: &Range<usize>) {
        self.count(range.start);
        self.count(range.end);
    }

    fn number(&mut self, x: f64) {
        self.bytes(&x.to_bits().to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[f64]) {
        self.count(numbers.len());
        numbers.iter().for_each(|x| self.number(*x));
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    /// What `Debug` writes, ended by a byte that no text has.
    fn debug<T: Debug + ?Sized>(&mut self, thing: &T) {
        let written = write!(self, "{thing:?}");
        self.end(written.is_ok());
    }

    /// The same of a law that elements share.
    fn law(&mut self, law: &LawText) {
        self.bytes(law.text.as_bytes());
        self.end(law.written);
    }

    fn end(&mut self, written: bool) {
        self.tag(if written { 0xff } else { 0xfe });
    }

    fn row(&mut self, row: &Row) {
        match row {
            Row::Sparse(entries) => {
                self.tag(0);
                self.count(entries.len());
                for (dof, weight) in entries {
                    self.count(*dof);
                    self.number(*weight);
                }
            }
            Row::Dense { first, weights } => {
                self.tag(1);
                self.count(*first);
                self.numbers(weights);
            }
            // The table follows from the number of its intervals.
            Row::Sine(sine) => {
                self.tag(2);
                [sine.first, sine.modes, sine.point, sine.intervals()]
                    .into_iter()
                    .for_each(|n| self.count(n));
                self.number(sine.scale);
            }
        }
    }

    fn strains(&mut self, strains: &[(f64, Row)]) {
        self.count(strains.len());
        for (weight, row) in strains {
            self.number(*weight);
            self.row(row);
        }
    }

    fn operator(&mut self, operator: &Operator) {
        match operator {
            Operator::Zero => self.tag(0),
            Operator::Diagonal(k) => {
                self.tag(1);
                self.numbers(k);
            }
            Operator::Strains(strains) => {
                self.tag(2);
                self.strains(strains);
            }
            Operator::Stencils(Stencils { families, ends }) => {
                self.tag(3);
                self.count(families.len());
                families.iter().for_each(|family| self.family(family));
                self.strains(ends);
            }
        }
    }

    fn family(&mut self, Family { first, stride, stencil, weights }: &Family) {
        self.count(*first);
        self.count(*stride);
        self.numbers(stencil);
        match weights {
            Weights::Uniform(weight, count) => {
                self.tag(0);
                self.number(*weight);
                self.count(*count);
            }
            Weights::Each(weights) => {
                self.tag(1);
                self.numbers(weights);
            }
        }
    }

    fn element(&mut self, Element { name: _, rows, gap, law }: &Element, shared: &mut LawText) {
        self.count(rows.len());
        rows.iter().for_each(|row| self.row(row));
        self.number(*gap);
        match law {
            Law::Compliant(law) => {
                self.tag(0);
                self.number(law.scale);
                self.number(law.loss);
                self.law(shared.of(&law.potential));
            }
            Law::Rigid { restitution } => {
                self.tag(1);
                self.number(*restitution);
            }
            Law::Resistive(law) => {
                self.tag(2);
                self.number(law.scale);
                self.number(law.control);
                self.law(shared.of(&law.resistance));
            }
            Law::Custom(law) => {
                self.tag(3);
                self.text(law.kind());
                self.law(shared.of(law));
            }
        }
    }

    fn input(&mut self, Input { name: _, action }: &Input) {
        match action {
            Action::Force(row) => {
                self.tag(0);
                self.row(row);
            }
            Action::Motion(elements) => {
                self.tag(1);
                self.range(elements);
            }
            Action::Control(elements) => {
                self.tag(2);
                self.range(elements);
            }
            Action::Custom { kind, elements } => {
                self.tag(3);
                self.text(kind);
                self.range(elements);
            }
        }
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{element::Resistive, parameter::Quantity, resistance::Resistance, system::Block};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A damper without force that counts how often it is formatted.
    struct Counted(f64, AtomicUsize);

    impl Debug for Counted {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.1.fetch_add(1, Ordering::Relaxed);
            write!(f, "Counted({:?})", self.0)
        }
    }

    impl Resistance for Counted {
        fn force(&self, _: f64, _: f64) -> (f64, f64) {
            (0.0, 0.0)
        }

        fn never_falls(&self) -> bool {
            true
        }

        fn control(&self) -> (&'static str, Quantity) {
            ("resistance", Quantity::Resistance)
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
        assert_eq!(fingerprint("ec", &(0.5, true), 1e-5, &pair()), 0xbe73_e716_fcaa_76df);
    }

    /// A shared law is formatted once, and its elements have the fingerprint of elements with a law each.
    #[test]
    fn a_law_that_elements_share_is_formatted_once() {
        let counted = |r: f64| Arc::new(Counted(r, AtomicUsize::new(0)));
        let of = |laws: Vec<Arc<Counted>>| {
            let mut system = pair();
            for resistance in laws {
                let law = Law::Resistive(Resistive { resistance, control: 0.0, scale: 1.0 });
                system.elements.push(Element::new("felt", Row::unit(0), 0.0, law));
            }
            fingerprint("ec", &(), 1e-5, &system)
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
            fingerprint("ec", &(), 1e-5, &system)
        };
        let own = of(&|_| {});
        let changes: [&dyn Fn(&mut System); 9] = [
            &|s| s.mass[1] = 2.0_f64.next_up(),
            &|s| s.blocks[0].stiffness = Operator::Zero,
            &|s| s.blocks[0].damping = Operator::Diagonal(vec![0.25, 0.5]),
            &|s| s.elements[0].gap = -1e-3,
            &|s| s.elements[0].rows = vec![Row::Dense { first: 0, weights: vec![1.0, -1.0] }],
            &|s| s.elements[0].law = Law::Rigid { restitution: 0.25 },
            &|s| s.inputs[0] = Input::force("push", Row::unit(0)),
            &|s| s.inputs[0] = Input::motion("push", 0..1),
            &|s| s.inputs.clear(),
        ];
        let mut found: Vec<u64> = changes.into_iter().map(of).chain([own]).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 10);
        assert_ne!(own, fingerprint("ec", &(), 2e-5, &pair()));
        assert_ne!(own, fingerprint("mr", &(), 1e-5, &pair()));
        assert_ne!(own, fingerprint("ec", &true, 1e-5, &pair()));
        assert_eq!(own, of(&|s| s.elements[0].name = "post".into()));
        assert_eq!(own, of(&|s| s.initial.position[0] = 1e-3));
    }
}
