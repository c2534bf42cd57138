//! Pitch bend: the tension of the strings of a part is changed while they sound.
//!
//!   K_ii = Kᵢ⁰ + (f − 1) τᵢ,   f = (ω₁²·2^(s/6) − (K₁⁰ − τ₁)/m₁)/(τ₁/m₁)
//!
//! τᵢ is the part of the stiffness of mode i that the tension gives (∫τφᵢ′²), and f the factor of the tension with which the first mode
//! of the string goes by s semitones. It is approached a little every [`INTERVAL`] steps; each change does the work ½ΔK q², which the step's
//! balance has as supplied energy.

use hamiltone_core::simulation::Simulation;

/// Steps from one change of the tension to the next.
pub const INTERVAL: u64 = 32;
/// The time in which a bend approaches its target to 1/e, s.
const GLIDE: f64 = 7e-3;
/// What is left is taken at once below this, semitones.
const NEAR: f64 = 1e-4;
/// The least tension, relative to that at rest.
const LEAST: f64 = 0.05;

/// A string of a part.
#[derive(Clone, Debug)]
pub struct Tension {
    /// Its first coordinate in the part.
    pub first: usize,
    /// τᵢ, N/m.
    pub share: Vec<f64>,
    /// K₁⁰, N/m.
    pub stiffness: f64,
}

impl Tension {
    /// f for so many semitones, at least [`LEAST`].
    fn factor(&self, semitones: f64) -> f64 {
        let Some(share) = self.share.first() else { return 1.0 };
        let wanted = self.stiffness * hamiltone_numerics::math::pow(2.0, semitones / 6.0);
        ((wanted - (self.stiffness - share)) / share).max(LEAST)
    }
}

/// The bend of a part.
#[derive(Clone, Debug)]
pub struct Bend {
    strings: Vec<Tension>,
    /// Semitones, and where they go to.
    pub now: f64,
    pub target: f64,
    /// What is added to the stiffness of each coordinate, N/m.
    added: Vec<f64>,
}

impl Bend {
    /// Of the strings of a part of so many coordinates.
    pub fn new(strings: Vec<Tension>, size: usize) -> Self {
        Self { strings, now: 0.0, target: 0.0, added: vec![0.0; size] }
    }

    /// Whether the part has strings that can be bent.
    pub fn bends(&self) -> bool {
        !self.strings.is_empty()
    }

    /// Whether it is under way.
    pub fn moves(&self) -> bool {
        self.now != self.target
    }

    /// Goes on towards the target.
    pub fn advance(&mut self, simulation: &mut Simulation) {
        let left = self.target - self.now;
        let part = (INTERVAL as f64 * simulation.dt() / GLIDE).min(1.0);
        let before = self.now;
        self.now = if left.abs() < NEAR { self.target } else { self.now + part * left };
        if !self.apply(simulation) {
            // It goes as far as the scheme goes along.
            (self.now, self.target) = (before, before);
        }
    }

    /// Gives the strings their tension, as far as the scheme can.
    pub fn apply(&mut self, simulation: &mut Simulation) -> bool {
        for string in &self.strings {
            let change = string.factor(self.now) - 1.0;
            for (added, share) in self.added[string.first..].iter_mut().zip(&string.share) {
                *added = change * share;
            }
        }
        simulation.retune(&self.added).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the factor the first mode has the frequency that is asked for; of a string without bending stiffness it is that of the
    /// frequencies squared.
    #[test]
    fn the_factor_bends_the_first_mode() {
        for (share, semitones) in [(900.0, 2.0), (1000.0, -1.0), (600.0, 0.37)] {
            let string = Tension { first: 0, share: vec![share], stiffness: 1000.0 };
            let stiffness = 1000.0 + (string.factor(semitones) - 1.0) * share;
            let bent = 6.0 * hamiltone_numerics::math::log2(stiffness / 1000.0);
            assert!((bent - semitones).abs() < 1e-12, "{bent}");
        }
        let slack = Tension { first: 0, share: vec![100.0], stiffness: 1000.0 };
        assert_eq!(slack.factor(-12.0), LEAST);
    }
}
