//! The text of a scene, and the files beside it.

use std::fmt::Write as _;

/// What has been written.
#[derive(Default)]
pub struct Text {
    /// The scene.
    pub scene: String,
    /// Names and texts of the files that it reads.
    pub files: Vec<(&'static str, String)>,
}

impl Text {
    /// One or more lines.
    pub fn line(&mut self, text: &str) {
        writeln!(self.scene, "{text}").expect("a string takes any text");
    }
}
