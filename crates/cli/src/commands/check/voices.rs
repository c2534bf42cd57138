//! What a check of an instrument finds out by playing it, on a thread of its own: the command ends when its budget does, whatever
//! is under way.
//!
//! All keys or strings sound at once, then every key alone, each from rest at one velocity. The time is that of one processor. The
//! pitch of a key is the peak of its spectrum near the frequency that a player expects of it, of what is bowed or blown the frequency
//! with which it repeats itself once the note has settled.

use crate::resources::{peak_memory, process_seconds};
use hamiltone_gestures::note::equal_temperament;
use hamiltone_plan::instrument::{InstrumentPlan, Vibrato};
use hamiltone_play::{Engine, Player, engine::BLOCK};
use hamiltone_render::tuning::cents;
use hamiltone_report::{measure::pitch, peak::Window};
use hamiltone_scene::{Diagnostics, instrument::Instrument};
use hamiltone_study::clock::thread_seconds;
use std::{
    io,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// How fast keys go down: mezzo forte.
const VELOCITY: f64 = 80.0 / 127.0;
/// How long all voices together are timed, s of sound.
const TOGETHER: f64 = 0.25;
/// Over how many periods a pitch is measured: the window holds a fifth of them between half of its weights, and a peak lies on a
/// parabola of three bins.
const PERIODS: f64 = 100.0;
/// The shortest and the longest sound of a key, s: of 128 bins and more, and such that deep keys do not take all of the budget.
const SOUNDING: [f64; 2] = [0.1, 1.0];
/// How long a note that is bowed or blown takes to settle, s.
const SETTLING: f64 = 0.4;
/// As large as that of the main thread: values may be nested.
const STACK: usize = 8 << 20;

/// What was found of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// As MIDI numbers it.
    pub key: u8,
    /// The processor time for a second of its sound, s.
    pub cost: f64,
    /// How much too high it sounds, cents; `None` where no partial is heard near its frequency, or, of what is bowed or blown, nothing that
    /// repeats itself with it.
    pub cents: Option<f64>,
    /// Whether all parts kept their energy balance.
    pub is_balanced: bool,
}

/// What has been found out.
#[derive(Default)]
pub struct VoiceFindings {
    /// The plan, with the seconds from the start of the program to the first sample.
    pub plan: Option<(Box<InstrumentPlan>, f64)>,
    /// What the engine is: steps a sample of each part, and what it follows.
    pub parts: Vec<usize>,
    /// Whether strings can be bent.
    pub bends: bool,
    /// The processor time for a second of all keys or strings together, s.
    pub together: Option<f64>,
    /// The keys, in the order in which they were played.
    pub keys: Vec<Key>,
    /// The most memory that was used, bytes, where the system tells it.
    pub memory: Option<u128>,
    /// Why it cannot be played.
    pub refusal: Option<String>,
}

/// One thing that was found out.
enum VoiceMessage {
    Wrong(Diagnostics),
    Refused(String),
    Parts(Vec<usize>, bool),
    Plan(Box<InstrumentPlan>, f64, Option<u128>),
    Together(f64),
    Key(Key),
}

/// Finds out about an instrument what is possible within a budget, at a sample rate in Hz.
///
/// # Errors
/// What is wrong with the instrument.
pub fn find(
    instrument: Instrument,
    rate: f64,
    budget: Duration,
) -> io::Result<Result<VoiceFindings, Diagnostics>> {
    let (tell, hear) = channel();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        // Where nobody listens any more, the budget has ended.
        let _ = explore(instrument, rate, &tell);
    })?;
    Ok(collect(&hear, Instant::now().checked_add(budget)))
}

