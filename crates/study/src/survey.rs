//! A survey of an instrument: every key at several velocities, each note from rest and struck again, and what is measured of it.
//!
//! 1. [`keys`] – which keys; [`stroke`] – what is played and measured of one, with the [`partials`] of its sound
//! 2. [`findings`] – what stands out: neighbours of different levels, keys that are out of tune, the worst repeated stroke
//! 3. [`rows`] – the table; [`picture`] – the charts of its page
//!
//! Notes are independent of each other, and each begins from the same state: the table has the same bits for any number of threads. The time
//! that a block takes depends on the machine, and is not in the table.

pub mod findings;
pub mod keys;
pub mod partials;
pub mod picture;
pub mod rows;
pub mod stroke;

use crate::failure::Failure;
use hamiltone_gestures::note::Note;
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::{Engine, Player};
use rayon::{ThreadPool, prelude::*};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use stroke::{Conditions, Stroke};

/// What was found of an instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The title of the instrument.
    pub title: String,
    /// Its keys that were played, ascending.
    pub keys: Vec<u8>,
    /// Those of them between which the instrument has no other.
    pub neighbours: Vec<[u8; 2]>,
    /// The velocities, 1 to 127, ascending.
    pub velocities: Vec<u8>,
    /// How every note was played.
    pub conditions: Conditions,
    /// Whether a formula of the instrument asks for the frequency of a key.
    pub is_tuned: bool,
    /// The frequency of A4, Hz.
    pub a4: f64,
    /// The sample rate, Hz.
    pub rate: f64,
    /// The notes: all velocities of the first key, then of the next.
    pub strokes: Vec<Stroke>,
}

/// Plays keys of an instrument at velocities of 1 to 127 on the threads of a pool; `each` is told of every note that is done.
///
/// # Errors
/// An instrument that cannot be played, and [`Failure::Stopped`] where `stop` became true.
pub fn survey(
    plan: &InstrumentPlan,
    (keys, velocities): (&[u8], &[u8]),
    conditions: Conditions,
    pool: &ThreadPool,
    (stop, each): (&AtomicBool, &(dyn Fn() + Sync)),
) -> Result<Survey, Failure> {
    let engine = || Engine::new(plan).map_err(|error| Failure::Other(error.to_string()));
    let first = engine()?;
    let rate = first.rate();
    // As many engines as notes sound at a time.
    let idle = Mutex::new(vec![Player::new(first)]);
    let players = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let note = |(key, velocity): (u8, u8)| {
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::Stopped);
        }
        // The lock is held for this statement alone.
        let waiting = players().pop();
        let mut player = match waiting {
            Some(player) => player,
            None => Player::new(engine()?),
        };
        let stroke = Stroke::of(&mut player, plan, (key, velocity), &conditions);
        players().push(player);
        each();
        Ok(stroke)
    };
    let all: Vec<(u8, u8)> =
        keys.iter().flat_map(|key| velocities.iter().map(move |velocity| (*key, *velocity))).collect();
    let strokes = pool.install(|| all.into_par_iter().map(note).collect::<Result<Vec<Stroke>, Failure>>())?;
    let own = plan.keys();
    let neighbours = own.windows(2).map(|two| [two[0], two[1]]);
    Ok(Survey {
        title: plan.plan.title.clone(),
        keys: keys.into(),
        neighbours: neighbours.filter(|two| two.iter().all(|key| keys.contains(key))).collect(),
        velocities: velocities.into(),
        conditions,
        is_tuned: plan.is_tuned,
        a4: plan.a4,
        rate,
        strokes,
    })
}

impl Survey {
    /// A note.
    pub fn stroke(&self, key: u8, velocity: u8) -> Option<&Stroke> {
        self.strokes.iter().find(|stroke| (stroke.key, stroke.velocity) == (key, velocity))
    }

    /// The notes at one velocity, by ascending keys.
    pub fn at(&self, velocity: u8) -> impl Iterator<Item = &Stroke> {
        self.strokes.iter().filter(move |stroke| stroke.velocity == velocity)
    }

    /// What a key is called: its note, or of an instrument without pitches, such as drums, its MIDI number.
    pub fn label(&self, key: u8) -> String {
        if self.is_tuned { name(key) } else { key.to_string() }
    }

    /// What went wrong, by note; empty where every energy balance holds.
    pub fn troubles(&self) -> Vec<String> {
        let of = |stroke: &Stroke| {
            let trouble = stroke.trouble.as_ref()?;
            Some(format!("{} at velocity {}: {trouble}", self.label(stroke.key), stroke.velocity))
        };
        self.strokes.iter().filter_map(of).collect()
    }
}

/// The name of a key, such as C4.
pub fn name(key: u8) -> String {
    Note::of_key(key).to_string()
}
