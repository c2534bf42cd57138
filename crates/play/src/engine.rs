//! An instrument that is played: notes go in, samples come out, block by block.
//!
//! The system of the instrument is split into the parts that nothing connects ([`hamiltone_core::islands`]), and each is stepped
//! by itself ([`island`]). Notes and pedals become gestures (`voices`), which act on the inputs of the parts from the next
//! sample on; the parts' pickups are mixed into channels (`mixer`, `console`). The energy balance of every part is kept at every step.
//!
//! What is known before it is due, as all events of a performance are, is told at its time by [`Engine::pass`] and computed later: parts then run for
//! long before they meet again, and on all threads (`team`).
//!
//! While it plays it does not allocate, lock, log, fail or panic. Its bits do not depend on the size of the blocks nor on the number of threads.

mod bend;
mod block;
mod budget;
mod console;
mod feed;
mod gestured;
pub mod island;
pub mod mark;
mod mixer;
mod moves;
mod parameters;
mod queue;
mod rendering;
mod setup;
mod stage;
mod team;
mod voices;

pub use block::{BLOCK, Sample};
pub use island::{Activity, Island};
pub use parameters::MAX_BEND;
pub use setup::Unplayable;

use bend::VibratoOrder;
use console::Console;
use hamiltone_core::{audit::Audit, saved::Mismatch, state::Archive};
use hamiltone_gestures::performance::{Action, controller};
use hamiltone_plan::{
    control_curve::ControlCurve, instrument::InstrumentPlan, notes::level, output::BusPlan,
};
use island::Order;
use parameters::Parameters;
use setup::Parts;
use stage::{Stage, Stroke, Target};
use std::sync::Arc;
use voices::{Gestures, Voices};

/// An instrument that is played.
///
/// ```
/// use hamiltone_play::engine::Engine;
/// use hamiltone_scene::instrument::Instrument;
///
/// let text = r#"
///     hamiltone = 2
///     [instrument]
///     keys = "A4..B4"
///     [key.body.fork]
///     kind = "oscillator"
///     mass = "2 g"
///     frequency = "{frequency} Hz"
///     decay_time = "2 s"
///     [key.pickup.fork]
///     at = "fork"
///     quantity = "velocity"
///     [[note_on]]
///     gesture = "strike"
///     at = "fork"
///     speed = "{velocity} m/s"
/// "#;
/// let plan = Instrument::new(text, "fork.toml", ".".as_ref(), &[]).plan(48_000.0, None)?;
/// let mut engine = Engine::new(&plan)?;
/// engine.note_on(69, 0.8);
/// let mut block = [0.0_f32; 2 * 256];
/// engine.render(&mut block);
/// assert!(block.iter().any(|x| x.abs() > 1e-3) && engine.is_balanced());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    rate: f64,
    buses: Vec<BusPlan>,
    /// The number of channels of each.
    counts: Vec<usize>,
    /// The number of samples that have passed: those so far, or where more is known, more.
    passed: u64,
    islands: Vec<Island>,
    /// Where each gesture acts.
    targets: Arc<[Target]>,
    voices: Voices,
    parameters: Parameters,
    /// The strokes of each key or string.
    strokes: Vec<Stroke>,
    /// How the velocity of a key and the position of the sustain pedal are mapped.
    velocity_curve: ControlCurve,
    pedal_curve: ControlCurve,
    console: Console,
    /// By how many samples the sound is behind.
    delay: usize,
    /// The most samples that parts compute at a time, and whether on all threads.
    window: usize,
    threads: bool,
    /// How many parts may be stepped at once.
    budget: Option<usize>,
    /// Whether there are strings whose tension can be changed.
    bends: bool,
    /// Whether there is a vibrato, and the notes that have it now ([`Voices::stopped`]).
    vibrates: bool,
    stopped: (usize, u64),
}

/// Every so many samples, 3 ms at 48 kHz, keys follow the sustain pedal and the pressure on them.
pub const FOLLOW: u64 = 128;

/// The longest window of parts on all threads, samples: long beside the time in which threads begin and end it.
const WINDOW: usize = 4096;
/// The memory that the samples of all parts in a window may take, bytes.
const WINDOW_BYTES: usize = 64 << 20;

impl Engine {
    /// An instrument at rest.
    ///
    /// # Errors
    /// Where the scheme refuses a part of it, or where it does not start at rest.
    pub fn new(instrument: &InstrumentPlan) -> Result<Self, Unplayable> {
        let Parts { rate, buses, counts, islands, targets, voices, parameters, console, delay } =
            setup::parts(instrument)?;
        let mut engine = Self {
            rate,
            buses,
            counts,
            passed: 0,
            bends: islands.iter().any(Island::bends),
            vibrates: islands.iter().any(Island::can_vibrate),
            stopped: (0, 0),
            islands,
            targets,
            strokes: vec![Stroke::default(); instrument.notes.units.len()],
            voices,
            parameters,
            velocity_curve: instrument.velocity_curve.clone(),
            pedal_curve: instrument.pedal_curve.clone(),
            console,
            delay,
            window: BLOCK,
            threads: false,
            budget: None,
        };
        engine.begin();
        Ok(engine)
    }

