//! The energy balance of one step: the scheme's own discrete energy balance.
//!
//!   stored(n+1) − stored(n) + dissipated − supplied − contact work = 0
//!
//! What flows is booked in every step; the stored energy, a function of the state, is taken where a balance is drawn. Between two
//! such points the flows add up, so that no step goes unchecked.
//!
//! "Stored" is the energy that the scheme conserves, not necessarily ½vᵀMv +
//! ½qᵀKq + ΣV: each scheme's page gives its form. Nothing is written into the
//! log or returned as an error by a step: trouble goes into the ledger and ends
//! the run in order.

/// What one step did to the energy, J (J/m² for bodies per unit area).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The energy stored after the step, in the scheme's own discrete form.
    pub stored: f64,
    /// What damping and contact losses took in the step, ≥ 0.
    pub dissipated: f64,
    /// What the inputs gave in the step.
    pub supplied: f64,
    /// The work of contacts that no potential stores (rigid ones); 0 for compliant laws.
    pub contact_work: f64,
    /// Σⱼ|fⱼ|(Σᵢ|cⱼᵢqᵢ| + |σⱼ| + |hⱼ|) + Σᵢ|(Kq)ᵢqᵢ| over springs between coordinates: over eps, what a rounding of
    /// the positions is worth to the energies that depend on their differences.
    pub leverage: f64,
    /// The stored energy was not taken: the next full ledger accounts for this step, too.
    pub partial: bool,
    /// A control value at an end of the step was one that its law does not allow: it took the nearest that it does.
    pub control_outside: bool,
    /// What the step cost, and whether it went well.
    pub effort: Effort,
}

/// What a step cost its solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Newton iterations; 0 where none were needed.
    pub iterations: u32,
    /// What went wrong, if anything did.
    pub fault: Option<Fault>,
}

/// A stable run never stores more than it was given, rounding aside; a bounded balance may overshoot by small factors,
/// while an unstable step multiplies the energy again and again. A million times is beyond any overshoot, and far
/// below where numbers overflow.
pub(crate) const DIVERGED: f64 = 1e6;

/// What can go wrong in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The scheme's quadratic has no real root: its discriminant B² − 4AC, as a fraction of B² + |4AC|.
    ComplexRoot(f64),
    /// The solver stopped above its rounding floor: the residual, as a multiple of that floor.
    NotConverged(f64),
    /// The stored energy grew to this multiple of all that was put in.
    Diverged(f64),
    /// A position, a velocity or an energy is infinite or not a number.
    NonFinite,
}

impl Fault {
    /// Whether the run cannot go on; a solver that did not converge is judged by its energy residual instead.
    pub fn ends_run(&self) -> bool {
        !matches!(self, Fault::NotConverged(_))
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::ComplexRoot(d) => {
                write!(
                    f,
                    "the step's quadratic has no real root (B² − 4AC is {d:.3e} of B² + |4AC|, limit 0)"
                )
            }
            Fault::NotConverged(r) => {
                write!(f, "Newton stopped at {r:.1e} times its rounding floor (limit 1)")
            }
            Fault::Diverged(x) => {
                write!(
                    f,
                    "the stored energy grew to {x:.1e} times the initial and supplied energy (limit {DIVERGED:.0e})"
                )
            }
            Fault::NonFinite => write!(f, "a position or velocity is infinite or not a number"),
        }
    }
}

/// How much of its energy balance is taken at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bookkeeping {
    /// The whole ledger.
    Full,
    /// What flowed, not the stored energy: the ledger is `partial`.
    Flows,
}
