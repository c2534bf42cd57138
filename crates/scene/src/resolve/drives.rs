//! Drives: forces that enter at a place, and initial conditions.

use super::{
    bodies::entry,
    builder::Builder,
    frame::{Frame, Key},
    places::Named,
};
use crate::{
    document::section::Section,
    drives::{self, Driving, InitialCondition},
    plan::{Drive, Signal},
};
use hamiltone_core::{
    body::{Measure, Placed},
    geometry::{Geometry, Place},
    input::Input,
    parameter::{Complaint, Takes},
};
use std::{path::PathBuf, sync::Arc};

/// `[drive.NAME]`.
pub const DRIVE: Frame = Frame {
    name: "drive",
    summary: "what sets a body in motion: an external force over time, or an initial condition",
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
            (Ok(Driving::Initial(condition)), Some(at)) => self.initial(&at, condition.as_ref()),
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

    /// Displacements and velocities of a body at t = 0.
    fn initial(&mut self, at: &Named, condition: &dyn InitialCondition) -> Result<(), Complaint> {
        let moving = |body: &&Arc<Placed>| {
            let known = body.geometry != Geometry::Point || body.representation.modes() > 0;
            known && body.measure != Measure::Volume
        };
        let Some(body) = at.body.as_ref().filter(moving) else {
            let message = "must be a string, bar or surface, or another body that has modes, with a displacement in m; \
                           a body at one point takes `position` and `velocity` of its own";
            return Err(Complaint::new("at", message));
        };
        let position = match at.place {
            Place::Whole => None,
            place => Some(body.geometry.position(place).map_err(|message| Complaint::new("at", message))?),
        };
        for value in condition.on(body, position)? {
            self.system.initial.position[value.dof] += value.position;
            self.system.initial.velocity[value.dof] += value.velocity;
        }
        Ok(())
    }
}
