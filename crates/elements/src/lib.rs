//! Force laws between bodies: contacts and dampers. One file, one law, one line in [`catalogue`].
//!
//! A compliant law derives its force from a convex potential V of one penetration
//! x = c·q − h, and gives the difference quotient (V(x+s) − V(x))/s of
//! energy-conserving steps without cancellation. A resistive law is a force of the rate ẋ that never gives energy.
//!
//! ```
//! use hamiltone_elements::Power;
//! use hamiltone_core::potential::Potential;
//!
//! let lay = Power::new(1e12, 1.5)?; // C19's reed against its lay
//! let (mean_force, _) = lay.quotient(-1e-6, 3e-6);
//! assert!(0.0 < mean_force && mean_force < lay.force(2e-6));
//! # Ok::<(), hamiltone_core::parameter::Complaint>(())
//! ```

use hamiltone_core::{element::ElementLaw, parameter::Entry};

mod arithmetic;
mod bow;
mod centre_limited;
mod convexity;
mod coupled;
mod damper;
mod elasto_plastic;
mod expansion;
mod exponent;
mod felt;
mod formula;
mod friction;
mod functions;
mod hertz;
mod jet;
mod lay;
mod near_zero;
mod odd_power;
mod places;
mod power;
mod program;
#[cfg(test)]
mod random;
mod rattle;
mod reed;
mod rigid;
mod rounding;
mod series;
mod slope;
mod sprung;
#[cfg(feature = "serde")]
pub mod stored;
mod table;
mod taylor;
mod term;
mod thermal;
mod valve;

pub use bow::Bow;
pub use centre_limited::CentreLimited;
pub use damper::LinearDamper;
pub use elasto_plastic::ElastoPlasticBow;
pub use felt::felt;
pub use formula::{Formula, Sides};
pub use friction::Friction;
pub use hertz::{hertz, hertz_stiffness};
pub use jet::Jet;
pub use odd_power::OddPower;
pub use power::Power;
pub use rattle::rattle;
pub use sprung::SprungBow;
pub use table::Table;
pub use thermal::ThermalBow;
pub use valve::Valve;

/// The laws of a bow, which takes the torsion of a string and may be pressed by a body.
pub const BOWS: [&str; 4] =
    [bow::ENTRY.kind.name, bow::SMOOTH.kind.name, thermal::ENTRY.kind.name, elasto_plastic::ENTRY.kind.name];

/// The parameter of a bow that is pressed by a body: the stiffness of its hair.
pub const HAIR: &str = bow::HAIR.name;

/// Every force law, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<ElementLaw>] {
    &[
        power::ENTRY,
        hertz::ENTRY,
        felt::ENTRY,
        odd_power::ENTRY,
        centre_limited::ENTRY,
        rattle::ENTRY,
        formula::ENTRY,
        table::ENTRY,
        rigid::ENTRY,
        damper::ENTRY,
        bow::ENTRY,
        bow::SMOOTH,
        thermal::ENTRY,
        elasto_plastic::ENTRY,
        reed::REED,
        reed::LIPS,
        jet::ENTRY,
    ]
}
