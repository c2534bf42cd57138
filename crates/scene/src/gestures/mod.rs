//! Gestures: what `[[score]]` can do at a time. One file, one kind, one line here.
//!
//! Each becomes a [`Shape`](crate::score::Shape) on one input of the system: a force at a place, the control of a
//! damper or the position of an obstacle. `docs/scores.md` has what each does to the energy.

mod damp;
mod gesture;
mod held;
mod moving;
mod pluck;
mod press;
mod release;
mod strike;
mod undamp;

pub use gesture::{Acted, Gesture, GestureEntry, Target};

/// Every kind of gesture, in the order in which `list` shows them.
pub fn catalogue() -> &'static [GestureEntry] {
    &[pluck::ENTRY, strike::ENTRY, press::ENTRY, release::ENTRY, damp::ENTRY, undamp::ENTRY, moving::ENTRY]
}
