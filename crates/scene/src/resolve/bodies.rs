//! Bodies: each adds itself to the system.

use super::{format, stages::Bodies, tension::POLARISATION_OF};
use crate::{
    document::{
        problem::Problem,
        section::Section,
        suggest::{closest, suggest},
    },
    limits::Limited,
    units::plain,
};
use hamiltone_bodies::{
    reduction::{self, ModeCache},
    sounding,
};
use hamiltone_core::{
    body::{Body, Measure, Placed},
    parameter::{Complaint, Entry, Kind, Parameter, Role, Table, Takes, Values},
};
use hamiltone_numerics::math;
use hamiltone_plan::BodyPlan;
use std::sync::Arc;

/// The parameter that states how a body is represented, and its word for modes.
const METHOD: &str = "method";
const MODAL: &str = "modal";
/// The parameter that states at how many points contacts along a body lie.
const INTERVALS: &str = "intervals";

/// Whether a body can be represented by its modes, and nothing is given that needs another representation.
fn by_modes(table: &Table<'_>, values: &Values) -> bool {
    let takes =
        |parameter: &Parameter| matches!(parameter.takes, Takes::Word(words) if words.contains(&MODAL));
    table.find(METHOD).is_some_and(takes) && table.implied(values, |key| key == METHOD).is_empty()
}

/// How many bodies are built side by side: the limit of coordinates is looked at in between.
const AT_A_TIME: usize = 32;

/// What an earlier format may leave unnoticed, cents.
const UNNOTICED: f64 = 1.0;

/// That a frequency, which means another parameter in the format of the scene, is not the one that sounds.
fn other_meaning(
    section: &Section<'_>,
    (key, meant): (&str, &str),
    table: &Table<'_>,
    values: &Values,
    body: &dyn Body,
) -> Option<Problem> {
    let stated = values.number(meant)?;
    let sounds = *sounding::partials(body, 1).ok()?.first()?;
    let cents = 1200.0 * math::log2(sounds / stated);
    if sounds > 0.0 && cents.abs() <= UNNOTICED {
        return None;
    }
    let what = table.find(meant).map_or("", |parameter| parameter.doc);
    let heard = match sounds > 0.0 {
        true => {
            format!("the first partial sounds at {} Hz, {cents:+.1} cents", plain(sounds)).replace('-', "−")
        }
        false => "it decays without vibrating".into(),
    };
    let message = format!("`{key}` is {} Hz, but {heard}: in format 1 it is {what}", plain(stated));
    let help = format!("write hamiltone = 2, where `{key}` is what sounds; there `{meant}` keeps this sound");
    Some(section.problem(key, message, "").help(help))
}

/// The entry of a catalogue that a section's `key` names; for a name that is nearly
/// right the entry that must be meant, so that the section's other mistakes are found too.
pub fn entry<T>(
    section: &Section<'_>,
    key: &str,
    plural: &str,
    catalogue: &'static [Entry<T>],
    problems: &mut Vec<Problem>,
) -> Option<&'static Entry<T>> {
    line(section, (key, plural), catalogue, |entry| &entry.kind, problems)
}

/// The same of a catalogue whose lines hold more than an entry; `key` with the name of the catalogue.
pub fn line<L>(
    section: &Section<'_>,
    (key, plural): (&str, &str),
    catalogue: &'static [L],
    kind: impl Fn(&'static L) -> &'static Kind,
    problems: &mut Vec<Problem>,
) -> Option<&'static L> {
    let example = format!("{key} = \"{}\" (see `hamiltone list {plural}`)", kind(catalogue.first()?).name);
    let name = section.required_text(key, &example, problems)?;
    let find = |name: &str| catalogue.iter().find(|line| kind(line).name == name);
    find(name).or_else(|| {
        let names: Vec<&str> = catalogue.iter().map(|line| kind(line).name).collect();
        let help =
            format!("{} (see `hamiltone list {plural}`)", suggest(name, names.iter().copied(), plural));
        problems.push(section.problem(key, format!("there is no {key} `{name}`"), "unknown").help(help));
        closest(name, names).and_then(find)
    })
}

/// What a section says of a body.
struct ValuesOfBody {
    entry: &'static Entry<Box<dyn Body>>,
    values: Values,
    /// The keys that mean another parameter in the format of the scene, with that.
    translated: Vec<(&'static str, &'static str)>,
}

