//! Drives and pickups: what sets bodies in motion and what is heard of them.

use super::{
    Builder,
    bodies::entry,
    frame::{Frame, Key},
    places::Named,
};
use crate::{
    drives::{self, Driving, Start},
    plan::{Drive, Pickup, Signal},
    scene::{Problem, section::Section},
};
use hamiltone_core::{
    body::{Measure, Place, Placed},
    parameter::{Absent, Complaint, Parameter, Takes},
    system::{Output, Port, Quantity},
};
use std::path::PathBuf;

/// `[drive.NAME]`.
pub const DRIVE: Frame = Frame {
    name: "drive",
    summary: "what sets a body in motion: an external force over time, or a start",
    named: true,
    keys: &[
        Key {
            name: "at",
            required: true,
            example: "\"reed\"",
            doc: "the place that it pushes: a body, body@length or body@fraction",
        },
        Key {
            name: "kind",
            required: true,
            example: "\"harmonics\"",
            doc: "what it does: see `list drives`",
        },
    ],
    parameters: &[],
};

/// `[pickup.NAME]`.
pub const PICKUP: Frame = Frame {
    name: "pickup",
    summary: "something that is listened to: one channel of the sound",
    named: true,
    keys: &[Key {
        name: "at",
        required: true,
        example: "\"reed\"",
        doc: "a place: a body, body@length or body@fraction; or for the quantity \"force\" the name of a contact",
    }],
    parameters: &[Parameter {
        name: "quantity",
        takes: Takes::Word(&["displacement", "velocity", "force", "pressure", "flow"]),
        absent: Absent::Word("displacement"),
        doc: "what is heard of it; a contact has its force, bodies have displacement, velocity and what their own page lists",
    }],
};

/// What a pickup reads: its row, the word for it and the unit.
type Channel = (Quantity, &'static str, &'static str);

