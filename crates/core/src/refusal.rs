//! Why a scheme does not run a system, with numbers.

use std::fmt;

/// Why a scheme does not run a system.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The system is not one: sizes, signs or numbers that are not finite. No scheme would run it.
    Invalid {
        /// Everything that is wrong.
        problems: Vec<String>,
    },
    /// The method does not cover something in the system ([`crate::coverage`]).
    NotCovered {
        /// The scheme.
        scheme: &'static str,
        /// Everything that it does not cover, each naming a part of the system.
        what: Vec<String>,
    },
    /// The time step is beyond the stability limit.
    Unstable {
        /// The scheme.
        scheme: &'static str,
        /// Which product of the time step is limited, such as "ω_max·Δt".
        quantity: &'static str,
        /// Its value at this time step.
        value: f64,
        /// The largest value allowed.
        limit: f64,
        /// The smallest rate at which it would run, Hz.
        rate: f64,
    },
    /// The numbers of this system are beyond what the method computes to rounding, or beyond its memory.
    OutOfRange {
        /// The scheme.
        scheme: &'static str,
        /// What is beyond which limit, with numbers.
        what: String,
        /// What to change.
        instead: String,
    },
    /// An option of the scheme is missing or out of range.
    Option {
        /// The scheme.
        scheme: &'static str,
        /// The option and what is wrong with it.
        what: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Invalid { problems } => write!(f, "not a valid system: {}", problems.join("; ")),
            Refusal::NotCovered { scheme, what } => {
                write!(f, "scheme `{scheme}` does not cover {}", what.join("; nor "))
            }
            Refusal::Unstable { scheme, quantity, value, limit, rate } => write!(
                f,
                "scheme `{scheme}` does not run here: {quantity} = {value:.9} is beyond its limit {limit:.9}; run at {rate:.0} Hz or more"
            ),
            Refusal::OutOfRange { scheme, what, instead } => {
                write!(f, "scheme `{scheme}` does not run here: {what}; {instead}")
            }
            Refusal::Option { scheme, what } => write!(f, "scheme `{scheme}`: {what}"),
        }
    }
}

impl std::error::Error for Refusal {}
