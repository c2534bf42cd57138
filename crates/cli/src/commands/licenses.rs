//! `hamiltone licenses`: the licence notices of all that is linked into the program or the Python package.

use crate::{exit, failure::Failure, output::say};

/// Written by the test `supply_chain` of the crate `proofs`.
const NOTICES: &str = include_str!("../notices.txt");

/// Prints the notices.
pub fn run() -> Result<u8, Failure> {
    NOTICES.lines().for_each(|line| say!("{line}"));
    Ok(exit::OK)
}
