//! What a key or string of an instrument and pedals do: the lists `[[note_on]]` to `[[controller]]` as gestures by number, each a
//! `[[gesture]]` entry of a text, one for each that differs.
//!
//! A list is read for each of 128 values of the velocity, the pedal, the pressure or the controller. An entry whose formulas do not ask for that value is read
//! once.

use super::{
    definition::Players,
    expand::{Expander, Part},
    sink::Sink,
    writer::{Copying, Writer},
};
use crate::{
    document::{expanded::Expanded, problem::Problem},
    resolve::{
        instruments::{CONTROLLERS, WHEN},
        note_gestures::CONTROLLER,
    },
};
use hamiltone_gestures::performance::controller;
use hamiltone_plan::notes::{LEVELS, Levels, OfKey, Unit};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use toml::de::{DeTable, DeValue};

/// What a list of gestures for one key and value is worth at least, bytes.
const RULES_WORK: usize = 16;
/// How many gestures are in a text: a document takes some kilobytes of memory for each.
const IN_A_TEXT: u32 = 1000;

/// How the entries of a list depend on a variable.
struct Depending {
    variable: &'static str,
    /// The controller to which those entries belong that are read; `None` of a list that no controller begins.
    controller: Option<u8>,
    /// For each entry that does not depend on it the number of its gesture; none of what `when` leaves out.
    constant: Vec<Option<Option<u32>>>,
    /// All variables that were asked for.
    asked: BTreeSet<&'static str>,
}

impl Depending {
    fn on(variable: &'static str) -> Self {
        Self { variable, controller: None, constant: Vec::new(), asked: BTreeSet::new() }
    }
}

/// The gestures of a unit.
pub struct Listing<'a, 's> {
    writer: Writer<'a, 's>,
    /// The texts before that of the writer.
    texts: Vec<Expanded>,
    /// Those that were written, by their text, with their numbers from 0.
    numbers: BTreeMap<String, u32>,
    /// Whether any formula asked for the program.
    asks_program: bool,
}

/// What a key or string and the pedals on it do.
pub struct OfUnit {
    /// Its lists, by numbers from 0.
    pub unit: Unit,
    /// The gestures, [`IN_A_TEXT`] in each text.
    pub texts: Vec<Expanded>,
    /// How many gestures there are.
    pub count: u32,
    /// Whether any formula asked for the program.
    pub asks_program: bool,
}

