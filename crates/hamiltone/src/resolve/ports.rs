//! Drives and pickups: where forces enter and what is heard.

use super::{
    Builder,
    bodies::entry,
    frame::{Frame, Key},
};
use crate::{
    drives,
    plan::{Drive, Pickup},
    scene::{
        problem::suggest,
        section::{Circumstances, Section},
    },
};
use hamiltone_core::{
    parameter::{Absent, Parameter, Takes},
    system::{Output, Port, Quantity},
};
use std::path::PathBuf;
use toml::Spanned;

/// `[drive.NAME]`.
pub const DRIVE: Frame = Frame {
    name: "drive",
    summary: "an external force over time",
    named: true,
    keys: &[
        Key { name: "at", required: true, example: "\"reed\"", doc: "the place that it pushes" },
        Key {
            name: "kind",
            required: true,
            example: "\"harmonics\"",
            doc: "how it varies: see `list drives`",
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
        doc: "a place, or for the quantity \"force\" the name of a contact",
    }],
    parameters: &[Parameter {
        name: "quantity",
        takes: Takes::Word(&["displacement", "velocity", "force"]),
        absent: Absent::Word("displacement"),
        doc: "what is heard of it, in m, m/s, and N (Pa on bodies per unit area)",
    }],
};

impl Builder<'_> {
    /// Reads `[drive.NAME]`.
    pub fn drive(&mut self, name: &str, section: &Section<'_>) {
        let place = section.required_text("at", "at = \"BODY\"", self.problems);
        let span = section.table.get("at").map_or(section.span.clone(), Spanned::span);
        let end = place.and_then(|place| self.place(section, place, &span));
        if let Some(end) = &end
            && end.row.last_dof().is_none()
        {
            self.problems.push(section.problem("at", "the ground cannot be driven", "").help("name a body"));
        }
        let catalogue = drives::catalogue();
        let Some(entry) = entry(section, "kind", "drives", catalogue, self.problems) else { return };
        section.refuse_unknown(entry.kind.parameters, &DRIVE.own(), self.problems);
        let per_area = end.as_ref().and_then(|end| end.per_area);
        let circumstances = Circumstances { base: self.base, per_area };
        let Some(values) = section.values(entry.kind.parameters, circumstances, self.problems) else {
            return;
        };
        let files = entry.kind.parameters.iter().filter(|p| matches!(p.takes, Takes::File));
        self.inputs.extend(files.filter_map(|p| values.word(p.name)).map(PathBuf::from));
        match ((entry.make)(&values), end) {
            (Ok(signal), Some(end)) => {
                self.system.inputs.push(Port { name: name.into(), row: end.row });
                let unit = if per_area == Some(true) { "Pa" } else { "N" };
                self.drives.push(Drive { name: name.into(), unit, signal });
            }
            (Err(complaint), _) => self.problems.push(section.complaint(&complaint)),
            (Ok(_), None) => {}
        }
    }

    /// Reads `[pickup.NAME]`.
    pub fn pickup(&mut self, name: &str, section: &Section<'_>) {
        section.refuse_unknown(PICKUP.parameters, &PICKUP.own(), self.problems);
        let circumstances = Circumstances { base: self.base, per_area: Some(false) };
        let values = section.values(PICKUP.parameters, circumstances, self.problems);
        let Some(place) = section.required_text("at", "at = \"BODY\"", self.problems) else { return };
        let span = section.table.get("at").map_or(section.span.clone(), Spanned::span);
        let Some(word) = values.as_ref().and_then(|values| values.word("quantity")) else { return };
        let heard = match word {
            "force" => self.force(section, place).map(|(contact, per_area)| {
                (Quantity::ContactForce(contact), "force", if per_area { "Pa" } else { "N" })
            }),
            "velocity" => {
                self.place(section, place, &span).map(|end| (Quantity::Velocity(end.row), "velocity", "m/s"))
            }
            _ => self
                .place(section, place, &span)
                .map(|end| (Quantity::Displacement(end.row), "displacement", "m")),
        };
        let Some((quantity, word, unit)) = heard else { return };
        self.system.outputs.push(Output { name: name.into(), quantity });
        self.pickups.push(Pickup { name: name.into(), quantity: word, unit });
    }

    fn force(&mut self, section: &Section<'_>, name: &str) -> Option<(usize, bool)> {
        let Some(contact) = self.contacts.get(name) else {
            let names: Vec<&str> = self.contacts.keys().map(String::as_str).collect();
            let problem = section.problem("at", format!("there is no contact `{name}`"), "unknown");
            self.problems.push(problem.help(suggest(name, names, "contacts")));
            return None;
        };
        *contact
    }
}
