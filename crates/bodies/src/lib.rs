//! Bodies: what moves. One file, one body, one line here.
//!
//! A body adds its degrees of freedom, its stiffness and damping and its start to a
//! [`System`](hamiltone_core::system::System), and turns places on it into rows.
//! Links are linear springs and dampers between two such rows.

use hamiltone_core::{body::Body, parameter::Entry};

mod bar;
mod beam;
mod bessel;
mod grid;
pub mod link;
mod losses;
mod lumped;
mod mass;
mod measured;
mod measured_entry;
mod membrane;
mod modal;
mod modal_grid;
mod modal_losses;
mod oscillator;
mod parameters;
mod plate;
mod profile;
mod quadrature;
pub mod reduction;
mod root;
mod sines;
mod string;
mod string_entry;
mod surface;
mod thick_partials;
mod timoshenko;
mod transverse;
mod tube;

pub use bar::Bar;
pub use mass::Mass;
pub use membrane::Membrane;
pub use modal::{Modal, Mode};
pub use oscillator::Oscillator;
pub use plate::Plate;
pub use string::StiffString;
pub use timoshenko::TimoshenkoBar;
pub mod variational;
pub use transverse::{End, Slope};
pub use tube::Tube;

/// Every kind of body, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Box<dyn Body>>] {
    &[
        mass::ENTRY,
        oscillator::ENTRY,
        string_entry::ENTRY,
        bar::ENTRY,
        timoshenko::ENTRY,
        plate::ENTRY,
        membrane::ENTRY,
        measured_entry::ENTRY,
        tube::ENTRY,
    ]
}
