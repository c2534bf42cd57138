//! Parameters of an instrument that move while it sounds: what each changes, in which unit and range.

use super::{
    frame::{Form, Frame, Key, Sections},
    note_gestures::CONTROLLER,
    stages::Sound,
    transfer::{is_copy, original},
};
use crate::document::{
    problem::{Problem, printable},
    section::Section,
    suggest::suggest,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes, Values};
use hamiltone_gestures::performance::controller::FOLLOWED;
use hamiltone_plan::parameter::{Changes, ParameterPlan, Unit};
use std::collections::BTreeSet;

/// The section.
pub const PARAMETER: &str = "parameter";

/// The values that parameters of each unit may have.
const fn allowed(unit: Unit) -> [f64; 2] {
    match unit {
        Unit::Percent => [0.0, 1000.0],
        Unit::Decibel => [-120.0, 40.0],
        // As far as strings are bent.
        Unit::Cents => [-2400.0, 2400.0],
    }
}

const NUMBER: Takes = Takes::Number(Role::Number, Range::ANY);

/// A key that names what a parameter multiplies.
const fn names(name: &'static str, example: &'static str, doc: &'static str) -> Key {
    Key { name, required: false, form: Form::Names, example, doc }
}

/// `[parameter.NAME]`.
pub const FRAME: Frame = Frame {
    name: PARAMETER,
    summary: "of an instrument: what a player moves while it sounds, such as the force of dampers or the level of a pickup",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "about",
            required: true,
            form: Form::Text,
            example: "\"force of the dampers\"",
            doc: "what it is, for a player",
        },
        names("at", "[\"hammer\"]", "bodies on which gestures exert forces: these are multiplied"),
        names("control", "[\"damper\"]", "contacts whose control gestures set: what they set is multiplied"),
        names(
            "rate",
            "[\"bow\"]",
            "contacts that gestures draw or blow: the speed or the pressure is multiplied",
        ),
        names(
            "pickup",
            "[\"left\"]",
            "pickups whose sound is multiplied; of a copied one all copies are meant",
        ),
        Key {
            name: "changes",
            required: false,
            form: Form::Text,
            example: "\"tension\"",
            doc: "in place of names `tension`, that of all strings, or `level`, that of the whole sound",
        },
        Key {
            required: false,
            doc: "in place of names a controller that `[[controller]]` follows",
            ..CONTROLLER
        },
    ],
    one_of: &["at", "control", "rate", "pickup", "changes", CONTROLLER.name],
    parameters: &[
        Parameter {
            name: "unit",
            takes: Takes::Word(&[Unit::Percent.symbol(), Unit::Decibel.symbol(), Unit::Cents.symbol()]),
            absent: Absent::Word(Unit::Percent.symbol()),
            doc: "what its values are measured in: cents of a tension, else % or dB of what it multiplies; of a controller % of its range",
        },
        Parameter { name: "min", takes: NUMBER, absent: Absent::Required, doc: "its least value" },
        Parameter { name: "max", takes: NUMBER, absent: Absent::Required, doc: "its greatest value" },
        Parameter {
            name: "default",
            takes: NUMBER,
            absent: Absent::Required,
            doc: "its value until it is moved",
        },
        Parameter {
            name: "midi",
            takes: Takes::Number(Role::Count, Range { min: 0.0, max: 119.0, open: false }),
            absent: Absent::Optional("no controller of MIDI moves it"),
            doc: "the controller of MIDI that moves it over its range",
        },
    ],
    rules: &[],
};

