//! One key at one velocity: played from rest and held, then from rest, let go and struck again.
//!
//! ```text
//! level L          over 0 … 0.5 s after note-on          (hamiltone_report::measure::level)
//! late level       over 1.0 … 1.5 s
//! repeated stroke  L of the second stroke − L of the first, both over min(0.5 s, time between them)
//! ```
//!
//! All channels are measured together; spectra and onsets are those of their sum.

use super::partials::{self, PartialFigures};
use crate::clock::thread_seconds;
use hamiltone_gestures::note::equal_temperament;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{
    Player,
    recording::{self, Balance},
};
use hamiltone_render::tuning::cents;
use hamiltone_report::measure::{centroid, level, onset, pitch};

/// Where the level of a note is measured, s after note-on.
pub const LEVEL: [f64; 2] = [0.0, 0.5];
/// Where its late level is measured, s after note-on.
pub const LATE_LEVEL: [f64; 2] = [1.0, 1.5];
/// Over how long the centroid and the attack are measured, s after note-on: the spectrum of a stroke, not of what rings on.
const BEGINNING: f64 = 0.4;
/// When the motion of a bowed or blown note has settled, s after the first audible sample.
const SETTLED: f64 = 1.0;
/// The part of the time between two strokes in which the key is down.
const DOWN: f64 = 0.8;

/// The samples of a block whose time is taken, as many as a driver of live sound asks for at a time.
pub const BLOCK: usize = 128;

/// How every note is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// How long it is heard, the key being down, s.
    pub seconds: f64,
    /// The time from a stroke to the next, s.
    pub repeat_after: f64,
}

/// What was measured of a note. Levels in dB relative to full scale, −∞ of silence; what cannot be measured is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// As MIDI numbers it.
    pub key: u8,
    /// 1 to 127.
    pub velocity: u8,
    /// The time from note-on to the first audible sample, s, with what the engine is behind.
    pub latency: Option<f64>,
    /// The time of the attack, s.
    pub attack: Option<f64>,
    /// The largest sample.
    pub peak: f64,
    /// The level over [`LEVEL`].
    pub level: f64,
    /// The level over [`LATE_LEVEL`], where the note is heard so long.
    pub late_level: Option<f64>,
    /// The spectral centroid of the beginning by amplitude, Hz.
    pub centroid: Option<f64>,
    /// The frequency that a player expects in equal temperament, Hz, of an instrument that is tuned.
    pub requested: Option<f64>,
    /// The frequency at which it sounds, Hz: of a bowed or blown note that with which it repeats itself, of others, and of one too short
    /// for that, that of its first partial.
    pub pitch: Option<f64>,
    /// The first partials.
    pub partials: Vec<PartialFigures>,
    /// The level of the repeated stroke above that of the first, dB.
    pub repeat: f64,
    /// The largest relative residual of the energy balance, and its tolerance.
    pub residual: (f64, f64),
    /// What went wrong, if something did.
    pub trouble: Option<String>,
    /// The longest processor time of a block of [`BLOCK`] samples, s: of this machine.
    pub longest_block: f64,
}

