//! Drives: forces that enter at a place, moving contacts, controlled dampers, and initial conditions.

use super::{
    bodies::entry,
    compliance,
    driven::{Acting, DrivenElement, TENSION_OF},
    frame::{Form, Frame, Key, Sections},
    places::Named,
    stages::Excitation,
};
use crate::{
    document::{
        expected::{Circumstances, DriveValue},
        section::Section,
    },
    drives::{self, Driving, InitialCondition},
    units::plain,
};
use hamiltone_core::{
    body::Placed,
    geometry::{Geometry, Place},
    input::Input,
    parameter::Complaint,
    row::Row,
};
use hamiltone_plan::{Drive, Signal};
use std::{borrow::Cow, sync::Arc};

/// `[drive.NAME]`.
pub const DRIVE: Frame = Frame {
    name: "drive",
    summary: "an excitation: an external force over time, the motion of an obstacle, the speed of a bow or the pressure at a reed or jet, the control of a damper, bow, reed or jet, the bore of a reed or jet, the place of a bow, the tension of a string, or an initial condition",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "at",
            required: false,
            form: Form::Place,
            example: "\"reed\"",
            doc: "the place where the force acts: a body, body@length, body@fraction or body@x,y (see `describe place`)",
        },
        Key {
            name: "motion",
            required: false,
            form: Form::Text,
            example: "\"finger\"",
            doc: "in place of `at`: a contact whose obstacle it moves; its values are then the obstacle's position, m, added to the gap",
        },
        Key {
            name: "rate",
            required: false,
            form: Form::Text,
            example: "\"bow\"",
            doc: "in place of `at`: a contact with the law of a bow, `reed`, `lips` or `jet`; its values are then the speed of the hair, m/s, or the pressure in the mouth, Pa",
        },
        Key {
            name: "control",
            required: false,
            form: Form::Text,
            example: "\"felt\"",
            doc: "in place of `at`: a contact with the law `damper`, `bow`, `reed`, `lips` or `jet`; its values are then the resistance r(t), the force of the bow, N, or the opening or distance, m",
        },
        Key {
            name: "fingering",
            required: false,
            form: Form::Text,
            example: "\"valve\"",
            doc: "in place of `at`: a contact with `fingerings`; its values are then the number of the bore, between two a mixture",
        },
        Key {
            name: "place",
            required: false,
            form: Form::Text,
            example: "\"bow\"",
            doc: "in place of `at`: a contact with `moves_to`; its values are then the part of the path to there, from 0 to 1",
        },
        Key {
            name: TENSION_OF,
            required: false,
            form: Form::Text,
            example: "\"string\"",
            doc: "in place of `at`: a string or membrane with tension_modulation; its values are then added to its tension, N (of a membrane N/m)",
        },
        Key {
            name: "kind",
            required: true,
            form: Form::Text,
            example: "\"harmonics\"",
            doc: "the kind of excitation: see `list drives`",
        },
    ],
    one_of: &["at", "motion", "rate", "control", "fingering", "place", TENSION_OF],
    parameters: &[],
    rules: &[],
};

/// The largest initial displacement that gives no warning, as a part of the length: a quarter at the middle is a slope of ½,
/// which lengthens a string by 12 %.
const STEEPEST: f64 = 0.25;

