//! A whole performance as a sound, with its energy balance.
//!
//! Events act at the sample nearest to their time. After the last one keys that are still down are released, pedals stay as they are, and the
//! tail goes on until all parts sleep and no gesture waits, or until no sample has reached −90 dB of the peak for half a second, or to its limit,
//! where the sound fades out. What the engine is behind is left out at the beginning,
//! so that a note sounds at its time.

use crate::engine::{BLOCK, Engine, MAX_BEND};
use hamiltone_core::state::Archive;
use hamiltone_gestures::performance::{Action, Event, Performance};
use hamiltone_numerics::math;
use hamiltone_render::{SinkError, spool::Spool};
use std::time::Instant;

/// The level relative to the peak below which the tail is over, dB.
pub const SILENCE: f64 = -90.0;
/// Below this gain the level says nothing of what rings.
const QUIET: f64 = 0.01;
/// The shortest fade-out where the tail is cut off, s.
const FADE: f64 = 0.02;
/// How long the level must have been below it, s.
const SILENT_FOR: f64 = 0.5;

/// What was played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// Samples of each channel.
    pub frames: u64,
    /// max |sample| of each channel.
    pub peaks: Vec<f64>,
    /// How many samples of each channel exceed full scale.
    pub clipped: Vec<u64>,
    /// The level of the last tenth of a second before a fade-out, dB of the peak; −∞ where everything is at rest.
    pub end: f64,
    /// Whether it was cut off at the longest tail.
    pub cut: bool,
    /// How many notes were played.
    pub notes: u64,
    /// The notes on keys that the instrument does not have, by key.
    pub missing: Vec<(u8, u64)>,
    /// How many messages of each kind had no effect, by kind.
    pub ignored: Vec<(String, u64)>,
}

impl Played {
    /// max |sample| over all channels.
    pub fn peak(&self) -> f64 {
        self.peaks.iter().fold(0.0, |peak, x| peak.max(*x))
    }
}

/// At most so many samples are computed at a time: what acts in them is known, so that parts run on all threads for long. A multiple of
/// [`BLOCK`], as all spans are: levels are measured by these blocks, and must not depend on how fast the machine is.
const SPAN: u64 = 1 << 16;
/// How long a span may take, s: between two of them a performance can be interrupted and its state saved.
const PATIENCE: f64 = 0.5;

/// A performance that is being played.
pub struct Performer<'a> {
    engine: &'a mut Engine,
    performance: &'a Performance,
    /// The longest tail, samples; where it is cut off, and over how many samples the sound then fades.
    tail: u64,
    cut: Option<u64>,
    fade: f64,
    samples: &'a mut Spool,
    block: Vec<f64>,
    /// The samples of the next span, and how long it may take, s.
    span: u64,
    patience: f64,
    played: Played,
    /// The number of the next event.
    next: usize,
    /// How many samples are still left out at the beginning.
    skip: usize,
    /// Whether keys were released at the end.
    released: bool,
    /// max |sample| of the present and of the last tenth of a second, and how many samples the present one has.
    last: [f64; 2],
    counted: u64,
    /// How many samples in a row were below [`SILENCE`].
    silent: u64,
}

impl<'a> Performer<'a> {
    /// Plays a performance on an engine at rest into a spool, frame by frame; its tail lasts `tail` s at most, and fades out over
    /// `fade` s where it is cut off.
    pub fn new(
        engine: &'a mut Engine,
        performance: &'a Performance,
        (tail, fade): (f64, f64),
        samples: &'a mut Spool,
    ) -> Self {
        let channels = engine.channels();
        let (peaks, clipped) = (vec![0.0; channels], vec![0; channels]);
        Self {
            block: vec![0.0; SPAN as usize * channels],
            span: BLOCK as u64,
            patience: PATIENCE,
            played: Played { peaks, clipped, ..Played::default() },
            next: 0,
            skip: engine.delay(),
            released: false,
            last: [0.0; 2],
            counted: 0,
            silent: 0,
            tail: (tail * engine.rate()).round() as u64 + engine.delay() as u64,
            cut: None,
            fade: fade.max(FADE) * engine.rate(),
            engine,
            performance,
            samples,
        }
    }

    /// The same, where each call of [`Performer::advance`] is to take about so many seconds, 0.5 where nothing else is asked for: from one block of
    /// [`BLOCK`] samples to 2¹⁶ are computed in it. The sound is the same.
    #[must_use]
    pub fn with_patience(mut self, seconds: f64) -> Self {
        self.patience = seconds;
        self
    }

    /// The samples so far, those that are left out included.
    pub fn frames(&self) -> u64 {
        self.engine.frames()
    }

    /// The time that has been played, s.
    pub fn now(&self) -> f64 {
        self.engine.now()
    }

