//! The schemes of D17 for one coordinate: three rules for the contact force over one stepper.

pub(crate) mod scalar;

pub mod average_gradient;
pub mod cubic_explicit;
pub mod quadratic;
