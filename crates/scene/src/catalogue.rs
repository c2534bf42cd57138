//! Everything that a scene can name, by category.

use crate::drives;
use hamiltone_core::parameter::{Entry, Kind};
use hamiltone_gestures::kinds::{self, gesture::GestureEntry};

/// A category of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Vibrating bodies: `kind` of `[body.NAME]`.
    Bodies,
    /// Contact laws: `law` of `[contact.NAME]`.
    Contacts,
    /// Forces and initial conditions: `kind` of `[drive.NAME]`.
    Drives,
    /// What a score does at a time: `gesture` of `[[score]]`.
    Gestures,
    /// Time-stepping methods: `scheme` of `[run]`.
    Schemes,
}

impl Category {
    /// Every category, in the order of a scene.
    pub const ALL: [Self; 5] = [Self::Bodies, Self::Contacts, Self::Drives, Self::Gestures, Self::Schemes];

    /// Its name in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bodies => "bodies",
            Self::Contacts => "contacts",
            Self::Drives => "drives",
            Self::Gestures => "gestures",
            Self::Schemes => "schemes",
        }
    }

    /// The section of a scene that names its kinds, and the key.
    pub fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Bodies => ("body", "kind"),
            Self::Contacts => ("contact", "law"),
            Self::Drives => ("drive", "kind"),
            Self::Gestures => ("score", "gesture"),
            Self::Schemes => ("run", "scheme"),
        }
    }

    /// Its kinds.
    pub fn kinds(self) -> Vec<&'static Kind> {
        fn all<T>(entries: &'static [Entry<T>]) -> Vec<&'static Kind> {
            entries.iter().map(|entry| &entry.kind).collect()
        }
        match self {
            Self::Bodies => all(hamiltone_bodies::catalogue()),
            Self::Contacts => all(hamiltone_elements::catalogue()),
            Self::Drives => all(drives::catalogue()),
            Self::Gestures => kinds::catalogue().iter().map(|line| &line.entry.kind).collect(),
            Self::Schemes => all(hamiltone_schemes::catalogue()),
        }
    }

    /// The one key that names what a kind acts on, where its section has several and the kind takes only this one.
    pub fn target(self, kind: &Kind) -> Option<&'static str> {
        let own = |line: &&GestureEntry| line.entry.kind.name == kind.name;
        let lines = if self == Self::Gestures { kinds::catalogue() } else { &[] };
        lines.iter().find(own).map(|line| line.target.key())
    }
}
