//! The core of Hamiltone: mechanical systems, their energy balance and the scheme contract.
//!
//! **A model is data, a scheme is code.** Bodies, force laws and drives are assembled
//! into one constant [`system::System`]; a [`scheme::Scheme`] prepares a
//! [`scheme::Stepper`] from it and never learns what a string is; every step
//! returns its [`ledger::Ledger`], and an [`audit::Audit`] adds them up.
//!
//! In the order in which the data flows:
//!
//! 1. [`parameter`] – how a kind of part describes what can be set
//! 2. [`geometry`], [`body`], [`law`] – places on bodies, and the contracts of bodies and force laws
//! 3. [`row`], [`operator`], [`system`] – the assembled system
//! 4. [`check`], [`scheme`] – claims, preparing, stepping; [`ledger`] – the energy balance of a step
//! 5. [`audit`] – the energy balance of a run
//!
//! **Architecture Invariant:** data and contracts only. No I/O, no logging, no serialisation, no solver, and no
//! physics of any particular instrument in this crate.

pub mod audit;
pub mod body;
pub mod check;
pub mod geometry;
pub mod law;
pub mod ledger;
pub mod parameter;
pub mod scheme;
pub mod system;

pub use hamiltone_numerics::{operator, row};
