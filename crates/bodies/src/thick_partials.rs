//! The partials of a uniform Timoshenko bar between any ends.
//!
//! At the frequency ω its displacement u and rotation ψ are made of two families of waves,
//!
//!   u = cos bx, ψ = −p sin bx;   u = sin bx, ψ = p cos bx,               p = b − ρAω²/(κGA b)
//!   u = e^(−ax), ψ = −q e^(−ax);   u = e^(−a(L−x)), ψ = q e^(−a(L−x)),   q = a + ρAω²/(κGA a)
//!
//! where b is the wave number of the lower branch, ω = ω(b), and a² = ρAω²(κGA − ρIω²)/(κGA EI b²); where that is
//! negative, above the cut-off √(κGA/ρI), the second family are waves, too. Two conditions an end,
//!
//!   clamped u = ψ = 0,   hinged u = ψ_x = 0,   free ψ_x = u_x − ψ = 0,   sliding ψ = u_x − ψ = 0,
//!
//! can hold together where the determinant of the four vanishes (Timoshenko 1921; Huang 1961).

use crate::ends::End;
use hamiltone_numerics::math::{cos, exp, sin};
use std::{cell::Cell, f64::consts::PI};

/// The determinant is looked at so often between two wave numbers that are π/L apart: two partials that lie closer, as
/// can be above the cut-off, are not found.
const STEPS: f64 = 64.0;

thread_local! {
    /// The last search: its bar, the number of its partial and the step in which it lies.
    static LAST: Cell<Option<(Thick, usize, i32)>> = const { Cell::new(None) };
}

/// A uniform bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Thick {
    /// L, m.
    pub length: f64,
    /// ρA, kg/m.
    pub density: f64,
    /// ρI, kg m.
    pub rotary: f64,
    /// κGA, N.
    pub shear: f64,
    /// EI, N m².
    pub bending: f64,
    /// Its boundary conditions.
    pub ends: [End; 2],
}

/// A wave: u, u_x, ψ and ψ_x at a place.
type BarWave = [f64; 4];

impl Thick {
    /// The lower ω at the wave number k, rad/s.
    pub fn omega(&self, k: f64) -> f64 {
        let (k2, a) = (k * k, self.density * self.rotary);
        let b = self.density * (self.bending * k2 + self.shear) + self.rotary * self.shear * k2;
        let c = self.shear * self.bending * k2 * k2;
        (2.0 * c / (b + (b * b - 4.0 * a * c).max(0.0).sqrt())).sqrt()
    }

    /// The frequency of partial m = 1, 2, …, Hz; partial 1 is the first that is not rigid. Between hinged ends it is the
    /// lower one of u ∝ sin(mπx/L).
    pub fn partial(&self, m: usize) -> f64 {
        if self.ends == [End::Hinged; 2] {
            return self.omega(m as f64 * PI / self.length) / (2.0 * PI);
        }
        let step = PI / (STEPS * self.length);
        let sign = |k: f64| self.determinant(k) > 0.0;
        // A root may lie on a step: each is looked at as the same number from both of its sides.
        let place = |i: i32| f64::from(i) * step;
        // Partials are mostly asked for one after the other: the search goes on where that of the one before ended.
        let m = m.max(1);
        let (before, from) = match LAST.get() {
            Some((bar, number, at)) if bar == *self && number < m => (number, at + 1),
            _ => (0, 1),
        };
        let found = (from..).filter(|i| sign(place(*i)) != sign(place(i + 1))).nth(m - before - 1);
        LAST.set(found.map(|at| (*self, m, at)));
        let mut low = found.map_or(0.0, place);
        let (first, mut high) = (sign(low), low + step);
        // 50 halvings of a sixty-fourth reach the last bits.
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if sign(middle) == first { low = middle } else { high = middle }
        }
        self.omega(low) / (2.0 * PI)
    }

    fn determinant(&self, b: f64) -> f64 {
        let omega2 = self.omega(b) * self.omega(b);
        let (heavy, l) = (self.density * omega2 / self.shear, self.length);
        let a2 = heavy * (self.shear - self.rotary * omega2) / (self.bending * b * b);
        let rows: Vec<BarWave> = [(self.ends[0], 0.0), (self.ends[1], l)]
            .into_iter()
            .flat_map(|(end, x)| {
                let [c, s] = waves(b, heavy, x);
                let [d, e] = match a2 > 0.0 {
                    true => [decaying(a2.sqrt(), heavy, x, -1.0), decaying(a2.sqrt(), heavy, l - x, 1.0)],
                    // Sine first: so the determinant keeps its sign where a² loses it.
                    false => {
                        let [cosine, sine] = waves((-a2).sqrt(), heavy, x);
                        [sine, cosine]
                    }
                };
                let condition = |of: fn(&BarWave) -> f64| [of(&c), of(&s), of(&d), of(&e)];
                match end {
                    End::Clamped => [condition(|w| w[0]), condition(|w| w[2])],
                    End::Hinged => [condition(|w| w[0]), condition(|w| w[3])],
                    End::Free => [condition(|w| w[3]), condition(|w| w[1] - w[2])],
                    End::Sliding => [condition(|w| w[2]), condition(|w| w[1] - w[2])],
                }
            })
            .collect();
        // By two rows of the left end and two of the right (Laplace).
        let minor = |i: usize, j: usize, r: usize| rows[r][i] * rows[r + 1][j] - rows[r][j] * rows[r + 1][i];
        let pairs = [
            (0, 1, 2, 3, 1.0),
            (0, 2, 1, 3, -1.0),
            (0, 3, 1, 2, 1.0),
            (1, 2, 0, 3, 1.0),
            (1, 3, 0, 2, -1.0),
            (2, 3, 0, 1, 1.0),
        ];
        pairs.iter().map(|(i, j, k, l, sign)| sign * minor(*i, *j, 0) * minor(*k, *l, 2)).sum()
    }
}