    /// The same, its parts stepped by all cores: for sound that is rendered, not played live. Its bits are the same.
    #[must_use]
    pub fn on_all_cores(mut self) -> Self {
        let bytes: usize = self.islands.iter().map(Island::bytes).sum();
        self.window = (WINDOW_BYTES / bytes.max(1)).clamp(BLOCK, WINDOW);
        self.islands.iter_mut().for_each(|island| island.reserve(self.window));
        self.console.reserve(self.window);
        self.threads = true;
        self
    }

    /// Samples per second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The buses, whose channels follow each other in a frame.
    pub fn buses(&self) -> &[BusPlan] {
        &self.buses
    }

    /// The number of channels of a frame.
    pub fn channels(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The number of channels of each bus.
    pub fn channels_of_buses(&self) -> Vec<usize> {
        self.counts.clone()
    }

    /// By how many samples the sound is behind the notes: the delay of the low-pass where parts take several steps a sample.
    pub fn delay(&self) -> usize {
        self.delay
    }

    /// The time of the next sample, s.
    pub fn now(&self) -> f64 {
        self.frames() as f64 / self.rate
    }

    /// The number of samples so far.
    pub fn frames(&self) -> u64 {
        self.console.frames
    }

    /// The number of the sample at which the next action acts: that of the next sample, or a later one after [`Engine::pass`].
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Whether it has strings that can be bent.
    pub fn bends(&self) -> bool {
        self.bends
    }

    /// Whether the instrument has a key in the program that is chosen.
    pub fn has(&self, key: u8) -> bool {
        self.voices.has(key)
    }

    /// Whether an action that is no note can have an effect.
    pub fn follows(&self, action: Action) -> bool {
        use controller::{EXPRESSION, SOSTENUTO, SUSTAIN, UNA_CORDA, VOLUME};
        match action {
            // What is at rest changes nothing, and is missed by nobody.
            Action::Control { value, .. } | Action::Pressure { value, .. } if value == 0.0 => true,
            Action::Control { number: UNA_CORDA, .. } => self.voices.has_soft(),
            Action::Control { number, .. } => {
                [SUSTAIN, SOSTENUTO, VOLUME, EXPRESSION].contains(&number)
                    || self.voices.has_controller(number)
                    || self.moved_by(number).is_some()
                    || number == controller::MODULATION && self.vibrates
            }
            Action::Bend { semitones } => semitones == 0.0 || self.bends && semitones.abs() <= MAX_BEND,
            Action::Pressure { .. } => self.voices.has_pressure(),
            Action::Parameter { number, .. } => number < self.parameters().len(),
            _ => true,
        }
    }

    /// Lets an action of a performance act from the next sample on; `false` where it has no effect on this instrument.
    pub fn act(&mut self, action: Action) -> bool {
        match action {
            Action::NoteOn { key, velocity } => return self.note_on(key, velocity),
            Action::NoteOff { key, .. } => self.note_off(key),
            Action::Control { number, value } => _ = self.control(number, value),
            Action::AllNotesOff => self.release_keys(),
            // At once it would be a click: what rings is damped as any note that ends.
            Action::AllSoundOff => self.release_all(),
            Action::Bend { semitones } => _ = self.bend(semitones),
            Action::Pressure { key, value } => self.pressure(key, value),
            Action::Parameter { number, value } => _ = self.set_parameter(number, value),
            Action::Program(program) => self.voices.choose(program),
        }
        self.follows(action)
    }

    /// What gestures act on from the next sample on, beside what makes them.
    fn stage(&mut self) -> (Stage<'_>, &mut Voices) {
        let Self { passed: frame, rate, targets, islands, strokes, voices, .. } = self;
        voices.now = *frame as f64 / *rate;
        (Stage { frame: *frame, now: voices.now, targets, islands, strokes }, voices)
    }

    /// Presses on a key that was struck, or on all, at 0 to 1: its part follows within [`FOLLOW`] samples, by the last pressure.
    pub fn pressure(&mut self, key: Option<u8>, value: f64) {
        self.voices.pressure(key, level(value));
    }

    /// Releases all keys; pedals hold their notes.
    pub fn release_keys(&mut self) {
        let (mut stage, voices) = self.stage();
        voices.keys_off(&mut |gestures| stage.begin(gestures));
        self.vibrate();
    }

    /// Releases all keys and pedals.
    pub fn release_all(&mut self) {
        let (mut stage, voices) = self.stage();
        voices.all_off(&mut |gestures| stage.begin(gestures));
        self.vibrate();
    }

    /// Strikes a key at a velocity of 0 to 1, which the curve of the instrument maps; `false` where the instrument does not have it.
    pub fn note_on(&mut self, key: u8, velocity: f64) -> bool {
        let velocity = self.velocity_curve.at(velocity);
        let (mut stage, voices) = self.stage();
        let played = voices.note_on(key, velocity, &mut |gestures| stage.begin(gestures));
        self.vibrate();
        played
    }

    /// Begins or ends the vibrato as the notes say that have one: it begins anew with a note that follows another, goes on while one is added, and ends with the last.
    fn vibrate(&mut self) {
        let (before, last_before) = std::mem::replace(&mut self.stopped, self.voices.stopped());
        let (now, last) = self.stopped;
        let is_new = last > last_before && (before == 0 || now <= before);
        match (now, before) {
            (0, 1..) => self.order_vibrato(VibratoOrder::End),
            _ if is_new => self.order_vibrato(VibratoOrder::Begin),
            _ => {}
        }
    }

    fn order_vibrato(&mut self, order: VibratoOrder) {
        if self.vibrates {
            self.islands.iter_mut().for_each(|island| island.order(self.passed, Order::Vibrate(order)));
        }
    }

    /// Releases a key.
    pub fn note_off(&mut self, key: u8) {
        let (mut stage, voices) = self.stage();
        voices.note_off(key, &mut |gestures| stage.begin(gestures));
        self.vibrate();
    }

    /// A controller as MIDI numbers them, at a value of 0 to 1: 64 sustain, which the curve of the instrument maps, 66 sostenuto, 67 soft, 7 volume, 11
    /// expression, and those that the instrument follows itself, within [`FOLLOW`] samples. `false` of any other, which does nothing.
    ///
    /// Where the instrument has `pedal_move`, its keys follow the sustain pedal within [`FOLLOW`] samples, by its last position; else it
    /// is down from 0.5 on.
    pub fn control(&mut self, number: u8, value: f64) -> bool {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let position = level(self.pedal_curve.at(value));
        let (mut stage, voices) = self.stage();
        let begin = &mut |gestures: Gestures<'_>| stage.begin(gestures);
        match number {
            controller::SUSTAIN => voices.sustain(position, begin),
            controller::SOSTENUTO => voices.sostenuto(value >= 0.5, begin),
            controller::UNA_CORDA => voices.soft(value >= 0.5),
            // The square, as General MIDI recommends: 40 log₁₀ of the value in dB.
            controller::VOLUME => self.parameters.volume = value * value,
            controller::EXPRESSION => self.parameters.expression = value * value,
            other => {
                let followed = self.follow_controller(other, value);
                return self.move_by(other, value) || followed;
            }
        }
        self.vibrate();
        self.turn();
        true
    }

    /// The state: that of the simulations of all parts, and all other numbers that the next block depends on. All samples that have passed
    /// are to be computed before.
    pub fn save(&mut self) -> (Vec<u8>, Vec<f64>) {
        let mut state = Vec::new();
        for island in &mut self.islands {
            let bytes = island.save();
            state.extend((bytes.len() as u64).to_le_bytes());
            state.extend(bytes);
        }
        let mut numbers = Vec::new();
        self.archive(&mut Archive::Write(&mut numbers));
        (state, numbers)
    }

    /// Continues from a saved state of the same instrument: the next blocks have the same bits.
    ///
    /// # Errors
    /// Where it is the state of another instrument; what it was restored to until then is of no use.
    pub fn restore(&mut self, mut state: &[u8], numbers: &[f64]) -> Result<(), Mismatch> {
        for island in &mut self.islands {
            let (length, rest) = state.split_first_chunk::<8>().ok_or(Mismatch::Malformed)?;
            let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| Mismatch::Malformed)?;
            let (bytes, rest) = rest.split_at_checked(length).ok_or(Mismatch::Malformed)?;
            island.restore(bytes)?;
            state = rest;
        }
        let mut archive = Archive::Read(numbers);
        self.archive(&mut archive);
        if archive.is_read() { Ok(()) } else { Err(Mismatch::Malformed) }
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.console.archive(archive);
        if archive.reads() {
            self.passed = self.frames();
        }
        self.islands.iter_mut().for_each(|island| island.archive(archive));
        self.voices.archive(archive);
        self.stopped = self.voices.stopped();
        self.strokes.iter_mut().for_each(|stroke| stroke.archive(archive));
        self.parameters.archive(archive);
    }

    /// The parts of the instrument.
    pub fn islands(&self) -> &[Island] {
        &self.islands
    }

    /// The energy balances of all parts.
    pub fn audits(&self) -> impl Iterator<Item = &Audit> {
        self.islands.iter().map(Island::audit)
    }

    /// Draws the energy balances of all parts up to now: between audit points they are known by what flowed.
    pub fn settle(&mut self) {
        self.islands.iter_mut().for_each(Island::settle);
    }

    /// Whether every part is finite and keeps its energy balance.
    pub fn is_balanced(&self) -> bool {
        self.audits().all(|audit| audit.ok(0.0))
    }

    /// Whether gestures wait for their time, or a pedal or a pressure is still to be followed.
    pub fn waits(&self) -> bool {
        self.voices.is_pending() || self.islands.iter().any(Island::waits)
    }

    /// The factor of the volume controllers now.
    pub fn gain(&self) -> f64 {
        self.console.gain()
    }

    /// Whether nothing moves: all parts sleep.
    pub fn is_at_rest(&self) -> bool {
        self.islands.iter().all(|island| island.activity() != Activity::Awake)
    }

    /// How many notes are held by keys or pedals.
    pub fn held(&self) -> usize {
        self.voices.held()
    }
}
