//! A scene that was drawn: its sections, the files that it reads and the command that renders it.

use super::options::Options;
use hamiltone_scene::{
    Diagnostics, Plan, Scene,
    resolve::{Sections, frames},
};
use std::{fs, io, path::Path};
use toml::{Table, Value};

/// A file that a scene reads: its name and bytes.
pub type File = (String, Vec<u8>);

/// One section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its kind, such as `body`.
    pub group: &'static str,
    /// Its name; none of sections of which there is one.
    pub name: Option<String>,
    /// Its keys.
    pub keys: Table,
}

impl Section {
    /// Its path, such as `body.b0`.
    pub fn path(&self) -> String {
        self.name.as_ref().map_or_else(|| self.group.into(), |name| format!("{}.{name}", self.group))
    }

    /// Whether it is an entry of a list, which the command line cannot change.
    pub fn is_listed(&self) -> bool {
        frames().iter().any(|frame| frame.name == self.group && frame.sections == Sections::Listed)
    }

    /// A text among its keys.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.keys.get(key)?.as_str()
    }

    /// A number among its keys, SI; texts are numbers with their SI unit.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.keys.get(key)? {
            Value::Integer(n) => Some(*n as f64),
            Value::Float(x) => Some(*x),
            Value::String(text) => text.split_whitespace().next()?.parse().ok(),
            _ => None,
        }
    }
}

/// A scene and its command.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What it was drawn from.
    pub seed: u64,
    /// Its sections, that of the run first.
    pub sections: Vec<Section>,
    /// The files that it reads.
    pub files: Vec<File>,
    /// The options of the command.
    pub options: Options,
}

impl Drawn {
    /// The section of a group and name.
    pub fn section(&self, group: &str, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.group == group && s.name.as_deref() == Some(name))
    }

    /// The names of the sections of a group.
    pub fn names(&self, group: &str) -> Vec<String> {
        self.sections.iter().filter(|s| s.group == group).filter_map(|s| s.name.clone()).collect()
    }

    /// The scene with every change of the command line made.
    pub fn text(&self) -> String {
        text(&self.sections)
    }

    /// The scene as its file has it, and the arguments that make the rest of it.
    pub fn written(&self) -> (String, Vec<String>) {
        let mut sections = self.sections.clone();
        let arguments = self.options.take_from(&mut sections);
        (text(&sections), arguments)
    }

    /// Writes `scene.toml` and the files that it reads.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join("scene.toml"), self.written().0)?;
        self.files.iter().try_for_each(|(name, bytes)| fs::write(folder.join(name), bytes))
    }

    /// What the library makes of it, with its files in `folder`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn plan(&self, folder: &Path) -> Result<Plan, Diagnostics> {
        Scene::new(&self.text(), "scene.toml", folder, &[]).plan()
    }
}

/// Sections as TOML; each key on a line, tables inline.
fn text(sections: &[Section]) -> String {
    let mut text = String::from("hamiltone = 1\n");
    for section in sections {
        text += &if section.is_listed() {
            format!("[[{}]]\n", section.group)
        } else {
            format!("[{}]\n", section.path())
        };
        for (key, value) in &section.keys {
            text += &format!("{key} = {value}\n");
        }
    }
    text
}
