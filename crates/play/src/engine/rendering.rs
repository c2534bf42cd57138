//! From one block of samples to the next: parts play window by window, on one thread or on all.

use super::{Engine, FOLLOW, Sample, console::Console, team};

impl Engine {
    /// How many of so many samples pass before keys are to follow a pedal, a pressure or a controller; they do so now where it is time.
    pub(super) fn follow(&mut self, frames: usize) -> usize {
        if self.voices.is_pending() && self.passed.is_multiple_of(FOLLOW) {
            let (mut stage, voices) = self.stage();
            voices.follow(&mut |gestures| stage.begin(gestures));
        }
        let until = if self.voices.is_pending() { FOLLOW - self.passed % FOLLOW } else { u64::MAX };
        until.min(frames as u64) as usize
    }

    /// Lets so many samples pass without computing them: what follows acts after them. It is for performances that are known beforehand, and
    /// takes memory for all that acts until [`Engine::render`] has computed the samples.
    pub fn pass(&mut self, mut frames: usize) {
        while frames > 0 {
            let passing = self.follow(frames);
            self.passed += passing as u64;
            frames -= passing;
        }
    }

    /// The next samples, channel by channel in each frame; a last frame that is not whole is left as it is.
    pub fn render<T: Sample + Send>(&mut self, block: &mut [T]) {
        let channels = self.channels().max(1);
        let mut left = block;
        while left.len() >= channels {
            let mut frames = left.len() / channels;
            let known = (self.passed - self.frames()) as usize;
            if known > 0 {
                frames = frames.min(known);
            } else {
                frames = self.live(frames);
                self.passed += frames as u64;
            }
            let (part, rest) = left.split_at_mut(frames * channels);
            let windows = part.chunks_mut(self.window * channels);
            if self.threads {
                self.advance_together(windows);
            } else {
                windows.for_each(|block| self.advance(block));
            }
            left = rest;
        }
    }

    /// Computes the samples of a window.
    fn advance<T: Sample>(&mut self, block: &mut [T]) {
        let frames = block.len() / self.channels().max(1);
        let Self { islands, console, budget, .. } = self;
        for island in islands.iter_mut().filter(|island| !island.is_driven()) {
            island.begin_window(frames);
            island.play(frames);
            if budget.is_some() {
                island.add_loudness();
            }
        }
        console.collect(islands.iter(), frames);
        console.finish(islands.iter_mut().filter(|island| island.is_driven()), frames, block);
    }

    /// The same of several windows on all threads: one of them finishes the sound of a window while the others compute the next.
    fn advance_together<'a, T: Sample + Send + 'a>(&mut self, windows: impl Iterator<Item = &'a mut [T]>) {
        let channels = self.channels().max(1);
        let Self { islands, console, budget, .. } = self;
        let (mut driven, mut free): (Vec<_>, Vec<_>) =
            islands.iter_mut().partition(|island| island.is_driven());
        let mut finish = |console: &mut Console, collected: Option<&mut [T]>| {
            if let Some(block) = collected {
                console.finish(driven.iter_mut().map(|island| &mut **island), block.len() / channels, block);
            }
        };
        let mut collected = None;
        for block in windows {
            let frames = block.len() / channels;
            team::play(&mut free, frames, || finish(console, collected.take()));
            if budget.is_some() {
                free.iter_mut().for_each(|island| island.add_loudness());
            }
            console.collect(free.iter().map(|island| &**island), frames);
            collected = Some(block);
        }
        finish(console, collected);
    }
}
