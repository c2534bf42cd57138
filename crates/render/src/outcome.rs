//! What a run leaves behind: its energy balance, its sound, its contacts.

use crate::{
    sound::Sound,
    watch::{Physical, Touching},
};
use hamiltone_core::{audit::Audit, scheme::Balance};

/// What came of a run.
pub struct Outcome {
    /// Its energy books.
    pub audit: Audit,
    /// What the scheme claims for this system.
    pub balance: Balance,
    /// The largest relative residual that passes.
    pub tolerance: f64,
    /// Whether the run is finite and balanced.
    pub ok: bool,
    /// The pickups at the rate of the sound, and the factor that scales them.
    pub sound: Sound,
    /// What each contact of the scene did.
    pub contacts: Vec<Touching>,
    /// The physical energy, where the scheme's books keep another.
    pub physical: Option<Physical>,
    /// What the user should know.
    pub warnings: Vec<String>,
}