/// cos bx and sin bx.
fn waves(b: f64, heavy: f64, x: f64) -> [BarWave; 2] {
    let (c, s, p) = (cos(b * x), sin(b * x), b - heavy / b);
    [[c, -b * s, -p * s, -p * b * c], [s, b * c, p * c, -p * b * s]]
}

/// e^(−ay), y rising (`sign` = −1) or falling (1) with x.
fn decaying(a: f64, heavy: f64, y: f64, sign: f64) -> BarWave {
    let (e, q) = (exp(-a * y), a + heavy / a);
    [e, sign * a * e, sign * q * e, q * a * e]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam_roots::beta;
    use End::{Clamped, Free, Hinged, Sliding};

    const PAIRS: [[End; 2]; 10] = [
        [Free, Sliding],
        [Clamped, Sliding],
        [Sliding, Hinged],
        [Sliding, Sliding],
        [Free, Free],
        [Clamped, Free],
        [Free, Hinged],
        [Hinged, Hinged],
        [Clamped, Hinged],
        [Clamped, Clamped],
    ];

    /// A bar of rosewood, by the transfer matrix of (u, ψ, M, Q) and its eigenvectors, computed elsewhere, to the digits
    /// given. Its cut-off lies at 28.7 kHz, below partial 18.
    #[test]
    fn thick_bars_are_in_tune() {
        let (area, inertia) = (0.038 * 0.02, 0.038 * 0.02_f64.powi(3) / 12.0);
        let wood = Thick {
            length: 0.31625,
            density: 1000.0 * area,
            rotary: 1000.0 * inertia,
            shear: 5.0 / 6.0 * 1.3e9 * area,
            bending: 20e9 * inertia,
            ends: [Free, Free],
        };
        for (m, f) in [
            (1, 880.0279273),
            (2, 2209.8994482),
            (3, 3863.0745569),
            (8, 12915.5633561),
            (18, 28747.4128934),
            (22, 32202.0353664),
        ] {
            assert!((wood.partial(m) / f - 1.0).abs() < 1e-9, "{m}: {}", wood.partial(m));
        }
    }

    /// In whichever order they are asked for, partials are the same to the bit.
    #[test]
    fn a_search_goes_on_where_the_last_one_ended() {
        let bar = |length| Thick {
            length,
            density: 0.36,
            rotary: 1.2e-5,
            shear: 1.5e6,
            bending: 450.0,
            ends: [End::Free, End::Hinged],
        };
        let rising: Vec<f64> = (1..=12).map(|m| bar(0.4).partial(m)).collect();
        for m in (1..=12).rev() {
            bar(0.3).partial(m);
            assert_eq!(bar(0.4).partial(m), rising[m - 1], "{m}");
        }
    }

    /// A bar that hardly shears or turns is slender, to about k²(ρI/ρA + EI/κGA)/2 = 4e-8 for k = 20.
    #[test]
    fn thin_bars_are_slender() {
        for ends in PAIRS {
            let bar = Thick { length: 1.0, density: 1.0, rotary: 1e-10, shear: 1e10, bending: 1.0, ends };
            for m in 1..=6 {
                let slender = beta(ends, m).powi(2) / (2.0 * PI);
                assert!((bar.partial(m) / slender - 1.0).abs() < 2e-7, "{ends:?} {m}: {}", bar.partial(m));
            }
        }
    }
}
