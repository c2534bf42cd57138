//! The files that a run writes: sound, audit, states.
//!
//! Every file is written under a temporary name, and all get their names together when all are complete.

pub mod audit;
mod contacts;
pub mod flac;
mod pcm;
pub mod states;
pub mod wav;
pub mod wav_header;
