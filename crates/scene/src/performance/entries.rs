//! `[[score]]` of a performance: what a player of an instrument does, entry by entry. Scenes have gestures there, each at a place
//! of a body; a performance has notes and controllers, and the instrument says which gestures they are.
//!
//! Lengths and times are fractions of a whole note, n/d · (2 − 2⁻ᵏ) with k dots. An entry without `time` begins where the one
//! before it of the same part has ended.

use crate::{
    document::{
        diagnostics::Diagnostics,
        expected::{Circumstances, DriveValue},
        problem::Problem,
        reading::Reading,
        section::Section,
        syntax,
        text::SceneText,
    },
    limits::Limits,
    resolve::score::{SCORE, sections, title},
};
use hamiltone_core::parameter::{self, Absent, OneOf, Parameter, Role, Rule, Table, Takes, Values};
use hamiltone_gestures::{
    note::{Note, NoteError},
    performance::{Action, controller::SUSTAIN},
};
use std::{ops::Range, path::Path};

/// An entry of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it stands.
    span: Range<usize>,
    /// Whose it is: the number of the part, less one.
    pub part: u16,
    /// Where it begins, in whole notes from the beginning; `None` where the part is.
    pub time: Option<f64>,
    /// The velocity of its notes, in (0, 1]; without notes, of all that follow in the part.
    pub velocity: Option<f64>,
    /// What is done.
    pub act: Act,
}

/// What an entry does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Nothing but what the entry says besides.
    Nothing,
    /// Keys, 0 to 127, go down together for so many whole notes.
    Notes(Vec<u8>, f64),
    /// So many whole notes pass.
    Rest(f64),
    /// Quarter notes per minute, from there on, for all parts.
    Tempo(f64),
    /// Anything else, at once.
    Action(Action),
}

/// The dynamics and their velocities in 127ths, 16 from each to the next.
const DYNAMICS: [&str; 8] = ["ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"];
/// The longest length and the last time, whole notes.
const LONGEST: f64 = 10_000.0;

const fn key(name: &'static str, takes: Takes, doc: &'static str) -> Parameter {
    Parameter { name, takes, absent: Absent::Optional(""), doc }
}

const fn number(role: Role, min: f64, max: f64) -> Takes {
    Takes::Number(role, parameter::Range { min, max, open: false })
}

const NOTES: &str = "notes";
const LENGTH: &str = "length";
const REST: &str = "rest";
const TIME: &str = "time";

const STEP: Takes = number(Role::Number, 0.0, 1.0);
const VELOCITY: Takes = Takes::Number(Role::Number, parameter::Range { min: 0.0, max: 1.0, open: true });

/// The keys of an entry.
const KEYS: &[Parameter] = &[
    key(NOTES, Takes::Formula(&["C4 E4 G4"]), "notes that go down together, from C-1 to G9"),
    key(LENGTH, Takes::Formula(&["1/4", "3/8", "1/4."]), "how long they are down, of a whole note"),
    key("dynamic", Takes::Word(&DYNAMICS), "how loud they are, or without notes all that follow"),
    key("velocity", VELOCITY, "the same as the velocity of the keys"),
    key(REST, Takes::Formula(&["1/8"]), "how long nothing begins, of a whole note"),
    key(TIME, Takes::Formula(&["3/2"]), "where it begins, in whole notes from the beginning"),
    key("part", number(Role::Count, 1.0, 256.0), "the part to which it belongs"),
    key("tempo", number(Role::Number, 1.0, 1000.0), "quarter notes per minute, from here on"),
    key("pedal", Takes::Word(&["down", "up"]), "the sustain pedal: controller 64 at 1 or 0"),
    key("control", number(Role::Count, 0.0, 119.0), "the number of a controller of MIDI"),
    key("value", STEP, "where the controller moves"),
    key("bend", number(Role::Number, -48.0, 48.0), "how far the notes of the part are bent, semitones"),
    key("pressure", STEP, "the pressure on all keys of the part"),
    key("program", number(Role::Count, 0.0, 127.0), "the number of a program"),
];

