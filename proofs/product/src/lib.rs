//! What the proofs of the product share. The proofs themselves are in `tests/`.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

pub mod instruments;
pub mod linear_part;
pub mod reasonable;
pub mod scenes;

/// The program in the documentation of the library, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
pub struct Library;
