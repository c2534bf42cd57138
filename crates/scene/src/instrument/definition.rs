//! What an instrument says of itself: `[instrument]`, the keys or strings of which its sections are copied, and its tables.

use super::{
    keys::{Tuning, keys, programs},
    table::{self, TableCurve},
};
use crate::{
    document::{
        expected::Expected,
        problem::Problem,
        section::Section,
        value::{self, Wrong},
    },
    resolve::instruments::INSTRUMENT,
};
use hamiltone_core::parameter::{Absent, Parameter, Range, Takes};
use hamiltone_plan::{
    control_curve::{ControlCurve, Controlled},
    instrument::Vibrato,
};
use toml::{Spanned, de::DeValue};

/// What sections are copied for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Players {
    /// One copy of `[key.…]` for each of these keys, as MIDI numbers them.
    Keys(Vec<u8>),
    /// One copy of `[string.…]` for each string, and of `[fret.…]` for each of its frets.
    Strings {
        /// The key of each open string.
        open: Vec<u8>,
        /// The number of frets, each a semitone.
        frets: u8,
    },
}

/// What an instrument says of itself.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What sections are copied for.
    pub players: Players,
    /// `[table.NAME]`, by name.
    pub tables: Vec<(String, TableCurve)>,
    /// Below this energy a part sleeps, J.
    pub sleep: f64,
    /// How the velocity of a key is mapped before formulas have it.
    pub velocity_curve: ControlCurve,
    /// How the position of the sustain pedal is mapped before anything follows it.
    pub pedal_curve: ControlCurve,
    /// Its vibrato.
    pub vibrato: Vibrato,
    /// The programs that change what notes do, and that which is chosen at first, where it is one.
    pub programs: Vec<u8>,
    pub program: Option<u8>,
}

impl Definition {
    /// Leaves out the keys to which a tuning gives no frequency.
    pub fn tune(&mut self, tuning: &Tuning<'_>) {
        if let Players::Keys(keys) = &mut self.players {
            keys.retain(|key| tuning(f64::from(*key)).is_finite());
        }
    }

    /// Reads `[instrument]` and `[table.NAME]`; `None` where the players are not known.
    pub fn read(root: &Section<'_>, problems: &mut Vec<Problem>) -> Option<Self> {
        let span = root.table.get("instrument").map_or(root.span.clone(), Spanned::span);
        let Some(table) = root.table.get("instrument").and_then(|value| value.get_ref().as_table()) else {
            let problem = Problem::new("`instrument` must be one section", span, "not a section");
            problems.push(problem.help("write [instrument] with keys = \"A0..C8\""));
            return None;
        };
        let section = Section { title: "instrument".into(), span, table };
        section.refuse_unknown(&INSTRUMENT.names(), problems);
        let sleep = number(&section, "sleep", "J", problems)?;
        let frets = number(&section, "frets", "", problems)? as u8;
        let vibrato = Vibrato {
            depth: number(&section, "vibrato_depth", "", problems)?,
            pressure: number(&section, "vibrato_pressure", "", problems)?,
            rate: number(&section, "vibrato_rate", "Hz", problems)?,
            delay: number(&section, "vibrato_delay", "s", problems)?,
        };
        let programs = section.table.get("programs").map_or(Ok(Vec::new()), programs);
        let programs = programs.unwrap_or_else(|wrong| {
            problems.push(section.wrong_value("programs", wrong));
            Vec::new()
        });
        let program = number(&section, "program", "", problems)?;
        let program = (program >= 0.0).then_some(program as u8);
        if let Some(program) = program.filter(|program| !programs.contains(program)) {
            let message = format!("`program` is {program}, which is none of `programs`");
            problems
                .push(section.problem("program", message, "").help("add it to `programs`, or leave it out"));
        }
        let velocity_curve = curve(&section, "velocity_curve", Controlled::Velocity, problems);
        let pedal_curve = curve(&section, "pedal_curve", Controlled::Pedal, problems);
        let read = |key: &str, problems: &mut Vec<Problem>| -> Option<Vec<u8>> {
            // Two strings may be tuned alike.
            match keys(section.table.get(key)?, key == "strings") {
                Ok(keys) => Some(keys),
                Err(wrong) => {
                    problems.push(section.wrong_value(key, wrong));
                    None
                }
            }
        };
        let players = match ["keys", "strings"].map(|key| section.table.contains_key(key)) {
            [true, false] => read("keys", problems).map(Players::Keys),
            [false, true] => read("strings", problems).map(|open| Players::Strings { open, frets }),
            [both, _] => {
                let message =
                    if both { "`keys` and `strings` exclude one another" } else { "`keys` is missing" };
                let help = "give keys = \"A0..C8\" for one part a key, or strings = [\"E2\", \"A2\"] for one a string";
                problems.push(section.problem("strings", message, "").help(help));
                None
            }
        };
        let tables = table::tables(root, problems);
        Some(Self {
            players: players?,
            tables,
            sleep,
            velocity_curve,
            pedal_curve,
            vibrato,
            programs,
            program,
        })
    }
}

/// The number at a key in this unit, which may be left out; where it is not given or not readable, that of the frame.
fn number(section: &Section<'_>, key: &str, unit: &'static str, problems: &mut Vec<Problem>) -> Option<f64> {
    let Parameter { takes, absent, .. } = INSTRUMENT.table().find(key)?;
    let (Takes::Number(role, range), Absent::Number(usual)) = (*takes, *absent) else { return None };
    let units = if unit.is_empty() { Vec::new() } else { vec![unit.into()] };
    let expected = Expected { units, range, whole: role.is_whole() };
    let read = section.table.get(key).map_or(Ok(usual), |value| value::number(value, &expected));
    Some(read.unwrap_or_else(|wrong| {
        problems.push(section.wrong_value(key, wrong));
        usual
    }))
}

/// The curve at a key; where it is not given or not readable, that which changes nothing.
fn curve(section: &Section<'_>, key: &str, of: Controlled, problems: &mut Vec<Problem>) -> ControlCurve {
    let read = section.table.get(key).map(|value| points(value, of));
    read.unwrap_or_else(|| Ok(ControlCurve::default())).unwrap_or_else(|wrongs| {
        problems.extend(wrongs.into_iter().map(|mut wrong| {
            if wrong.help.is_empty() {
                wrong.help = format!("write {key} = [[0, 0], [0.5, 0.35], [1, 1]]");
            }
            section.wrong_value(key, wrong)
        }));
        ControlCurve::default()
    })
}

/// A curve through a list of points.
fn points(value: &Spanned<DeValue<'_>>, of: Controlled) -> Result<ControlCurve, Vec<Wrong>> {
    let unit =
        || Expected { units: Vec::new(), range: Range { min: 0.0, max: 1.0, open: false }, whole: false };
    let points = value::list(value, |item| value::pair(item, &unit(), &unit()))?;
    ControlCurve::new(points, of).map_err(|wrong| {
        let item = value.get_ref().as_array().and_then(|items| items.get(wrong.number));
        let message = format!("cannot be used: {}", wrong.message);
        vec![Wrong::new(item.unwrap_or(value), message, "", &wrong.help)]
    })
}
