//! The diagonals of a system of uncoupled coordinates.

use hamiltone_core::{refusal::Refusal, system::System};

/// The name of the scheme.
pub const NAME: &str = "modal-moreau-jean";

/// The diagonals of K and R.
pub fn diagonals(system: &System) -> Result<(Vec<f64>, Vec<f64>), Refusal> {
    let coupled = |name: &str| Refusal::NotCovered { scheme: NAME, what: vec![format!("`{name}`")] };
    Ok((system.diagonal_stiffness().map_err(coupled)?, system.diagonal_damping().map_err(coupled)?))
}
