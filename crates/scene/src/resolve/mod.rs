//! From a scene's document to its plan: names become rows, kinds become parts, and
//! everything is checked.
//!
//! Bodies first, since links, contacts, drives and pickups refer to them; then the
//! run, whose scheme must accept the finished system. A part that is broken is
//! remembered by name, so that what refers to it is not blamed.
//!
//! **Architecture Invariant:** nothing here depends on what a body, law, drive or
//! scheme is called; their names stand in examples only.

mod along;
mod automatic;
mod bodies;
mod builder;
mod bus;
mod compliance;
mod connections;
mod controls;
mod driven;
mod drives;
mod format;
mod frame;
mod frames;
mod free;
mod gesture;
mod implausible;
mod instruments;
mod mix;
pub mod music;
mod obstacle;
mod output;
mod path;
mod penetration;
mod pickups;
mod places;
mod played;
mod reduced;
mod replaced;
mod run;
mod score;
mod scored;
mod series;
mod transfer;

pub use builder::RESERVED;
pub use bus::RESERVED_BUSES;
pub use frame::{Form, Frame, Key, Sections};
pub use frames::{ROOT, frames};
pub use instruments::{WHEN, instrument_frames};
pub use places::PLACES;
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
use builder::Builder;
use hamiltone_plan::{
    Format, Plan,
    instrument::{GesturePlan, TransferPlan},
};
use played::Texts;
use std::{cell::RefCell, path::Path};
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
    resolve(document, text, (base, limits), problems, None).map(|(plan, ..)| plan)
}

/// The plan of the scene that an instrument stands for, with the gestures of these texts and its transfers.
pub(crate) fn instrument(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    base: &Path,
    limits: &Limits,
    problems: &mut Vec<Problem>,
    gestures: &mut Texts<'_>,
) -> Option<(Plan, Vec<GesturePlan>, Vec<TransferPlan>)> {
    resolve(document, text, (base, limits), problems, Some(gestures))
}

/// The plan of a document, and where it is played its gestures and transfers.
fn resolve(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    (base, limits): (&Path, &Limits),
    problems: &mut Vec<Problem>,
    texts: Option<&mut Texts<'_>>,
) -> Option<(Plan, Vec<GesturePlan>, Vec<TransferPlan>)> {
    let reading = Reading::new(limits);
    let root = Section { title: "the scene".into(), span: 0..0, table: document.get_ref() };
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
    let mut builder = Builder::new(text, base, &reading, problems);
    builder.played = texts.is_some();
    builder.head(&root);
    let title = root.text("title", builder.problems);
    let source = root.text("source", builder.problems).map(printable);
    builder.automatic = run::is_automatic(&root);
    builder.by_modes = run::by_modes(&root);
    builder.detail = builder.automatic.then(|| builder.choose_detail(&root));
    builder.a4 = run::a4(&root);
    let before = builder.problems.len();
    builder.bodies(&root);
    builder.each(&root, "link", Builder::link);
    builder.each(&root, "contact", Builder::contact);
    builder.each(&root, "drive", Builder::drive);
    builder.score(&root);
    let gestures = texts.map_or(Some(Vec::new()), |texts| builder.played_gestures(texts));
    let complete = builder.problems.len() == before && builder.system.size() > 0;
    let settings = builder.output(&root, builder.played);
    builder.admit(&root, "bus", Limited::Buses)?;
    builder.admit(&root, "pickup", Limited::Pickups)?;
    builder.each(&root, "bus", |builder, name, section| builder.bus(settings, name, section));
    builder.main_bus(settings);
    builder.each(&root, "pickup", |builder, name, section| builder.pickup(settings, name, section));
    let transfers = RefCell::new(Vec::new());
    builder.each(&root, TRANSFER, |builder, name, section| {
        let rate = run::stated_rate(&root).unwrap_or_default();
        transfers.borrow_mut().extend(builder.transfer(name, section, rate));
    });
    let output = settings.and_then(|settings| builder.mix(settings));
    let run = builder.run(&root, complete);
    builder.check_penetration(&root);
    let unusual = std::mem::take(&mut builder.unusual);
    if builder.problems.is_empty() { &mut builder.warnings } else { &mut *builder.problems }.extend(unusual);
    let (output, run) = (output?, run?);
    builder.check_controls(&root, &run);
    builder.check_series(&root, &run);
    builder.check_score(&root, &run);
    let free = builder.free_bodies(&root);
    let warnings = if builder.played { distinct(text, builder.warnings) } else { builder.warnings };
    let warnings = one_line_each(text, &warnings);
    let plan = Plan {
        format: builder.format,
        title: title.map_or_else(|| stem(&text.name), printable),
        source,
        scene_sha256: sha256(text.merged.as_bytes()),
        system: builder.system,
        scheme: run.scheme,
        sample_rate: run.sample_rate,
        oversampling: run.oversampling,
        frames: run.frames,
        balance_bound: run.balance_bound,
        tuning_tolerance: run.tuning_tolerance,
        drives: builder.drives,
        bodies: builder.body_plans,
        reduced: builder.reduced,
        contacts: builder.contact_plans,
        pickups: builder.pickups,
        free,
        initial: builder.initial,
        gestures: builder.gestures.into_iter().map(|moment| moment.acts).collect(),
        output,
        inputs: builder.inputs,
        advised: builder.advised,
        choices: builder.choices,
        warnings,
    };
    Some((plan, gestures?, transfers.into_inner()))
}

fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned())
}

impl Builder<'_> {
    /// The format's version, the keys outside sections, and that there are bodies and pickups.
    fn head(&mut self, root: &Section<'_>) {
        let sections: Vec<&str> = frames().iter().map(|frame| frame.name).collect();
        let own_of_played = self.played.then_some(TRANSFER);
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
