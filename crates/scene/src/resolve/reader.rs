//! How the sections of a scene are read: what their values mean, and what is wrong with them.

use super::bus::{BUS, RESERVED_BUSES};
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
use hamiltone_core::{body::Measure, parameter::Complaint};
use hamiltone_plan::Format;
use std::path::{Path, PathBuf};
use toml::{Spanned, de::DeValue};

/// What every stage reads with, and what was found on the way.
pub struct Reader<'a> {
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
    /// The frequency of the note A4, Hz.
    pub a4: f64,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// What is wrong so far.
    pub problems: &'a mut Vec<Problem>,
    /// What the user should know.
    pub warnings: Vec<Problem>,
    /// Values that are not usual: warnings of a scene that runs, problems of one that does not, which they may explain.
    pub unusual: Vec<Problem>,
}

impl<'a> Reader<'a> {
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
        self.refuse(Problem::new(message, beyond.unwrap_or_default(), "too many").help(exceeded.help()))
    }

    /// What the values of a section mean that acts on a body with this measure, at one place of it.
    pub fn at(&self, measure: Option<Measure>) -> Circumstances<'a> {
        let (base, reading) = (self.base, self.reading);
        Circumstances { base, reading, measure, along: Some(false), drive: DriveValue::Force, a4: self.a4 }
    }

    /// Adds a problem: of what it is about nothing can be made.
    pub fn refuse<T>(&mut self, problem: Problem) -> Option<T> {
        self.problems.push(problem);
        None
    }

    /// What was made of the values of a section; what it complains of is a problem.
    pub fn accept<T>(&mut self, section: &Section<'_>, made: Result<T, Complaint>) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(complaint) => self.refuse(section.complaint(&complaint)),
        }
    }

    /// The sections `[what.NAME]` with their names.
    pub fn sections<'s>(&mut self, root: &Section<'s>, what: &'static str) -> Vec<(&'s str, Section<'s>)> {
        let Some(parts) = root.table.get(what) else { return Vec::new() };
        let DeValue::Table(named) = parts.get_ref() else {
            let message = format!("`{what}` must be sections with names");
            self.problems
                .push(Problem::new(message, parts.span(), "no name").help(format!("write [{what}.NAME]")));
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (key, value) in named {
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
            sections.push((name, Section { title: format!("{what} `{name}`"), span: value.span(), table }));
        }
        sections
    }

    /// A section that has no name.
    pub fn section<'s>(&mut self, root: &Section<'s>, name: &'static str) -> Option<Section<'s>> {
        let value = root.table.get(name)?;
        if let DeValue::Table(table) = value.get_ref() {
            return Some(Section { title: name.into(), span: value.span(), table });
        }
        self.refuse(
            root.problem(name, format!("`{name}` must be one section"), "not a section")
                .help(format!("write [{name}] above its keys")),
        )
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
