//! `hamiltone schema`: the JSON Schema of scenes.

use super::{Failure, SOUND};

/// Prints it.
pub fn run() -> Result<u8, Failure> {
    say!("{:#}", hamiltone_scene::schema::schema());
    Ok(SOUND)
}
