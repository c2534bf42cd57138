//! `[[score]]`: gestures, each at its time. All gestures with the same target act on one input of the system.
//!
//! A gesture begins at `time`, a pluck as much earlier as its pull takes. The order in the file does not matter, but for levels that
//! begin at the same time on the same target, of which the last counts.

use super::{
    driven::TENSION_OF,
    frame::{Form, Frame, Key, Sections},
    gesture::Gestured,
    inputs::Moment,
    stages::Excitation,
};
use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};
use hamiltone_gestures::{Events, RESOLVED};
use hamiltone_plan::Plan;

/// `[[score]]`.
pub const SCORE: Frame = Frame {
    name: "score",
    summary: "a gesture at a time: what a player does to a body or a contact",
    sections: Sections::Listed,
    keys: &[
        Key {
            name: "at",
            required: false,
            form: Form::Place,
            example: "\"string@0.2\"",
            doc: "of a gesture that is a force: the place where it acts (see `describe place`)",
        },
        Key {
            name: "control",
            required: false,
            form: Form::Text,
            example: "\"felt\"",
            doc: "of `damp` and `undamp`: a contact with the law `damper`; of `bow`: one with the law of a bow; of `embouchure`: one with the law `reed`, `lips` or `jet`",
        },
        Key {
            name: "rate",
            required: false,
            form: Form::Text,
            example: "\"bow\"",
            doc: "of `draw`: a contact with the law of a bow, whose hair it draws; of `blow`: one with the law `reed`, `lips` or `jet`",
        },
        Key {
            name: "fingering",
            required: false,
            form: Form::Text,
            example: "\"valve\"",
            doc: "of `finger`: a contact with `fingerings`, of which it changes the bore",
        },
        Key {
            name: "place",
            required: false,
            form: Form::Text,
            example: "\"bow\"",
            doc: "of `shift`: a contact with `moves_to`, the bow of which it moves",
        },
        Key {
            name: "motion",
            required: false,
            form: Form::Text,
            example: "\"fret\"",
            doc: "of `move`: a contact, whose obstacle it moves",
        },
        Key {
            name: TENSION_OF,
            required: false,
            form: Form::Text,
            example: "\"string\"",
            doc: "of `bend`: a string or membrane with tension_modulation, whose tension it changes",
        },
        Key {
            name: "gesture",
            required: true,
            form: Form::Text,
            example: "\"pluck\"",
            doc: "the kind of gesture: see `list gestures`",
        },
    ],
    one_of: &["at", "control", "rate", "fingering", "place", "motion", TENSION_OF],
    parameters: &[Parameter {
        name: "time",
        takes: Takes::Number(Role::Time, Range::NOT_NEGATIVE),
        absent: Absent::Required,
        doc: "when it begins, counted from the start of the run; a pluck is released then, and its pull begins earlier",
    }],
    rules: &[],
};

/// What messages call an entry.
const ENTRY: &str = "score entry";

impl Excitation<'_> {
    /// Reads every `[[score]]`.
    pub fn score(&mut self, root: &Section<'_>) {
        for (entry, section) in sections(root, self.problems) {
            self.score_entry(entry, &section);
        }
        for input in &mut self.gesture_inputs {
            let events = Events::new(input.own, std::mem::take(&mut input.events));
            self.drives[input.number].signal = Box::new(events);
        }
    }

    fn score_entry(&mut self, entry: usize, section: &Section<'_>) {
        let Some(Gestured { input, shape, values }) = self.gesture(&SCORE, section) else { return };
        let Some(time) = values.number("time") else { return };
        let begin = time - shape.lead();
        if begin < 0.0 {
            let message = format!(
                "`time` is {} s, but the pull begins {} s earlier, before the run does",
                plain(time),
                plain(shape.lead())
            );
            let help = format!("write time = \"{} s\" or more, or a shorter `rise`", plain(shape.lead()));
            self.problems.push(section.problem("time", message, "too early").help(help));
            return;
        }
        let acts = begin..begin + shape.duration();
        self.gestures.push(Moment { entry, time, acts, shortest: shape.shortest() });
        self.gesture_inputs[input].events.push((begin, shape));
    }
}

/// Warnings of gestures after the end of a run, and of those that are too short for its steps.
pub fn warnings(plan: &Plan, root: &Section<'_>, gestures: &[Moment]) -> Vec<Problem> {
    let (end, rate) = (plan.frames as f64 / plan.sample_rate, plan.internal_rate());
    let warning = |Moment { entry, time, shortest, .. }: &Moment| {
        let section = entry_of(root, *entry)?;
        if *time >= end {
            let message =
                format!("it comes at {} s, after the end of the run at {} s", plain(*time), plain(end));
            let help = "write a longer run.duration, or leave it out";
            return Some(section.problem("time", message, "never played").help(help));
        }
        let message = format!(
            "it changes within {} s, less than {RESOLVED} steps at {} Hz: its strength is off",
            plain(*shortest),
            plain(rate)
        );
        let help = "make it longer, or use a higher `oversampling`";
        let is_short = *shortest * rate < RESOLVED && *shortest > 0.0;
        is_short.then(|| section.problem("", message, "too short").help(help))
    };
    gestures.iter().filter_map(warning).collect()
}

/// The entries that are sections, by number.
pub fn sections<'a>(root: &Section<'a>, problems: &mut Vec<Problem>) -> Vec<(usize, Section<'a>)> {
    root.listed(SCORE.name, ENTRY, problems)
}

/// An entry as messages name it.
pub fn title(entry: usize) -> String {
    format!("{ENTRY} {}", entry + 1)
}

/// The section of an entry, where it is one.
fn entry_of<'a>(root: &Section<'a>, entry: usize) -> Option<Section<'a>> {
    let value = root.table.get(SCORE.name)?.get_ref().as_array()?.get(entry)?;
    Some(Section { title: title(entry), span: value.span(), table: value.get_ref().as_table()? })
}
