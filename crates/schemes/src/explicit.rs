//! Explicit methods: splittings into drifts, kicks and flows of damping by one stepper (`splitting.rs`), with three kinds of kick.

mod accelerations;
mod damping_flow;
mod exponential;
mod force_kick;
mod mean_kick;
mod quadratised;
mod row_block;
mod row_kick;
mod splitting;
mod stencil;

pub(crate) mod composition;
pub(crate) mod method;

pub mod ieq;
pub mod iim;
pub mod leapfrog;
pub mod sprk;
pub mod tableaux;
pub mod vv;
pub mod vv_cs;
pub mod vv_strang;
