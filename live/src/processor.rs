//! What the thread of the sound does: it takes the actions that are due, lets the engine compute the samples between them, and hands these to the
//! device, to the recording and to the meter. It knows no device, and neither allocates, locks, logs nor waits.

use crate::{
    clock::Clock,
    meter::{BlockReport, Meter},
    queue::Timed,
    tally::Tally,
};
use hamiltone_play::{Action, Engine, engine::Activity};
use rtrb::{Consumer, Producer};
use std::{sync::Arc, time::Instant};

/// At most so many frames are computed at a time.
const MAX_FRAMES: usize = 1024;
/// How long the sound takes to fade out at the end, s.
pub const FADE: f64 = 0.02;

/// An engine and what is between it and the device.
pub struct Processor {
    engine: Engine,
    /// The channels of a frame of the device, and those of the engine that it plays.
    channels: usize,
    heard: usize,
    clock: Clock,
    actions: Consumer<Timed>,
    recording: Option<Producer<f32>>,
    meter: Arc<Meter>,
    /// Actions that were dropped, as far as keys were released for them.
    lost: u64,
    tally: Tally,
    /// Samples of the engine.
    block: Vec<f32>,
    /// The factor of the sound, below 1 when it fades out at the end.
    level: f32,
}

impl Processor {
    /// An engine that plays into frames of so many channels. Actions act `latency` samples after they came: the size of a block, so that each has its
    /// place in the next one.
    pub fn new(
        engine: Engine,
        (channels, latency): (usize, usize),
        actions: Consumer<Timed>,
        recording: Option<Producer<f32>>,
        meter: Arc<Meter>,
    ) -> Self {
        let first = engine.channels_of_buses().first().copied().unwrap_or(0);
        // All buses where the device has a channel for each, else the first.
        let heard = if engine.channels() <= channels { engine.channels() } else { first };
        // One channel has the mean of all that are heard.
        let heard = if channels > 1 { heard.min(channels) } else { heard };
        Self {
            channels,
            heard,
            clock: Clock::new(engine.rate(), latency),
            actions,
            recording,
            meter,
            lost: 0,
            tally: Tally::default(),
            block: vec![0.0; MAX_FRAMES * engine.channels()],
            level: 1.0,
            engine,
        }
    }

    /// The next frames of the device, which are asked for at a time (s, of the same clock as the actions').
    pub fn process(&mut self, out: &mut [f32], now: f64) {
        let begin = Instant::now();
        let frames = out.len() / self.channels.max(1);
        self.clock.begin(now, frames);
        let mut done = 0;
        while done < frames {
            let next = self.take_actions(done).min(frames).min(done + MAX_FRAMES);
            self.render(&mut out[done * self.channels..next * self.channels]);
            done = next;
        }
        self.report(frames, begin.elapsed().as_secs_f64());
    }

    /// Lets all actions act that are due at a sample of this block; the sample at which the next is due.
    fn take_actions(&mut self, sample: usize) -> usize {
        let lost = self.meter.lost_actions();
        if std::mem::replace(&mut self.lost, lost) != lost {
            // A release may be among those that were dropped.
            while let Ok(Timed { action, .. }) = self.actions.pop() {
                self.act(action);
            }
            self.engine.release_all();
        }
        while let Ok(Timed { time, action }) = self.actions.peek().copied() {
            let due = self.clock.sample(time);
            if due > sample {
                return due;
            }
            self.act(action);
            // It is there: this thread alone takes any.
            let _ = self.actions.pop();
        }
        usize::MAX
    }

    fn act(&mut self, action: Action) {
        let effect = self.engine.act(action);
        self.tally.count(action, effect);
    }

    /// The next samples of the engine, in frames of the device.
    fn render(&mut self, out: &mut [f32]) {
        let (frames, own) = (out.len() / self.channels.max(1), self.engine.channels().max(1));
        let block = &mut self.block[..frames * own];
        self.engine.render(block);
        // Of a part that is muted from the next block on.
        block.iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
        if self.meter.ends() {
            let step = (1.0 / (FADE * self.engine.rate())) as f32;
            for frame in block.chunks_exact_mut(own) {
                self.level = (self.level - step).max(0.0);
                frame.iter_mut().for_each(|x| *x *= self.level);
            }
        }
        if let Some(recording) = &mut self.recording
            && recording.push_entire_slice(block).is_err()
        {
            self.meter.lose_samples(frames);
        }
        for (frame, out) in block.chunks_exact(own).zip(out.chunks_exact_mut(self.channels.max(1))) {
            match (&frame[..self.heard], &mut *out) {
                (all, [one]) => *one = all.iter().sum::<f32>() / all.len().max(1) as f32,
                // One channel is heard on both sides.
                ([one], [left, right, rest @ ..]) => {
                    (*left, *right) = (*one, *one);
                    rest.fill(0.0);
                }
                (all, out) => {
                    out[..all.len()].copy_from_slice(all);
                    out[all.len()..].fill(0.0);
                }
            }
        }
    }

    fn report(&self, frames: usize, busy: f64) {
        let mut awake = 0;
        for (part, island) in self.engine.islands().iter().enumerate() {
            match island.activity() {
                Activity::Awake => awake += 1,
                Activity::Asleep => {}
                Activity::Muted => self.meter.mute(part),
            }
        }
        let sounding = frames as f64 / self.engine.rate();
        let (held, faded) = (self.engine.held(), self.engine.faded());
        self.meter.report(BlockReport { busy, sounding, held, awake, faded });
    }

    /// The engine, with its energy balances drawn up to now, and what was played on it. The recording ends.
    pub fn finish(mut self) -> (Engine, Tally) {
        self.engine.settle();
        (self.engine, self.tally)
    }
}