impl Bodies<'_> {
    /// Reads every `[body.NAME]` and builds the bodies, some of them side by side.
    pub fn bodies(&mut self, root: &Section<'_>) {
        let mut read = Vec::new();
        for (name, section) in self.sections(root, "body") {
            let values = self.values_of_body(name, &section);
            read.push((name, section, values));
        }
        let mut rest = read.into_iter();
        // What is solved while a body is made is asked for again when it is added.
        ModeCache::at_hand(|| {
            while rest.len() > 0 {
                let part: Vec<_> = rest.by_ref().take(AT_A_TIME).collect();
                let make = |(name, section, values): (_, _, Option<ValuesOfBody>)| {
                    let made = values.map(|values| ((values.entry.make)(&values.values), values));
                    (name, section, made)
                };
                for (name, section, made) in reduction::map(part, make) {
                    let placed = made.and_then(|(body, values)| self.placed((name, &section), values, body));
                    self.bodies.insert(name.into(), placed);
                }
            }
        });
    }

    fn values_of_body(&mut self, name: &str, section: &Section<'_>) -> Option<ValuesOfBody> {
        let catalogue = hamiltone_bodies::catalogue();
        let entry = entry(section, "kind", "bodies", catalogue, self.problems)?;
        // A body whose mass is given per unit area has its forces per unit area, too.
        let given = |p: &&Parameter| section.table.contains_key(p.name);
        let per_area =
            entry.kind.parameters.iter().filter(given).any(|p| p.role() == Some(Role::MassPerArea));
        let circumstances = self.at(Some(if per_area { Measure::PerArea } else { Measure::Length }));
        let table = entry.kind.table();
        let mut values =
            section.values(&table, &["kind", POLARISATION_OF], circumstances, self.problems).sound()?;
        let translated = format::translate(self.format, &table, &mut values);
        if self.by_modes && !section.table.contains_key(METHOD) && by_modes(&table, &values) {
            values.set(METHOD, MODAL);
        }
        // Who states the intervals states how finely the body is represented.
        if let Some(detail) = self.detail.filter(|_| !values.is_given(INTERVALS)) {
            values.set_detail(detail);
        }
        values.set_step(self.step);
        self.take_note(section, entry.kind.parameters, &values, circumstances.measure);
        if values.is_given(INTERVALS) {
            self.with_intervals.insert(name.into());
        }
        Some(ValuesOfBody { entry, values, translated })
    }

    /// Adds a body to the system.
    fn placed(
        &mut self,
        (name, section): (&str, &Section<'_>),
        ValuesOfBody { entry, values, translated }: ValuesOfBody,
        body: Result<Box<dyn Body>, Complaint>,
    ) -> Option<Arc<Placed>> {
        let table = entry.kind.table();
        let (limits, limited) = (self.reading.limits(), Limited::Coordinates);
        // The body that exceeds the limit has been complained of; nothing more is built.
        if limits.check(limited, self.system.size() as u128).is_err() {
            return None;
        }
        let blocks = self.system.blocks.len();
        let added = body.and_then(|body| {
            let placed = body.add_to(&mut self.system, name)?;
            Ok((body, placed))
        });
        // A body has one block of its own; others are its suspension.
        self.suspensions.extend((blocks..self.system.blocks.len()).skip(1));
        match added {
            Ok((body, placed)) => {
                if let Err(exceeded) = limits.check(limited, self.system.size() as u128) {
                    let message = format!("with it the scene has degrees of freedom: {}", exceeded.amounts());
                    let help = format!("use fewer intervals, modes or bodies; {}", exceeded.help());
                    return self.refuse(section.problem("", message, "too many").help(help));
                }
                let energy = placed.measure.energy();
                if let Some(other) = self.body_plans.first().filter(|o| o.placed.measure.energy() != energy) {
                    let (yes, no) = match placed.measure {
                        Measure::PerArea => (name, other.name.as_str()),
                        _ => (other.name.as_str(), name),
                    };
                    let message = format!("`{yes}` is per unit area (Pa, J/m²), but `{no}` is not (N, J)");
                    let help = "their forces and energies cannot be added: describe all bodies per unit area, or none";
                    self.problems.push(section.problem("", message, "").help(help));
                }
                let placed = Arc::new(placed);
                for (key, meant) in translated {
                    self.warnings.extend(other_meaning(section, (key, meant), &table, &values, &*body));
                }
                let solved = body.solved();
                self.body_plans.push(BodyPlan { name: name.into(), placed: placed.clone(), solved });
                Some(placed)
            }
            Err(complaint) => self.refuse(section.complaint(&complaint)),
        }
    }
}
