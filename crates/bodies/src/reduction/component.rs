//! Which coordinates are reduced, what becomes of them, and why they may not be.

use super::damping::NeglectedDamping;
use crate::modal::Mode;
use hamiltone_core::body::DecayRate;
use std::{fmt, ops::Range};

/// The largest component: where λ_max/λ_min of a bar's grid, (2N/π)⁴, is 10⁻² of 1/eps.
pub const MAX_COORDINATES: usize = 4000;

/// Which modes are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    /// So many of the lowest, rigid motions among them.
    Lowest(usize),
    /// Those up to a frequency (Hz), but so many at most.
    Below(f64, usize),
}

/// Losses of one body by frequency, besides those of R: a mode takes them in proportion to the body's part of its
/// kinetic energy,
///
///   σ_k = ½φ_kᵀRφ_k/m_k + Σ_b σ_b(f_k) Σ_(i of b) m_i φ_k,i²/m_k.
#[derive(Clone)]
pub struct LossLaw {
    /// The body's coordinates.
    pub dofs: Range<usize>,
    /// σ_b; rigid motions take its value near 0 Hz.
    pub rate: DecayRate,
}

impl fmt::Debug for LossLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LossLaw").field("dofs", &self.dofs).finish_non_exhaustive()
    }
}

/// Coordinates that are to be replaced by modes.
#[derive(Clone, Debug)]
pub struct Component {
    /// The name of the block of modes, for messages.
    pub name: String,
    /// The coordinates, ascending: no block joins them to others.
    pub dofs: Vec<usize>,
    /// The modes that stay.
    pub keep: Keep,
    /// Losses by frequency of bodies among them.
    pub losses: Vec<LossLaw>,
    /// The blocks of the system that hold bodies and are no part of what a scene asks of their losses, ascending: suspensions.
    pub supports: Vec<usize>,
}

/// A component's modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Their coordinates in the reduced system.
    pub dofs: Range<usize>,
    /// The modes, the lowest first.
    pub modes: Vec<Mode>,
    /// σ of each without the damping of supports, 1/s: what the losses of the bodies and links ask for.
    pub requested: Vec<f64>,
    /// Those that are rigid motions on supports, and bend nothing.
    pub supported: Vec<usize>,
    /// What the damping between them would change.
    pub neglected: NeglectedDamping,
}

/// Why a component cannot be reduced.
#[derive(Clone, Debug, PartialEq)]
pub enum ReductionError {
    /// It has too many coordinates.
    TooLarge {
        /// Its name.
        name: String,
        /// How many.
        coordinates: usize,
    },
    /// A block joins it to other coordinates.
    Coupled {
        /// Its name.
        name: String,
        /// The block.
        block: String,
    },
    /// Its modes were not found: its masses or springs differ by more than floating point can resolve.
    Unresolved {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for ReductionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReductionError::TooLarge { name, coordinates } => write!(
                f,
                "`{name}` has {coordinates} coordinates; at most {MAX_COORDINATES} can be reduced to modes: \
                 a grid has four intervals a mode unless it is given"
            ),
            ReductionError::Coupled { name, block } => {
                write!(f, "`{block}` couples `{name}` to coordinates that are not reduced with it")
            }
            ReductionError::Unresolved { name } => write!(
                f,
                "the modes of `{name}` cannot be resolved: its masses or stiffnesses differ by too many orders of magnitude"
            ),
        }
    }
}

impl std::error::Error for ReductionError {}
