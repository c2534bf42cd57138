//! The matrix that a step solves with, m·M + r·R + k·K, assembled from the squares of a system's blocks.
//!
//! Strains between coordinates that are far apart in the numbering are kept out of the band: Woodbury's formula takes
//! them as a low-rank update.

use hamiltone_core::system::System;
use hamiltone_numerics::woodbury::{MAX_RANK, UpdatedBand};

/// m·M + r·R + k·K: a band, with springs and dampers between far coordinates apart.
pub fn assemble(system: &System, m: f64, r: f64, k: f64) -> UpdatedBand {
    let terms = system
        .blocks
        .iter()
        .flat_map(|block| [(block.dofs.start, &block.stiffness, k), (block.dofs.start, &block.damping, r)]);
    // With more than MAX_RANK far couplings all of them go into the band: updates would then cost more than a wide band.
    UpdatedBand::assemble(system.mass.iter().map(|mass| m * mass), &terms.collect::<Vec<_>>(), MAX_RANK)
}
