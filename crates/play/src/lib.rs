//! Instruments of Hamiltone that are played.
//!
//! In the order in which the data flows:
//!
//! 1. [`midi`] – a Standard MIDI File, read with the byte offset of every error, or written: it becomes a [`Performance`]
//! 2. [`tuning`] – which frequency a key has: equal temperament, Scala files, with the line and column of an error
//! 3. [`engine`] – an instrument that is played: notes go in, samples come out
//! 4. [`balance`] – the energy balance of all parts; [`player`] – single notes, each from rest
//! 5. With the feature `recording`: `offline` – a whole performance as samples; `recording` – as a sound, with its energy balance;
//!    `ensemble` – several instruments at once
//!
//! ```
//! use hamiltone_play::tuning::Tuning;
//!
//! assert_eq!(Tuning::equal(442.0).frequency(69), Some(442.0));
//! ```

pub mod balance;
pub mod engine;
#[cfg(feature = "recording")]
pub mod ensemble;
pub mod midi;
#[cfg(feature = "recording")]
pub mod offline;
pub mod player;
#[cfg(feature = "recording")]
pub mod recording;
pub mod tuning;

pub use engine::Engine;
pub use hamiltone_gestures::performance::{Action, Event, Performance};
pub use player::Player;
