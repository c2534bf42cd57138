//! Gestures over time: what acts on an input of a system, and when.
//!
//! 1. [`shape`] – a [`Shape`]: one gesture, from its begin on
//! 2. [`events`] – [`Events`]: all gestures on one input that are known beforehand, as a [`crate::plan::Signal`]
//! 3. [`playing`] – [`Playing`]: the gestures on one input that begin while it runs, in a fixed size
//!
//! Both add up pulses and let a level follow the level before it, in the same order: they have the same bits.

pub mod events;
pub mod playing;
pub mod shape;

pub use events::Events;
pub use playing::{Playing, TooMany};
pub use shape::{RESOLVED, Shape};
