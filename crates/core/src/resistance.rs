//! The contract of a resistive law: a force of the rate that takes energy and never gives any.

use crate::{
    identity::Identity,
    parameter::{DriveQuantity, Range},
};
use std::fmt::Debug;

/// A force f(ẋ; u) with f·ẋ ≥ 0 for every control value u that it allows.
pub trait Resistance: Debug + Send + Sync {
    /// f, N, and ∂f/∂ẋ, N s/m, at the rate ẋ (m/s) and the control value u.
    ///
    /// A law whose force decreases with velocity somewhere (friction) answers with a negative slope there.
    fn force(&self, rate: f64, control: f64) -> (f64, f64);

    /// Whether f never falls with the rate ẋ at any control value, so that an implicit step has one solution. A law
    /// that answers `false` is taken only by schemes that cover [`crate::coverage::Feature::FallingResistance`].
    fn never_falls(&self) -> bool;

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
