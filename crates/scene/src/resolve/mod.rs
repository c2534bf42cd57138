//! From a scene's document to its plan: names become rows, kinds become parts, and
//! everything is checked.
//!
//! A plan is built in `stages`, each a type that owns the one before it: bodies, connections between them, the excitation that sets
//! them in motion, and the sound that is heard of them; then the run, whose scheme must accept the finished system. A part that is
//! broken is remembered by name, so that what refers to it is not blamed. Warnings that need the whole are functions of the plan.
//!
//! | word | meaning |
//! |---|---|
//! | drive | `[drive.NAME]`: a force over the whole run, a motion, a control or an initial condition (`drives`) |
//! | gesture | what a player does once; its shape acts on one input of the system (`gesture`, `inputs`) |
//! | score | the gestures of a scene, each at its time (`score`) |
//! | note | a key of an instrument; it begins gestures by their numbers (`note_gestures`) |
//!
//! **Architecture Invariant:** nothing here depends on what a body, law, drive or
//! scheme is called; their names stand in examples only.

mod along;
mod automatic;
mod bodies;
mod bow;
mod bridges;
pub mod bus;
mod cavity;
mod compliance;
mod connections;
mod controls;
pub mod driven;
mod drives;
mod format;
mod frame;
mod frames;
mod free;
mod gesture;
mod implausible;
mod inputs;
pub(crate) mod instruments;
mod mix;
pub(crate) mod note_gestures;
mod obstacle;
pub mod output;
mod parameter;
mod path;
mod penetration;
mod pickups;
mod places;
mod reader;
mod reduced;
mod replaced;
mod run;
pub(crate) mod score;
mod series;
mod stages;
pub mod tension;
mod transfer;
pub(crate) mod valve;

pub use bus::RESERVED_BUSES;
pub use frame::{Form, Frame, Key, Sections};
pub use frames::{ROOT, frames};
pub use instruments::{WHEN, instrument_frames};
pub use places::PLACES;
pub use reader::RESERVED;
pub use run::BALANCE_BOUND;
pub(crate) use run::a4;

use crate::{
    digest::sha256,
    document::{
        diagnostics::one_line_each,
        problem::{Problem, printable},
        reading::Reading,
        section::Section,
        text::SceneText,
    },
    instrument::{
        expand::{INSTRUMENT, is_instrument},
        repeated::distinct,
    },
    limits::{Limited, Limits},
};
use hamiltone_core::measure::Measure;
use hamiltone_plan::{
    Format, OutputPlan, Plan,
    instrument::{GesturePlan, TransferPlan},
    parameter::ParameterPlan,
};
use note_gestures::Texts;
use parameter::PARAMETER;
use reader::Reader;
use run::Run;
use stages::{Bodies, Connections, Excitation, Sound};
use std::{collections::BTreeSet, mem::take, path::Path};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};
use transfer::TRANSFER;

/// The plan of a document, unless anything is wrong with it.
pub(crate) fn plan(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    base: &Path,
    limits: &Limits,
    problems: &mut Vec<Problem>,
) -> Option<Plan> {
    let plan = |problems: &mut Vec<Problem>, step| {
        resolve(document, text, (base, limits), problems, (None, step)).map(|(plan, ..)| plan)
    };
    let first = plan(problems, None)?;
    // What is fitted to a step must be fitted to that which was chosen.
    let is_fitted = first.bodies.iter().any(|body| body.placed.measure == Measure::Pressure);
    let (stated, chosen) = (run::stated_step(&whole(document)), 1.0 / first.internal_rate());
    if is_fitted && stated != chosen { plan(problems, Some(chosen)) } else { Some(first) }
}

/// What an instrument has beside the scene that it stands for.
pub(crate) struct Played {
    pub gestures: Vec<GesturePlan>,
    pub transfers: Vec<TransferPlan>,
    pub parameters: Vec<ParameterPlan>,
    /// The inputs of the system by which a player bends strings whose tension grows with their amplitude.
    pub bends: Vec<usize>,
}

/// The plan of the scene that an instrument stands for, with what it has beside: the gestures of these texts, transfers and parameters. `templates` are the names
/// of what is copied, perhaps for none of its keys.
pub(crate) fn instrument(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    base: &Path,
    limits: &Limits,
    problems: &mut Vec<Problem>,
    gestures: &mut Texts<'_>,
    templates: &BTreeSet<&str>,
) -> Option<(Plan, Played)> {
    resolve(document, text, (base, limits), problems, (Some((gestures, templates)), None))
}