impl Expander<'_> {
    /// What a key or string and the pedals on it do.
    pub fn gestures(&self, part: &Part, sink: &mut Sink<'_>) -> OfUnit {
        let (writer, texts, numbers) = (Writer::new(self.source, sink), Vec::new(), BTreeMap::new());
        let mut listing = Listing { writer, texts, numbers, asks_program: false };
        let (mut keys, numbers) = (Vec::new(), self.controllers(&mut listing));
        let programs = self.definition.programs.iter().map(|program| f64::from(*program));
        let played = [-1.0].into_iter().chain(programs).flat_map(|program| {
            self.played(part).into_iter().map(move |(key, part)| (key, with(&part, "program", program)))
        });
        for (key, part) in played {
            if listing.writer.sink.is_full() {
                break;
            }
            let mut velocity = Depending::on("velocity");
            let loud = self.levels("note_on", &with(&part, "soft", 0.0), &mut velocity, &mut listing);
            // Where nothing names the soft pedal, both are the same.
            let soft = if velocity.asked.contains("soft") {
                let mut velocity = Depending::on("velocity");
                self.levels("note_on", &with(&part, "soft", 1.0), &mut velocity, &mut listing)
            } else {
                loud.clone()
            };
            let slur = self.levels("slur", &part, &mut Depending::on("velocity"), &mut listing);
            let give_way = self.levels("give_way", &part, &mut Depending::on("pedal"), &mut listing);
            let off = self.levels("note_off", &part, &mut Depending::on("pedal"), &mut listing);
            let pressure = self.levels("pressure", &part, &mut Depending::on("pressure"), &mut listing);
            let mut of_controller = |number: &u8| {
                let mut depending = Depending { controller: Some(*number), ..Depending::on("value") };
                (*number, self.levels(CONTROLLERS, &part, &mut depending, &mut listing))
            };
            let controllers = numbers.iter().map(&mut of_controller).collect();
            keys.push(OfKey { key, on: [loud, soft], slur, give_way, off, pressure, controllers });
        }
        let [pedal_down, pedal_up] = ["pedal_down", "pedal_up"]
            .map(|rules| self.rules(rules, part, &mut Depending::on("pedal"), &mut listing));
        let pedal_move = self.levels("pedal_move", part, &mut Depending::on("pedal"), &mut listing);
        let unit = Unit { keys, pedal_down, pedal_up, pedal_move };
        let Listing { writer, mut texts, numbers, asks_program } = listing;
        texts.push(writer.finish());
        OfUnit { unit, texts, count: numbers.len() as u32, asks_program }
    }

    /// The numbers of the controllers that begin gestures.
    fn controllers(&self, listing: &mut Listing<'_, '_>) -> BTreeSet<u8> {
        let mut numbers = BTreeSet::new();
        for (entry, table) in self.entries(CONTROLLERS, listing.writer.sink) {
            let (span, message) = match table.get(CONTROLLER.name) {
                Some(value) => match number(value.get_ref()) {
                    Some(number) if !controller::FOLLOWED.contains(&number) => {
                        numbers.insert(number);
                        continue;
                    }
                    Some(number) => (value.span(), format!("controller {number} has a meaning of its own")),
                    None => (value.span(), "`number` takes a whole number from 0 to 119".into()),
                },
                None => (entry, "`number` is missing".into()),
            };
            let own = controller::FOLLOWED.map(|number| number.to_string()).join(", ");
            let help =
                format!("write number = 2 for breath, 1 for the modulation wheel, or another than {own}");
            listing.writer.sink.problem(Problem::new(message, span, "").help(help));
        }
        numbers
    }

    /// The keys that a unit plays, each with its variables.
    fn played(&self, part: &Part) -> Vec<(u8, Part)> {
        match &self.definition.players {
            Players::Keys(keys) => vec![(keys[part.unit], part.clone())],
            Players::Strings { open, frets } => {
                let fret = |fret: u8| {
                    let key = open[part.unit].checked_add(fret).filter(|key| *key < 128)?;
                    Some((key, if fret == 0 { part.clone() } else { self.fretted(part, fret) }))
                };
                (0..=*frets).filter_map(fret).collect()
            }
        }
    }

    /// The gestures of the entries of `[[rules]]` for each value of a variable.
    fn levels(
        &self,
        rules: &str,
        part: &Part,
        depending: &mut Depending,
        listing: &mut Listing<'_, '_>,
    ) -> Levels {
        let mut lists = Vec::new();
        for level in 0..LEVELS {
            let part = with(part, depending.variable, level as f64 / (LEVELS - 1) as f64);
            lists.push(self.rules(rules, &part, depending, listing));
            if depending.constant.iter().all(Option::is_some) || listing.writer.sink.is_full() {
                break;
            }
        }
        Levels::new(lists)
    }

    /// The entries of `[[rules]]` with where they stand; that there are none, where it is there, is a problem.
    fn entries(&self, rules: &str, sink: &mut Sink<'_>) -> Vec<(Range<usize>, &DeTable<'_>)> {
        let Some(value) = self.root.get(rules) else { return Vec::new() };
        let entries = value.get_ref().as_array().into_iter().flat_map(|entries| entries.iter());
        let entries: Vec<_> =
            entries.filter_map(|entry| Some((entry.span(), entry.get_ref().as_table()?))).collect();
        if entries.is_empty() {
            let message = format!("`{rules}` must be a list of gestures");
            sink.problem(Problem::new(message, value.span(), "").help(format!("write [[{rules}]]")));
        }
        entries
    }

    /// The gestures of the entries of `[[rules]]`, by number; those that are new are written.
    fn rules(
        &self,
        rules: &str,
        part: &Part,
        depending: &mut Depending,
        Listing { writer, texts, numbers: known, asks_program }: &mut Listing<'_, '_>,
    ) -> Vec<u32> {
        writer.sink.work(RULES_WORK);
        let belongs = |table: &DeTable<'_>| {
            depending.controller.is_none()
                || depending.controller
                    == table.get(CONTROLLER.name).and_then(|value| number(value.get_ref()))
        };
        let mut entries = self.entries(rules, writer.sink);
        entries.retain(|(_, table)| belongs(table));
        depending.constant.resize(entries.len(), None);
        let mut numbers = Vec::new();
        for ((span, table), constant) in entries.into_iter().zip(&mut depending.constant) {
            if let Some(number) = constant {
                numbers.extend(*number);
                continue;
            }
            let (scope, rename) = (self.scope(part), |name: &str| self.renamed(name, part));
            let copying = Copying { environment: &scope, rename: &rename, frets: &|_| None };
            let entry = self.is_there(table, copying, writer).then(|| {
                let mut entry = Writer::new(self.source, writer.sink);
                entry.put("[[gesture]]\n", span);
                let is_own =
                    |name: &str| name == WHEN.name || name == CONTROLLER.name && rules == CONTROLLERS;
                for (key, value) in table.iter().filter(|(key, _)| !is_own(key.get_ref())) {
                    self.pair(key, value, copying, &mut entry);
                }
                entry.finish()
            });
            let asked = scope.asked();
            let number = entry.map(|entry| {
                let next = known.len() as u32;
                *known.entry(entry.text().into()).or_insert_with(|| {
                    if next > 0 && next.is_multiple_of(IN_A_TEXT) {
                        texts.push(writer.take());
                    }
                    writer.append(&entry);
                    next
                })
            });
            if !asked.contains(&depending.variable) {
                *constant = Some(number);
            }
            *asks_program |= asked.contains(&"program");
            depending.asked.extend(asked);
            numbers.extend(number);
        }
        numbers
    }
}

/// The number of a controller.
fn number(value: &DeValue<'_>) -> Option<u8> {
    value.as_integer()?.to_string().parse().ok().filter(|number| *number < 120)
}

/// A part with one more variable.
fn with(part: &Part, name: &'static str, value: f64) -> Part {
    let mut part = part.clone();
    part.variables.push((name, value));
    part
}
