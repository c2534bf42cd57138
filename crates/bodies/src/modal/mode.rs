//! A mode of a body: m(q̈ + 2σq̇ + ω²q) = f.

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// m, kg.
    pub mass: f64,
    /// ω without losses, rad/s; 0 of a rigid motion.
    pub omega: f64,
    /// σ, 1/s.
    pub sigma: f64,
}
