//! Pitch bend and vibrato: the tension of the strings of a part is changed while they sound, and the pressure with which it is blown varies.
//!
//!   K_ii = Kᵢ⁰ + (f − 1) τᵢ,   f = (ω₁²·2^(s/6) − (K₁⁰ − τ₁)/m₁)/(τ₁/m₁)
//!
//! τᵢ is the part of the stiffness of mode i that the tension gives (∫τφᵢ′²), and f the factor of the tension with which the first mode
//! of the string goes by s semitones. It is approached a little every [`INTERVAL`] steps; each change does the work ½ΔK q², which the step's
//! balance has as supplied energy. A string whose tension grows with its amplitude is strained instead, in each step: by what is added to its tension
//! ([`hamiltone_core::form::Form::straining`]), K₁⁰(2^(s/6) − 1)/B₁.
//!
//!   s = w + m(d/100) a sin(2πf(t − T)),   a = 0 up to t = T, (t − T)/T up to 2T, 1 from there on
//!
//! w is the position of the pitch wheel, d (cents) the depth of a vibrato of the frequency f, t (s) the time since its onset and T the delay,
//! m = 1 to 3 by the modulation wheel. As s is approached within some milliseconds, d is made larger by what that takes. Pressures are multiplied by
//! 1 + m b a sin(2πf(t − T)), which is approached likewise, in each step; b is the depth of their vibrato.

use super::gestured::Gestured;
use hamiltone_core::{simulation::Simulation, state::Archive};
use hamiltone_numerics::math::sin;
use hamiltone_plan::instrument::Vibrato;
use std::f64::consts::TAU;

/// Steps from one change of the tension to the next.
pub const INTERVAL: u64 = 32;
/// The time in which a bend approaches its target to 1/e, s.
const GLIDE: f64 = 7e-3;
/// What is left is taken at once below this, semitones or a part of the pressure.
const NEAR: f64 = 1e-4;
/// The least tension, relative to that at rest.
const LEAST: f64 = 0.05;

/// The most semitones by which strings are strained: then their tension is about doubled.
const MOST_STRAINED: f64 = 6.0;

/// The step of the onset where there is no vibrato.
const NONE: u64 = u64::MAX;

/// What becomes of a vibrato.
#[derive(Clone, Copy, Debug)]
pub enum VibratoOrder {
    /// It has its onset.
    Begin,
    /// It ends.
    End,
    /// The modulation wheel is here, 0 to 1.
    Wheel(f64),
}

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

/// What strains a string.
#[derive(Clone, Copy, Debug)]
pub struct Strain {
    /// Its number among the inputs of the part.
    pub input: usize,
    /// K₁⁰/B₁, N.
    pub tension: f64,
}

/// The bend of a part.
#[derive(Clone, Debug)]
pub struct Bend {
    strings: Vec<Tension>,
    strains: Vec<Strain>,
    /// Semitones, and where they go to.
    pub now: f64,
    pub target: f64,
    vibrato: Vibrato,
    /// d/100 as it is approached, semitones, and b.
    depth: f64,
    pressure: f64,
    /// m, and the step of the onset of the vibrato, or [`NONE`].
    pub wheel: f64,
    pub onset: u64,
    /// What is added to the stiffness of each coordinate, N/m.
    added: Vec<f64>,
    /// Whether the part is blown, and by which part of it pressures are now above what gestures make them.
    blown: bool,
    pub breath: f64,
}

impl Bend {
    /// Of the strings of a part of so many coordinates, of which some are strained, and which may be blown.
    pub fn new(
        (strings, strains): (Vec<Tension>, Vec<Strain>),
        vibrato: Vibrato,
        size: usize,
        blown: bool,
    ) -> Self {
        let lag = TAU * vibrato.rate * GLIDE;
        let larger = (1.0 + lag * lag).sqrt();
        Self {
            strings,
            strains,
            now: 0.0,
            target: 0.0,
            vibrato,
            depth: larger * vibrato.depth / 100.0,
            pressure: larger * vibrato.pressure,
            wheel: 1.0,
            onset: NONE,
            added: vec![0.0; size],
            blown,
            breath: 0.0,
        }
    }

    /// Follows an order at a step.
    pub fn vibrate(&mut self, order: VibratoOrder, step: u64) {
        match order {
            VibratoOrder::Begin => self.onset = step,
            VibratoOrder::End => self.onset = NONE,
            VibratoOrder::Wheel(position) => self.wheel = 1.0 + 2.0 * position,
        }
    }

    /// Whether there is a vibrato now.
    fn vibrates(&self) -> bool {
        self.onset != NONE && self.depth > 0.0 && self.bends()
    }

    /// m a sin(2πf(t − T)) at a step of dt.
    fn swing(&self, step: u64, dt: f64) -> f64 {
        if self.onset == NONE {
            return 0.0;
        }
        let Vibrato { rate, delay, .. } = self.vibrato;
        let elapsed = step.saturating_sub(self.onset) as f64 * dt - delay;
        let envelope = if elapsed >= delay { 1.0 } else { (elapsed / delay).max(0.0) };
        self.wheel * envelope * sin(TAU * rate * elapsed)
    }

    /// s at a step of dt.
    fn wanted(&self, step: u64, dt: f64) -> f64 {
        if self.vibrates() { self.target + self.depth * self.swing(step, dt) } else { self.target }
    }

    /// Whether it has a vibrato that can be heard.
    pub fn can_vibrate(&self) -> bool {
        self.depth > 0.0 && self.bends() || self.varies()
    }

    /// Whether pressures vary.
    fn varies(&self) -> bool {
        self.blown && self.pressure > 0.0
    }

