//! Instruments of Hamiltone that are played.
//!
//! In the order in which the data flows:
//!
//! 1. [`midi`] – a Standard MIDI File, read with the byte offset of every error, or written; [`score`] – a score as `[[score]]` entries
//!    of a TOML file; [`tempo`] – from ticks to seconds
//! 2. [`performance`] – what both become: events in seconds, sorted
//! 3. [`tuning`] – which frequency a key has: equal temperament, Scala files, with the line and column of an error
//! 4. [`engine`] – an instrument that is played: notes go in, samples come out
//! 5. [`offline`] – a whole performance as samples; [`recording`] – as a sound, with its energy balance
//!
//! ```
//! use hamiltone_play::{performance::Action, score, tuning::Tuning};
//!
//! let performance = score::read("[[score]]\nnotes = \"A4\"\nlength = \"1/4\"\ndynamic = \"f\"\n", "a.toml")?;
//! let first = &performance.events()[0];
//! assert_eq!((first.time, first.action), (0.0, Action::NoteOn { key: 69, velocity: 96.0 / 127.0 }));
//! assert_eq!(Tuning::equal(442.0).frequency(69), Some(442.0));
//! # Ok::<(), hamiltone_scene::Diagnostics>(())
//! ```

pub mod engine;
pub mod midi;
pub mod offline;
pub mod performance;
pub mod recording;
pub mod score;
pub mod tempo;
pub mod tuning;

pub use engine::Engine;
pub use performance::{Action, Event, Performance};
