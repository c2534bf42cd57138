//! The diagonals of a system of uncoupled coordinates.

use hamiltone_core::{refusal::Refusal, system::System};

/// The diagonals of K and R, of which `scheme` knows no others.
pub(crate) fn diagonals(scheme: &'static str, system: &System) -> Result<(Vec<f64>, Vec<f64>), Refusal> {
    let coupled = |name: &str| Refusal::NotCovered { scheme, what: vec![format!("`{name}`")] };
    Ok((system.diagonal_stiffness().map_err(coupled)?, system.diagonal_damping().map_err(coupled)?))
}
