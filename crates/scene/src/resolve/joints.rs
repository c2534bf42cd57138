//! Links and contacts: what acts between two places.
//!
//!   link:     f = k δ + r δ̇,   δ = q₁ − q₂      (k stiffness, N/m; r loss, N s/m)
//!   contact:  f = law(δ − gap, δ̇)
//!
//! The force pushes the first place down and the second up. On bodies per unit
//! area it is a pressure: Pa stands in place of N in every unit.

use super::{
    bodies::entry,
    builder::Builder,
    frame::{Frame, Key},
    obstacle,
    path::ALONG,
    places::Named,
};
use crate::{
    document::{expected::Circumstances, section::Section},
    plan::ContactPlan,
};
use hamiltone_core::{body::Measure, element::Element, parameter::Table, row::Row};

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    example: "[\"hammer\", \"ground\"]",
    doc: "two places, each a body, a body@length, body@fraction or body@x,y (of a membrane radius and angle), or \"ground\"; displacements count first − second",
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
        rules: kind.rules,
    }
}

/// `[contact.NAME]`.
pub const CONTACT: Frame = Frame {
    name: "contact",
    summary: "a force between two places that depends on their penetration, first − second − gap",
    named: true,
    keys: &[
        Key {
            doc: "two places, each a body, a body@length, body@fraction or body@x,y (of a membrane radius and angle), or \"ground\"; a string or bar without @ is touched from end to end, its law then being per unit length, or at its frets, and a surface without @ along the line that `along` names; displacements count first − second",
            ..BETWEEN
        },
        ALONG,
        Key { name: "law", required: true, example: "\"power\"", doc: "what it does: see `list contacts`" },
    ],
    parameters: obstacle::PARAMETERS,
    rules: obstacle::RULES,
};

/// The two places of a joint.
struct Joint {
    /// First and second.
    ends: [Named; 2],
    /// What the bodies are measured in.
    measure: Measure,
}

impl Builder<'_> {
    /// The two places of `between`, and what is known of their measure where one of them is broken.
    fn joint(&mut self, section: &Section<'_>) -> (Option<Joint>, Option<Measure>) {
        let Some([first, second]) = self.between(section) else { return (None, None) };
        let measures = || [&first, &second].into_iter().flatten().filter_map(Named::measure);
        let air = measures().find(|measure| *measure == Measure::Volume);
        let measure = air.or_else(|| measures().next());
        let (Some(first), Some(second)) = (first, second) else { return (None, measure) };
        let message = match measure {
            Some(Measure::Volume) => "`between` takes what has a displacement: air moves as a volume (m³)",
            None => "`between` joins a place with itself: nothing can move there",
            Some(measure) => return (Some(Joint { ends: [first, second], measure }), Some(measure)),
        };
        let help = "name two different places; the second may be \"ground\"";
        self.problems.push(section.problem("between", message, "").help(help));
        (None, None)
    }

    /// The row first − second.
    fn difference(&mut self, section: &Section<'_>, joint: &Joint) -> Option<Row> {
        let [first, second] = &joint.ends;
        let (first, second) = (self.row(section, first), self.row(section, second));
        let row = first?.minus(&second?);
        if row.last_dof().is_none() {
            let message = "`between` joins a place with itself: nothing can move there";
            let help = "name two different places; the second may be \"ground\"";
            self.problems.push(section.problem("between", message, "the same place").help(help));
            return None;
        }
        Some(row)
    }

    /// Reads `[link.NAME]`.
    pub fn link(&mut self, name: &str, section: &Section<'_>) {
        let frame = link_frame();
        let (joint, measure) = self.joint(section);
        let row = joint.and_then(|joint| self.difference(section, &joint));
        let values = section.values(&frame.table(), &frame.own(), self.at(measure), self.problems).sound();
        let Some(values) = values else { return };
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

    fn made(&mut self, name: &str, section: &Section<'_>) -> Option<usize> {
        let (joint, measure) = self.joint(section);
        let long = |joint: &Joint| joint.ends.iter().any(|end| Self::follows(section, end));
        let along = joint.as_ref().is_some_and(long);
        let catalogue = hamiltone_elements::catalogue();
        let entry = entry(section, "law", "contacts", catalogue, self.problems)?;
        let parameters = [entry.kind.parameters, CONTACT.parameters].concat();
        let left = self.left_behind((section, "law"), section, &parameters, &CONTACT.own());
        let per_length = along && !obstacle::of_points(section);
        let circumstances = Circumstances { along: per_length, ..self.at(measure) };
        let rules = [entry.kind.rules, CONTACT.rules].concat();
        let table = Table { parameters: &parameters, rules: &rules };
        let values =
            section.values(&table, &[CONTACT.own(), left].concat(), circumstances, self.problems).sound()?;
        let touch = (entry.make)(&values)
            .map_err(|complaint| self.problems.push(section.complaint(&complaint)))
            .ok()?;
        let joint = joint?;
        let first = self.system.elements.len();
        let along = if along {
            self.check_along(section, entry)?;
            Some(self.along(name, section, &joint.ends, &touch, &values)?)
        } else {
            if section.table.contains_key(ALONG.name) {
                self.no_surface(section);
            }
            if let Some(shape) = obstacle::given(section) {
                let message = format!("`{shape}` is of what touches a body all along");
                let problem = section.problem(shape, message, "");
                self.problems.push(problem.help("name the body in `between` without @"));
            }
            let row = self.difference(section, &joint)?;
            self.system.elements.push(Element::new(name, row, touch.gap, touch.law));
            None
        };
        let parts = first..self.system.elements.len();
        self.contact_plans.push(ContactPlan {
            name: name.into(),
            law: entry.kind.name,
            parts,
            measure: joint.measure,
            per_length,
            along,
        });
        Some(self.contact_plans.len() - 1)
    }
}