/// All of a document, as a section.
fn whole<'a>(document: &'a Spanned<DeTable<'a>>) -> Section<'a> {
    Section { title: "the scene".into(), span: 0..0, table: document.get_ref() }
}

/// The list of players of an ensemble, by which it is known.
pub const PLAYER: &str = "player";

/// The plan of a document, and what it has beside where it is played; with bodies for this time step (s), or that which is stated.
fn resolve(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    (base, limits): (&Path, &Limits),
    problems: &mut Vec<Problem>,
    (played, step): (Option<(&mut Texts<'_>, &BTreeSet<&str>)>, Option<f64>),
) -> Option<(Plan, Played)> {
    let reading = Reading::new(limits);
    let root = whole(document);
    let (texts, templates) = played.unzip();
    if texts.is_none() && is_instrument(&root) {
        // What else a scene would need is no fault of an instrument.
        let span = root.table.get(INSTRUMENT).map_or(0..0, Spanned::span);
        let help = format!(
            "play it with `hamiltone play {0} SONG.mid -o out.wav`, or look at it with `hamiltone check {0}`",
            text.name
        );
        problems.push(Problem::new("this is an instrument, not a scene", span, "").help(help));
        return None;
    }
    let player = root.table.get(PLAYER).filter(|_| texts.is_none());
    if let Some(span) = player.map(Spanned::span) {
        let help = format!(
            "play it with `hamiltone play {} SONG.mid -o out.wav`, or look at its instruments one by one",
            text.name
        );
        problems.push(Problem::new("this is an ensemble, not a scene", span, "").help(help));
        return None;
    }
    let mut reader = Reader {
        base,
        reading: &reading,
        text,
        played: texts.is_some(),
        format: Format::default(),
        a4: run::a4(&root),
        files: Vec::new(),
        problems,
        warnings: Vec::new(),
        unusual: Vec::new(),
    };
    reader.head(&root);
    let title = root.text("title", reader.problems);
    let source = root.text("source", reader.problems).map(printable);
    let before = reader.problems.len();
    let detail = run::is_automatic(&root).then(|| automatic::choose_detail(&root));
    let mut bodies =
        Bodies::new(reader, run::by_modes(&root), detail, step.unwrap_or_else(|| run::stated_step(&root)));
    bodies.bodies(&root);
    bodies.polarisations(&root);
    let mut connections = Connections::new(bodies);
    for (name, section) in connections.sections(&root, "link") {
        connections.link(name, &section);
    }
    connections.bridges(&root);
    for (name, section) in connections.sections(&root, cavity::CAVITY.name) {
        connections.cavity(name, &section);
    }
    for (name, section) in connections.sections(&root, "contact") {
        connections.contact(name, &section);
    }
    let mut excitation = Excitation::new(connections);
    for (name, section) in excitation.sections(&root, "drive") {
        excitation.drive(name, &section);
    }
    excitation.score(&root);
    let bends = if texts.is_some() { excitation.bends() } else { Vec::new() };
    let gestures = texts.map_or(Some(Vec::new()), |texts| excitation.note_gestures(texts));
    let complete = excitation.problems.len() == before && excitation.system.size() > 0;
    let settings = excitation.output(&root);
    let mut sound = Sound::new(excitation, settings);
    sound.admit(&root, "bus", Limited::Buses)?;
    sound.admit(&root, "pickup", Limited::Pickups)?;
    for (name, section) in sound.sections(&root, "bus") {
        sound.bus(name, &section);
    }
    sound.main_bus();
    for (name, section) in sound.sections(&root, "pickup") {
        sound.pickup(name, &section);
        sound.stated += 1;
    }
    let mut transfers = Vec::new();
    for (name, section) in sound.sections(&root, TRANSFER) {
        let rate = run::stated_rate(&root).unwrap_or_default();
        transfers.extend(sound.transfer(name, &section, rate));
    }
    let mut parameters = Vec::new();
    for (name, section) in sound.sections(&root, PARAMETER) {
        parameters.extend(sound.parameter(name, &section, &parameters, templates));
    }
    let output = sound.mix();
    let run = sound.run(&root, complete);
    let (refused, doubtful) = penetration::check(&sound.system, &sound.drives, &sound.contact_plans, &root);
    sound.problems.extend(refused);
    sound.warnings.extend(doubtful);
    let unusual = take(&mut sound.unusual);
    if sound.problems.is_empty() { &mut sound.warnings } else { &mut *sound.problems }.extend(unusual);
    let (output, run) = (output?, run?);
    let title = title.map_or_else(|| stem(&text.name), printable);
    let plan = finished(sound, &root, (title, source), output, run);
    Some((plan, Played { gestures: gestures?, transfers, parameters, bends }))
}

/// The plan of what was built, with the warnings that the whole of it gives.
fn finished(
    mut sound: Sound<'_>,
    root: &Section<'_>,
    (title, source): (String, Option<String>),
    output: OutputPlan,
    run: Run,
) -> Plan {
    let system = take(&mut sound.system);
    let bodies = take(&mut sound.body_plans);
    let gestures = take(&mut sound.gestures);
    let mut plan = Plan {
        format: sound.format,
        title,
        source,
        scene_sha256: sha256(sound.text.merged.as_bytes()),
        free: free::bodies(&system, &bodies),
        system,
        scheme: run.scheme,
        sample_rate: run.sample_rate,
        oversampling: run.oversampling,
        frames: run.frames,
        balance_bound: run.balance_bound,
        tuning_tolerance: run.tuning_tolerance,
        drives: take(&mut sound.drives),
        bodies,
        reduced: take(&mut sound.reduced),
        contacts: take(&mut sound.contact_plans),
        pickups: take(&mut sound.pickups),
        initial: take(&mut sound.initial),
        gestures: gestures.iter().map(|moment| moment.acts.clone()).collect(),
        output,
        inputs: take(&mut sound.files),
        advised: run.advised,
        choices: run.choices,
        warnings: Vec::new(),
    };
    sound.problems.extend(controls::problems(&plan, root));
    let (short, choices) = series::check(&plan, root, run.bandwidth, sound.detail.is_some());
    plan.choices.extend(choices);
    let mut warnings = take(&mut sound.warnings);
    warnings.extend(short);
    warnings.extend(score::warnings(&plan, root, &gestures));
    warnings.extend(free::warnings(&plan, root));
    let warnings = if sound.played { distinct(sound.text, warnings) } else { warnings };
    plan.warnings = one_line_each(sound.text, &warnings);
    plan
}

/// The title of a file without one: its name without folder and extension.
pub fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned())
}

