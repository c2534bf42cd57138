//! Instruments that play together, each its part of a song. They do not act on each other: what is heard is the sum of their sounds,
//!
//!   y_c = Σₛ 10^(gₛ/20) √2 w_c(panₛ) x_cs,   c left and right, s the instruments
//!
//! x_cs the left and the right channel of the first bus of an instrument, w_c(pan) = sin((1 ∓ pan)π/4) as pickups have it
//! ([`stereo`]): in the centre it is as it is. A bus that has no such channels is 1/√2 of the sum of its channels in both.

use crate::{
    engine::Engine,
    offline::{Performer, Played, count_all},
    recording::{self, Balance},
};
use hamiltone_gestures::performance::Performance;
use hamiltone_plan::{
    instrument::InstrumentPlan,
    mix::decibels,
    output::{Channels, MAIN, stereo},
};
use hamiltone_render::{
    SinkError,
    mix::{Bus, Mix},
    sound::Sound,
    spool::Spool,
};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::f64::consts::SQRT_2;

/// How many frames are mixed at a time.
const AT_ONCE: usize = 4096;

/// An instrument of an ensemble, with what it plays and has played.
pub struct Seat<'a> {
    /// Its plan.
    pub instrument: &'a InstrumentPlan,
    /// The instrument itself, at rest until it is played.
    pub engine: Engine,
    /// What it plays.
    pub performance: Performance,
    /// Its gain, dB, and its place between the loudspeakers, −1 to 1.
    pub gain: f64,
    /// Its pan.
    pub pan: f64,
    /// Where its samples go.
    pub samples: Spool,
    /// What it has played.
    pub played: Played,
}

impl Seat<'_> {
    /// The factors of the first channels of a frame, for the left and the right.
    fn gains(&self) -> [Vec<f64>; 2] {
        let count = self.engine.channels_of_buses().first().copied().unwrap_or(0);
        let is_stereo = self.engine.buses().first().is_some_and(|bus| bus.channels == Channels::Stereo);
        let own = |side: usize| match is_stereo {
            true => (0..count).map(|channel| if channel == side { SQRT_2 } else { 0.0 }).collect(),
            false => vec![1.0; count],
        };
        let (factor, sides) = (decibels(self.gain), stereo(self.pan));
        [0, 1].map(|side| own(side).into_iter().map(|own: f64| own * sides[side] * factor).collect())
    }
}

