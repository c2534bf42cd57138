//! Bodies: what moves. One file, one body, one line here.
//!
//! A body adds its degrees of freedom, its stiffness and damping and its start to a
//! [`System`](hamiltone_core::system::System), and turns places on it into rows.
//! Links are linear springs and dampers between two such rows.

use hamiltone_core::{body::Body, parameter::Entry};

mod grid;
pub mod link;
mod lumped;
mod mass;
mod oscillator;
mod string;
mod string_entry;
mod transverse;

pub use mass::Mass;
pub use oscillator::Oscillator;
pub use string::StiffString;
pub use transverse::{End, Slope};

/// Every kind of body, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Box<dyn Body>>] {
    &[mass::ENTRY, oscillator::ENTRY, string_entry::ENTRY]
}
