//! What the benchmarks share.
//!
//! 1. [`model`] – the bodies of the scenes in their representations, of any size, with contacts
//! 2. [`stencil`], [`bank`] – the plain loops that they are compared with
//! 3. [`timing`] – processor time, work in turns; [`fit`] – exponents
//! 4. [`machine`], [`archive`] – where figures were measured, and tables of them; [`command`] – other programs

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

pub mod archive;
pub mod bank;
pub mod command;
pub mod fit;
pub mod machine;
pub mod model;
pub mod stencil;
pub mod timing;
