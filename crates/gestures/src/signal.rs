//! Functions of time, which drive the inputs of a system.

/// A function of time.
pub trait Signal: Send + Sync {
    /// The value at t, s; t ≥ 0.
    fn value(&self, t: f64) -> f64;
}
