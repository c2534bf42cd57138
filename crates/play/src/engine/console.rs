//! From what the parts play to the sound: rates, parts that others drive, impulse responses and the volume, window by window.
//!
//! A window has two stages. [`Console::collect`] adds the parts up, in their order, once all of them have played it. [`Console::finish`] does all that
//! follows and needs the parts no more: it may run while they play the next window.

use super::{
    block::{BLOCK, Sample},
    island::Island,
    mixer::{Channels, Rate, ResponseOutput},
};
use hamiltone_core::state::Archive;
use std::collections::VecDeque;

/// The time in which the gain approaches the volume to 1/e, s.
const GLIDE: f64 = 5e-3;
/// What is left to it is taken at once below this: it would decay for ever.
const NEAR: f64 = 1e-9;

/// The channels of the sound and what leads to them.
pub struct Console {
    /// The number of samples so far.
    pub frames: u64,
    /// The number of channels of all buses; those of the transfers lie behind them.
    channels: usize,
    rates: Vec<Rate>,
    /// The impulse responses through which transfers go into the sound.
    responses: Vec<ResponseOutput>,
    sound: Channels,
    /// The factor of the volume controllers, and where it goes to.
    gain: f64,
    aim: f64,
    /// The time in which it does, samples.
    glide: f64,
    /// From which sample on it goes to another aim, where that is known already.
    turns: VecDeque<(u64, f64)>,
}

impl Console {
    /// For so many channels of buses among `all`, at `rate` (Hz).
    pub fn new(
        rate: f64,
        (channels, all): (usize, usize),
        rates: Vec<Rate>,
        responses: Vec<ResponseOutput>,
    ) -> Self {
        Self {
            frames: 0,
            channels,
            rates,
            responses,
            sound: vec![vec![0.0; BLOCK]; all],
            gain: 1.0,
            aim: 1.0,
            glide: GLIDE * rate,
            turns: VecDeque::new(),
        }
    }

    /// Makes room for windows of so many samples.
    pub fn reserve(&mut self, window: usize) {
        self.rates.iter_mut().for_each(|rate| rate.reserve(window));
        self.sound.iter_mut().for_each(|channel| channel.resize(window, 0.0));
    }

    /// The factor of the volume controllers now.
    pub fn gain(&self) -> f64 {
        self.gain
    }

    /// From this sample on the gain goes to `aim`.
    pub fn turn(&mut self, frame: u64, aim: f64) {
        if frame > self.frames {
            self.turns.push_back((frame, aim));
        } else {
            self.aim = aim;
        }
    }

    /// The gain is where it goes to.
    pub fn arrive(&mut self) {
        self.gain = self.aim;
    }

    /// Adds up what the parts that nothing drives have played in a window.
    pub fn collect<'a>(&mut self, islands: impl Iterator<Item = &'a Island>, frames: usize) {
        for island in islands.filter(|island| !island.is_driven()) {
            if let Some(rate) = self.rates.iter_mut().find(|rate| rate.ratio() == island.ratio()) {
                island.add_to(frames, &mut rate.channels);
            }
        }
    }

    /// The samples of the window that was collected, frame by frame.
    pub fn finish<'a, T: Sample>(
        &mut self,
        driven: impl Iterator<Item = &'a mut Island>,
        frames: usize,
        block: &mut [T],
    ) {
        self.sound.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
        for rate in &mut self.rates {
            rate.finish(frames, &mut self.sound);
        }
        // Those that others drive come after them, at the samples of the sound and with its delay.
        let (sound, transfers) = self.sound.split_at_mut(self.channels);
        for island in driven {
            island.feed(frames, transfers);
            island.begin_window(frames);
            island.play(frames);
            island.add_to(frames, sound);
        }
        self.responses.iter_mut().for_each(|response| response.add(frames, transfers, sound));
        for (n, frame) in block.chunks_exact_mut(self.channels.max(1)).enumerate() {
            while self.turns.front().is_some_and(|(at, _)| *at <= self.frames) {
                self.aim = self.turns.pop_front().map_or(self.aim, |(_, aim)| aim);
            }
            let left = self.aim - self.gain;
            self.gain = if left.abs() < NEAR { self.aim } else { self.gain + left / self.glide };
            for (y, channel) in frame.iter_mut().zip(&*sound) {
                *y = T::of(channel[n] * self.gain);
            }
            self.frames += 1;
        }
    }

    /// Goes through every number that the next block depends on.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.frames);
        self.rates.iter_mut().for_each(|rate| rate.archive(archive));
        self.responses.iter_mut().for_each(|response| response.archive(archive));
        archive.number(&mut self.gain);
        archive.number(&mut self.aim);
    }
}
