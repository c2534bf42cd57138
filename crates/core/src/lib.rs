//! The core of Hamiltone: mechanical systems, energy books and the scheme contract.
//!
//! **A model is data, a scheme is code.** Bodies, contacts and drives are assembled
//! into one constant [`system::System`]; a [`scheme::Scheme`] prepares a
//! [`scheme::Stepper`] from it and never learns what a string is; every step
//! returns its [`ledger::Ledger`], and an [`audit::Audit`] adds them up.
//!
//! In the order in which the data flows:
//!
//! 1. [`parameter`] – how a kind of part describes what can be set
//! 2. [`body`], [`law`] – the contracts of bodies and contact laws
//! 3. [`variational`] – energies of fields on grids; [`row`], [`lattice`], [`operator`], [`system`] – the assembled system
//! 4. [`check`], [`scheme`] – claims, preparing, stepping; [`ledger`] – the books of a step
//! 5. [`audit`] – the books of a run
//! 6. [`band`], [`border`], [`eigen`], [`newton`], [`barrier`], [`impact`], [`sine_transform`], [`lanes`], [`math`] – the arithmetic that schemes share
//!
//! **Architecture Invariant:** no I/O, no logging, no serialisation, and no
//! physics of any particular instrument in this crate.

pub mod audit;
pub mod band;
pub mod barrier;
pub mod body;
pub mod border;
pub mod check;
pub mod eigen;
pub mod impact;
pub mod lanes;
pub mod lattice;
pub mod law;
pub mod ledger;
pub mod math;
pub mod newton;
pub mod operator;
pub mod parameter;
pub mod row;
pub mod scheme;
pub mod sine_transform;
pub mod system;
pub mod variational;
