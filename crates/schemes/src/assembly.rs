//! The matrix that a step solves with, m·M + r·R + k·K, assembled from the squares of a system's blocks.
//!
//! Strains between coordinates that are far apart in the numbering are kept out of the band: Woodbury's formula takes
//! them as a low-rank update.

use hamiltone_core::{row::Row, system::System};
use hamiltone_numerics::{
    banded::Band,
    woodbury::{self, UpdatedBand},
};

/// Strains that reach at most so far always belong into the band: the widest stencil of a body, of a thick bar's two
/// fields, reaches 5 coordinates, and links inside one body that reach little farther cost less there than as updates.
const NARROW: usize = 8;
/// Systems of at most so many coordinates keep everything in the band: a full solve of 32 costs about as much as one
/// narrow solve with its update.
const SMALL: usize = 32;

/// m·M + r·R + k·K: a band, with springs and dampers between far coordinates apart.
pub fn assemble(system: &System, m: f64, r: f64, k: f64) -> UpdatedBand {
    let parts = || system.blocks.iter().flat_map(|b| [(b, &b.stiffness, k), (b, &b.damping, r)]);
    let parts = || parts().filter(|(_, _, factor)| *factor != 0.0);
    let natural = parts().map(|(_, operator, _)| operator.narrow_half_bandwidth()).max().unwrap_or(0);
    let mut far: Vec<(f64, Row)> = Vec::new();
    for (block, operator, factor) in parts() {
        let strains = operator.strains_beyond(natural.max(NARROW));
        far.extend(strains.map(|(w, row)| (factor * w, row.moved(block.dofs.start))));
    }
    // A small system's band is narrow enough, and many far couplings cost more than a wide one.
    let limit = if system.size() <= SMALL || far.len() > woodbury::MAX_RANK {
        far.clear();
        usize::MAX
    } else {
        natural.max(NARROW)
    };
    let half = parts().map(|(_, operator, _)| operator.half_bandwidth_within(limit)).max();
    let mut band = Band::zero(system.size(), half.unwrap_or(0));
    system.mass.iter().enumerate().for_each(|(i, mass)| band.add(i, i, m * mass));
    for (block, operator, factor) in parts() {
        operator.assemble_within(limit, factor, block.dofs.start, &mut band);
    }
    UpdatedBand { band, far }
}