/// All that is told until the end of the work or the deadline.
fn collect(hear: &Receiver<VoiceMessage>, deadline: Option<Instant>) -> Result<VoiceFindings, Diagnostics> {
    let mut findings = VoiceFindings::default();
    loop {
        let left =
            deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
        match hear.recv_timeout(left) {
            Ok(VoiceMessage::Wrong(diagnostics)) => return Err(diagnostics),
            Ok(VoiceMessage::Refused(why)) => findings.refusal = Some(why),
            Ok(VoiceMessage::Parts(parts, bends)) => (findings.parts, findings.bends) = (parts, bends),
            Ok(VoiceMessage::Plan(plan, seconds, memory)) => {
                (findings.plan, findings.memory) = (Some((plan, seconds)), memory);
            }
            Ok(VoiceMessage::Together(cost)) => findings.together = Some(cost),
            Ok(VoiceMessage::Key(key)) => findings.keys.push(key),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(findings),
        }
    }
}

/// The work, in the order in which its results are worth waiting for.
fn explore(
    instrument: Instrument,
    rate: f64,
    tell: &Sender<VoiceMessage>,
) -> Result<(), std::sync::mpsc::SendError<VoiceMessage>> {
    let (begin, before) = (thread_seconds(), process_seconds());
    let mut plan = match instrument.plan(rate, None) {
        Ok(plan) => plan,
        Err(diagnostics) => return tell.send(VoiceMessage::Wrong(diagnostics)),
    };
    // A note with vibrato has no one pitch.
    let still = Vibrato { depth: 0.0, pressure: 0.0, ..plan.vibrato };
    let vibrato = std::mem::replace(&mut plan.vibrato, still);
    let engine = match Engine::new(&plan) {
        Ok(engine) => {
            tell.send(VoiceMessage::Parts(
                engine.islands().iter().map(|part| part.ratio()).collect(),
                engine.bends(),
            ))?;
            Some(engine)
        }
        Err(error) => {
            tell.send(VoiceMessage::Refused(error.to_string()))?;
            None
        }
    };
    plan.vibrato = vibrato;
    let units: Vec<Option<u8>> =
        plan.notes.units.iter().map(|unit| unit.keys.first().map(|note| note.key)).collect();
    let (keys, a4) = (plan.keys(), plan.a4);
    let is_sustained = plan.is_sustained();
    tell.send(VoiceMessage::Plan(Box::new(plan), before + thread_seconds() - begin, peak_memory()))?;
    let Some(engine) = engine else { return Ok(()) };
    let mut player = Player::new(engine);
    let together = played(&mut player.engine, units.into_iter().flatten(), TOGETHER).1;
    tell.send(VoiceMessage::Together(together))?;
    for key in keys {
        player.rest();
        let frequency = equal_temperament(f64::from(key), a4);
        let seconds = (PERIODS / frequency).clamp(SOUNDING[0], SOUNDING[1]);
        let (mut sound, cost) = played(&mut player.engine, [key], seconds);
        if is_sustained {
            played(&mut player.engine, [], SETTLING);
            sound = played(&mut player.engine, [], seconds.max(pitch::duration(frequency))).0;
        }
        let heard = if is_sustained {
            pitch::repetition(&sound, rate, frequency)
        } else {
            Window::new(&sound, rate)
                .and_then(|window| window.peak_near(frequency))
                .map(|peak| peak.frequency)
        };
        let cents = heard.map(|heard| cents(heard, frequency));
        tell.send(VoiceMessage::Key(Key { key, cost, cents, is_balanced: player.engine.is_balanced() }))?;
    }
    Ok(())
}

/// So many seconds of some keys that go down at once, all channels added, and the processor time for a second of it, s.
fn played(engine: &mut Engine, keys: impl IntoIterator<Item = u8>, seconds: f64) -> (Vec<f64>, f64) {
    let begin = thread_seconds();
    keys.into_iter().for_each(|key| _ = engine.note_on(key, VELOCITY));
    let (channels, frames) = (engine.channels().max(1), (seconds * engine.rate()).round() as usize);
    let mut block = vec![0.0; BLOCK * channels];
    let mut sound = Vec::with_capacity(frames + BLOCK);
    while sound.len() < frames {
        engine.render(&mut block);
        sound.extend(block.chunks_exact(channels).map(|frame| frame.iter().sum::<f64>()));
    }
    (sound, (thread_seconds() - begin) / seconds)
}
