//! Instruments are loaded on another thread than that of the sound, and those that were played are dropped there.
//!
//! What was loaded last is in the queue `ready` or is played: it is loaded again only after another one.

use crate::{
    choice::Choice,
    player::Player,
    settings::{Settings, VARIABLE},
    shown::{About, Shown},
};
use crossbeam_queue::ArrayQueue;
use hamiltone_play::Engine;
use hamiltone_scene::{
    Limits,
    instrument::{Instrument, preset},
};
use std::{
    error::Error,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// What is to be played: another one is loaded where it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    choice: Choice,
    /// How many times the file of the user was set, where it is the one.
    file: u32,
    /// Samples per second.
    rate: f64,
}

/// An instrument that was loaded, or the silence of one that could not be.
pub struct Loaded {
    /// What plays it.
    pub player: Option<Player>,
}

/// What loads, and the queues between it and the sound.
pub struct Loader {
    settings: Arc<Settings>,
    shown: Arc<Shown>,
    /// Samples per second, as bits; 0 before the first activation.
    rate: AtomicU64,
    /// What was loaded last. It is locked during a load: an activation waits for one in the background.
    last: Mutex<Option<Wanted>>,
    ready: ArrayQueue<Box<Loaded>>,
    played: ArrayQueue<Box<Loaded>>,
}

impl Loader {
    /// One that loads what the settings say, and tells of it.
    pub fn new(settings: Arc<Settings>, shown: Arc<Shown>) -> Self {
        let (ready, played) = (ArrayQueue::new(1), ArrayQueue::new(4));
        Self { settings, shown, rate: AtomicU64::new(0), last: Mutex::new(None), ready, played }
    }

    /// From now on instruments are wanted at this rate, Hz.
    pub fn set_rate(&self, rate: f64) {
        self.rate.store(rate.to_bits(), Ordering::Relaxed);
    }

    /// What the settings say is to be played; nothing before there is a rate.
    pub fn wanted(&self) -> Option<Wanted> {
        let Settings { instrument, file, .. } = &*self.settings;
        let (choice, rate) = (instrument.value(), f64::from_bits(self.rate.load(Ordering::Relaxed)));
        let file = if choice == Choice::FILE { file.version() } else { 0 };
        (rate > 0.0).then_some(Wanted { choice, file, rate })
    }

    /// Drops those that were played.
    pub fn drop_played(&self) {
        while self.played.pop().is_some() {}
    }

    /// Loads what is wanted, unless it was loaded last. It waits, and allocates.
    pub fn load(&self) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(wanted) = self.wanted().filter(|wanted| *last != Some(*wanted)) {
            let opened = self.open(wanted);
            // By now another one may be wanted, which is loaded instead.
            if self.wanted() == Some(wanted) {
                self.give(opened);
                *last = Some(wanted);
            }
        }
    }

    /// Shows what was opened, or why it could not be, and gives it to the sound.
    fn give(&self, opened: Result<(Player, About), Box<dyn Error>>) {
        let (player, about) = match opened {
            Ok((player, about)) => (Some(player), about),
            Err(error) => {
                let error = error.to_string();
                eprintln!("hamiltone: {error}");
                (None, About { error: Some(error), ..About::default() })
            }
        };
        self.shown.show(about);
        // One that nobody has taken is dropped.
        self.ready.force_push(Box::new(Loaded { player }));
    }

    fn open(&self, wanted: Wanted) -> Result<(Player, About), Box<dyn Error>> {
        let path = self.path(wanted.choice)?;
        let instrument = Instrument::open(&path, &[], Limits::default())?;
        let plan = instrument.cached(wanted.rate, hamiltone_shipped::plans().as_ref())?;
        let parameters = plan.parameters.clone();
        let defaults = parameters.iter().map(|parameter| parameter.default).collect::<Vec<f64>>();
        let mut presets = vec![("none".to_string(), defaults.clone())];
        for (name, file) in preset::list(&path) {
            // Presets are numbered: one that cannot be read leaves its number, and changes nothing.
            presets.push(match preset::read(&file, &parameters) {
                Ok(preset) => (preset.title, preset.values),
                Err(error) => {
                    eprintln!("hamiltone: {error}");
                    (format!("{name} cannot be read"), defaults.clone())
                }
            });
        }
        let values = presets.iter().map(|(_, values)| values.clone()).collect();
        let player = Player::new(Engine::new(&plan)?, values);
        Ok((player, About { parameters, presets, error: None }))
    }

    fn path(&self, choice: Choice) -> Result<PathBuf, Box<dyn Error>> {
        if choice != Choice::FILE {
            return Ok(hamiltone_shipped::path(choice.name())?.ok_or("it is not shipped")?);
        }
        let none = format!("no file of an instrument is named: set {VARIABLE}, or choose another instrument");
        Ok(self.settings.file.path().ok_or(none)?)
    }

    /// Takes what was loaded in place of what was played, which waits for [`Self::drop_played`]. It neither waits nor allocates nor drops. `true` where it took one.
    pub fn exchange(&self, playing: &mut Option<Box<Loaded>>) -> bool {
        if self.played.is_full() {
            return false;
        }
        let Some(loaded) = self.ready.pop() else { return false };
        if let Some(Err(_)) = playing.replace(loaded).map(|old| self.played.push(old)) {
            unreachable!("there is room");
        }
        true
    }
}
