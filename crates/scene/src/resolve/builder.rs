//! What has been built of a plan so far, and how sections are read into it.

use super::{
    bus::{BUS, RESERVED_BUSES, Wanted},
    scored::{Moment, Scored},
};
use crate::{
    document::{
        expected::{Circumstances, DriveValue},
        problem::Problem,
        reading::Reading,
        section::Section,
        text::SceneText,
    },
    limits::Limited,
};
use hamiltone_core::{
    body::{Measure, Placed},
    parameter::Detail,
    system::System,
};
use hamiltone_plan::Format;
use hamiltone_plan::{BodyPlan, BusPlan, ContactPlan, Drive, Pickup, ReducedPlan};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use toml::{Spanned, de::DeValue};

/// What has been built so far.
pub struct Builder<'a> {
    /// The folder that file names start from.
    pub base: &'a Path,
    /// What files may be read, and the limits.
    pub reading: &'a Reading<'a>,
    /// The text of the scene.
    pub text: &'a SceneText,
    /// Whether it is an instrument, which is played.
    pub played: bool,
    /// The format of the scene, the latest unless it says a readable one.
    pub format: Format,
    /// What is wrong so far.
    pub problems: &'a mut Vec<Problem>,
    /// What the user should know.
    pub warnings: Vec<Problem>,
    /// Values that are not usual: warnings of a scene that runs, problems of one that does not, which they may explain.
    pub unusual: Vec<Problem>,
    /// Whether the scheme has advice on the run.
    pub advised: bool,
    /// Whether `[run]` names no scheme: representation, scheme and rate are then chosen for the scene.
    pub automatic: bool,
    /// Whether bodies are represented by modes unless they say otherwise.
    pub by_modes: bool,
    /// The bodies of which the scene says on how many intervals they are.
    pub with_intervals: BTreeSet<String>,
    /// How finely bodies are represented that do not say so, where no scheme is named.
    pub detail: Option<Detail>,
    /// The frequency of the note A4, Hz.
    pub a4: f64,
    /// What was chosen, and why.
    pub choices: Vec<String>,
    /// The system so far.
    pub system: System,
    /// By name; `None` where it is broken.
    pub bodies: BTreeMap<String, Option<Arc<Placed>>>,
    /// By name: its number in `contact_plans`.
    pub contacts: BTreeMap<String, Option<usize>>,
    /// The blocks of the system that are suspensions of bodies.
    pub suspensions: BTreeSet<usize>,
    /// The bodies that could be built.
    pub body_plans: Vec<BodyPlan>,
    /// What was replaced by modes.
    pub reduced: Vec<ReducedPlan>,
    /// The contacts that could be built.
    pub contact_plans: Vec<ContactPlan>,
    /// One for each input of the system.
    pub drives: Vec<Drive>,
    /// The drives that are initial conditions.
    pub initial: Vec<String>,
    /// What gestures act on.
    pub scored: Vec<Scored>,
    /// The number of what this text names in `scored`.
    pub scored_by: BTreeMap<String, usize>,
    /// The gestures of the score.
    pub gestures: Vec<Moment>,
    /// One for each output of the system.
    pub pickups: Vec<Pickup>,
    /// How each of them goes into the sound.
    pub wanted: Vec<Wanted>,
    /// By name, `None` where it is broken, with where it stands.
    pub buses: BTreeMap<String, (Option<BusPlan>, Range<usize>)>,
    /// The buses that are heard without a pickup in them.
    pub heard: Vec<String>,
    /// The files that were read.
    pub inputs: Vec<PathBuf>,
    /// Which drive controls the contacts whose parts begin at this element.
    pub controlled: BTreeMap<usize, String>,
    /// Whether there are more contacts than the limit allows.
    contacts_exceeded: bool,
}

impl<'a> Builder<'a> {
    /// Nothing has been built yet.
    pub fn new(
        text: &'a SceneText,
        base: &'a Path,
        reading: &'a Reading<'a>,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        Self {
            base,
            reading,
            text,
            played: false,
            format: Format::default(),
            problems,
            warnings: Vec::new(),
            unusual: Vec::new(),
            advised: false,
            automatic: false,
            by_modes: false,
            detail: None,
            with_intervals: BTreeSet::new(),
            a4: 440.0,
            choices: Vec::new(),
            system: System::default(),
            bodies: BTreeMap::new(),
            contacts: BTreeMap::new(),
            suspensions: BTreeSet::new(),
            body_plans: Vec::new(),
            reduced: Vec::new(),
            contact_plans: Vec::new(),
            drives: Vec::new(),
            initial: Vec::new(),
            scored: Vec::new(),
            scored_by: BTreeMap::new(),
            gestures: Vec::new(),
            pickups: Vec::new(),
            wanted: Vec::new(),
            buses: BTreeMap::new(),
            heard: Vec::new(),
            inputs: Vec::new(),
            controlled: BTreeMap::new(),
            contacts_exceeded: false,
        }
    }

