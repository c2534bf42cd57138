//! `[[score]]`: gestures, each at its time. All gestures with the same target act on one input of the system.
//!
//! A gesture begins at `time`, a pluck as much earlier as its pull takes. The order in the file does not matter, but for levels that
//! begin at the same time on the same target, of which the last counts.

use super::{
    builder::Builder,
    frame::{Form, Frame, Key, Sections},
    gesture::Gestured,
    run::Run,
    scored::Moment,
};
use crate::{
    document::{problem::Problem, section::Section},
    units::plain,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Role, Takes};
use hamiltone_gestures::{Events, RESOLVED};
use toml::{Spanned, de::DeValue};

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
            doc: "of `damp` and `undamp`: a contact with the law `damper`",
        },
        Key {
            name: "motion",
            required: false,
            form: Form::Text,
            example: "\"fret\"",
            doc: "of `move`: a contact, whose obstacle it moves",
        },
        Key {
            name: "gesture",
            required: true,
            form: Form::Text,
            example: "\"pluck\"",
            doc: "the kind of gesture: see `list gestures`",
        },
    ],
    one_of: &["at", "control", "motion"],
    parameters: &[Parameter {
        name: "time",
        takes: Takes::Number(Role::Time, Range::NOT_NEGATIVE),
        absent: Absent::Required,
        doc: "when it begins, counted from the start of the run; a pluck is released then, and its pull begins earlier",
    }],
    rules: &[],
};

impl Builder<'_> {
    /// Reads every `[[score]]`.
    pub fn score(&mut self, root: &Section<'_>) {
        for (entry, section) in sections(root, self.problems) {
            self.score_entry(entry, &section);
        }
        for scored in &mut self.scored {
            let events = Events::new(scored.own, std::mem::take(&mut scored.events));
            self.drives[scored.input].signal = Box::new(events);
        }
    }

    fn score_entry(&mut self, entry: usize, section: &Section<'_>) {
        let Some(Gestured { scored, shape, values }) = self.gesture(&SCORE, section) else { return };
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
        self.scored[scored].events.push((begin, shape));
    }

    /// Warns of gestures after the end of a run, and of those that are too short for its steps.
    pub fn check_score(&mut self, root: &Section<'_>, run: &Run) {
        let end = run.frames as f64 / run.sample_rate;
        let rate = run.sample_rate * run.oversampling as f64;
        for Moment { entry, time, shortest, .. } in &self.gestures {
            let Some(section) = entry_of(root, *entry) else { continue };
            if *time >= end {
                let message =
                    format!("it comes at {} s, after the end of the run at {} s", plain(*time), plain(end));
                let help = "write a longer run.duration, or leave it out";
                self.warnings.push(section.problem("time", message, "never played").help(help));
            } else if *shortest * rate < RESOLVED && *shortest > 0.0 {
                let message = format!(
                    "it changes within {} s, less than {RESOLVED} steps at {} Hz: its strength is off",
                    plain(*shortest),
                    plain(rate)
                );
                let help = "make it longer, or use a higher `oversampling`";
                self.warnings.push(section.problem("", message, "too short").help(help));
            }
        }
    }
}

/// The entries that are sections, by number.
pub(super) fn sections<'a>(root: &Section<'a>, problems: &mut Vec<Problem>) -> Vec<(usize, Section<'a>)> {
    let Some(list) = root.table.get(SCORE.name) else { return Vec::new() };
    let DeValue::Array(entries) = list.get_ref() else {
        let message = format!("`{}` must be a list of sections", SCORE.name);
        let problem = Problem::new(message, list.span(), "not a list");
        problems.push(problem.help(format!("write {} above each entry", SCORE.header())));
        return Vec::new();
    };
    let section = |(entry, value): (usize, &Spanned<DeValue<'a>>)| {
        let section = entry_of(root, entry);
        if section.is_none() {
            let problem =
                Problem::new(format!("{} must be a section", title(entry)), value.span(), "not a section");
            problems.push(problem.help(format!("write {} above its keys", SCORE.header())));
        }
        Some((entry, section?))
    };
    entries.iter().enumerate().filter_map(section).collect()
}

/// An entry as messages name it.
pub(super) fn title(entry: usize) -> String {
    format!("score entry {}", entry + 1)
}

/// The section of an entry, where it is one.
fn entry_of<'a>(root: &Section<'a>, entry: usize) -> Option<Section<'a>> {
    let value = root.table.get(SCORE.name)?.get_ref().as_array()?.get(entry)?;
    Some(Section { title: title(entry), span: value.span(), table: value.get_ref().as_table()? })
}
