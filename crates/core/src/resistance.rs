//! The contract of a resistive law: a force of the rate that takes energy and never gives any.

use crate::parameter::Quantity;
use std::fmt::Debug;

/// A force f(ẋ; u) with f·ẋ ≥ 0 for every control value u.
pub trait Resistance: Debug + Send + Sync {
    /// f, N, and ∂f/∂ẋ, N s/m, at the rate ẋ (m/s) and the control value u.
    ///
    /// A law whose force falls with the rate somewhere (friction) answers with a negative slope there; schemes that
    /// need f to grow state so.
    fn force(&self, rate: f64, control: f64) -> (f64, f64);

    /// The name of the control in scenes and messages, such as "resistance", and the quantity that it is.
    fn control(&self) -> (&'static str, Quantity);
}