impl Builder<'_> {
    /// Reads `[drive.NAME]`.
    pub fn drive(&mut self, name: &str, section: &Section<'_>) {
        let at = self.named_at(section, "at");
        if at.as_ref().is_some_and(|at| at.body.is_none()) {
            self.problems.push(section.problem("at", "the ground cannot be driven", "").help("name a body"));
        }
        let catalogue = drives::catalogue();
        let Some(entry) = entry(section, "kind", "drives", catalogue, self.problems) else { return };
        section.refuse_unknown(entry.kind.parameters, &DRIVE.own(), self.problems);
        let circumstances = self.at(at.as_ref().and_then(Named::measure));
        let Some(values) = section.values(entry.kind.parameters, circumstances, self.problems) else {
            return;
        };
        let files = entry.kind.parameters.iter().filter(|p| matches!(p.takes, Takes::File));
        self.inputs.extend(files.filter_map(|p| values.word(p.name)).map(PathBuf::from));
        let made = (entry.make)(&values);
        let driven = match (made, at.filter(|at| at.body.is_some())) {
            (Ok(Driving::Force(signal)), Some(at)) => {
                self.force(name, section, &at, signal);
                Ok(())
            }
            (Ok(Driving::Start(start)), Some(at)) => self.start(&at, start.as_ref()),
            (Err(complaint), _) => Err(complaint),
            (Ok(_), None) => Ok(()),
        };
        if let Err(complaint) = driven {
            self.problems.push(section.complaint(&complaint));
        }
    }

    /// A force over time at a place.
    fn force(&mut self, name: &str, section: &Section<'_>, at: &Named, signal: Box<dyn Signal>) {
        let (row, measure) = (self.row(section, at), at.measure());
        let (Some(row), Some(measure)) = (row, measure) else { return };
        if row.last_dof().is_none() {
            let message = format!("`{}` is held: a force moves nothing there", at.text);
            self.problems.push(section.problem("at", message, "").help("name a place that can move"));
            return;
        }
        self.system.inputs.push(Port { name: name.into(), row });
        self.drives.push(Drive { name: name.into(), unit: measure.force(), signal });
    }

    /// The start of a long body: displacements and velocities of its points at t = 0.
    fn start(&mut self, at: &Named, start: &dyn Start) -> Result<(), Complaint> {
        let long = at.body.as_ref().filter(|body| body.measure != Measure::Volume);
        let Some(extent) = long.and_then(|body| body.extent.as_ref()) else {
            let message = "must be a body that is long, such as a string or a bar, and moves aside";
            return Err(Complaint::new("at", message));
        };
        let place = match at.place {
            Place::Whole => None,
            place => Some(place.on(extent.length).map_err(|message| Complaint::new("at", message))?),
        };
        let motion = start.on(extent, place)?;
        for point in &extent.points {
            let (u, v) = motion(point.x);
            self.system.start.position[point.dof] += u;
            self.system.start.velocity[point.dof] += v;
        }
        Ok(())
    }

    /// Reads `[pickup.NAME]`.
    pub fn pickup(&mut self, name: &str, section: &Section<'_>) {
        section.refuse_unknown(PICKUP.parameters, &PICKUP.own(), self.problems);
        let values = section.values(PICKUP.parameters, self.at(None), self.problems);
        let example = "at = \"BODY\"";
        let Some(at) = section.required_text("at", example, self.problems) else { return };
        let Some(word) = values.as_ref().and_then(|values| values.word("quantity")) else { return };
        let heard = match self.contacts.get(at) {
            Some(contact) if word == "force" || !self.bodies.contains_key(at) => {
                let contact = *contact;
                self.of_contact(section, at, word, contact)
            }
            _ => self.named_at(section, "at").and_then(|at| self.of_body(section, &at, word)),
        };
        let Some((quantity, word, unit)) = heard else { return };
        self.system.outputs.push(Output { name: name.into(), quantity });
        self.pickups.push(Pickup { name: name.into(), quantity: word, unit });
    }

    /// The force of a contact.
    fn of_contact(
        &mut self,
        section: &Section<'_>,
        name: &str,
        word: &str,
        contact: Option<usize>,
    ) -> Option<Channel> {
        if word != "force" {
            let message = format!("`{name}` is a contact and has no {word}: its force can be heard");
            self.problems.push(section.problem("at", message, "").help("add quantity = \"force\""));
            return None;
        }
        let plan = &self.contact_plans[contact?];
        let quantity = match plan.parts.len() {
            1 => Quantity::ContactForce(plan.parts.start),
            _ => Quantity::ContactForces(plan.parts.clone()),
        };
        Some((quantity, "force", plan.measure.force()))
    }

    /// A quantity of a body at a place.
    fn of_body(&mut self, section: &Section<'_>, at: &Named, word: &str) -> Option<Channel> {
        let Some(body) = &at.body else {
            let problem = section.problem("at", "the ground is at rest: there is nothing to hear", "");
            self.problems.push(problem.help("name a body, or for its force a contact"));
            return None;
        };
        let own = body.heard.iter().find(|heard| heard.name == word);
        let (word, unit, of_velocity) = match (own, word) {
            (Some(heard), _) => (heard.name, heard.unit, heard.of_velocity),
            (None, "displacement") => ("displacement", body.measure.position(), false),
            (None, "velocity") => ("velocity", body.measure.velocity(), true),
            _ => {
                let problem = self.not_heard(section, at, word, body);
                self.problems.push(problem);
                return None;
            }
        };
        let row = match own {
            Some(heard) => (heard.locate)(at.place),
            None => (body.locate)(at.place),
        };
        match row {
            Ok(row) if of_velocity => Some((Quantity::Velocity(row), word, unit)),
            Ok(row) => Some((Quantity::Displacement(row), word, unit)),
            Err(message) => {
                self.no_place(section, &at.text, &at.span, &at.name, &message);
                None
            }
        }
    }

    /// What could be heard there instead.
    fn not_heard(&self, section: &Section<'_>, at: &Named, word: &str, body: &Placed) -> Problem {
        let heard = ["displacement", "velocity"].into_iter().chain(body.heard.iter().map(|heard| heard.name));
        let heard: Vec<String> = heard.map(|name| format!("`{name}`")).collect();
        let contacts: Vec<&str> = self.contacts.keys().map(String::as_str).collect();
        let mut help = format!("it has {}", heard.join(", "));
        if word == "force" && !contacts.is_empty() {
            help += &format!("; contacts, whose force can be heard: `{}`", contacts.join("`, `"));
        }
        section.problem("at", format!("`{}` has no {word} to hear", at.text), "").help(help)
    }
}