    /// Plays the next samples, of the performance as many as take about half a second to compute, of its tail at most [`BLOCK`]; `false` when
    /// the performance is over.
    ///
    /// # Errors
    /// Where the samples cannot be stored.
    pub fn advance(&mut self) -> Result<bool, SinkError> {
        let rate = self.engine.rate();
        let sample = |time: f64| (time * rate).round() as u64;
        let (end, now) = (sample(self.performance.duration()), self.frames());
        // Events at the end act when what comes before them is computed: a state is saved between two calls, and must not have them half done.
        let until = (now + self.span).min(end.max(now));
        while let Some(event) = self.performance.events().get(self.next) {
            let at = sample(event.time);
            if at >= until && at > now {
                break;
            }
            self.pass(at);
            self.act(event);
            self.next += 1;
        }
        self.pass(until);
        if self.engine.passed() > now {
            self.render(self.engine.passed() - now)?;
            return Ok(true);
        }
        if !std::mem::replace(&mut self.released, true) {
            // What a pedal holds rings on, as when a player leaves it down.
            self.engine.release_keys();
            self.silent = 0;
        }
        self.cut = Some(end + self.tail);
        self.played.cut = !self.is_over() && now >= end + self.tail;
        if self.is_over() || self.played.cut {
            self.engine.settle();
            return Ok(false);
        }
        // How it ends is decided after each block.
        self.render((end + self.tail - now).min(BLOCK as u64))?;
        Ok(true)
    }

    /// Lets the time until a sample pass.
    fn pass(&mut self, until: u64) {
        self.engine.pass(until.saturating_sub(self.engine.passed()) as usize);
    }

    /// What was played so far.
    pub fn played(&self) -> Played {
        Played { end: self.level(), ..self.played.clone() }
    }

    /// So many samples, at most [`SPAN`].
    fn render(&mut self, frames: u64) -> Result<(), SinkError> {
        let (frames, channels) = (frames as usize, self.engine.channels());
        let mut block = std::mem::take(&mut self.block);
        let samples = &mut block[..frames * channels];
        let from = self.engine.frames();
        let begin = Instant::now();
        self.engine.render(samples);
        // The conversion saturates, also where no time was measured.
        let blocks = (self.patience / begin.elapsed().as_secs_f64() * frames as f64) as u64 / BLOCK as u64;
        // Silence says little of what follows: a span grows to four times the one before at most.
        let longest = SPAN.min(4 * self.span);
        self.span = blocks.saturating_mul(BLOCK as u64).clamp(BLOCK as u64, longest);
        if let Some(cut) = self.cut {
            for (n, frame) in samples.chunks_exact_mut(channels.max(1)).enumerate() {
                let left = cut.saturating_sub(from + n as u64 + 1) as f64 / self.fade;
                if left < 1.0 {
                    frame.iter_mut().for_each(|x| *x *= 0.5 * (1.0 - math::cos(std::f64::consts::PI * left)));
                }
            }
        }
        let stored = self.samples.push(&samples[self.skip.min(frames) * channels..]);
        for block in samples.chunks(BLOCK * channels.max(1)) {
            let skipped = self.skip.min(block.len() / channels.max(1));
            self.skip -= skipped;
            self.measure(&block[skipped * channels..]);
        }
        self.block = block;
        stored
    }

    /// Peaks, and how long it has been silent.
    fn measure(&mut self, block: &[f64]) {
        let channels = self.engine.channels().max(1);
        let frames = (block.len() / channels) as u64;
        let mut loudest = 0.0_f64;
        let Played { peaks, clipped, .. } = &mut self.played;
        for frame in block.chunks_exact(channels) {
            for ((peak, clipped), x) in peaks.iter_mut().zip(&mut *clipped).zip(frame) {
                *peak = peak.max(x.abs());
                *clipped += u64::from(x.abs() > 1.0);
                loudest = loudest.max(x.abs());
            }
        }
        self.played.frames += frames;
        self.last[0] = self.last[0].max(loudest);
        self.counted += frames;
        if self.counted >= (0.1 * self.engine.rate()) as u64 {
            (self.last, self.counted) = ([0.0, self.last[0]], 0);
        }
        let quiet = loudest <= self.played.peak() * math::pow(10.0, SILENCE / 20.0);
        self.silent = if quiet { self.silent + frames } else { 0 };
    }

    /// Whether nothing more is to be heard.
    fn is_over(&self) -> bool {
        let still = (SILENT_FOR * self.engine.rate()) as u64 + self.engine.delay() as u64;
        // What volume controllers have turned down may ring on.
        let heard = self.engine.gain() > QUIET;
        !self.engine.waits()
            && (heard && self.silent >= still
                || self.engine.is_at_rest() && self.silent > self.engine.delay() as u64)
    }