/// An entry does one thing, or none.
const ACT: OneOf = OneOf {
    states: "what is done",
    alternatives: &[
        &[NOTES, LENGTH],
        &[REST],
        &["tempo"],
        &["pedal"],
        &["control", "value"],
        &["bend"],
        &["pressure"],
        &["program"],
    ],
    required: false,
};
const LOUD: OneOf =
    OneOf { states: "how loud notes are", alternatives: &[&["dynamic"], &["velocity"]], required: false };
const ENTRY: Table<'static> = Table { parameters: KEYS, rules: &[Rule::OneOf(ACT), Rule::OneOf(LOUD)] };

/// The entries of a performance with their text.
pub struct Score {
    text: SceneText,
    entries: Vec<Entry>,
}

impl Score {
    /// Reads the text of a performance; `name` stands in messages.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(text: &str, name: &str) -> Result<Self, Diagnostics> {
        let mut problems = Vec::new();
        let text = SceneText::new(name, text, &[], &mut problems);
        let entries = entries(&text.merged, &mut problems);
        if problems.is_empty() { Ok(Self { text, entries }) } else { Err(Diagnostics::new(text, problems)) }
    }

    /// What is done, in the order of the text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is wrong with an entry beside others.
    pub fn wrong(self, entry: usize, message: &str, help: &str) -> Diagnostics {
        let span = self.entries.get(entry).map_or(0..0, |entry| entry.span.clone());
        let problem = Problem::new(format!("{}: {message}", title(entry)), span, "").help(help);
        Diagnostics::new(self.text, vec![problem])
    }
}

/// The entries of a text, as far as they can be read.
fn entries(text: &str, problems: &mut Vec<Problem>) -> Vec<Entry> {
    let Some(document) = syntax::parse(text, problems) else { return Vec::new() };
    let root = Section { title: "the score".into(), span: 0..0, table: document.get_ref() };
    root.refuse_unknown(&["title", "source", SCORE.name], problems);
    if !root.table.contains_key(SCORE.name) {
        let problem = Problem::new("the score has no entry", 0..0, "");
        problems.push(problem.help("write [[score]] with notes = \"C4\" and length = \"1/4\""));
    }
    let sections = sections(&root, problems);
    sections.iter().filter_map(|(_, section)| entry(section, problems)).collect()
}

/// One entry; `None` where anything is wrong with it.
fn entry(section: &Section<'_>, problems: &mut Vec<Problem>) -> Option<Entry> {
    let limits = Limits::default();
    let reading = Reading::new(&limits);
    let values = section.values(&ENTRY, &[], circumstances(Path::new(""), &reading), problems).sound()?;
    let number = |name| values.number(name);
    let whole = |name| number(name).map(|number| number as u8);
    let dynamic = values.word("dynamic").and_then(|word| DYNAMICS.iter().position(|known| *known == word));
    let velocity = dynamic.map(|step| (16.0 * (step + 1) as f64).min(127.0) / 127.0).or(number("velocity"));
    let time = fraction(section, &values, TIME, true, problems)?;
    let length = fraction(section, &values, LENGTH, false, problems)?;
    let rest = fraction(section, &values, REST, false, problems)?;
    let act = if let (Some(notes), Some(length)) = (values.word(NOTES), length) {
        Act::Notes(keys(section, notes, problems)?, length)
    } else if let Some(rest) = rest {
        Act::Rest(rest)
    } else if let Some(tempo) = number("tempo") {
        Act::Tempo(tempo)
    } else if let Some(position) = values.word("pedal") {
        let value = if position == "down" { 1.0 } else { 0.0 };
        Act::Action(Action::Control { number: SUSTAIN, value })
    } else if let (Some(control), Some(value)) = (whole("control"), number("value")) {
        Act::Action(Action::Control { number: control, value })
    } else if let Some(semitones) = number("bend") {
        Act::Action(Action::Bend { semitones })
    } else if let Some(pressure) = number("pressure") {
        Act::Action(Action::Pressure { key: None, value: pressure })
    } else {
        whole("program").map_or(Act::Nothing, |program| Act::Action(Action::Program(program)))
    };
    let part = number("part").map_or(0, |part| part as u16 - 1);
    Some(Entry { span: section.span.clone(), part, time, velocity, act })
}

