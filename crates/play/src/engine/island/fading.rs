//! A part that is faded since more are awake than the budget, and then put to rest.

use super::{Activity, Island};

/// How long after the begin of its last gesture a part is not faded, s.
const YOUNG: f64 = 0.1;

impl Island {
    /// How many times it was faded.
    pub fn faded(&self) -> u64 {
        self.faded
    }

    /// Whether it is being faded.
    pub(in crate::engine) fn is_fading(&self) -> bool {
        self.fades
    }

    /// Whether nothing acts on it that someone plays.
    pub(in crate::engine) fn can_fade(&self) -> bool {
        let age = self.step.saturating_sub(self.begun) as f64 * self.simulation.dt();
        age > YOUNG && !self.inputs.supply() && !self.inputs.change() && !self.waits()
    }

    /// The sum of squares of what was heard of it since [`Self::reset_loudness`].
    pub(in crate::engine) fn loudness(&self) -> f64 {
        self.loudness
    }

    /// Adds what was heard of it in this window, sample by sample, so that the sum does not depend on where windows begin.
    pub(in crate::engine) fn add_loudness(&mut self) {
        for n in (0..self.window).filter(|_| self.sounds) {
            self.channels.iter().for_each(|channel| self.loudness += channel[n] * channel[n]);
        }
    }

    /// Begins another sum.
    pub(in crate::engine) fn reset_loudness(&mut self) {
        self.loudness = 0.0;
    }

    /// Begins to fade it.
    pub(in crate::engine) fn fade(&mut self) {
        self.faded += 1;
        self.fades = true;
        self.routes.iter_mut().for_each(|route| route.mute(true));
    }

    /// A gesture begins on it.
    pub(super) fn come_back(&mut self) {
        self.begun = self.step;
        if std::mem::take(&mut self.fades) {
            self.routes.iter_mut().for_each(|route| route.mute(false));
        }
    }

    /// Puts it to rest where it has faded.
    pub(super) fn end_fade(&mut self, stored: f64) {
        let silent = |route: &super::Route| !route.is_output || route.factor() == 0.0;
        if self.fades && self.activity == Activity::Awake && self.routes.iter().all(silent) {
            self.sleep(stored);
        }
    }
}
