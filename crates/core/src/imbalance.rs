//! Why the energy balance of a run does not hold, in numbers.

use std::fmt;

/// The largest part of the energy that the tolerance of an exact balance may be worth.
pub const MAX_UNCERTAINTY: f64 = 1e-6;

/// Why a balance does not hold: the number that failed, beside its limit. Residuals are relative to [`crate::audit::Audit::scale`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Imbalance {
    /// The tolerance is worth this part of the energy, more than [`MAX_UNCERTAINTY`].
    Unjudged {
        /// [`crate::audit::Audit::uncertainty`].
        uncertainty: f64,
    },
    /// The largest sum of residuals.
    Residual {
        /// [`crate::audit::Audit::residual_max_relative`].
        residual: f64,
        /// [`crate::audit::Audit::tolerance`].
        limit: f64,
        /// The step after which it was largest.
        step: u64,
    },
    /// The largest residual of one step whose solver did not converge.
    Step {
        /// max |r_k| over those steps.
        residual: f64,
        /// What one step may leave.
        limit: f64,
        /// How many steps did not converge.
        steps: u64,
    },
}

impl fmt::Display for Imbalance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unjudged { uncertainty } => write!(
                f,
                "a rounding of the positions is worth so much that the tolerance is {uncertainty:.1e} of the energy (limit {MAX_UNCERTAINTY:.0e})"
            ),
            Self::Residual { residual, limit, step } => {
                write!(f, "largest relative residual {residual:.2e} at step {step}, tolerance {limit:.2e}")
            }
            Self::Step { residual, limit, steps } => {
                let word = if steps == 1 { "step" } else { "steps" };
                write!(
                    f,
                    "{steps} {word} did not converge; the largest relative residual of one of them is {residual:.2e}, tolerance of a step {limit:.2e}"
                )
            }
        }
    }
}