/// The keys of a drive that name what it acts on.
fn given_targets(section: &Section<'_>) -> Vec<&'static str> {
    DRIVE.one_of.iter().copied().filter(|key| section.table.contains_key(*key)).collect()
}

impl Excitation<'_> {
    /// Reads `[drive.NAME]`.
    pub fn drive(&mut self, name: &str, section: &Section<'_>) {
        let target = self.drive_target(name, section);
        let catalogue = drives::catalogue();
        let Some(entry) = entry(section, "kind", "drives", catalogue, self.problems) else { return };
        let circumstances = match &target {
            Some(target) => target.circumstances(self.at(None)),
            // Only `at` tells that it is a force; of anything else the unit is not known either.
            None if given_targets(section)[..] == ["at"] => self.at(None),
            None => Circumstances { drive: DriveValue::Unknown, ..self.at(None) },
        };
        let values = section.values(&entry.kind.table(), &DRIVE.own(), circumstances, self.problems).sound();
        // The place is looked at whatever is wrong with the values.
        let target = match target {
            Some(Acting::Place(at)) if at.place != Place::Whole => {
                self.row(section, &at).map(|_| Acting::Place(at))
            }
            target => target,
        };
        let Some(values) = values else { return };
        self.take_note(section, entry.kind.parameters, &values, circumstances.measure);
        let driven = match ((entry.make)(&values), target) {
            (Err(complaint), _) => Err(complaint),
            (Ok(_), None) => Ok(()),
            (Ok(Driving::Force(signal)), Some(Acting::Place(at))) => {
                self.force(name, section, &at, signal);
                Ok(())
            }
            (Ok(Driving::Force(signal)), Some(Acting::Element(element))) => {
                self.add_input(element.input(name), element.unit(), signal);
                Ok(())
            }
            (Ok(Driving::Initial(condition)), Some(Acting::Place(at))) => {
                self.initial.push(name.into());
                self.initial(section, &at, condition.as_ref())
            }
            (Ok(Driving::Initial(_)), Some(Acting::Element(element))) => {
                let message = "takes a force; an initial condition takes `at`, a place on a body";
                Err(Complaint::new(element.key(), message))
            }
        };
        if let Err(complaint) = driven {
            self.problems.push(section.complaint(&complaint));
        }
    }

    /// What a drive acts on: a place, or an element.
    fn drive_target(&mut self, name: &str, section: &Section<'_>) -> Option<Acting> {
        match given_targets(section)[..] {
            ["at"] => self.driven_place(section).map(Acting::Place),
            [key] => self.driven_element(name, section, key).map(Acting::Element),
            [] => {
                let problem = section.problem("at", "`at` is missing: nothing is driven", "");
                let help = "give `at` for a force, `motion` for a moving contact, `rate` for a bow or a reed, `control` for a damper, bow or reed, `fingering` for a reed on several bores, `place` for a bow that moves, or `tension_of` for a string that is bent";
                self.refuse(problem.help(help))
            }
            [first, second, ..] => {
                let message = format!("`{first}` and `{second}` exclude one another");
                self.refuse(section.problem(second, message, "only one of them").help("write two drives"))
            }
        }
    }

    /// The contact that `key` names, and what the drive of this name does to it, which no other may control.
    pub fn driven_element(&mut self, drive: &str, section: &Section<'_>, key: &str) -> Option<DrivenElement> {
        let element = self.element(section, key)?;
        self.take_control(drive, section, &element)?;
        Some(element)
    }

    /// Makes a drive the only control of an element, where it controls it.
    pub fn take_control(
        &mut self,
        drive: &str,
        section: &Section<'_>,
        element: &DrivenElement,
    ) -> Option<()> {
        if element.is_alone()
            && let Some(other) = self.controlled.insert((element.key(), element.first()), drive.into())
        {
            let (key, name) = (element.key(), element.name());
            let (message, help) = match key {
                "control" => (
                    format!("`{name}` is controlled by drive `{other}` already"),
                    "keep one of the two: a contact has one control",
                ),
                _ => (
                    format!("the `{key}` of `{name}` is set by drive `{other}` already"),
                    "keep one of the two",
                ),
            };
            return self.refuse(section.problem(key, message, "a second control").help(help));
        }
        Some(())
    }

    /// The place at `at` on a body; the ground is none.
    pub fn driven_place(&mut self, section: &Section<'_>) -> Option<Named> {
        let at = self.named_at(section, "at")?;
        if at.is_ground() {
            return self.refuse(section.problem("at", "the ground cannot be driven", "").help("name a body"));
        }
        Some(at)
    }

    /// The row along which a force at a place acts, which can move.
    pub fn forced_row(&mut self, section: &Section<'_>, at: &Named) -> Option<Row> {
        let row = self.row(section, at)?;
        if row.last_dof().is_none() {
            let message = format!("`{}` is a fixed point: a force moves nothing there", at.text);
            return self.refuse(section.problem("at", message, "").help("name a place that can move"));
        }
        Some(row)
    }

    /// A force over time at a place.
    fn force(&mut self, name: &str, section: &Section<'_>, at: &Named, signal: Box<dyn Signal>) {
        let (row, measure) = (self.forced_row(section, at), at.measure());
        let (Some(row), Some(measure)) = (row, measure) else { return };
        self.add_input(Input::force(name, row), measure.force().into(), signal);
    }

    /// Adds an input and the drive that it is in the plan; its number in the system.
    pub fn add_input(&mut self, input: Input, unit: Cow<'static, str>, signal: Box<dyn Signal>) -> usize {
        self.drives.push(Drive { name: input.name.clone(), unit, signal });
        self.system.inputs.push(input);
        self.system.inputs.len() - 1
    }

    /// Displacements and velocities of a body at t = 0.
    fn initial(
        &mut self,
        section: &Section<'_>,
        at: &Named,
        condition: &dyn InitialCondition,
    ) -> Result<(), Complaint> {
        let moving = |body: &&Arc<Placed>| {
            let known = body.geometry != Geometry::Point || body.representation.modes() > 0;
            known && body.measure.moves()
        };
        let Some(body) = at.body().filter(moving) else {
            let message = "must be a string, bar or surface, or another body that has modes, with a displacement in m; \
                           a body at one point takes `position` and `velocity` of its own";
            return Err(Complaint::new("at", message));
        };
        let position = match at.place {
            Place::Whole => None,
            place => Some(body.geometry.position(place).map_err(|message| Complaint::new("at", message))?),
        };
        let at_rest = |row: &Row| compliance::displacement(&self.system, body, row, &self.suspensions);
        let values = condition.on(body, position, &at_rest)?;
        let mut moved = vec![0.0; self.system.size()];
        for value in values {
            self.system.initial.position[value.dof] += value.position;
            self.system.initial.velocity[value.dof] += value.velocity;
            moved[value.dof] = value.position;
        }
        let farthest = position.map(|at| body.row_at(at).dot(&moved).abs()).unwrap_or_default();
        if let Some(length) = body.geometry.length().filter(|length| farthest > STEEPEST * length) {
            let message = format!(
                "it is displaced by {} m on a length of {} m: the equations of strings and bars hold for small slopes",
                format!("{farthest:.1e}").parse().map_or(String::new(), plain),
                plain(length)
            );
            let help = "check the unit, such as height = \"3 mm\"";
            self.warnings.push(section.problem("height", message, "large").help(help));
        }
        Ok(())
    }
}