impl Sound<'_> {
    /// Reads `[parameter.NAME]`, after those before it.
    pub fn parameter(
        &mut self,
        name: &str,
        section: &Section<'_>,
        others: &[ParameterPlan],
        templates: Option<&BTreeSet<&str>>,
    ) -> Option<ParameterPlan> {
        let values = section.values(&FRAME.table(), &FRAME.own(), self.at(None), self.problems).sound();
        let about = section.required_text("about", "about = \"force of the dampers\"", self.problems);
        let changes = self.changes(section, templates);
        let (values, about, changes) = (values?, printable(about?), changes?);
        let unit = Unit::ALL.into_iter().find(|unit| values.word("unit") == Some(unit.symbol()))?;
        let suits = match changes {
            Changes::Tension => unit == Unit::Cents,
            Changes::Controller(_) => unit == Unit::Percent,
            _ => unit != Unit::Cents,
        };
        if !suits {
            let message = format!("`unit` is {unit}");
            let help = "a tension has cents, a controller %, and what is multiplied % or dB";
            return self.refuse(section.problem("unit", message, "does not suit it").help(help));
        }
        let [min, max, default] = ["min", "max", "default"].map(|key| values.number(key));
        let (min, max, default) = (min?, max?, default?);
        let [low, high] = match changes {
            Changes::Controller(_) => [0.0, 100.0],
            _ => allowed(unit),
        };
        for (key, value) in [("min", min), ("max", max)] {
            if !(low..=high).contains(&value) {
                let message = format!("`{key}` is {value} {unit}, but must be {low} to {high} {unit}");
                let help = format!("give a number from {low} to {high}");
                return self.refuse(section.problem(key, message, "").help(help));
            }
        }
        if min >= max || !(min..=max).contains(&default) {
            let message = format!("`min` is {min}, `default` {default} and `max` {max}");
            let help = "let `min` be below `max`, and `default` between them";
            return self.refuse(section.problem("default", message, "").help(help));
        }
        let midi = self.moved_by(section, &values, others)?;
        let range = [min, max];
        let parameter =
            ParameterPlan { name: name.into(), about, unit, range, default, initial: default, midi, changes };
        let moves = |one: &ParameterPlan, other: &ParameterPlan| {
            one.midi.is_some_and(|number| other.changes == Changes::Controller(number))
        };
        let all = || others.iter().chain([&parameter]);
        if let Some(other) = all().find(|other| moves(&parameter, other) || moves(other, &parameter)) {
            let message = format!(
                "a controller is `midi` of one parameter and `number` of another: see `{}`",
                other.name
            );
            let help = "leave out `midi`: the controller that a parameter stands for moves it already";
            return self.refuse(section.problem("midi", message, "").help(help));
        }
        match others.iter().find(|other| overlap(&other.changes, &parameter.changes)) {
            None => Some(parameter),
            Some(other) => {
                let message = format!("it changes what parameter `{}` changes", other.name);
                self.refuse(section.problem("about", message, "").help("let one parameter change it"))
            }
        }
    }

    /// The controller of MIDI that moves it, where one does.
    fn moved_by(
        &mut self,
        section: &Section<'_>,
        values: &Values,
        others: &[ParameterPlan],
    ) -> Option<Option<u8>> {
        let Some(number) = values.count("midi").map(|number| number as u8) else { return Some(None) };
        let wrong = match others.iter().find(|other| other.midi == Some(number)) {
            Some(other) => format!("controller {number} moves parameter `{}`", other.name),
            None if FOLLOWED.contains(&number) => format!("controller {number} has a meaning of its own"),
            None => return Some(Some(number)),
        };
        self.refuse(
            section
                .problem("midi", wrong, "")
                .help("choose another, such as 20 to 31 or 102 to 119, which are free"),
        )
    }

    /// What a parameter changes.
    fn changes(&mut self, section: &Section<'_>, templates: Option<&BTreeSet<&str>>) -> Option<Changes> {
        let given = |key: &&str| section.table.contains_key(*key);
        let given: Vec<&str> = FRAME.one_of.iter().copied().filter(given).collect();
        let &[key] = &given[..] else {
            let message = match given.len() {
                0 => "it changes nothing".to_string(),
                _ => format!("`{}` exclude one another", given.join("` and `")),
            };
            let help =
                "write one of at, control, rate or pickup with names, changes = \"level\", or number = 2";
            return self.refuse(section.problem("about", message, "").help(help));
        };
        match key {
            "changes" => match section.text(key, self.problems)? {
                "tension" => Some(Changes::Tension),
                "level" => Some(Changes::Level),
                other => {
                    let message = format!("`changes` is `{other}`, but must be `tension` or `level`");
                    self.refuse(section.problem(key, message, "unknown").help("write changes = \"level\""))
                }
            },
            "pickup" => {
                let all = self.pickups.iter().enumerate();
                let all = all.map(|(number, pickup)| (number, pickup.name.clone())).collect();
                self.named_by(section, key, ("pickup", "pickups"), (all, templates)).map(Changes::Pickups)
            }
            "at" | "control" | "rate" => {
                let own = self.gesture_inputs.iter().filter(|input| input.target.0 == key);
                let all = own.map(|input| (input.number, input.target.1.clone())).collect();
                let what = match key {
                    "at" => ("body on which a gesture acts", "bodies"),
                    "control" => ("contact that a gesture controls", "contacts"),
                    _ => ("contact that a gesture draws or blows", "contacts"),
                };
                self.named_by(section, key, what, (all, templates)).map(Changes::Inputs)
            }
            _ => self.controller(section),
        }
    }

    /// The numbers of what the names at a key stand for, among these.
    fn named_by(
        &mut self,
        section: &Section<'_>,
        key: &str,
        (one, many): (&str, &str),
        (all, templates): (Vec<(usize, String)>, Option<&BTreeSet<&str>>),
    ) -> Option<Vec<usize>> {
        let names = section.table.get(key).and_then(|value| value.get_ref().as_array());
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            let message = format!("`{key}` takes a list of names");
            return self.refuse(section.problem(key, message, "").help(format!("write {key} = [\"NAME\"]")));
        };
        let mut found = Vec::new();
        for item in names.iter() {
            let name = item.get_ref().as_str().unwrap_or_default();
            let before = found.len();
            found.extend(all.iter().filter(|(_, known)| is_copy(known, name)).map(|(number, _)| number));
            // What is copied for no key of this instrument is no mistake.
            let is_template = templates.is_some_and(|templates| templates.contains(name));
            if found.len() == before && !is_template {
                let message = format!("{}: `{name}` is no {one}", section.title);
                let known: BTreeSet<String> = all.iter().map(|(_, known)| original(known).into()).collect();
                let help = suggest(name, known.iter().map(String::as_str), many);
                return self.refuse(Problem::new(message, item.span(), "unknown").help(help));
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The controller that a parameter moves.
    fn controller(&mut self, section: &Section<'_>) -> Option<Changes> {
        let key = CONTROLLER.name;
        let number = section.table.get(key).and_then(|value| value.get_ref().as_integer());
        let number =
            number.and_then(|number| number.as_str().parse::<u8>().ok()).filter(|number| *number < 120);
        match number.filter(|number| !FOLLOWED.contains(number)) {
            Some(number) => Some(Changes::Controller(number)),
            None => {
                let message = "`number` takes a controller that instruments can follow, 0 to 119";
                self.refuse(section.problem(key, message, "").help("write number = 2 for breath"))
            }
        }
    }
}

/// Whether two parameters change the same.
fn overlap(one: &Changes, other: &Changes) -> bool {
    match (one, other) {
        (Changes::Inputs(one), Changes::Inputs(other)) | (Changes::Pickups(one), Changes::Pickups(other)) => {
            one.iter().any(|number| other.binary_search(number).is_ok())
        }
        _ => one == other,
    }
}
