//! Drives: forces over time and initial conditions. One file, one kind, one line here.
//!
//! A force gives u(t) in N, or in Pa where it drives a body per unit area or the air in
//! a tube. Schemes sample it at the ends of their steps, t = n/(sample_rate·oversampling).
//! An initial condition gives a body its displacement and velocity at t = 0 and is no force after.

mod constant;
mod driving;
mod envelope;
mod float64;
mod harmonics;
mod modes;
pub(crate) mod patch;
mod pluck;
pub(crate) mod spread;
mod strike;
pub(crate) mod wav;

pub use driving::{Driving, InitialCondition};

use hamiltone_core::parameter::Entry;

/// Every kind of drive, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Driving>] {
    &[
        harmonics::ENTRY,
        constant::ENTRY,
        envelope::ENTRY,
        wav::ENTRY,
        pluck::ENTRY,
        strike::ENTRY,
        modes::ENTRY,
    ]
}
