//! Which instrument is played: that in a file of the user, or one of those that are inside the plugin.

use nice_plug::prelude::Enum;
use std::{iter, sync::LazyLock};

/// What stands for the file of the user.
const FILE: &str = "file";
static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| iter::once(FILE).chain(hamiltone_shipped::names()).collect());

/// An instrument by its number: 0 for a file, then those that are shipped, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(usize);

impl Choice {
    /// The file of the user.
    pub const FILE: Self = Self(0);

    /// An instrument that is shipped; a file where none has this name.
    pub fn named(name: &str) -> Self {
        Self::from_index(NAMES.iter().position(|known| *known == name).unwrap_or(0))
    }

    /// Its name, or `file`.
    pub fn name(self) -> &'static str {
        NAMES[self.0]
    }
}

impl Enum for Choice {
    fn variants() -> &'static [&'static str] {
        &NAMES
    }

    /// A state has the name: it means the same instrument in a version that ships others.
    fn ids() -> Option<&'static [&'static str]> {
        Some(&NAMES)
    }

    fn to_index(self) -> usize {
        self.0
    }

    fn from_index(index: usize) -> Self {
        Self(if index < NAMES.len() { index } else { 0 })
    }
}
