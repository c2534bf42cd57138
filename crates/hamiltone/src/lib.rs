//! Hamiltone: physical-modelling sound synthesis whose every step keeps its energy books.

pub mod catalogue;
pub mod drives;
pub mod plan;
pub mod plot;
pub mod reproduce;
pub mod resolve;
pub mod scene;
pub mod schema;
pub mod units;
pub mod decimate;
pub mod run;
pub mod sinks;
pub mod sound;

pub use hamiltone_bodies as bodies;
pub use hamiltone_contacts as contacts;
pub use hamiltone_core as core;
pub use hamiltone_schemes as schemes;
