//! Instruments that play together, each its part of a song. They do not act on each other: the output is the sum of their sounds,
//!
//!   y_c = Σₘ 10^(gₘ/20) √2 w_c(panₘ) x_cm,   c left and right, m the members
//!
//! x_cm the left and the right channel of the first bus of a member, w_c(pan) = sin((1 ∓ pan)π/4) as pickups have it
//! ([`stereo`]): in the centre it is as it is. The channels of a mono bus or of separate pickups are added; the sum is 1/√2 of both x_cm.

use crate::{
    engine::Engine,
    offline::{Performer, Played},
    recording::{self, Balance},
};
use hamiltone_gestures::performance::Performance;
use hamiltone_numerics::math;
use hamiltone_numerics::parallel;
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
use serde_json::{Value, json};
use std::f64::consts::SQRT_2;

/// How many frames are mixed at a time.
const AT_ONCE: usize = 4096;

/// A member of an ensemble, with what it plays and has played.
pub struct Member<'a> {
    /// Its plan.
    pub instrument: &'a InstrumentPlan,
    /// The instrument itself, at rest until it is played.
    pub engine: Engine,
    /// The file of its instrument.
    pub file: String,
    /// The part of the song that it plays, from 1; `None` for all parts.
    pub part: Option<u16>,
    /// What it plays.
    pub performance: Performance,
    /// Its gain, dB.
    pub gain: f64,
    /// Its place between the loudspeakers, −1 to 1.
    pub pan: f64,
    /// Where its samples go.
    pub samples: Spool,
    /// What it has played.
    pub played: Played,
}

impl Member<'_> {
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
    members: &mut [Member<'_>],
    tail: f64,
    each: &(dyn Fn(usize, f64) + Sync),
) -> Result<(), SinkError> {
    let play = |(number, member): (usize, &mut Member<'_>)| {
        let ending = (tail, member.instrument.plan.output.fade);
        let mut performer =
            Performer::new(&mut member.engine, &member.performance, ending, &mut member.samples);
        while performer.advance()? {
            each(number, performer.now());
        }
        member.played = performer.played();
        Ok(())
    };
    parallel::map(members.iter_mut().enumerate().collect(), play).into_iter().collect()
}

/// The output: the channels left and right, which go into `samples`.
///
/// # Errors
/// Where samples cannot be read or stored.
pub fn sound(members: &[Member<'_>], mut samples: Spool) -> Result<Sound, SinkError> {
    let gains: Vec<[Vec<f64>; 2]> = members.iter().map(Member::gains).collect();
    let frames = members.iter().map(|member| member.played.frames).max().unwrap_or(0);
    let (mut peaks, mut clipped) = (vec![0.0_f64; 2], 0);
    let mut read = Vec::new();
    for at in (0..frames).step_by(AT_ONCE) {
        let mut block = vec![[0.0; 2]; AT_ONCE.min((frames - at) as usize)];
        for (member, gains) in members.iter().zip(&gains) {
            let channels = member.engine.channels();
            let there = member.played.frames.saturating_sub(at).min(block.len() as u64) as usize;
            if there == 0 {
                continue;
            }
            read.resize(there * channels, 0.0);
            member.samples.read(at * channels as u64, &mut read)?;
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
        rate: members.first().map_or(0.0, |member| member.engine.rate()),
        channels: 2,
        oversampling: 1,
        samples,
        peak,
        peaks,
        factors: vec![1.0; 2],
        mix: Mix::of_channels([main]),
    })
}

/// How many frames all have played together, how many notes, and the level of the last tenth of a second before a fade-out, dB of the peak of the sum: the
/// largest of all members.
pub fn played(members: &[Member<'_>], sound: &Sound) -> Played {
    let level = |peak: f64| 20.0 * math::log10(peak.max(f64::MIN_POSITIVE));
    let end = |member: &Member<'_>| {
        let gains = member.gains().into_iter().flatten().fold(0.0, f64::max);
        member.played.end + level(member.played.peak() * gains) - level(sound.peak)
    };
    Played {
        frames: sound.frames(),
        notes: members.iter().map(|member| member.played.notes).sum(),
        peaks: sound.peaks.clone(),
        end: members.iter().map(end).fold(f64::NEG_INFINITY, f64::max),
        ..Played::default()
    }
}

/// The audit of a performance: `head`, names and values; then the energies of all members together, J; and under `players` the audit of each by itself, as
/// [`recording::audit`] has it, with its file, part, gain and pan.
pub fn audit(
    members: &[Member<'_>],
    (sound, all, balance): (&Sound, &Played, &Balance),
    head: &[(&str, Value)],
    input_sha256: &str,
    options: &[(String, String)],
) -> Value {
    let player = |member: &Member<'_>| {
        let mut audit =
            recording::audit(member.instrument, &member.engine, &member.played, input_sha256, options);
        audit["file"] = json!(member.file);
        audit["part"] = json!(member.part);
        audit["gain_db"] = json!(member.gain);
        audit["pan"] = json!(member.pan);
        audit
    };
    let mut audit = json!({ "ok": balance.is_good(), "claim": "exact" });
    let own = [
        ("input_sha256", json!(input_sha256)),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("sample_rate_hz", json!(sound.rate)),
        ("duration_s", json!(all.frames as f64 / sound.rate)),
        ("notes", json!(all.notes)),
    ];
    let rest = [
        ("end_db", json!(all.end)),
        ("peak", json!(sound.peak)),
        ("clipped_samples", json!(sound.mix.buses.iter().map(|bus| bus.clipped).sum::<u64>())),
        ("players", json!(members.iter().map(player).collect::<Vec<Value>>())),
    ];
    let all = head.iter().cloned().chain(own).chain(balance.energies()).chain(rest);
    all.for_each(|(name, value)| audit[name] = value);
    audit
}
