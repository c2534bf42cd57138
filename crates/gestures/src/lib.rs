//! What a player of Hamiltone does, without files: gestures over time, and the notes and events that they come from.
//!
//! A **gesture** acts on one input of a system. Its **shape** is the value of that input over time: a pulse, which adds to whatever else
//! acts, or a level, which is reached and held. A **score** is a list of gestures at their times; a **drive** acts over the whole run instead,
//! and is the scene's.
//!
//! 1. [`shape`] – a [`Shape`]: one gesture, from its begin on
//! 2. [`events`] – [`Events`]: all gestures on one input that are known beforehand, as a [`Signal`]
//! 3. [`playing`] – [`Playing`]: the gestures on one input that begin while it runs, in a fixed size
//! 4. [`kinds`] – what scenes and instruments call them: one file, one kind
//! 5. [`note`] – notes by their names; [`performance`] – what a player does as events in seconds; [`tempo`] – from ticks to seconds
//!
//! [`Events`] and [`Playing`] add up pulses and let a level follow the level before it in the same order: they have the same bits.

pub mod events;
pub mod kinds;
pub mod note;
pub mod performance;
pub mod playing;
pub mod shape;
pub mod signal;
pub mod tempo;

pub use events::Events;
pub use playing::{Playing, TooMany};
pub use shape::{RESOLVED, Shape};
pub use signal::Signal;
