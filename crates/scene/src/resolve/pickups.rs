//! Pickups: the outputs of bodies and of contacts.

use super::{
    bus::{BUS_KEY, MAGNET, MAGNET_OFFSET, MIX},
    frame::{Form, Frame, Key, Sections},
    places::{Named, Owner},
    stages::Sound,
    tension,
};
use crate::document::{problem::Problem, section::Section, suggest::suggest};
use hamiltone_core::{
    body::Placed,
    geometry::Place,
    parameter::{Absent, Parameter, Rule, Takes},
    row::Row,
    system::{Output, Quantity},
};
use hamiltone_plan::{Pickup, PickupMix};

/// `[pickup.NAME]`.
pub const PICKUP: Frame = Frame {
    name: "pickup",
    summary: "what is read at every sample, for the sound, states and report",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "at",
            required: true,
            form: Form::Place,
            example: "\"reed\"",
            doc: "a place: a body, body@length, body@fraction or body@x,y (see `describe place`); or for the quantities \"force\" and \"mean force\" the name of a contact",
        },
        BUS_KEY,
    ],
    one_of: &[],
    parameters: &[
        Parameter {
            name: "quantity",
            takes: Takes::Word(&[
                "displacement",
                "velocity",
                FORCE,
                MEAN_FORCE,
                PRESSURE,
                "flow",
                "radiated",
                TENSION,
            ]),
            absent: Absent::Word("displacement"),
            doc: "what it reads: for a contact its force at the sample, or its mean force over the last step (the only one that a rigid contact has: its impulse over the step); for a body displacement or velocity, for a string or bar also its transverse force; for the air in a tube pressure or flow; for a bore the pressure at its mouthpiece, or what it radiates to a distance of 1 m; for a string or membrane with tension_modulation by how much its tension is above that at rest",
        },
        MIX[0],
        MIX[1],
        MIX[2],
        MIX[3],
        MIX[4],
        MIX[5],
    ],
    rules: &[Rule::Needs { parameter: MAGNET_OFFSET, needs: &[MAGNET] }],
};

/// What the law of a contact gives for the positions and velocities at the sample.
const FORCE: &str = "force";
/// The impulse of a contact in the last step over its length.
const MEAN_FORCE: &str = "mean force";

/// What motion and bends add to the tension of a string or membrane.
const TENSION: &str = "tension";

/// The pressure in a tube.
const PRESSURE: &str = "pressure";

/// What a pickup reads: its row, the word for it and the unit.
type Channel = (Quantity, &'static str, &'static str);

