//! What a host can set and what a state holds: the instrument, its preset, the level, and the slots of its parameters.

use crate::{
    choice::Choice,
    shown::Shown,
    slot::{self, MIDDLE},
};
use nice_plug::{
    params::persist::PersistentField,
    prelude::{EnumParam, FloatParam, FloatRange, IntParam, IntRange, Params, SmoothingStyle},
};
use std::{
    array, env,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

/// The variable of the environment that names the file of an instrument.
pub const VARIABLE: &str = "HAMILTONE_INSTRUMENT";
/// How many parameters of an instrument can be moved.
pub const SLOTS: usize = 16;
/// The greatest number of a preset; 0 is none.
pub const PRESETS: i32 = 32;
/// What is played at first, where no file is named: it loads fast, and costs little.
const FIRST: &str = "marimba";
/// How long the level takes to a new value, ms.
const LEVEL_TIME: f32 = 10.0;

/// All settings of an instance.
#[derive(Params)]
pub struct Settings {
    /// The file of the user's instrument.
    #[persist = "file"]
    pub file: File,
    /// Which instrument is played.
    #[id = "instrument"]
    pub instrument: EnumParam<Choice>,
    /// Which preset of it, from 1 on by name; 0 for none.
    #[id = "preset"]
    pub preset: IntParam,
    /// The level of the sound, dB.
    #[id = "level"]
    pub level: FloatParam,
    /// The slots of its parameters.
    #[nested(array)]
    pub slots: [Slot; SLOTS],
}

/// A slot.
#[derive(Params)]
pub struct Slot {
    /// Its position.
    #[id = "p"]
    pub position: FloatParam,
}

impl Settings {
    /// Those of a new instance, whose texts tell of what is shown.
    pub fn new(shown: &Arc<Shown>) -> Self {
        let file = File::default();
        let first = if file.path().is_some() { Choice::FILE } else { Choice::named(FIRST) };
        let (of_value, of_change) = (shown.clone(), shown.clone());
        let preset = IntParam::new("Preset", 0, IntRange::Linear { min: 0, max: PRESETS })
            .with_callback(Arc::new(move |number| of_change.choose(number)))
            .with_value_to_string(Arc::new(move |number| of_value.preset_text(number)));
        let of_text = shown.clone();
        let level = FloatRange::Linear { min: -60.0, max: 12.0 };
        Self {
            file,
            instrument: EnumParam::new("Instrument", first),
            preset: preset.with_string_to_value(Arc::new(move |text| of_text.preset_number(text))),
            level: FloatParam::new("Level", 0.0, level)
                .with_unit(" dB")
                .with_value_to_string(Arc::new(|db| format!("{:.1}", db + 0.0)))
                .with_smoother(SmoothingStyle::Linear(LEVEL_TIME)),
            slots: array::from_fn(|number| Slot::new(number, shown)),
        }
    }
}

impl Slot {
    fn new(number: usize, shown: &Arc<Shown>) -> Self {
        let (of_value, of_text) = (shown.clone(), shown.clone());
        let range = FloatRange::Linear { min: 0.0, max: 1.0 };
        let position = FloatParam::new(format!("P{}", number + 1), MIDDLE, range)
            .with_value_to_string(Arc::new(move |position| of_value.slot_text(number, position.into())))
            .with_string_to_value(Arc::new(move |text| {
                of_text.slot_position(number, slot::number(text)?).map(|position| position as f32)
            }));
        Self { position }
    }
}

/// The path of the file of an instrument, and how many times it was set: by a state.
pub struct File {
    path: Mutex<String>,
    version: AtomicU32,
}

impl Default for File {
    fn default() -> Self {
        Self { path: Mutex::new(env::var(VARIABLE).unwrap_or_default()), version: AtomicU32::new(0) }
    }
}

impl File {
    /// The path; `None` where none was named.
    pub fn path(&self) -> Option<PathBuf> {
        self.map(|path| (!path.is_empty()).then(|| path.into()))
    }

    /// How many times it was set.
    pub fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }
}

impl PersistentField<'_, String> for File {
    /// A state that names no file leaves that of the environment.
    fn set(&self, path: String) {
        if !path.is_empty() {
            *self.path.lock().unwrap_or_else(PoisonError::into_inner) = path;
            self.version.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn map<F: Fn(&String) -> R, R>(&self, f: F) -> R {
        f(&self.path.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