/// Those of values that depend on nothing else.
pub fn circumstances<'a>(base: &'a Path, reading: &'a Reading<'a>) -> Circumstances<'a> {
    Circumstances { base, reading, measure: None, along: None, drive: DriveValue::Force, a4: 440.0 }
}

/// The keys of notes in a text.
fn keys(section: &Section<'_>, notes: &str, problems: &mut Vec<Problem>) -> Option<Vec<u8>> {
    let key = |note: &str| {
        let parsed = Note::parse(note).map_err(|NoteError { message, help }| (message, help))?;
        parsed.key().ok_or_else(|| (format!("`{note}` is no key"), "write notes from C-1 to G9".into()))
    };
    let keys: Result<Vec<u8>, (String, String)> = notes.split_whitespace().map(key).collect();
    let none =
        || ("names no note".into(), "write notes such as \"C4 E4\"; for silence write rest = \"1/4\"".into());
    let keys = keys.and_then(|keys| if keys.is_empty() { Err(none()) } else { Ok(keys) });
    let wrong = |(message, help)| section.problem(NOTES, format!("`{NOTES}`: {message}"), "").help(help);
    keys.map_err(|error: (String, String)| problems.push(wrong(error))).ok()
}

/// The fraction of a whole note at a key, if it is given; `None` where it is none.
fn fraction(
    section: &Section<'_>,
    values: &Values,
    key: &str,
    may_be_0: bool,
    problems: &mut Vec<Problem>,
) -> Option<Option<f64>> {
    let Some(text) = values.word(key) else { return Some(None) };
    let plain = text.trim().trim_end_matches('.');
    let dots = text.trim().len() - plain.len();
    let (above, below) = plain.split_once('/').unwrap_or((plain, "1"));
    let whole = |digits: &str| digits.trim().parse::<u32>().ok().map(f64::from);
    let dotted = 2.0 - (0..dots).fold(1.0, |last, _| 0.5 * last);
    let fraction = whole(above).zip(whole(below)).map(|(above, below)| above * dotted / below);
    let fits = |x: &f64| (0.0..=LONGEST).contains(x) && (*x > 0.0 || may_be_0) && dots <= 3;
    if let Some(fraction) = fraction.filter(fits) {
        return Some(Some(fraction));
    }
    let least = if may_be_0 { "from 0" } else { "above 0" };
    let message =
        format!("`{key}` is `{text}`, but must be a fraction of a whole note, {least} up to {LONGEST}");
    let help =
        "write for example \"1/4\", \"3/8\", \"2\", \"1/12\" in a triplet, or \"1/4.\" with up to three dots";
    problems.push(section.problem(key, message, "").help(help));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(entry: &str) -> Entry {
        let score = Score::read(&format!("score = [{{ {entry} }}]"), "x.toml");
        score.unwrap_or_else(|error| panic!("{entry}: {error}")).entries()[0].clone()
    }

    #[test]
    fn entries_say_what_is_done() {
        let control = |number, value| Action::Control { number, value };
        for (entry, act) in [
            ("pedal = \"down\"", Act::Action(control(64, 1.0))),
            ("pedal = \"up\"", Act::Action(control(64, 0.0))),
            ("control = 11, value = 0.8", Act::Action(control(11, 0.8))),
            ("bend = -0.5", Act::Action(Action::Bend { semitones: -0.5 })),
            ("pressure = 0.25", Act::Action(Action::Pressure { key: None, value: 0.25 })),
            ("program = 5", Act::Action(Action::Program(5))),
            ("tempo = 96", Act::Tempo(96.0)),
            ("rest = \"1/8\"", Act::Rest(0.125)),
            ("notes = \"C4 F#3  Bb-1\", length = \"1/4..\"", Act::Notes(vec![60, 54, 10], 7.0 / 16.0)),
            ("", Act::Nothing),
        ] {
            let read = one(entry);
            assert_eq!((read.part, read.time, read.velocity, read.act), (0, None, None, act), "{entry}");
        }
        let all = one("part = 2, time = \"0\", dynamic = \"fff\"");
        assert_eq!((all.part, all.time, all.velocity, all.act), (1, Some(0.0), Some(1.0), Act::Nothing));
        assert_eq!(one("dynamic = \"mf\"").velocity, Some(80.0 / 127.0));
        assert_eq!(one("velocity = 0.5, rest = \"1\"").velocity, Some(0.5));
    }

    #[test]
    fn mistakes_have_their_place_and_a_correction() {
        for (entry, message, help) in [
            ("tempo = 0.5", "`tempo` is 0.5, but must be", "quarter notes per minute"),
            ("part = 0", "`part` is 0, but must be", "the part"),
            ("time = \"1/0\"", "`time` is `1/0`, but must be a fraction", "\"1/12\""),
            ("time = \"0.5 s\"", "`time` is `0.5 s`, but must be a fraction", "\"1/12\""),
            ("rest = \"0\"", "`rest` is `0`, but must be a fraction of a whole note, above 0", "1/4"),
            ("rest = \"10001\"", "up to 10000", "1/4"),
            ("rest = \"1/4....\"", "`rest` is `1/4....`", "three dots"),
            ("rest = 1", "`rest` takes text in quotes, not a number", "1/8"),
            ("dynamic = \"loud\"", "`dynamic` is not `loud`", "mf"),
            ("pedal = \"half\"", "`pedal` is not `half`", "up"),
            ("control = 120, value = 0", "`control` is 120, but must be", "controller"),
            ("control = 64", "`control` needs `value` as well", "add `value`"),
            ("bend = 49", "`bend` is 49, but must be", "semitones"),
            ("loud = 1", "there is no key `loud`", "tempo"),
            ("notes = \"C4 e4\", length = \"1/4\"", "`e4` does not begin", "write \"E4\""),
            ("notes = \"G#9\", length = \"1/4\"", "`G#9` is no key", "C-1 to G9"),
            ("notes = \" \", length = \"1/4\"", "names no note", "rest"),
            ("notes = \"C4\"", "`notes` needs `length` as well", "add `length`"),
            ("length = \"1/4\"", "`length` needs `notes` as well", "add `notes`"),
            (
                "notes = \"C4\", length = \"1/4\", bend = 1",
                "`bend` and `notes` both state what is done",
                "one",
            ),
            ("dynamic = \"f\", velocity = 1", "`velocity` and `dynamic` both state how loud", "one"),
        ] {
            let text = format!("[[score]]\nrest = \"1/4\"\n[[score]]\n{}\n", entry.replace(", ", "\n"));
            let Err(errors) = Score::read(&text, "x.toml") else { panic!("{entry} is read") };
            let line = &errors.lines()[0];
            let place =
                line.strip_prefix("x.toml:").and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
            assert!(place.is_some_and(|place| place >= 3) && line.contains("score entry 2: "), "{line}");
            assert!(line.contains(message) && line.contains(help), "{entry}: {line}");
            assert_eq!(errors.problems.len(), 1, "{errors}");
        }
        for (text, message) in [
            ("", "the score has no entry"),
            ("score = 1", "must be a list"),
            ("score = [1]", "score entry 1 must be a section"),
            ("[[note]]\n", "there is no key `note`"),
            ("[[score]\n", "x.toml:1:"),
        ] {
            assert!(Score::read(text, "x.toml").err().unwrap().to_string().contains(message), "{text}");
        }
    }
}
