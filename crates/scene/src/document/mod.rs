//! The TOML document of a scene: text, spans, sections, values, and everything that can be wrong with it.
//!
//! ```text
//! text (+ changes) → sections with spans → values against parameter tables
//! ```
//!
//! Errors are collected, not thrown: one reading shows them all.

pub(crate) mod columns;
pub mod diagnostics;
mod edit;
pub mod expanded;
pub(crate) mod expected;
mod field;
pub(crate) mod lines;
pub(crate) mod npz;
pub mod problem;
pub mod reading;
pub(crate) mod section;
pub mod set;
pub mod suggest;
pub(crate) mod syntax;
pub mod text;
pub(crate) mod value;