impl Reader<'_> {
    /// The format's version, the keys outside sections, and that there are bodies and pickups.
    fn head(&mut self, root: &Section<'_>) {
        let sections: Vec<&str> = frames().iter().map(|frame| frame.name).collect();
        let own_of_played = [TRANSFER, PARAMETER].into_iter().filter(|_| self.played);
        let own = ROOT.iter().map(|key| key.name).chain(sections).chain(own_of_played);
        let own: Vec<&str> = own.collect();
        root.refuse_unknown(&own, self.problems);
        match root.table.get("hamiltone").map(|v| (v.span(), v.get_ref())) {
            Some((span, value)) => match format::read(value) {
                Some(format) => self.format = format,
                None => {
                    let message = format!("this is not a scene of format {}", Format::all());
                    let help = format!(
                        "write hamiltone = {}; a later format needs a later hamiltone",
                        Format::default().number()
                    );
                    self.problems.push(Problem::new(message, span, "unknown format").help(help));
                }
            },
            None => self.problems.push(
                Problem::new("the scene has no format version", 0..0, "")
                    .help(format!("write hamiltone = {} in the first line", Format::default().number())),
            ),
        }
        for (section, example) in [
            ("body", "add a section such as [body.mass], with a kind (see `hamiltone list bodies`)"),
            ("pickup", "add an output, a section such as [pickup.left] with at = \"BODY\""),
        ] {
            let given = root.table.get(section).map(|value| (value.span(), value.get_ref()));
            let empty = |value: &DeValue<'_>| value.as_table().is_some_and(|table| table.is_empty());
            if given.as_ref().is_none_or(|(_, value)| empty(value)) {
                let span = given.map_or(0..0, |(span, _)| span);
                self.problems
                    .push(Problem::new(format!("the scene has no {section}"), span, "").help(example));
            }
        }
    }
}
