//! Air and what moves in it as two rows of a port, Φ (p = Φ̇) and x, coupled by the area S on which the pressure acts.
//!
//!   F = (aẋ − U, −ap − f),   w = w_f − YF   ⇔   w = Pw_f + PY (U, f),   P = (I + aYK)⁻¹,   Kw = (w₂, −w₁)
//!
//! U (m³/s) is the flow into the bore and f (N) the force on what moves besides those of the coupling, which takes no energy; a = ± S.

/// w = free + mobility (U, f).
pub(crate) struct Coupled {
    /// Pw_f.
    pub free: [f64; 2],
    /// PY.
    pub mobility: [[f64; 2]; 2],
}

impl Coupled {
    /// Of w_f and of Y = (y, c; c, v).
    pub fn new([p, x]: [f64; 2], [y, cross, v]: [f64; 3], a: f64) -> Self {
        let minor = (y * v - cross * cross).max(0.0);
        let det = 1.0 + a * a * minor;
        Self {
            free: [((1.0 + a * cross) * p - a * y * x) / det, (a * v * p + (1.0 - a * cross) * x) / det],
            mobility: [[y / det, (cross - a * minor) / det], [(cross + a * minor) / det, v / det]],
        }
    }

    /// w where U and f act.
    pub fn rates(&self, [flow, force]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| self.free[i] + self.mobility[i][0] * flow + self.mobility[i][1] * force)
    }
}
