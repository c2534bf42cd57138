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
mod bodies;
mod drives;
mod frame;
mod joints;
mod obstacle;
mod output;
mod path;
mod pickups;
mod places;
mod replaced;
mod run;
mod start;

pub use frame::{Frame, Key, ROOT, frames};
pub use run::BALANCE_BOUND;

use crate::{
    document::{Problem, SceneText, expected::Circumstances, problem, section::Section},
    plan::{BodyPlan, ContactPlan, Drive, Pickup, Plan},
};
use hamiltone_core::{
    body::{Measure, Placed},
    system::System,
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The format that this version reads.
const FORMAT: &str = "1";

/// What has been built so far.
struct Builder<'a> {
    base: &'a Path,
    text: &'a SceneText,
    problems: &'a mut Vec<Problem>,
    warnings: Vec<Problem>,
    system: System,
    /// By name; `None` where it is broken.
    bodies: BTreeMap<String, Option<Arc<Placed>>>,
    /// By name: its number in `contact_plans`.
    contacts: BTreeMap<String, Option<usize>>,
    body_plans: Vec<BodyPlan>,
    contact_plans: Vec<ContactPlan>,
    drives: Vec<Drive>,
    pickups: Vec<Pickup>,
    inputs: Vec<PathBuf>,
}

/// The plan of a document, unless anything is wrong with it.
pub fn plan(
    document: &Spanned<DeTable<'_>>,
    text: &SceneText,
    base: &Path,
    problems: &mut Vec<Problem>,
) -> Option<Plan> {
    let root = Section { title: "the scene".into(), span: 0..0, table: document.get_ref() };
    let mut builder = Builder {
        base,
        text,
        problems,
        warnings: Vec::new(),
        system: System::default(),
        bodies: BTreeMap::new(),
        contacts: BTreeMap::new(),
        body_plans: Vec::new(),
        contact_plans: Vec::new(),
        drives: Vec::new(),
        pickups: Vec::new(),
        inputs: Vec::new(),
    };
    builder.head(&root);
    let title = root.text("title", builder.problems);
    let source = root.text("source", builder.problems).map(problem::printable);
    builder.each(&root, "body", Builder::body);
    builder.each(&root, "link", Builder::link);
    builder.each(&root, "contact", Builder::contact);
    builder.each(&root, "drive", Builder::drive);
    builder.each(&root, "pickup", Builder::pickup);
    let output = builder.output(&root);
    let run = builder.run(&root, output.as_ref());
    builder.check_start(&root);
    let (output, run) = (output?, run?);
    let warnings = builder.warnings.iter().map(|warning| problem::one_line(text, warning)).collect();
    Some(Plan {
        title: title.map_or_else(|| stem(&text.name), problem::printable),
        source,
        scene_sha256: Sha256::digest(text.merged.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
        system: builder.system,
        scheme: run.scheme,
        sample_rate: run.sample_rate,
        oversampling: run.oversampling,
        frames: run.frames,
        balance_bound: run.balance_bound,
        drives: builder.drives,
        bodies: builder.body_plans,
        contacts: builder.contact_plans,
        pickups: builder.pickups,
        output,
        inputs: builder.inputs,
        warnings,
    })
}

fn stem(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned())
}

impl<'a> Builder<'a> {
    /// What the values of a section mean that acts on a body with this measure, at one place of it.
    fn at(&self, measure: Option<Measure>) -> Circumstances<'a> {
        Circumstances { base: self.base, measure, along: false }
    }

    /// The format's version, the keys outside sections, and that there is something to hear.
    fn head(&mut self, root: &Section<'_>) {
        let sections: Vec<&str> = frames().iter().map(|frame| frame.name).collect();
        let own: Vec<&str> = frame::ROOT.iter().map(|key| key.name).chain(sections).collect();
        root.refuse_unknown(&[], &own, self.problems);
        match root.table.get("hamiltone").map(|v| (v.span(), v.get_ref())) {
            Some((_, DeValue::Integer(version))) if version.as_str() == FORMAT => {}
            Some((span, _)) => self.problems.push(
                Problem::new("this is not a scene of format 1", span, "unknown format")
                    .help("write hamiltone = 1; a later format needs a later hamiltone"),
            ),
            None => self.problems.push(
                Problem::new("the scene does not say its format", 0..0, "")
                    .help("begin the file with hamiltone = 1"),
            ),
        }
        for (section, example) in [
            ("body", "add a section such as [body.mass], with a kind (see `hamiltone list bodies`)"),
            ("pickup", "there is nothing to hear: add a section such as [pickup.left] with at = \"BODY\""),
        ] {
            if !root.table.contains_key(section) {
                self.problems
                    .push(Problem::new(format!("the scene has no {section}"), 0..0, "").help(example));
            }
        }
    }

    /// Reads every `[what.NAME]`.
    fn each(&mut self, root: &Section<'_>, what: &'static str, read: impl Fn(&mut Self, &str, &Section<'_>)) {
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
            if let Some(wrong) = wrong_name(name) {
                let message = format!("{what} `{name}`: {wrong}");
                self.problems
                    .push(Problem::new(message, key.span(), "").help("use letters a–z, digits, _ and -"));
            }
            read(self, name, &Section { title: format!("{what} `{name}`"), span: value.span(), table });
        }
    }

    /// A section that has no name.
    fn section<'s>(&mut self, root: &Section<'s>, name: &'static str) -> Option<Section<'s>> {
        let value = root.table.get(name)?;
        if let DeValue::Table(table) = value.get_ref() {
            return Some(Section { title: name.into(), span: value.span(), table });
        }
        let problem = root.problem(name, format!("`{name}` must be one section"), "not a section");
        self.problems.push(problem.help(format!("write [{name}] above its keys")));
        None
    }
}

/// Names stand in places (`string@0.2`) and in the names of arrays (`string.q`).
fn wrong_name(name: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match name {
        "ground" => Some("the ground is there already, a body at rest at 0"),
        "time" | "ledger" | "pickup" | "manifest" => Some("this name is used in the files of states"),
        "" => Some("a name is missing"),
        _ if !name.chars().all(plain) => Some("a name may not hold such characters"),
        _ => None,
    }
}
