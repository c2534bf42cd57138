//! Instruments are loaded on another thread than that of the sound, and those that were played are dropped there.

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
use std::{error::Error, path::PathBuf, sync::Arc};

/// What is to be played: another one is loaded where it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    choice: Choice,
    /// How many times the file of the user was set, where it is the one.
    file: u32,
    /// Samples per second.
    rate: f64,
}

/// What is done in the background.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// An instrument is loaded.
    Load(Wanted),
    /// Those that were played are dropped.
    Drop,
}

/// An instrument that was loaded, or the silence of one that could not be.
pub struct Loaded {
    /// What it is.
    pub wanted: Wanted,
    /// What plays it.
    pub player: Option<Player>,
}

/// What loads, and the queues between it and the sound.
pub struct Loader {
    settings: Arc<Settings>,
    shown: Arc<Shown>,
    ready: ArrayQueue<Box<Loaded>>,
    played: ArrayQueue<Box<Loaded>>,
}

impl Loader {
    /// One that loads what the settings say, and tells of it.
    pub fn new(settings: Arc<Settings>, shown: Arc<Shown>) -> Self {
        Self { settings, shown, ready: ArrayQueue::new(1), played: ArrayQueue::new(4) }
    }

    /// What the settings say is to be played at a rate, Hz.
    pub fn wanted(&self, rate: f64) -> Wanted {
        let Settings { instrument, file, .. } = &*self.settings;
        let choice = instrument.value();
        Wanted { choice, file: if choice == Choice::FILE { file.version() } else { 0 }, rate }
    }

    /// Does a task.
    pub fn execute(&self, task: Task) {
        while self.played.pop().is_some() {}
        if let Task::Load(wanted) = task {
            // By now another one may be wanted, whose task follows.
            if wanted == self.wanted(wanted.rate) {
                self.load(wanted);
            }
        }
    }

    fn load(&self, wanted: Wanted) {
        let (player, about) = match self.open(wanted) {
            Ok((player, about)) => (Some(player), about),
            Err(error) => {
                let error = error.to_string();
                eprintln!("hamiltone: {error}");
                (None, About { error: Some(error), ..About::default() })
            }
        };
        self.shown.show(about);
        // One that nobody has taken is dropped.
        self.ready.force_push(Box::new(Loaded { wanted, player }));
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

    /// Takes what was loaded in place of what was played, which waits to be dropped by the next task. It neither waits nor allocates nor drops. `true` where it took
    /// the one that is wanted.
    pub fn exchange(&self, playing: &mut Option<Box<Loaded>>, wanted: Wanted) -> bool {
        if self.played.is_full() {
            return false;
        }
        let Some(loaded) = self.ready.pop() else { return false };
        let is_wanted = loaded.wanted == wanted;
        let old = if is_wanted { playing.replace(loaded) } else { Some(loaded) };
        if let Some(Err(_)) = old.map(|old| self.played.push(old)) {
            unreachable!("there is room");
        }
        is_wanted
    }
}
