//! What the modes store, followed by what flows: exact where all modes are looked at, and in between a bound for
//! [`super::reach`].
//!
//!   E ≤ E₀ + Σ(supplied − dissipated + given by elements) + ε max E,   ε = 10⁻⁹
//!
//! ε is more than rounding makes of a sum of so many steps, relative to the largest energy that entered it.

use hamiltone_core::state::Archive;

/// Every so many steps all modes are looked at.
const INTERVAL: u32 = 64;
const ROUNDED: f64 = 1e-9;

/// The energy of a bank of modes, J.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FollowedEnergy {
    /// Steps since all modes were looked at.
    clock: u32,
    now: f64,
    /// The most that the modes and their elements stored since then.
    largest: f64,
}

impl FollowedEnergy {
    /// Whether all modes are to be looked at in the step that begins.
    pub fn begin_step(&mut self) -> bool {
        let (is_due, _) = self.due();
        self.begin_steps(1);
        is_due
    }

    /// So many steps begin, in none of which but the first all modes are to be looked at.
    pub fn begin_steps(&mut self, steps: usize) {
        // The clock runs on over free steps, so that points in time do not depend on how many are taken at once.
        self.clock = (self.clock + steps as u32) % INTERVAL;
    }

    /// Whether all modes are to be looked at in the step that begins, and how many steps that one and the following are until they are again.
    pub fn due(&self) -> (bool, usize) {
        (self.clock == 0, (INTERVAL - self.clock) as usize)
    }

    /// All modes store this.
    pub fn look(&mut self, stored: f64) {
        (self.now, self.largest) = (stored, stored);
    }

    /// They were changed from outside: what they stored until then, a NaN after a fault, says nothing.
    pub fn restart(&mut self) {
        *self = Self::default();
    }

    /// So much flowed in.
    pub fn add(&mut self, flow: f64) {
        self.now += flow;
    }

    /// What they store at most, their elements storing `beside`.
    pub fn most(&mut self, beside: f64) -> f64 {
        // What elements hold comes back to the modes: its rounding counts as theirs.
        self.largest = self.largest.max(self.now + beside);
        self.now + ROUNDED * self.largest
    }

    /// Its numbers, for a complete state.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.count(&mut self.clock);
        archive.number(&mut self.now);
        archive.number(&mut self.largest);
    }
}
