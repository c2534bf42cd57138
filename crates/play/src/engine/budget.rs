//! A budget of parts that are stepped at once, for sound that is played live: its cost is then at most that of so many parts.
//!
//! Every [`FOLLOW`] samples, where more parts are awake, the quietest are faded by 60 dB in 35 ms and put to rest after 70 ms; what they still hold is booked as
//! dissipated, as that of any part that falls asleep. The quietest is the one whose pickups had the least mean square since then. A part
//! on which a gesture has begun within the last 0.1 s, or acts, is not faded, nor one that a bow or wind sustains or that other parts
//! drive: while these are more than the budget, it is exceeded. A gesture that begins on a part which fades brings it back.
//! A part whose tension is being bent rests when that ends; until then it is stepped, and is not counted.

use super::{Engine, FOLLOW, island::Island};

impl Engine {
    /// Lets at most so many parts be stepped at once from now on, as far as [`crate::engine`] can: for sound that is played live. `None` for any number,
    /// as at first. It is of no effect on what is known before ([`Engine::pass`]), nor within a part: all strings on one bridge are one.
    pub fn set_budget(&mut self, parts: Option<usize>) {
        self.budget = parts;
    }

    /// How many parts were faded since more were awake than the budget.
    pub fn faded(&self) -> u64 {
        self.islands.iter().map(Island::faded).sum()
    }

    /// How many of so many samples can pass at once; keys follow pedals and controllers where it is time, and parts beyond the budget begin to fade.
    pub(super) fn live(&mut self, frames: usize) -> usize {
        let frames = self.follow(frames);
        let Some(budget) = self.budget else { return frames };
        let into = self.passed % FOLLOW;
        if into == 0 {
            self.keep(budget);
        }
        frames.min((FOLLOW - into) as usize)
    }

    fn keep(&mut self, budget: usize) {
        let loud = |island: &&mut Island| island.is_awake() && !island.is_driven() && !island.is_fading();
        let mut awake = self.islands.iter_mut().filter(loud).count();
        while awake > budget {
            let can = self.islands.iter_mut().filter(|island| loud(island) && island.can_fade());
            let Some(quietest) = can.min_by(|a, b| a.loudness().total_cmp(&b.loudness())) else { break };
            quietest.fade();
            awake -= 1;
        }
        self.islands.iter_mut().for_each(Island::reset_loudness);
    }
}
