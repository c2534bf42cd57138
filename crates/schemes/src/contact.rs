//! The compliant contacts of a system, as schemes and their energy balance see them.

use hamiltone_core::{
    element::{Compliant, Element},
    refusal::Refusal,
    row::Row,
    system::System,
};
use hamiltone_numerics::lanes;

/// One contact: its row c, gap h and law.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub row: Row,
    pub gap: f64,
    pub law: Compliant,
    /// Up to where V is 0.
    pub onset: f64,
}

impl Contact {
    /// The compliant contact that an element is; `None` for any other law.
    pub fn of(element: &Element) -> Option<Self> {
        let law = element.law.compliant()?.clone();
        Some(Self { row: element.row().clone(), gap: element.gap, onset: law.onset(), law })
    }

    /// x = c·q − h.
    pub fn penetration(&self, q: &[f64]) -> f64 {
        self.row.dot(q) - self.gap
    }

    /// V(x).
    pub fn energy(&self, x: f64) -> f64 {
        // Most contacts are open most of the time: the law, often a power function, is not evaluated for them.
        if x <= self.onset { 0.0 } else { self.law.energy(x) }
    }
}

/// The compliant contacts of `system`: all of its elements, for a scheme that covers no other law.
pub(crate) fn all(system: &System) -> Vec<Contact> {
    system.elements.iter().filter_map(Contact::of).collect()
}

/// ΣV at q.
pub(crate) fn energy(contacts: &[Contact], q: &[f64]) -> f64 {
    lanes::sum(contacts.len(), |j| contacts[j].energy(contacts[j].penetration(q)))
}

/// The most numbers that contacts may need among each other and with the coordinates: 1 GB.
const MAX_NUMBERS: usize = 1 << 27;

/// Refuses more elements than impulses can be solved for: each is kept with each other, and with `each` numbers more.
pub(crate) fn few_enough(scheme: &'static str, system: &System, each: usize) -> Result<(), Refusal> {
    let p = system.elements.len();
    // A product that saturates is above the limit, and refused.
    fit(scheme, p, p.saturating_mul(2 * p + each))
}

/// Refuses `contacts` that need so many numbers.
pub(crate) fn fit(scheme: &'static str, contacts: usize, numbers: usize) -> Result<(), Refusal> {
    if numbers <= MAX_NUMBERS {
        return Ok(());
    }
    Err(Refusal::OutOfRange {
        scheme,
        what: format!(
            "{contacts} contacts: their compliances would take {:.1} GB, more than {:.1} GB",
            numbers as f64 * 8e-9,
            MAX_NUMBERS as f64 * 8e-9
        ),
        instead: "use fewer intervals, a shorter profile, or frets".into(),
    })
}
