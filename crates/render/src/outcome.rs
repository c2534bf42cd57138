//! The results of a run: its energy balance, its sound, its contacts.

use crate::{
    observe::{ContactSummary, PhysicalEnergy},
    passivity::Passivity,
    sound::Sound,
};
use hamiltone_core::{audit::Audit, claims::Balance};

/// The results of a run.
pub struct Outcome {
    /// The energy balance over the run.
    pub audit: Audit,
    /// The energy balance that the scheme claims for this system.
    pub balance: Balance,
    /// The largest relative energy residual that is accepted.
    pub tolerance: f64,
    /// Whether the run is finite, its energy balance holds, and it gained no energy.
    pub ok: bool,
    /// How much energy it gained of what was put in.
    pub passivity: Passivity,
    /// The pickups at the sample rate, and the factors that normalise them.
    pub sound: Sound,
    /// The contacts of the scene.
    pub contacts: Vec<ContactSummary>,
    /// The physical energy, where the discrete energy of the scheme differs from it.
    pub physical: Option<PhysicalEnergy>,
    /// What the user should know though the run went on.
    pub warnings: Vec<String>,
}
