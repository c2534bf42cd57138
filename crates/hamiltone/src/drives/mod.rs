//! Drives: external forces over time. One file, one kind, one line here.
//!
//! A drive gives u(t) in N, or in Pa where it drives a body per unit area.
//! Schemes sample it at the ends of their steps, t = n/(sample_rate·oversampling).

mod constant;
mod envelope;
mod harmonics;
mod wav;

use crate::plan::Signal;
use hamiltone_core::parameter::Entry;

/// Every kind of drive, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Box<dyn Signal>>] {
    &[harmonics::ENTRY, constant::ENTRY, envelope::ENTRY, wav::ENTRY]
}
