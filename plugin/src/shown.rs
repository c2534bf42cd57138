//! What a host shows of the instrument that is loaded: names and values of its parameters, names of its presets, or why there is none.

use crate::slot;
use hamiltone_plan::parameter::ParameterPlan;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

/// An instrument, for texts.
#[derive(Default)]
pub struct About {
    /// Its parameters.
    pub parameters: Vec<ParameterPlan>,
    /// Its presets: the name and the values of all parameters of each. The first is that of the defaults.
    pub presets: Vec<(String, Vec<f64>)>,
    /// Why there is none.
    pub error: Option<String>,
}

/// What is shown now. The thread of the sound does not look at it.
#[derive(Default)]
pub struct Shown {
    about: Mutex<About>,
    preset: AtomicUsize,
}

impl Shown {
    fn about(&self) -> MutexGuard<'_, About> {
        self.about.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows another instrument.
    pub fn show(&self, about: About) {
        *self.about() = about;
    }

    /// Why no instrument is loaded.
    pub fn error(&self) -> Option<String> {
        self.about().error.clone()
    }

    /// Another preset is the chosen one.
    pub fn choose(&self, number: i32) {
        self.preset.store(number as usize, Ordering::Relaxed);
    }

    /// The name of a preset.
    pub fn preset_text(&self, number: i32) -> String {
        self.about().presets.get(number as usize).map_or_else(|| "–".into(), |(name, _)| name.clone())
    }

    /// The number of the preset of a name, or in a text.
    pub fn preset_number(&self, text: &str) -> Option<i32> {
        let number = self.about().presets.iter().position(|(name, _)| name == text.trim());
        number.map(|number| number as i32).or_else(|| text.trim().parse().ok())
    }

    /// What a slot does at a position.
    pub fn slot_text(&self, number: usize, position: f64) -> String {
        let about = self.about();
        match (self.parameter(&about, number), &about.error) {
            (Some((parameter, base)), _) => slot::text(parameter, slot::value(parameter, base, position)),
            (None, Some(error)) => error.lines().next().unwrap_or_default().into(),
            (None, None) => "–".into(),
        }
    }

    /// The position of a slot at which its parameter has a value.
    pub fn slot_position(&self, number: usize, value: f64) -> Option<f64> {
        let about = self.about();
        self.parameter(&about, number).map(|(parameter, base)| slot::position(parameter, base, value))
    }

    /// The parameter of a slot, and the value that the chosen preset gives it.
    fn parameter<'a>(&self, about: &'a About, number: usize) -> Option<(&'a ParameterPlan, f64)> {
        let parameter = about.parameters.get(number)?;
        let preset = about.presets.get(self.preset.load(Ordering::Relaxed)).or(about.presets.first());
        Some((parameter, preset.map_or(parameter.default, |(_, values)| values[number])))
    }
}
