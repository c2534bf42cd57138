//! What an instrument says of itself: `[instrument]`, the keys or strings of which its sections are copied, and its tables.

use super::{
    keys::{Tuning, keys},
    table::{self, Curve},
};
use crate::document::{
    expected::Expected,
    problem::Problem,
    section::Section,
    value::{self, Wrong},
};
use hamiltone_core::parameter::Range;
use hamiltone_plan::control_curve::{ControlCurve, Controlled};
use toml::{Spanned, de::DeValue};

/// Below this energy a part of the instrument sleeps, J, unless it says otherwise.
///
/// A string that is played softly has 10⁻⁴ J; 10⁻¹³ J lies 90 dB below.
pub const SLEEP: f64 = 1e-13;
/// More frets than any instrument has.
const MAX_FRETS: f64 = 60.0;

/// The keys of `[instrument]`.
pub const KEYS: [&str; 6] = ["keys", "strings", "frets", "sleep", "velocity_curve", "pedal_curve"];

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
    pub tables: Vec<(String, Curve)>,
    /// Below this energy a part sleeps, J.
    pub sleep: f64,
    /// How the velocity of a key is mapped before formulas have it.
    pub velocity_curve: ControlCurve,
    /// How the position of the sustain pedal is mapped before anything follows it.
    pub pedal_curve: ControlCurve,
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
        section.refuse_unknown(&KEYS, problems);
        let sleep = number(&section, "sleep", ("J", Range::NOT_NEGATIVE, false), problems).unwrap_or(SLEEP);
        let frets = Range { min: 0.0, max: MAX_FRETS, open: false };
        let frets = number(&section, "frets", ("", frets, true), problems).unwrap_or(0.0) as u8;
        let velocity_curve = curve(&section, "velocity_curve", Controlled::Velocity, problems);
        let pedal_curve = curve(&section, "pedal_curve", Controlled::Pedal, problems);
        let read = |key: &str, problems: &mut Vec<Problem>| -> Option<Vec<u8>> {
            // Two strings may be tuned alike.
            match keys(section.table.get(key)?, key == "strings") {
                Ok(keys) => Some(keys),
                Err(wrong) => {
                    let message = format!("instrument: `{key}` {}", wrong.message);
                    problems.push(Problem::new(message, wrong.span, wrong.remark).help(wrong.help));
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
        Some(Self { players: players?, tables, sleep, velocity_curve, pedal_curve })
    }
}

/// The number at a key, where it is given and readable.
fn number(
    section: &Section<'_>,
    key: &str,
    (unit, range, whole): (&'static str, Range, bool),
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let units = if unit.is_empty() { Vec::new() } else { vec![unit.into()] };
    match value::number(section.table.get(key)?, &Expected { units, range, whole }) {
        Ok(number) => Some(number),
        Err(Wrong { message, span, remark, help }) => {
            let message = format!("{}: `{key}` {message}", section.title);
            problems.push(Problem::new(message, span, remark).help(help));
            None
        }
    }
}

/// The curve at a key; where it is not given or not readable, that which changes nothing.
fn curve(section: &Section<'_>, key: &str, of: Controlled, problems: &mut Vec<Problem>) -> ControlCurve {
    let read = section.table.get(key).map(|value| points(value, of));
    read.unwrap_or_else(|| Ok(ControlCurve::default())).unwrap_or_else(|wrongs| {
        for Wrong { message, span, remark, help } in wrongs {
            let message = format!("{}: `{key}` {message}", section.title);
            let help =
                if help.is_empty() { format!("write {key} = [[0, 0], [0.5, 0.35], [1, 1]]") } else { help };
            problems.push(Problem::new(message, span, remark).help(help));
        }
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