/// Plays all instruments to the end of their performances and of their tails, `tail` s at most, on all threads; `each` is told by the number of an
/// instrument how far it is, s.
///
/// # Errors
/// Where samples cannot be stored.
pub fn perform(
    seats: &mut [Seat<'_>],
    tail: f64,
    each: &(dyn Fn(usize, f64) + Sync),
) -> Result<(), SinkError> {
    seats.par_iter_mut().enumerate().try_for_each(|(number, seat)| {
        let ending = (tail, seat.instrument.plan.output.fade);
        let mut performer = Performer::new(&mut seat.engine, &seat.performance, ending, &mut seat.samples);
        while performer.advance()? {
            each(number, performer.now());
        }
        seat.played = performer.played();
        Ok(())
    })
}

/// What was heard: the channels left and right, which go into `samples`.
///
/// # Errors
/// Where samples cannot be read or stored.
pub fn sound(seats: &[Seat<'_>], mut samples: Spool) -> Result<Sound, SinkError> {
    let gains: Vec<[Vec<f64>; 2]> = seats.iter().map(Seat::gains).collect();
    let frames = seats.iter().map(|seat| seat.played.frames).max().unwrap_or(0);
    let (mut peaks, mut clipped) = (vec![0.0_f64; 2], 0);
    let mut read = Vec::new();
    for at in (0..frames).step_by(AT_ONCE) {
        let mut block = vec![[0.0; 2]; AT_ONCE.min((frames - at) as usize)];
        for (seat, gains) in seats.iter().zip(&gains) {
            let channels = seat.engine.channels();
            let there = seat.played.frames.saturating_sub(at).min(block.len() as u64) as usize;
            if there == 0 {
                continue;
            }
            read.resize(there * channels, 0.0);
            seat.samples.read(at * channels as u64, &mut read)?;
            for (frame, own) in block.iter_mut().zip(read.chunks_exact(channels.max(1))) {
                for (y, gains) in frame.iter_mut().zip(gains) {
                    *y += own.iter().zip(gains).map(|(x, gain)| x * gain).sum::<f64>();
                }
            }
        }
        for frame in &block {
            peaks.iter_mut().zip(frame).for_each(|(peak, y)| *peak = peak.max(y.abs()));
            clipped += frame.iter().filter(|y| y.abs() > 1.0).count() as u64;
        }
        samples.push(block.as_flattened())?;
    }
    let peak = peaks.iter().fold(0.0_f64, |peak, y| peak.max(*y));
    let main = Bus { name: MAIN.into(), channels: vec![Vec::new(); 2], peak, clipped };
    Ok(Sound {
        rate: seats.first().map_or(0.0, |seat| seat.engine.rate()),
        channels: 2,
        oversampling: 1,
        samples,
        peak,
        peaks,
        factors: vec![1.0; 2],
        mix: Mix::of_channels([main]),
    })
}

/// What all have played together, with the peaks of their sum.
pub fn played(seats: &[Seat<'_>], sound: &Sound) -> Played {
    let mut all = Played {
        peaks: sound.peaks.clone(),
        clipped: sound.mix.buses.iter().map(|bus| bus.clipped).collect(),
        end: f64::NEG_INFINITY,
        ..Played::default()
    };
    for Played { frames, end, cut, notes, missing, ignored, .. } in seats.iter().map(|seat| &seat.played) {
        all.frames = all.frames.max(*frames);
        all.end = all.end.max(*end);
        all.cut |= cut;
        all.notes += notes;
        missing.iter().for_each(|(key, count)| count_all(&mut all.missing, *key, *count));
        ignored.iter().for_each(|(what, count)| count_all(&mut all.ignored, what.clone(), *count));
    }
    all
}

/// What went wrong, in words, with the titles of instruments; `None` where nothing did.
pub fn trouble(seats: &[Seat<'_>]) -> Option<String> {
    let of = |seat: &Seat<'_>| {
        Some(format!("{}: {}", seat.instrument.plan.title, recording::trouble(&seat.engine)?))
    };
    let all: Vec<String> = seats.iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The audit of a performance: the energies of all instruments together, J, and under `players` the audit of each with its own, as
/// [`recording::audit`] has it, with `gain_db` and `pan`. `head` are the names and values at its beginning.
pub fn audit(
    seats: &[Seat<'_>],
    sound: &Sound,
    head: &[(&str, Value)],
    input_sha256: &str,
    options: &[(String, String)],
) -> Value {
    let balance = Balance::of(seats.iter().map(|seat| &seat.engine));
    let player = |seat: &Seat<'_>| {
        let mut audit = recording::audit(seat.instrument, &seat.engine, &seat.played, input_sha256, options);
        audit["gain_db"] = json!(seat.gain);
        audit["pan"] = json!(seat.pan);
        audit
    };
    let all = played(seats, sound);
    let mut audit = json!({
        "ok": balance.is_good(),
        "claim": "exact",
        "input_sha256": input_sha256,
        "version": env!("CARGO_PKG_VERSION"),
        "sample_rate_hz": sound.rate,
        "duration_s": all.frames as f64 / sound.rate,
        "notes": all.notes,
        "end_db": all.end,
        "peak": sound.peak,
        "clipped_samples": all.clipped.iter().sum::<u64>(),
        "players": seats.iter().map(player).collect::<Vec<Value>>(),
    });
    let own = head.iter().map(|(name, value)| (*name, value.clone())).chain(balance.energies());
    own.for_each(|(name, value)| audit[name] = value);
    audit
}
