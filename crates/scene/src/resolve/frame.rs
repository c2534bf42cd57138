//! What each section of a scene holds besides the parameters of its kind.

use hamiltone_core::parameter::{Parameter, Rule, Table};

/// A section of a scene: `[run]`, or `[body.NAME]` and the like.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Its name.
    pub name: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// How many of them there are.
    pub sections: Sections,
    /// Its keys that refer to other things.
    pub keys: &'static [Key],
    /// Those of its keys of which exactly one is given.
    pub one_of: &'static [&'static str],
    /// Its parameters, besides those of its kind.
    pub parameters: &'static [Parameter],
    /// What must hold between them.
    pub rules: &'static [Rule],
}

/// How many sections of a kind there are, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sections {
    /// One: `[run]`.
    One,
    /// Any number, each with a name: `[body.NAME]`.
    Named,
    /// Any number in a list: `[[score]]`.
    Listed,
    /// Any number of named sections of others, which are copied: `[key.body.NAME]`.
    Copied,
}

/// A key that refers to something by name.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What it takes.
    pub form: Form,
    /// What to write.
    pub example: &'static str,
    /// What it is.
    pub doc: &'static str,
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any text.
    Text,
    /// A place on a body, or a name.
    Place,
    /// Two places on bodies.
    Places,
    /// Two places on one body, as after `@`.
    Points,
    /// The level of a sound.
    Level,
    /// A list of names.
    Names,
    /// A range or a list of notes and numbers.
    Keys,
    /// Points of a table: pairs of a note or number, and a number.
    Curve,
    /// A formula in braces.
    Formula,
    /// A list of programs of MIDI.
    Programs,
    /// The number of a controller of MIDI.
    Controller,
}

impl Frame {
    /// Its parameters and the rules between them.
    pub fn table(&self) -> Table<'static> {
        Table { parameters: self.parameters, rules: self.rules }
    }

    /// Its header in a scene.
    pub fn header(&self) -> String {
        match self.sections {
            Sections::One => format!("[{}]", self.name),
            Sections::Named => format!("[{}.NAME]", self.name),
            Sections::Listed => format!("[[{}]]", self.name),
            Sections::Copied => format!("[{}.SECTION.NAME]", self.name),
        }
    }

    /// The names of all its keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.own().into_iter().chain(self.parameters.iter().map(|parameter| parameter.name)).collect()
    }

    /// The names of its own keys.
    pub fn own(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}
