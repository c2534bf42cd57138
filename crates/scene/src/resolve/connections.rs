//! Links and contacts: forces between two places.
//!
//!   link:     f = k δ + r δ̇,   δ = q₁ − q₂      (k stiffness, N/m; r loss, N s/m)
//!   contact:  f = law(δ − gap, δ̇)
//!
//! The force pushes the first place down and the second up. On bodies per unit
//! area it is a pressure: Pa stands in place of N in every unit.

use super::{
    bodies::entry,
    bow::{self, Beside},
    frame::{Form, Frame, Key, Sections},
    obstacle,
    path::{self, ALONG},
    places::Named,
    stages::Connections,
    valve::{self, EMBOUCHURES, FINGERINGS},
};
use crate::{
    document::{
        expected::Circumstances,
        section::{Checked, Section},
    },
    limits::Limited,
};
use hamiltone_core::{
    body::Measure,
    element::{Element, Law},
    geometry::Place,
    parameter::Table,
    row::Row,
};
use hamiltone_plan::ContactPlan;

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    form: Form::Places,
    example: "[\"hammer\", \"ground\"]",
    doc: "two places, each a body, a body@length, body@fraction or body@x,y (of a membrane radius and angle), or \"ground\"; displacements count first − second",
};

/// `[link.NAME]`.
pub fn link_frame() -> Frame {
    let kind = hamiltone_bodies::link::kind();
    Frame {
        name: kind.name,
        summary: kind.summary,
        sections: Sections::Named,
        keys: &[BETWEEN],
        one_of: &[],
        parameters: kind.parameters,
        rules: kind.rules,
    }
}

/// `[contact.NAME]`.
pub const CONTACT: Frame = Frame {
    name: "contact",
    summary: "a force between two places that depends on their penetration, first − second − gap",
    sections: Sections::Named,
    keys: &[
        Key {
            doc: "two places, each a body, a body@length, body@fraction or body@x,y (of a membrane radius and angle), or \"ground\"; a string or bar without @ has the contact along its whole length (the law is then per unit length) or at its frets, a surface without @ along the line that `along` gives; displacements count first − second; of the laws `reed`, `lips` and `jet` a body and a bore",
            ..BETWEEN
        },
        ALONG,
        bow::MOVES_TO,
        bow::TORSION,
        bow::PRESSED_BY,
        FINGERINGS,
        EMBOUCHURES,
        Key {
            name: "law",
            required: true,
            form: Form::Text,
            example: "\"power\"",
            doc: "the contact law: see `list contacts`",
        },
    ],
    one_of: &[],
    parameters: obstacle::PARAMETERS,
    rules: obstacle::RULES,
};

/// The two places of a link or contact, as far as they are places.
struct Connection {
    /// First and second; `None` where it is none.
    ends: [Option<Named>; 2],
    /// What the bodies are measured in, where that is known.
    measure: Option<Measure>,
}

impl Connection {
    /// Both places, where both are known and on bodies that are not broken.
    fn complete(&self) -> Option<([&Named; 2], Measure)> {
        let [Some(first), Some(second)] = &self.ends else { return None };
        let known = !first.is_broken() && !second.is_broken();
        Some(([first, second], self.measure.filter(|_| known)?))
    }

    /// Whether one of them is in this measure.
    fn is_in(&self, measure: Measure) -> bool {
        self.ends.iter().flatten().any(|end| end.measure() == Some(measure))
    }

    /// Whether it follows a body along a path; `None` where a broken body may be meant so.
    fn follows(&self, section: &Section<'_>) -> Option<bool> {
        let follows = |end: &Named| path::follows(section, end);
        let unknown =
            |end: &Option<Named>| end.as_ref().is_none_or(|end| end.is_broken() && end.place == Place::Whole);
        match self.ends.iter().flatten().any(follows) {
            true => Some(true),
            false if self.ends.iter().any(unknown) => None,
            false => Some(false),
        }
    }
}

