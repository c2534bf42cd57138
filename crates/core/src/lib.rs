//! The core of Hamiltone: mechanical systems, their energy balance and the scheme contract.
//!
//! **A model is data, a scheme is code.** Bodies, force laws and drives are assembled
//! into one constant [`system::System`]; a [`scheme::Scheme`] prepares a
//! [`simulation::Simulation`] from it and never learns what a string is; every step
//! returns its [`ledger::Ledger`], and an [`audit::Audit`] adds them up.
//!
//! In the order in which the data flows:
//!
//! 1. [`parameter`] – how a kind of part describes what can be set; [`printable`] – texts as they may be shown
//! 2. [`geometry`], [`body`] – places on bodies, and the contract of bodies; [`measure`] – their units; [`element`] – force
//!    laws, with the contracts [`potential`], [`resistance`] and [`custom`]; [`input`] – what acts from outside
//! 3. [`row`], [`operator`], [`joint`], [`form`], [`system`] – the assembled system; [`check`] – whether it is one; [`islands`] – its parts that
//!    nothing connects
//! 4. [`claims`], [`coverage`], [`refusal`], [`scheme`] – what a scheme promises, covers and refuses
//! 5. [`stepper`] – the contract of a method; [`state`], [`saved`] – its state, with the [`fingerprint`] of its run, made of an [`identity`], and a [`checksum`]; [`ledger`] – the energy balance of a step
//! 6. [`simulation`] – a prepared run; [`audit`] – its energy balance
//!
//! **Architecture Invariant:** data and contracts only. No I/O, no logging, no solver, and no
//! physics of any particular instrument in this crate.

mod acting;
mod activity;
pub mod audit;
pub mod body;
pub mod check;
pub mod checksum;
pub mod claims;
pub mod coverage;
pub mod custom;
pub mod element;
pub mod fingerprint;
pub mod form;
mod free_losses;
pub mod geometry;
pub mod identity;
mod imbalance;
pub mod input;
pub mod instant;
pub mod islands;
pub mod joint;
pub mod ledger;
pub mod measure;
pub mod parameter;
pub mod port;
pub mod potential;
pub mod printable;
mod reading;
pub mod refusal;
pub mod resistance;
pub mod saved;
pub mod scheme;
pub mod simulation;
pub mod state;
pub mod stepper;
pub mod system;

pub use hamiltone_numerics::{operator, row};
