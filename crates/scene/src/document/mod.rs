//! The TOML document of a scene: text, spans, sections, values, and everything that can be wrong with it.
//!
//! ```text
//! text (+ changes) → sections with spans → values against parameter tables
//! ```
//!
//! Errors are collected, not thrown: one reading shows them all.

mod columns;
pub mod expected;
pub mod problem;
pub mod section;
pub mod syntax;
pub mod text;
mod value;

pub use problem::{Diagnostics, Problem};
pub use text::{Origin, SceneText, Set};
