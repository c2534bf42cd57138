//! `hamiltone schema`: the JSON Schema of scenes.

use crate::{exit, failure::Failure, output::say};

/// Prints the schema.
pub fn run() -> Result<u8, Failure> {
    say!("{:#}", hamiltone_scene::schema::schema());
    Ok(exit::OK)
}