    /// Whether there may be so many sections of a kind as there are; otherwise the first beyond the limit is a problem, and none is
    /// read.
    pub fn admit(&mut self, root: &Section<'_>, what: &str, of: Limited) -> Option<()> {
        let Some(sections) = root.table.get(what).and_then(|sections| sections.get_ref().as_table()) else {
            return Some(());
        };
        let Err(exceeded) = self.reading.limits().check(of, sections.len() as u128) else { return Some(()) };
        let mut spans: Vec<_> = sections.keys().map(Spanned::span).collect();
        spans.sort_by_key(|span| span.start);
        let beyond = spans.into_iter().nth(usize::try_from(exceeded.allowed).unwrap_or(usize::MAX));
        let message = format!("the scene has {}: {}", exceeded.limit.name, exceeded.amounts());
        let problem = Problem::new(message, beyond.unwrap_or_default(), "too many");
        self.problems.push(problem.help(exceeded.help()));
        None
    }

    /// Whether so many contacts more are allowed; the first that are not are a problem.
    pub fn admit_contacts(&mut self, section: &Section<'_>, more: usize) -> Option<()> {
        let all = self.system.elements.len() as u128 + more as u128;
        let Err(exceeded) = self.reading.limits().check(Limited::Contacts, all) else { return Some(()) };
        if !self.contacts_exceeded {
            let message = format!("with it the scene has contacts: {}", exceeded.amounts());
            let help = format!("use fewer intervals, a shorter obstacle or frets; {}", exceeded.help());
            self.problems.push(section.problem("between", message, "too many").help(help));
        }
        self.contacts_exceeded = true;
        None
    }

    /// What the values of a section mean that acts on a body with this measure, at one place of it.
    pub fn at(&self, measure: Option<Measure>) -> Circumstances<'a> {
        let (base, reading) = (self.base, self.reading);
        Circumstances { base, reading, measure, along: Some(false), drive: DriveValue::Force, a4: self.a4 }
    }

    /// Reads every `[what.NAME]`.
    pub fn each<'s>(
        &mut self,
        root: &Section<'s>,
        what: &'static str,
        mut read: impl FnMut(&mut Self, &'s str, &Section<'s>),
    ) {
        let Some(parts) = root.table.get(what) else { return };
        let DeValue::Table(parts) = parts.get_ref() else {
            let message = format!("`{what}` must be sections with names");
            self.problems
                .push(Problem::new(message, parts.span(), "no name").help(format!("write [{what}.NAME]")));
            return;
        };
        for (key, value) in parts {
            let name = key.get_ref().as_ref();
            let DeValue::Table(table) = value.get_ref() else {
                let message = format!("`{what}.{name}` must be a section");
                let help = format!("write [{what}.NAME] above it");
                self.problems.push(Problem::new(message, key.span(), "not a section").help(help));
                continue;
            };
            if let Some(wrong) = wrong_name(what, name) {
                let message = format!("{what} `{name}`: {wrong}");
                self.problems
                    .push(Problem::new(message, key.span(), "").help("use letters a–z, digits, _ and -"));
            }
            read(self, name, &Section { title: format!("{what} `{name}`"), span: value.span(), table });
        }
    }

    /// A section that has no name.
    pub fn section<'s>(&mut self, root: &Section<'s>, name: &'static str) -> Option<Section<'s>> {
        let value = root.table.get(name)?;
        if let DeValue::Table(table) = value.get_ref() {
            return Some(Section { title: name.into(), span: value.span(), table });
        }
        let problem = root.problem(name, format!("`{name}` must be one section"), "not a section");
        self.problems.push(problem.help(format!("write [{name}] above its keys")));
        None
    }
}

/// Names that nothing can have: the reference at rest, and arrays in the files of states.
pub const RESERVED: [&str; 5] = ["ground", "time", "ledger", "pickup", "manifest"];

/// Names stand in places (`string@0.2`) and in the names of arrays (`string.q`).
fn wrong_name(what: &str, name: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match name {
        "ground" => Some("`ground` is reserved for the reference at rest"),
        _ if RESERVED.contains(&name) => Some("this name is reserved by the files of states"),
        _ if what == BUS.name && RESERVED_BUSES.contains(&name) => {
            Some("this name is reserved for pickups in no file and for the files of other runs")
        }
        "" => Some("a name is missing"),
        _ if !name.chars().all(plain) => Some("it contains characters that are not allowed"),
        _ => None,
    }
}
