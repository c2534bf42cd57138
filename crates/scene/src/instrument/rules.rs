//! What keys and pedals of an instrument do: the lists `[[note_on]]` to `[[pressure]]` as gestures by number.
//!
//! A list is read for each of 128 values of the velocity, the pedal or the pressure. An entry whose formulas do not ask for that value is read
//! once.

use super::{
    definition::Players,
    expand::{Expander, Part, WHEN},
    notes::{LEVELS, Levels, Notes, OfKey, Unit},
    writer::{Copying, Writer},
};
use crate::document::problem::Problem;
use std::collections::BTreeSet;

/// What a list of gestures for one key and value is worth at least, bytes.
const RULES_WORK: usize = 16;

/// How the entries of a list depend on a variable.
struct Depending {
    variable: &'static str,
    /// For each entry that does not depend on it the number of its gesture; none of what `when` leaves out.
    constant: Vec<Option<Option<u32>>>,
    /// All variables that were asked for.
    asked: BTreeSet<&'static str>,
}

impl Depending {
    fn on(variable: &'static str) -> Self {
        Self { variable, constant: Vec::new(), asked: BTreeSet::new() }
    }
}

impl Expander<'_> {
    /// What every key and pedal does, for each unit.
    pub fn notes(&mut self, units: &[Part], writer: &mut Writer<'_, '_>) -> Notes {
        let mut all = Vec::new();
        for part in units {
            let mut keys = Vec::new();
            for (key, part) in self.played(part) {
                if writer.sink.is_full() {
                    break;
                }
                let mut velocity = Depending::on("velocity");
                let loud = self.levels("note_on", &with(&part, "soft", 0.0), &mut velocity, writer);
                // Where nothing names the soft pedal, both are the same.
                let soft = if velocity.asked.contains("soft") {
                    let mut velocity = Depending::on("velocity");
                    self.levels("note_on", &with(&part, "soft", 1.0), &mut velocity, writer)
                } else {
                    loud.clone()
                };
                let off = self.levels("note_off", &part, &mut Depending::on("pedal"), writer);
                let pressure = self.levels("pressure", &part, &mut Depending::on("pressure"), writer);
                keys.push(OfKey { key, on: [loud, soft], off, pressure });
            }
            let [pedal_down, pedal_up] = ["pedal_down", "pedal_up"]
                .map(|rules| self.rules(rules, part, &mut Depending::on("pedal"), writer));
            let pedal_move = self.levels("pedal_move", part, &mut Depending::on("pedal"), writer);
            all.push(Unit { keys, pedal_down, pedal_up, pedal_move });
        }
        Notes { units: all, gestures: self.gestures.len() }
    }

    /// The keys that a unit plays, each with its variables.
    fn played(&self, part: &Part) -> Vec<(u8, Part)> {
        match &self.definition.players {
            Players::Keys(keys) => vec![(keys[part.unit], part.clone())],
            Players::Strings { open, frets } => {
                let fret = |fret: u8| {
                    let key = open[part.unit].checked_add(fret).filter(|key| *key < 128)?;
                    let mut part = if fret == 0 { part.clone() } else { self.fretted(part, fret) };
                    if fret == 0 {
                        part.variables.push(("fret", 0.0));
                    }
                    part.variables.push(("key", f64::from(key)));
                    Some((key, part))
                };
                (0..=*frets).filter_map(fret).collect()
            }
        }
    }

    /// The gestures of the entries of `[[rules]]` for each value of a variable.
    fn levels(
        &mut self,
        rules: &str,
        part: &Part,
        depending: &mut Depending,
        writer: &mut Writer<'_, '_>,
    ) -> Levels {
        let mut lists = Vec::new();
        for level in 0..LEVELS {
            let part = with(part, depending.variable, level as f64 / (LEVELS - 1) as f64);
            lists.push(self.rules(rules, &part, depending, writer));
            if depending.constant.iter().all(Option::is_some) || writer.sink.is_full() {
                break;
            }
        }
        Levels::new(lists)
    }

    /// The gestures of the entries of `[[rules]]`, by number; those that are new are written.
    fn rules(
        &mut self,
        rules: &str,
        part: &Part,
        depending: &mut Depending,
        writer: &mut Writer<'_, '_>,
    ) -> Vec<u32> {
        writer.sink.work(RULES_WORK);
        let Some(value) = self.root.get(rules) else { return Vec::new() };
        let entries = value.get_ref().as_array().into_iter().flat_map(|entries| entries.iter());
        let entries: Vec<_> =
            entries.filter_map(|entry| Some((entry.span(), entry.get_ref().as_table()?))).collect();
        if entries.is_empty() {
            let message = format!("`{rules}` must be a list of gestures");
            writer.sink.problem(Problem::new(message, value.span(), "").help(format!("write [[{rules}]]")));
        }
        depending.constant.resize(entries.len(), None);
        let mut numbers = Vec::new();
        for ((span, table), constant) in entries.into_iter().zip(&mut depending.constant) {
            if let Some(number) = constant {
                numbers.extend(*number);
                continue;
            }
            let this = &*self;
            let (scope, rename) = (this.scope(part), |name: &str| this.renamed(name, part));
            let copying = Copying { environment: &scope, rename: &rename };
            let entry = this.is_there(table, copying, writer).then(|| {
                let mut entry = Writer::new(this.source, writer.sink);
                entry.put("[[gesture]]\n", span);
                for (key, value) in table.iter().filter(|(key, _)| key.get_ref() != WHEN) {
                    this.pair(key, value, copying, &mut entry);
                }
                entry.finish()
            });
            let asked = scope.asked();
            let number = entry.map(|entry| {
                let next = self.gestures.len() as u32;
                *self.gestures.entry(entry.text().into()).or_insert_with(|| {
                    writer.append(&entry);
                    next
                })
            });
            if !asked.contains(&depending.variable) {
                *constant = Some(number);
            }
            depending.asked.extend(asked);
            numbers.extend(number);
        }
        numbers
    }
}

/// A part with one more variable.
fn with(part: &Part, name: &'static str, value: f64) -> Part {
    let mut part = part.clone();
    part.variables.push((name, value));
    part
}
