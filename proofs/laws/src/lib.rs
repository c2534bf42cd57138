//! What the laws share. The laws themselves are in `tests/`.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

pub mod grid;
pub mod long;
pub mod parts;
pub mod reference;
pub mod smooth;
pub mod trial;
