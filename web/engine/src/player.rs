//! An instrument that is played: its plan goes in, then notes, and samples come out.
//!
//! Samples are float32, the channels of a frame in turn, with the bits of `hamiltone play`. But for loading, [`hamiltone_about`] and [`hamiltone_reset`]
//! nothing allocates.

#![expect(unsafe_code, reason = "names that are exported; the addresses are only handed out, never read")]

use crate::{
    about::about,
    exchange::{GOOD, NOT_GOOD, WRONG, answer, input},
};
use hamiltone_gestures::performance::{Action, RELEASE};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Engine, balance::Balance, engine::BLOCK};
use std::cell::RefCell;

struct Player {
    engine: Engine,
    about: String,
    block: Vec<f32>,
    balance: [f64; 10],
    /// The state at rest.
    rest: (Vec<u8>, Vec<f64>),
}

thread_local! {
    static PLAYER: RefCell<Option<Player>> = const { RefCell::new(None) };
}

impl Player {
    fn new(bytes: &[u8]) -> Result<Self, String> {
        let plan = InstrumentPlan::from_bytes(bytes).map_err(|error| error.to_string())?;
        let mut engine = Engine::new(&plan).map_err(|error| error.to_string())?;
        Ok(Self {
            about: about(&plan, &engine).to_string(),
            block: vec![0.0; BLOCK * engine.channels()],
            balance: [0.0; 10],
            rest: engine.save(),
            engine,
        })
    }
}

/// What the player answers; `none` where nothing is loaded.
fn player<T>(none: T, then: impl FnOnce(&mut Player) -> T) -> T {
    PLAYER.with_borrow_mut(|player| player.as_mut().map_or(none, then))
}

/// Lets an action act from the next sample on.
fn act(action: Action) -> i32 {
    player(NOT_GOOD, |player| if player.engine.act(action) { GOOD } else { NOT_GOOD })
}

/// A key from a number of the interface; none where there is no such key.
fn key(number: u32) -> Option<u8> {
    u8::try_from(number).ok()
}

/// Loads the instrument whose plan is the input ([`hamiltone_plan::stored`]), in place of the one before. 0, or 2 with the reason as the answer; then nothing is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_load() -> i32 {
    // The memory of the one before serves the next.
    PLAYER.set(None);
    match Player::new(&input()) {
        Ok(player) => {
            PLAYER.set(Some(player));
            GOOD
        }
        Err(error) => answer(error, WRONG),
    }
}

/// What is known of the instrument, as JSON in the answer: see [`about()`].
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_about() -> i32 {
    player(NOT_GOOD, |player| answer(player.about.as_bytes(), GOOD))
}

/// Strikes a key, as MIDI numbers them, at a velocity of 0 to 1; 1 where the instrument does not have it.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_note_on(number: u32, velocity: f64) -> i32 {
    key(number).map_or(NOT_GOOD, |key| act(Action::NoteOn { key, velocity }))
}

/// Releases a key.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_note_off(number: u32) -> i32 {
    key(number).map_or(NOT_GOOD, |key| act(Action::NoteOff { key, velocity: RELEASE }))
}

/// A controller as MIDI numbers them, at 0 to 1: 64 is the sustain pedal, 120 ends all sound, 123 all notes. 1 where the instrument does not follow it.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_control(number: u32, value: f64) -> i32 {
    match key(number) {
        Some(120) => act(Action::AllSoundOff),
        Some(123) => act(Action::AllNotesOff),
        Some(number) => act(Action::Control { number, value }),
        None => NOT_GOOD,
    }
}

/// Bends all strings by so many semitones, at most 24 either way; 1 where there is nothing to bend.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_bend(semitones: f64) -> i32 {
    act(Action::Bend { semitones })
}

/// Presses on a key that was struck, or where there is no such key, as 128, on all, at 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_pressure(number: u32, value: f64) -> i32 {
    act(Action::Pressure { key: key(number).filter(|key| *key < 128), value })
}

/// Moves a parameter, by its number in the order of `parameters` of [`about()`], to a value in its unit, without a click; 1 where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_set_parameter(number: usize, value: f64) -> i32 {
    act(Action::Parameter { number, value })
}

/// Chooses a program, 0 to 127, for the notes that follow.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_program(number: u32) -> i32 {
    key(number).map_or(NOT_GOOD, |program| act(Action::Program(program)))
}

/// Puts everything to rest at once, and begins a new energy balance.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_reset() -> i32 {
    player(NOT_GOOD, |player| {
        let (state, numbers) = &player.rest;
        if player.engine.restore(state, numbers).is_ok() { GOOD } else { NOT_GOOD }
    })
}

/// The address of the next samples, at most 1024 frames, valid until the next call; 0 where nothing is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_process(frames: usize) -> *const f32 {
    player(std::ptr::null(), |Player { engine, block, .. }| {
        let samples = frames.min(BLOCK) * engine.channels();
        engine.render(&mut block[..samples]);
        block.as_ptr()
    })
}

/// The address of ten numbers on what was played so far: energy supplied, dissipated, put to rest and stored, work of contacts (J); largest relative
/// residual and its tolerance; 1 where every part is balanced, else 0; gestures that were refused; keys that are held. 0 where nothing is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn hamiltone_balance() -> *const f64 {
    player(std::ptr::null(), |Player { engine, balance: numbers, .. }| {
        engine.settle();
        let balance = Balance::of([&*engine]);
        *numbers = [
            balance.supplied,
            balance.dissipated,
            balance.slept,
            balance.stored,
            balance.contact_work,
            balance.residual.0,
            balance.residual.1,
            f64::from(u8::from(balance.is_good())),
            balance.refused as f64,
            engine.held() as f64,
        ];
        numbers.as_ptr()
    })
}
