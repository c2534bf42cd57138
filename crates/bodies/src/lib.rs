//! Bodies: what moves. One file = the physics of one body, and one line here.
//!
//! A type such as [`StiffString`] holds physics only: lengths, densities, stiffnesses, losses, ends. Its methods
//! `on_grid` and `by_modes` represent it by values on the nodes of a grid (folder `finite_difference`) or by amplitudes
//! of modes (folder `modal`); what they return is a [`Body`]: it adds its degrees of freedom, masses, stiffness and
//! damping to a [`System`](hamiltone_core::system::System). Links are linear springs and dampers between two places.
//! Where no formula gives modes, or links couple them, [`reduction`] finds those of the assembled system.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests"))]

use hamiltone_core::{body::Body, parameter::Entry};

mod air_load;
mod bar;
mod bar_size;
mod bar_tuning;
mod beam_roots;
mod bessel;
mod bore;
mod bore_entry;
pub mod bridge;
mod built;
mod circular_plate;
mod ends;
mod finite_difference;
mod grid;
pub mod link;
mod losses;
mod lumped;
mod mass;
mod measured_entry;
mod membrane;
mod modal;
mod modal_grid;
mod modal_losses;
mod mode_slopes;
mod modified_bessel;
mod numerical;
mod numerical_modes;
pub use numerical_modes::rigid_motions;
mod orthotropic;
mod oscillator;
mod parameters;
mod pitched;
mod plate;
mod plate_entry;
mod profile;
pub mod reduction;
mod ribbed_plate;
mod ribs;
mod root;
mod section;
pub mod sounding;
pub mod stretching;
mod string;
mod string_entry;
mod surface;
mod suspension;
mod thick_partials;
mod timoshenko;
mod tube;
mod undercut;
mod von_karman;

pub use bar::Bar;
pub use bore::{Air, Bore, Fit, Hole, Peak, Piece, Radiation};
pub use circular_plate::CircularPlate;
pub use ends::End;
pub use finite_difference::{
    timoshenko::TimoshenkoGrid,
    transverse::{Slope, TransverseGrid},
    tube::TubeGrid,
    variational,
};
pub use mass::Mass;
pub use membrane::Membrane;
pub use modal::{Modal, Mode};
pub use orthotropic::Orthotropic;
pub use oscillator::Oscillator;
pub use plate::Plate;
pub use string::StiffString;
pub use suspension::suspension_of;
pub use timoshenko::TimoshenkoBar;
pub use tube::Tube;

/// Every kind of body, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Box<dyn Body>>] {
    &[
        mass::ENTRY,
        oscillator::ENTRY,
        string_entry::ENTRY,
        bar::ENTRY,
        timoshenko::ENTRY,
        plate_entry::ENTRY,
        circular_plate::ENTRY,
        ribbed_plate::ENTRY,
        membrane::ENTRY,
        measured_entry::ENTRY,
        tube::ENTRY,
        bore_entry::ENTRY,
    ]
}
