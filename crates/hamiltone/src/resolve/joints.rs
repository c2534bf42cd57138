//! Links and contacts: what acts between two places.
//!
//!   link:     f = k δ + r δ̇,   δ = q₁ − q₂      (k stiffness, N/m; r loss, N s/m)
//!   contact:  f = law(δ − gap, δ̇)
//!
//! The force pushes the first place down and the second up. On bodies per unit
//! area it is a pressure: Pa stands in place of N in every unit.

use super::{
    Builder,
    bodies::entry,
    frame::{Frame, Key},
};
use crate::scene::section::{Circumstances, Section};
use hamiltone_core::system::Contact;

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    example: "[\"hammer\", \"ground\"]",
    doc: "two places, each a body, a body@length or body@fraction, or \"ground\"; displacements count first − second",
};

/// `[link.NAME]`.
pub fn link_frame() -> Frame {
    let kind = hamiltone_bodies::link::kind();
    Frame {
        name: kind.name,
        summary: kind.summary,
        named: true,
        keys: &[BETWEEN],
        parameters: kind.parameters,
    }
}

/// `[contact.NAME]`.
pub const CONTACT: Frame = Frame {
    name: "contact",
    summary: "a force between two places that depends on their penetration, first − second − gap",
    named: true,
    keys: &[
        BETWEEN,
        Key { name: "law", required: true, example: "\"power\"", doc: "what it does: see `list contacts`" },
    ],
    parameters: &[],
};

impl Builder<'_> {
    /// Reads `[link.NAME]`.
    pub fn link(&mut self, name: &str, section: &Section<'_>) {
        let frame = link_frame();
        section.refuse_unknown(frame.parameters, &frame.own(), self.problems);
        let (row, per_area) = self.joint(section);
        let circumstances = Circumstances { base: self.base, per_area };
        let Some(values) = section.values(frame.parameters, circumstances, self.problems) else { return };
        let number = |name| values.number(name).unwrap_or_default();
        let Some(row) = row else { return };
        let (stiffness, loss) = (number("stiffness"), number("loss"));
        if let Err(complaint) = hamiltone_bodies::link::add_to(&mut self.system, name, row, stiffness, loss) {
            self.problems.push(section.complaint(&complaint));
        }
    }

    /// Reads `[contact.NAME]`.
    pub fn contact(&mut self, name: &str, section: &Section<'_>) {
        let made = self.made(name, section);
        self.contacts.insert(name.into(), made);
    }

    fn made(&mut self, name: &str, section: &Section<'_>) -> Option<(usize, bool)> {
        let (row, per_area) = self.joint(section);
        let catalogue = hamiltone_contacts::catalogue();
        let entry = entry(section, "law", "contacts", catalogue, self.problems)?;
        section.refuse_unknown(entry.kind.parameters, &CONTACT.own(), self.problems);
        let circumstances = Circumstances { base: self.base, per_area };
        let values = section.values(entry.kind.parameters, circumstances, self.problems)?;
        let touch = (entry.make)(&values)
            .map_err(|complaint| self.problems.push(section.complaint(&complaint)))
            .ok()?;
        let number = self.system.contacts.len();
        self.system.contacts.push(Contact { name: name.into(), row: row?, gap: touch.gap, law: touch.law });
        Some((number, per_area == Some(true)))
    }
}
