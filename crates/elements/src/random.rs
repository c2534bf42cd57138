//! Numbers for tests, the same in each run.

use hamiltone_numerics::math::pow;

/// Knuth's linear congruential generator of 64 bits (MMIX).
pub(crate) struct Random(pub u64);

impl Random {
    /// From 0 to 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 10^a, a between two bounds, or 0 in one of ten.
    pub fn size(&mut self, low: f64, high: f64) -> f64 {
        if self.next() < 0.1 { 0.0 } else { pow(10.0, low + (high - low) * self.next()) }
    }

    /// The same of either sign.
    pub fn signed(&mut self, low: f64, high: f64) -> f64 {
        let sign = if self.next() < 0.5 { -1.0 } else { 1.0 };
        sign * self.size(low, high)
    }
}
