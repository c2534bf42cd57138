//! What the proofs share. The proofs themselves are in `tests/`.

pub mod grid;
pub mod parts;
pub mod reference;
pub mod scenes;
pub mod smooth;
pub mod trial;

/// The program in the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
