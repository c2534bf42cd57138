//! The kinds of gestures: what `[[score]]` and the notes of an instrument can do. One file, one kind, one line here.
//!
//! Each becomes a [`Shape`](crate::shape::Shape) on one input of the system: a force at a place, the control of a
//! damper, a bow or a reed, the speed of a bow or the pressure at a reed, the position of an obstacle, or the tension of a string. `docs/scores.md` has what each does to the energy.

mod bend;
mod blow;
mod bow;
mod damp;
mod draw;
mod embouchure;
mod finger;
pub mod gesture;
mod held;
mod moving;
mod pluck;
mod press;
mod release;
mod shift;
mod strike;
mod undamp;

use gesture::GestureEntry;

/// Every kind of gesture, in the order in which `list` shows them.
pub fn catalogue() -> &'static [GestureEntry] {
    &[
        pluck::ENTRY,
        strike::ENTRY,
        press::ENTRY,
        release::ENTRY,
        damp::ENTRY,
        undamp::ENTRY,
        moving::ENTRY,
        bow::ENTRY,
        draw::ENTRY,
        blow::ENTRY,
        embouchure::ENTRY,
        finger::ENTRY,
        shift::ENTRY,
        bend::ENTRY,
    ]
}