impl Stroke {
    /// Plays and measures a key of the instrument at a velocity of 1 to 127.
    pub fn of(
        player: &mut Player,
        plan: &InstrumentPlan,
        (key, velocity): (u8, u8),
        conditions: &Conditions,
    ) -> Self {
        let speed = f64::from(velocity) / 127.0;
        let (channels, rate) = (player.engine.channels().max(1), player.engine.rate());
        let (samples, longest_block) = timed(player, (key, speed), conditions.seconds);
        player.engine.settle();
        let (mut trouble, mut residual) =
            (recording::trouble(&player.engine), Balance::of([&player.engine]).residual);
        let repeat = repeated(player, (key, speed), conditions.repeat_after);
        player.engine.settle();
        let again = Balance::of([&player.engine]).residual;
        // The nearer to its tolerance.
        if again.0 * residual.1 > residual.0 * again.1 {
            residual = again;
        }
        trouble = trouble.or_else(|| Some(format!("struck again: {}", recording::trouble(&player.engine)?)));
        let sound: Vec<f64> = samples.chunks_exact(channels).map(|frame| frame.iter().sum()).collect();
        let part =
            |[from, to]: [f64; 2]| samples.get(frame(from, rate) * channels..frame(to, rate) * channels);
        let requested = plan.is_tuned.then(|| equal_temperament(f64::from(key), plan.a4));
        let begin = onset::onset(&sound);
        let partials = begin.map_or_else(Vec::new, |begin| partials::of(&sound[begin..], rate, requested));
        let first = partials.first().and_then(|first| first.frequency);
        let whole = requested.filter(|_| plan.is_sustained());
        let whole = whole.and_then(|f| Some((f, settled(&sound, rate, begin.unwrap_or(0), f)?)));
        let pitch = whole.map_or(first, |(f, settled)| pitch::repetition(settled, rate, f));
        let beginning = &sound[..frame(BEGINNING, rate).min(sound.len())];
        let period = first.or(pitch).map(|f| 1.0 / f);
        Self {
            key,
            velocity,
            latency: begin.map(|begin| begin as f64 / rate),
            attack: onset::attack(beginning, rate, period.unwrap_or(0.0)),
            peak: level::decibels(level::peak(&samples)),
            level: level::level(part(LEVEL).unwrap_or(&samples), channels),
            late_level: part(LATE_LEVEL).map(|part| level::level(part, channels)),
            centroid: centroid::centroids(beginning, rate).map(|[by_amplitude, _]| by_amplitude),
            requested,
            pitch,
            partials,
            repeat,
            residual,
            trouble,
            longest_block,
        }
    }

    /// The first partial, where it was found.
    pub fn first(&self) -> Option<&PartialFigures> {
        self.partials.first().filter(|first| first.frequency.is_some())
    }

    /// How many cents it sounds above the frequency that is expected.
    pub fn cents(&self) -> Option<f64> {
        Some(cents(self.pitch?, self.requested?))
    }
}

/// The number of samples in a time, s.
fn frame(seconds: f64, rate: f64) -> usize {
    (seconds * rate).round() as usize
}

/// A sound of a frequency (Hz) from [`SETTLED`] after its beginning on, of a shorter sound its end, long enough for its pitch.
fn settled(sound: &[f64], rate: f64, begin: usize, frequency: f64) -> Option<&[f64]> {
    let last = sound.len().checked_sub(frame(pitch::duration(frequency), rate) + 2)?;
    sound.get(last.min(begin + frame(SETTLED, rate))..)
}

/// A note from rest, and the longest processor time of a block, s.
fn timed(player: &mut Player, (key, velocity): (u8, f64), seconds: f64) -> (Vec<f64>, f64) {
    player.rest();
    let channels = player.engine.channels();
    let mut samples = vec![0.0; frame(seconds, player.engine.rate()) * channels];
    let (mut longest, mut begin) = (0.0_f64, thread_seconds());
    player.engine.note_on(key, velocity);
    for block in samples.chunks_mut(BLOCK * channels.max(1)) {
        player.engine.render(block);
        let end = thread_seconds();
        longest = longest.max(end - begin);
        begin = end;
    }
    (samples, longest)
}

/// By how many dB the second of two strokes is louder than the first.
fn repeated(player: &mut Player, (key, velocity): (u8, f64), after: f64) -> f64 {
    player.rest();
    let (channels, rate) = (player.engine.channels(), player.engine.rate());
    let (down, up) = (frame(DOWN * after, rate), frame(after, rate));
    let heard = up.min(frame(LEVEL[1], rate));
    let mut samples = vec![0.0; (up + heard) * channels];
    let (held, rest) = samples.split_at_mut(down * channels);
    let (released, second) = rest.split_at_mut((up - down) * channels);
    player.engine.note_on(key, velocity);
    player.engine.render(held);
    player.engine.note_off(key);
    player.engine.render(released);
    player.engine.note_on(key, velocity);
    player.engine.render(second);
    let second = level::level(second, channels);
    second - level::level(&samples[..heard * channels], channels)
}