    /// Whether pressures are under way.
    pub fn breathes(&self) -> bool {
        self.varies() && (self.onset != NONE || self.breath != 0.0)
    }

    /// Goes on to a step of dt: by what pressures are multiplied.
    pub fn breathe(&mut self, step: u64, dt: f64) -> f64 {
        let wanted = self.pressure * self.swing(step, dt);
        self.breath += (dt / GLIDE).min(1.0) * (wanted - self.breath);
        if self.onset == NONE && self.breath.abs() < NEAR {
            self.breath = 0.0;
        }
        1.0 + self.breath
    }

    /// Goes through every number that the next step depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.now);
        archive.number(&mut self.target);
        archive.number(&mut self.breath);
        archive.number(&mut self.wheel);
        archive.long(&mut self.onset);
    }

    /// Whether the part has strings that can be bent.
    pub fn bends(&self) -> bool {
        !self.strings.is_empty() || !self.strains.is_empty()
    }

    /// Whether strings are under way.
    pub fn moves(&self) -> bool {
        self.vibrates() || self.now != self.target
    }

    /// Goes on towards what is wanted at a step, whose inputs are given.
    pub fn advance(&mut self, simulation: &mut Simulation, inputs: &mut Gestured, step: u64) {
        // What is strained moves smoothly; all constants of a mode are computed anew where it is not.
        let interval = if self.strains.is_empty() { INTERVAL } else { 1 };
        if !step.is_multiple_of(interval) {
            return;
        }
        let wanted = self.within(self.wanted(step, simulation.dt()));
        let left = wanted - self.now;
        let part = (interval as f64 * simulation.dt() / GLIDE).min(1.0);
        let before = self.now;
        self.now = if left.abs() < NEAR { wanted } else { self.now + part * left };
        self.strain(|input, tension| inputs.set(input, tension));
        let is_due = step.is_multiple_of(INTERVAL) || !self.moves();
        if is_due && !self.apply(simulation) {
            // It goes as far as the scheme goes along, and a vibrato that goes too far ends.
            self.now = before;
            self.strain(|input, tension| inputs.set(input, tension));
            match self.vibrates() {
                true => self.onset = NONE,
                false => self.target = before,
            }
        }
    }

    /// So many semitones, as far as its strings bear them: no more than [`MOST_STRAINED`] where they are strained.
    pub fn within(&self, semitones: f64) -> f64 {
        if self.strains.is_empty() { semitones } else { semitones.min(MOST_STRAINED) }
    }

    /// What strains the strings now: inputs with what is added to the tension, N.
    pub fn strain(&self, mut set: impl FnMut(usize, f64)) {
        let more = hamiltone_numerics::math::pow(2.0, self.now / 6.0) - 1.0;
        self.strains.iter().for_each(|strain| set(strain.input, strain.tension * more));
    }

    /// Gives the other strings their tension, as far as the scheme can.
    pub fn apply(&mut self, simulation: &mut Simulation) -> bool {
        if self.strings.is_empty() {
            return true;
        }
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

    /// It begins after the delay, is at its depth after twice that, and ends with the note.
    #[test]
    fn vibrato_grows_and_ends() {
        let string = Tension { first: 0, share: vec![900.0], stiffness: 1000.0 };
        let vibrato = Vibrato { depth: 20.0, pressure: 0.1, rate: 5.0, delay: 0.3 };
        let mut bend = Bend::new((vec![string], Vec::new()), vibrato, 1, false);
        let largest =
            |bend: &Bend, from: u64| (from..from + 2000).map(|n| bend.wanted(n, 1e-4)).fold(0.0, f64::max);
        assert!(!bend.moves());
        bend.vibrate(VibratoOrder::Begin, 0);
        assert!(bend.moves() && largest(&bend, 0) == 0.0);
        let lag = (1.0 + (TAU * 5.0 * GLIDE) * (TAU * 5.0 * GLIDE)).sqrt();
        assert!(largest(&bend, 4000) < 0.18 && (largest(&bend, 10_000) - 0.2 * lag).abs() < 1e-6);
        bend.vibrate(VibratoOrder::Wheel(1.0), 0);
        assert!((largest(&bend, 10_000) - 0.6 * lag).abs() < 1e-6);
        bend.vibrate(VibratoOrder::End, 0);
        assert!(!bend.moves() && largest(&bend, 10_000) == 0.0 && !bend.breathes());
    }

    /// A pressure varies by its depth after twice the delay, and comes back to what gestures make it without a jump.
    #[test]
    fn breath_varies_and_comes_back() {
        let vibrato = Vibrato { depth: 0.0, pressure: 0.1, rate: 5.0, delay: 0.3 };
        let mut bend = Bend::new((Vec::new(), Vec::new()), vibrato, 0, true);
        bend.vibrate(VibratoOrder::Begin, 0);
        let factors: Vec<f64> = (0..20_000).map(|n| bend.breathe(n, 1e-4)).collect();
        let largest = |part: &[f64]| part.iter().fold(0.0_f64, |most, f| most.max((f - 1.0).abs()));
        assert!(largest(&factors[..3000]) == 0.0 && (largest(&factors[8000..]) - 0.1).abs() < 2e-3);
        bend.vibrate(VibratoOrder::End, 20_000);
        let after: Vec<f64> = (0..2000).map(|n| bend.breathe(20_000 + n, 1e-4)).collect();
        let jump = (after[0] - factors[19_999]).abs();
        assert!(jump < 2e-3 && after[1999] == 1.0 && !bend.breathes(), "{jump}");
    }

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