impl Sound<'_> {
    /// Reads `[pickup.NAME]`.
    pub fn pickup(&mut self, name: &str, section: &Section<'_>) {
        let values = section.values(&PICKUP.table(), &PICKUP.own(), self.at(None), self.problems).sound();
        let example = "at = \"BODY\"";
        let Some(at) = section.required_text("at", example, self.problems) else { return };
        let Some(word) = values.as_ref().and_then(|values| values.word("quantity")) else {
            // Whatever is read there, the place must be one.
            if !self.contacts.contains_key(at)
                && let Some(at) = self.named_at(section, "at")
                && at.place != Place::Whole
            {
                self.row(section, &at);
            }
            return;
        };
        let of_contacts = [FORCE, MEAN_FORCE].contains(&word);
        let readout = match self.contacts.get(at) {
            Some(contact) if of_contacts || !self.bodies.contains_key(at) => {
                let contact = *contact;
                self.of_contact(section, at, word, contact)
            }
            None if of_contacts && self.is_nothing(at) => {
                let names = self.contacts.keys().chain(self.bodies.keys()).map(String::as_str);
                let help = suggest(at, names, "contacts and bodies");
                let problem = section.problem("at", format!("there is no contact or body `{at}`"), "unknown");
                self.problems.push(problem.help(help));
                return;
            }
            _ => self.named_at(section, "at").and_then(|at| self.of_body(section, &at, word)),
        };
        let Some((quantity, word, unit)) = readout else { return };
        let reads = |row: &Row| row.entries().any(|(_, weight)| weight != 0.0);
        if quantity.rows().next().is_some() && !quantity.rows().any(reads) {
            let message = format!("the {word} of `{at}` is always 0: this channel is silent");
            self.warnings.push(section.problem("at", message, "").help("name a place that can move"));
        }
        let magnet = values.as_ref().is_some_and(|values| values.number(MAGNET).is_some());
        if magnet && unit != "m" {
            let message = format!("a magnet reads a displacement, and `{name}` reads a {word}");
            let help = format!("write quantity = \"displacement\", or leave `{MAGNET}` out");
            self.problems.push(section.problem(MAGNET, message, "").help(help));
            return;
        }
        let coupled = [FORCE, MEAN_FORCE, PRESSURE, TENSION].contains(&word);
        let wanted = values.and_then(|values| self.wanted(section, &values, coupled));
        let Some(wanted) = wanted else { return };
        self.system.outputs.push(Output { name: name.into(), quantity });
        let (quantity, unit) = (word.into(), unit.into());
        self.pickups.push(Pickup { name: name.into(), quantity, unit, mix: PickupMix::default() });
        self.wanted.push(wanted);
    }

    /// Whether a place names neither a body nor the ground.
    fn is_nothing(&self, place: &str) -> bool {
        let name = place.split('@').next().unwrap_or_default().trim();
        name != "ground" && !self.bodies.contains_key(name)
    }

    /// The force of a contact.
    fn of_contact(
        &mut self,
        section: &Section<'_>,
        name: &str,
        word: &str,
        contact: Option<usize>,
    ) -> Option<Channel> {
        if ![FORCE, MEAN_FORCE].contains(&word) {
            let message = format!("`{name}` is a contact and has no {word}: its force can be read");
            return self.refuse(section.problem("at", message, "").help("add quantity = \"force\""));
        }
        let plan = &self.contact_plans[contact?];
        let (quantity, word) = match word {
            FORCE => (Quantity::Force(plan.parts.clone()), FORCE),
            _ => (Quantity::MeanForce(plan.parts.clone()), MEAN_FORCE),
        };
        Some((quantity, word, plan.measure.force()))
    }

    /// A quantity of a body at a place.
    fn of_body(&mut self, section: &Section<'_>, at: &Named, word: &str) -> Option<Channel> {
        let body = match &at.body {
            Owner::Body(body) => body,
            Owner::Broken => return None,
            Owner::Ground => {
                return self.refuse(
                    section
                        .problem("at", "the ground is at rest and has no output", "")
                        .help("name a body, or for its force a contact"),
                );
            }
        };
        let moves = body.measure.moves();
        let own = body.representation.readouts().iter().find(|readout| readout.name == word);
        let form = tension::form_of(&self.system, body);
        let (quantity, word, unit) = match (own, word) {
            (Some(readout), _) => (body.readout(readout, at.place), readout.name, readout.unit),
            (None, "displacement") if moves => {
                (body.row(at.place).map(Quantity::Displacement), "displacement", body.measure.position())
            }
            (None, TENSION) if form.is_some() => {
                (self.tension_at(form.unwrap_or_default(), at.place), TENSION, tension::unit(body))
            }
            (None, "velocity") if moves => {
                (body.row(at.place).map(Quantity::Velocity), "velocity", body.measure.velocity())
            }
            _ => {
                let problem = self.no_output(section, at, word, body);
                return self.refuse(problem);
            }
        };
        match quantity {
            Ok(quantity) => Some((quantity, word, unit)),
            Err(message) => {
                self.no_place(section, &at.text, &at.span, &at.name, &message.into());
                None
            }
        }
    }

    /// The tension at a place of the body whose first form this is, anywhere where it is the same all over.
    fn tension_at(&self, form: usize, place: Place) -> Result<Quantity, String> {
        let read = |dof: &usize| self.system.forms[form].dofs().next() == Some(*dof);
        // Of two polarisations that which has the longitudinal modes of both.
        let plan = self.body_plans.iter().find(|plan| plan.placed.dofs.clone().any(|dof| read(&dof)));
        let Some(body) = plan.map(|plan| &plan.placed) else { return Err("has no tension".into()) };
        let is_uniform = self.system.forms.get(form + 1).is_none_or(|next| next.strain.is_zero());
        let at = match place {
            Place::Whole if is_uniform => [0.0; 2],
            place => body.geometry.position(place)?,
        };
        let (weights, row) = body.representation.tension(at).ok_or("has no tension")?;
        Ok(Quantity::Tension(Row::Sparse((form..).zip(weights).collect()), row))
    }

    /// What could be read there instead.
    fn no_output(&self, section: &Section<'_>, at: &Named, word: &str, body: &Placed) -> Problem {
        let moves: &[&str] = if body.measure.moves() { &["displacement", "velocity"] } else { &[] };
        let own = body.representation.readouts().iter().map(|readout| readout.name);
        let tension = tension::form_of(&self.system, body).map(|_| TENSION);
        let names = moves.iter().copied().chain(own).chain(tension);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let contacts: Vec<&str> = self.contacts.keys().map(String::as_str).collect();
        let mut help = format!("it has {}", names.join(", "));
        if [FORCE, MEAN_FORCE].contains(&word) && !contacts.is_empty() {
            help += &format!("; contacts, whose force can be read: `{}`", contacts.join("`, `"));
        }
        section.problem("at", format!("`{}` has no output `{word}`", at.text), "").help(help)
    }
}