    /// The level of the last block, dB of the peak.
    fn level(&self) -> f64 {
        if self.engine.is_at_rest() {
            return f64::NEG_INFINITY;
        }
        20.0 * math::log10(self.last[0].max(self.last[1]) / self.played.peak().max(f64::MIN_POSITIVE))
    }

    fn act(&mut self, event: &Event) {
        let done = self.engine.act(event.action);
        match event.action {
            Action::NoteOn { key, .. } if !done => count(&mut self.played.missing, key),
            Action::NoteOn { .. } => self.played.notes += 1,
            Action::NoteOff { .. } => {}
            _ if done => {}
            action => count(&mut self.played.ignored, kind(action)),
        }
    }

    /// The state, for a checkpoint: that of the engine's simulations, and the numbers of engine, performance and samples.
    ///
    /// # Errors
    /// Where the samples cannot be written to the disk.
    pub fn save(&mut self) -> Result<(Vec<u8>, Vec<Vec<f64>>), SinkError> {
        let (state, engine) = self.engine.save();
        let (mut own, mut samples) = (Vec::new(), Vec::new());
        self.archive(&mut Archive::Write(&mut own));
        self.samples.archive(&mut Archive::Write(&mut samples))?;
        Ok((state, vec![engine, own, samples]))
    }

    /// Continues from such a state of the same performance: what follows has the same bits.
    ///
    /// # Errors
    /// Where the state is not one of this performance, or its samples are missing or damaged.
    pub fn restore(&mut self, state: &[u8], sections: &[Vec<f64>]) -> Result<(), String> {
        let [engine, own, samples] = sections else { return Err("it is damaged: parts are missing".into()) };
        self.engine.restore(state, engine).map_err(|mismatch| mismatch.to_string())?;
        let mut archive = Archive::Read(own);
        self.archive(&mut archive);
        if !archive.is_read() {
            return Err("it is damaged: its numbers contradict each other".into());
        }
        self.samples.archive(&mut Archive::Read(samples)).map_err(|error| error.to_string())?;
        // What an event did without effect is told once more: the events so far are those of the performance.
        self.played.ignored.clear();
        let (performance, acted) = (self.performance, self.next);
        for action in performance.events().iter().take(acted).map(|event| event.action) {
            let is_note = matches!(action, Action::NoteOn { .. } | Action::NoteOff { .. });
            if !is_note && !self.engine.follows(action) {
                count(&mut self.played.ignored, kind(action));
            }
        }
        Ok(())
    }

    fn archive(&mut self, archive: &mut Archive) {
        let Self { next, skip, released, last, counted, silent, played, .. } = self;
        archive.size(next);
        archive.size(skip);
        archive.flag(released);
        archive.numbers(last);
        archive.long(counted);
        archive.long(silent);
        archive.long(&mut played.frames);
        archive.long(&mut played.notes);
        archive.numbers(&mut played.peaks);
        played.clipped.iter_mut().for_each(|clipped| archive.long(clipped));
        // Which keys there were depends on the program that was chosen then.
        let of_key = |(key, count): &(u8, u64)| [f64::from(*key), *count as f64];
        let mut missing: Vec<f64> = played.missing.iter().flat_map(of_key).collect();
        archive.list(&mut missing);
        let read = missing.as_chunks::<2>().0.iter().map(|[key, count]| (*key as u8, *count as u64));
        played.missing = read.collect();
    }
}

/// One more of a kind.
fn count<T: PartialEq>(all: &mut Vec<(T, u64)>, one: T) {
    match all.iter_mut().find(|(known, _)| *known == one) {
        Some((_, count)) => *count += 1,
        None => all.push((one, 1)),
    }
}

/// What messages call an action.
pub fn kind(action: Action) -> String {
    match action {
        Action::NoteOn { .. } | Action::NoteOff { .. } => "notes".into(),
        Action::Control { number, .. } => format!("controller {number}"),
        Action::Bend { semitones } if semitones.abs() > MAX_BEND => {
            format!("pitch bend beyond {MAX_BEND} semitones")
        }
        Action::Bend { .. } => "pitch bend".into(),
        Action::Pressure { .. } => "pressure".into(),
        Action::Parameter { number, .. } => format!("parameter {number}"),
        Action::Program(_) => "program change".into(),
        Action::AllNotesOff | Action::AllSoundOff => "all notes off".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings are bent as far as [`MAX_BEND`]: what is beyond it has no effect, not the bend.
    #[test]
    fn a_bend_that_is_too_far_is_told_as_such() {
        let told = [2.0, -MAX_BEND, 24.5, -96.0].map(|semitones| kind(Action::Bend { semitones }));
        let beyond = "pitch bend beyond 24 semitones";
        assert_eq!(told, ["pitch bend", "pitch bend", beyond, beyond]);
    }
}
