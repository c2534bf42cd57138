//! Drives: forces that enter at a place, and starts.

use super::{
    bodies::entry,
    builder::Builder,
    frame::{Frame, Key},
    places::Named,
};
use crate::{
    document::section::Section,
    drives::{self, Driving, Start},
    plan::{Drive, Signal},
};
use hamiltone_core::{
    body::{Measure, Place},
    input::Input,
    parameter::{Complaint, Takes},
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
            doc: "the place that it pushes: a body, body@length, body@fraction or body@x,y (of a membrane radius and angle)",
        },
        Key {
            name: "kind",
            required: true,
            example: "\"harmonics\"",
            doc: "what it does: see `list drives`",
        },
    ],
    parameters: &[],
    rules: &[],
};

impl Builder<'_> {
    /// Reads `[drive.NAME]`.
    pub fn drive(&mut self, name: &str, section: &Section<'_>) {
        let at = self.named_at(section, "at");
        if at.as_ref().is_some_and(|at| at.body.is_none()) {
            self.problems.push(section.problem("at", "the ground cannot be driven", "").help("name a body"));
        }
        let catalogue = drives::catalogue();
        let Some(entry) = entry(section, "kind", "drives", catalogue, self.problems) else { return };
        let circumstances = self.at(at.as_ref().and_then(Named::measure));
        let values = section.values(&entry.kind.table(), &DRIVE.own(), circumstances, self.problems).sound();
        let Some(values) = values else { return };
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
        self.system.inputs.push(Input::force(name, row));
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
        for (dof, position, velocity) in (extent.lay)(&motion) {
            self.system.initial.position[dof] += position;
            self.system.initial.velocity[dof] += velocity;
        }
        Ok(())
    }
}
