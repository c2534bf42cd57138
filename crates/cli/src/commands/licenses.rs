//! `hamiltone licenses`: the licence notices of all that is linked into the program or the Python package.

use crate::{exit, failure::Failure, output::say};
use hamiltone_study::notices::NOTICES;

/// Prints the notices.
pub fn run() -> Result<u8, Failure> {
    NOTICES.lines().for_each(|line| say!("{line}"));
    Ok(exit::OK)
}