impl Connections<'_> {
    /// The two places of `between`.
    fn connection(&mut self, section: &Section<'_>) -> Connection {
        let ends = self.between(section).unwrap_or([None, None]);
        let measure = ends.iter().flatten().filter_map(Named::measure).find(|measure| measure.moves());
        let connection = Connection { ends, measure };
        let ends = || connection.ends.iter().flatten();
        let known = ends().filter(|end| !end.is_broken()).count() == 2;
        let other = "name two different places; the second may be \"ground\"";
        let (message, help) = if connection.is_in(Measure::Volume) {
            (
                "`between` takes bodies with a displacement; the coordinate of an air column is a volume (m³)",
                other,
            )
        } else if connection.is_in(Measure::Pressure) && known && measure.is_none() {
            (
                "what moves the air of a bore here is missing",
                "name a reed, lips or the air in a window, and the bore: between = [\"BODY\", \"BORE\"]",
            )
        } else if ends().all(Named::is_ground) && known {
            ("both places in `between` are the same: nothing can move there", other)
        } else {
            return connection;
        };
        self.problems.push(section.problem("between", message, "").help(help));
        Connection { ends: [None, None], measure }
    }

    /// The row first − second.
    fn difference(&mut self, section: &Section<'_>, [first, second]: [&Named; 2]) -> Option<Row> {
        let (first_row, second_row) = (self.row(section, first), self.row(section, second));
        let (first_row, second_row) = (first_row?, second_row?);
        let row = first_row.minus(&second_row);
        if row.is_zero() {
            let message = match first_row.is_zero() {
                true => "both places in `between` are fixed: nothing can move there",
                false => "both places in `between` are the same: nothing can move there",
            };
            let help = "name two different places of which one can move; the second may be \"ground\"";
            return self.refuse(section.problem("between", message, "nothing moves").help(help));
        }
        for (end, row) in [(first, &first_row), (second, &second_row)] {
            if row.is_zero() && !end.is_ground() {
                let message =
                    format!("`{}` is fixed and does not move: it acts here as the ground", end.text);
                let help = "name a place that can move, or write \"ground\" where that is meant";
                self.warnings.push(section.problem("between", message, "").help(help));
            }
        }
        Some(row)
    }

    /// Reads `[link.NAME]`.
    pub fn link(&mut self, name: &str, section: &Section<'_>) {
        let frame = link_frame();
        let connection = self.connection(section);
        if connection.is_in(Measure::Pressure) {
            let message = "the air of a bore has no displacement that a link could join";
            let help = "write a contact with the law `reed`, `lips` or `jet`";
            self.problems.push(section.problem("between", message, "").help(help));
            return;
        }
        let row = connection.complete().and_then(|(ends, _)| self.difference(section, ends));
        let circumstances = self.at(connection.measure);
        let values = section.values(&frame.table(), &frame.own(), circumstances, self.problems).sound();
        let (Some(values), Some(row)) = (values, row) else { return };
        self.take_note(section, frame.parameters, &values, connection.measure);
        let number = |name| values.number(name).unwrap_or_default();
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

    /// Whether so many contacts more are allowed; the first that are not are a problem.
    pub fn admit_contacts(&mut self, section: &Section<'_>, more: usize) -> Option<()> {
        let all = self.system.elements.len() as u128 + more as u128;
        let Err(exceeded) = self.reading.limits().check(Limited::Contacts, all) else { return Some(()) };
        if !self.contacts_exceeded {
            let message = format!("with it the scene has contacts: {}", exceeded.amounts());
            let help = format!("use fewer intervals, a shorter obstacle or frets; {}", exceeded.help());
            self.problems.push(section.problem("between", message, "too many").help(help));
        }
        self.contacts_exceeded = true;
        None
    }

    /// The number of the contact in `contact_plans`. Its places, its values and the obstacle are looked at one by one,
    /// so that what is wrong with one hides nothing of the others.
    fn made(&mut self, name: &str, section: &Section<'_>) -> Option<usize> {
        let connection = self.connection(section);
        let follows = connection.follows(section);
        let beside = self.beside(section, &connection.ends);
        let rows = match follows {
            Some(false) => self.at_one_place(section, &connection, beside),
            _ => None,
        };
        let per_length = if obstacle::of_points(section) { Some(false) } else { follows };
        let circumstances = Circumstances { along: per_length, ..self.at(connection.measure) };
        let catalogue = hamiltone_elements::catalogue();
        let Some(entry) = entry(section, "law", "contacts", catalogue, self.problems) else {
            let all: Vec<&str> = section.table.keys().map(|key| key.get_ref().as_ref()).collect();
            section.values(&CONTACT.table(), &all, circumstances, self.problems);
            return None;
        };
        let parameters = [entry.kind.parameters, CONTACT.parameters].concat();
        let left = self.left_behind((section, "law"), section, &parameters, &CONTACT.own());
        let rules = [entry.kind.rules, CONTACT.rules].concat();
        let table = Table { parameters: &parameters, rules: &rules };
        let own = [CONTACT.own(), left].concat();
        let Checked { values, sound } = section.values(&table, &own, circumstances, self.problems);
        let points = match (follows, connection.complete()) {
            (Some(true), Some((ends, _))) => self.points_along(section, ends, &values),
            _ => None,
        };
        if !sound {
            return None;
        }
        let law = (entry.make)(&values);
        let law = self.accept(section, law)?;
        let (_, measure) = connection.complete()?;
        self.check_air(section, entry.kind.name, &law.law, connection.is_in(Measure::Pressure))?;
        self.check_bow(section, entry.kind.name)?;
        self.take_note(section, &parameters, &values, Some(measure));
        let first = self.system.elements.len();
        let along = match points {
            Some(points) => {
                self.check_place(section, entry.kind.name, &law)?;
                self.check_along(section, entry)?;
                self.check_heights(section, entry.kind.name, &law, &points)?;
                self.admit_contacts(section, points.len())?;
                Some(self.add_along(name, points, &law))
            }
            None => {
                self.admit_contacts(section, 1)?;
                let (name, gap, rows) = (name.into(), law.gap, rows?);
                if connection.is_in(Measure::Pressure) {
                    self.check_alone(section, &rows)?;
                }
                let rows = valve::with_wind(&law.law, rows);
                self.system.elements.push(Element { name, rows, gap, law: law.law });
                None
            }
        };
        let parts = first..self.system.elements.len();
        self.contact_plans.push(ContactPlan {
            name: name.into(),
            law: entry.kind.name,
            parts,
            measure,
            per_length: per_length == Some(true),
            along,
        });
        Some(self.contact_plans.len() - 1)
    }

    /// Whether a law acts on what its places are: air, or displacements.
    fn check_air(&mut self, section: &Section<'_>, name: &str, law: &Law, air: bool) -> Option<()> {
        let measures = match law {
            Law::Port(law) => law.port.measures(),
            _ => &[Measure::Length],
        };
        let (message, help) = match (measures.contains(&Measure::Pressure), air) {
            (true, false) => ("acts between a body and a bore", "name both: between = [\"BODY\", \"BORE\"]"),
            (false, true) => (
                "acts on displacements, and the air of a bore has none",
                "write law = \"reed\", \"lips\" or \"jet\"",
            ),
            _ => return Some(()),
        };
        self.refuse(section.problem("law", format!("the law `{name}` {message}"), "").help(help))
    }

    /// The row of a contact at one place, which has no shape, with what a bow has besides; of air those of `valve.rs`.
    fn at_one_place(
        &mut self,
        section: &Section<'_>,
        connection: &Connection,
        beside: Option<Beside>,
    ) -> Option<Vec<Row>> {
        if section.table.contains_key(ALONG.name) {
            self.no_surface(section);
        }
        if let Some(shape) = obstacle::given(section) {
            let message = format!("`{shape}` applies only to a contact along a body");
            let problem = section.problem(shape, message, "");
            self.problems.push(problem.help("name the body in `between` without @"));
        }
        let (ends, _) = connection.complete()?;
        match connection.is_in(Measure::Pressure) {
            true => self.valve(section, ends),
            false => {
                for key in [FINGERINGS.name, EMBOUCHURES.name] {
                    if section.table.contains_key(key) {
                        let message = format!("`{key}` belong to a reed, lips or a jet at a bore");
                        return self.refuse(section.problem(key, message, "").help("leave it out"));
                    }
                }
                let between = self.difference(section, ends)?;
                self.bow_rows(section, ends, &between, beside?)
            }
        }
    }
}
