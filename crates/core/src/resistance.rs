//! The contract of a resistive law: a force of the rate that takes energy and never gives any.

use crate::{
    identity::Identity,
    parameter::{DriveQuantity, Range},
};
use std::{any::Any, fmt::Debug};

/// A force f(ẋ; u) with f·ẋ ≥ 0 that never falls with ẋ, for every control value u that it allows: an implicit step has one solution. A law
/// whose force falls with velocity somewhere, as dry friction does, is a [`crate::port::Port`].
pub trait Resistance: Any + Debug + Send + Sync {
    /// f, N, and ∂f/∂ẋ, N s/m, at the rate ẋ (m/s) and the control value u.
    fn force(&self, rate: f64, control: f64) -> (f64, f64);

    /// Whether f = 0 at every rate at this control value, as of a damper that is lifted: a scheme then need not know the rate.
    fn is_idle(&self, control: f64) -> bool {
        let _ = control;
        false
    }

    /// The name of the control in scenes and messages, such as "resistance", and the quantity that it is.
    fn control(&self) -> (&'static str, DriveQuantity);

    /// Its name and every number that it depends on besides the control value: a saved state is recognised by them.
    fn identity(&self) -> Identity;

    /// The control values that it takes. The law sees no others: a constant outside is refused, of an input the nearest
    /// value inside is taken and the ledger says so ([`crate::ledger::Ledger::control_outside`]).
    fn allowed(&self) -> Range {
        Range::ANY
    }
}
