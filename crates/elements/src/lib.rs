//! Contact laws: what happens when bodies touch. One file, one law, one line here.
//!
//! Every law derives its force from a convex potential V of one penetration
//! x = c·q − h, and gives the difference quotient (V(x+s) − V(x))/s of
//! energy-conserving steps without cancellation.
//!
//! ```
//! use hamiltone_elements::Power;
//! use hamiltone_core::law::Potential;
//!
//! let lay = Power::new(1e12, 1.5)?; // C19's reed against its lay
//! let (mean_force, _) = lay.quotient(-1e-6, 3e-6);
//! assert!(0.0 < mean_force && mean_force < lay.force(2e-6));
//! # Ok::<(), hamiltone_core::parameter::Complaint>(())
//! ```

use hamiltone_core::{law::Touch, parameter::Entry};

mod centre_limited;
mod exponent;
mod hertz;
mod odd_power;
mod power;
mod rattle;
mod rigid;
mod scaled;

pub use centre_limited::CentreLimited;
pub use hertz::{hertz, hertz_stiffness};
pub use odd_power::OddPower;
pub use power::Power;
pub use rattle::Rattle;
pub use scaled::Scaled;

/// Every contact law, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Touch>] {
    &[power::ENTRY, hertz::ENTRY, odd_power::ENTRY, centre_limited::ENTRY, rattle::ENTRY, rigid::ENTRY]
}
