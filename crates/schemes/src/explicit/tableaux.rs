//! Coefficients of explicit symplectic partitioned Runge–Kutta methods, by name.
//!
//! A method (b)\[B\] of s stages moves, for i = 1 … s, first positions by Bᵢ, then momenta by bᵢ (I18 §4,
//! Algorithm 1; which of the two is which I18 does not say: every other assignment is of order 1).

use hamiltone_core::identity::Identity;

/// Named coefficients.
#[derive(Clone, Copy, Debug)]
pub struct Tableau {
    /// The scheme's name.
    pub name: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its order without damping and drives.
    pub order: u32,
    /// b: what moves momenta.
    pub momenta: &'static [f64],
    /// B: what moves positions.
    pub positions: &'static [f64],
}

/// ω = (2 + 2^(1/3) + 2^(−1/3))/3 and ν = 1 − 2ω of I18's 4-stage set.
const OMEGA: f64 = 1.351_207_191_959_657_6;
const NU: f64 = 1.0 - 2.0 * OMEGA;

/// The 3-stage method of order 3 of I18 (Ruth 1983).
pub const THREE: Tableau = Tableau {
    name: "sprk-3",
    summary: "symplectic partitioned Runge–Kutta method of 3 stages, of order 3 undamped",
    source: "Ishikawa, Michels & Yaguchi 2018, §4; Ruth 1983",
    order: 3,
    momenta: &[-1.0 / 24.0, 3.0 / 4.0, 7.0 / 24.0],
    positions: &[1.0, -2.0 / 3.0, 2.0 / 3.0],
};

/// The 4-stage method of order 4 of I18 (Forest & Ruth 1990).
pub const FOUR: Tableau = Tableau {
    name: "sprk-4",
    summary: "symplectic partitioned Runge–Kutta method of 4 stages and 3 forces, of order 4 undamped",
    source: "Ishikawa, Michels & Yaguchi 2018, §4; Forest & Ruth 1990",
    order: 4,
    momenta: &[OMEGA, NU, OMEGA, 0.0],
    positions: &[0.5 * OMEGA, 0.5 * (OMEGA + NU), 0.5 * (OMEGA + NU), 0.5 * OMEGA],
};

/// The 6-stage method of order 4 of I18 (Sanz-Serna & Calvo 1994).
pub const SIX: Tableau = Tableau {
    name: "sprk-6",
    summary: "symplectic partitioned Runge–Kutta method of 6 stages and 5 forces, of order 4 undamped",
    source: "Ishikawa, Michels & Yaguchi 2018, §4; Sanz-Serna & Calvo 1994",
    order: 4,
    momenta: &[-1.0 / 48.0, 3.0 / 8.0, 7.0 / 24.0, 3.0 / 8.0, -1.0 / 48.0, 0.0],
    positions: &[0.5, -1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, -1.0 / 3.0, 0.5],
};

/// Verlet's method with positions first.
pub const VERLET: Tableau = Tableau {
    name: "position-verlet",
    summary: "Verlet's method, positions first: half a drift, a kick, half a drift",
    source: "Verlet 1967; Tuckerman, Berne & Martyna 1992",
    order: 2,
    momenta: &[1.0, 0.0],
    positions: &[0.5, 0.5],
};

const BM_A1: f64 = 0.079_203_696_431_195_7;
const BM_A2: f64 = 0.353_172_906_049_774;
const BM_A3: f64 = -0.042_065_080_357_719_5;
const BM_B1: f64 = 0.209_515_106_613_362;
const BM_B2: f64 = -0.143_851_773_179_818;
const BM_A4: f64 = 1.0 - 2.0 * (BM_A1 + BM_A2 + BM_A3);
const BM_B3: f64 = 0.5 - (BM_B1 + BM_B2);

/// Blanes and Moan's method of 6 forces: some hundred times more accurate than sprk-4 at the same cost.
pub const BLANES_MOAN: Tableau = Tableau {
    name: "blanes-moan-4",
    summary: "Blanes and Moan's symplectic method of 6 forces, of order 4 undamped, with small errors",
    source: "Blanes & Moan 2002, Table 2, S6",
    order: 4,
    momenta: &[BM_B1, BM_B2, BM_B3, BM_B3, BM_B2, BM_B1, 0.0],
    positions: &[BM_A1, BM_A2, BM_A3, BM_A4, BM_A3, BM_A2, BM_A1],
};

