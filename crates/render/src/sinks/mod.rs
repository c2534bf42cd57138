//! The files that a run writes: sound, audit, states.
//!
//! Every file is written under a temporary name (`.part` added) and renamed when it
//! is whole, so that a run that is killed leaves nothing under a final name.

pub mod audit;
mod contacts;
pub mod states;
pub mod wav;
