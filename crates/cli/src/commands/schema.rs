//! `hamiltone schema`: the JSON Schema of scenes, or of instruments.

use crate::{exit, failure::Failure, output::say};
use hamiltone_scene::schema::{instrument_schema, schema};

/// What has a schema.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Subject {
    /// What `hamiltone render` renders.
    Scene,
    /// What `hamiltone play` plays.
    Instrument,
}

/// Prints the schema.
pub fn run(subject: Subject) -> Result<u8, Failure> {
    let schema = match subject {
        Subject::Scene => schema(),
        Subject::Instrument => instrument_schema(),
    };
    say!("{schema:#}");
    Ok(exit::OK)
}