/// The coefficients of a method, named ones or computed ones: of each stage how far positions move, then momenta.
#[derive(Clone, Debug)]
pub(crate) struct Coefficients {
    /// The order without damping and drives.
    pub order: u32,
    /// (Bᵢ, bᵢ).
    pub stages: Vec<[f64; 2]>,
}

impl From<&Tableau> for Coefficients {
    fn from(named: &Tableau) -> Self {
        let stages = named.positions.iter().zip(named.momenta).map(|(big, b)| [*big, *b]);
        Self { order: named.order, stages: stages.collect() }
    }
}

impl Coefficients {
    /// For the identity of a scheme.
    pub fn identity(&self) -> Identity {
        let Self { order, stages } = self;
        Identity::of("tableau").count(*order as usize).numbers(stages.as_flattened())
    }

    /// The leapfrog: positions, then momenta, once.
    pub fn leapfrog() -> Self {
        Self { order: 2, stages: vec![[1.0, 1.0]] }
    }

    /// Velocity Verlet: half a kick, a drift, half a kick.
    pub fn velocity_verlet() -> Self {
        Self { order: 2, stages: vec![[0.0, 0.5], [1.0, 0.5]] }
    }

    /// Whether the method is its own reverse, so that a step of −Δt undoes a step of Δt: what moves anything is the same from both
    /// ends.
    pub fn symmetric(&self) -> bool {
        let moves = || self.stages.iter().flatten().filter(|coefficient| **coefficient != 0.0);
        // A palindrome of odd length: its middle is either a drift or a kick.
        moves().eq(moves().rev()) && moves().count() % 2 == 1
    }

    /// The largest stable ωΔt: where the trace of the one-step map of q̈ = −ω²q leaves [−2, 2].
    pub fn limit(&self) -> f64 {
        let stable = |x: f64| self.trace(x).abs() <= 2.0;
        let step = 1.0 / 1024.0;
        let mut high = step;
        // Every explicit method has a limit; reaching ±2 between two points of the grid is no end.
        while stable(high) {
            high += step;
        }
        last(high - step, high, stable)
    }

    /// The trace of the map (q, v/ω) at ωΔt = x.
    fn trace(&self, x: f64) -> f64 {
        let mut columns = [[1.0, 0.0], [0.0, 1.0]];
        for [big, b] in &self.stages {
            for [q, v] in &mut columns {
                *q += big * x * *v;
                *v -= b * x * *q;
            }
        }
        columns[0][0] + columns[1][1]
    }

    /// The largest |bᵢ|.
    pub fn largest_kick(&self) -> f64 {
        self.stages.iter().fold(0.0, |largest: f64, [_, b]| largest.max(b.abs()))
    }
}

/// The last x at which `stable` holds, between one at which it does and one at which it does not.
pub(crate) fn last(mut stands: f64, mut falls: f64, stable: impl Fn(f64) -> bool) -> f64 {
    // 64 halvings of less than 1 reach the last bits.
    for _ in 0..64 {
        let middle = 0.5 * (stands + falls);
        if stable(middle) { stands = middle } else { falls = middle }
    }
    stands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficients_are_consistent() {
        let root = 2f64.cbrt();
        assert!((OMEGA - (2.0 + root + 1.0 / root) / 3.0).abs() < 4.0 * f64::EPSILON);
        for tableau in [THREE, FOUR, SIX, VERLET, BLANES_MOAN] {
            for part in [tableau.momenta, tableau.positions] {
                assert!((part.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{}", tableau.name);
            }
        }
        assert_eq!(
            [THREE, FOUR, SIX, VERLET, BLANES_MOAN].map(|tableau| Coefficients::from(&tableau).symmetric()),
            [false, true, true, true, true]
        );
    }

    /// The limits as computed independently, to the digits given; Verlet's is 2.
    #[test]
    fn the_limits_of_stability() {
        for (tableau, limit) in
            [(THREE, 2.5074811710), (FOUR, 1.5734019474), (SIX, 2.9158135288), (VERLET, 2.0)]
        {
            let found = Coefficients::from(&tableau).limit();
            assert!((found - limit).abs() < 1e-9, "{}: {found}", tableau.name);
        }
    }
}
