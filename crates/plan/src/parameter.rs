//! Parameters of an instrument that a player moves while it sounds: each multiplies what gestures do to some inputs or what some pickups give, or changes
//! the tension of all strings, the level of the sound or a controller.
//!
//!   f = 10^(v/20) of v in dB,   f = v/100 of v in %

use hamiltone_numerics::math::pow;
use std::fmt;

/// What a parameter is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum Unit {
    /// Per cent of the value without the parameter; of a controller, per cent of its range.
    Percent,
    /// Of an amplitude.
    Decibel,
    /// Of a pitch.
    Cents,
}

impl Unit {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Percent, Self::Decibel, Self::Cents];

    /// Its symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Percent => "%",
            Self::Decibel => "dB",
            Self::Cents => "cents",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// What a parameter changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum Changes {
    /// The values of these inputs of the system are multiplied.
    Inputs(Vec<usize>),
    /// What these pickups give to buses is multiplied.
    Pickups(Vec<usize>),
    /// The tension of all strings, by so many cents of their pitch.
    Tension,
    /// The level of the whole sound.
    Level,
    /// The controller of this number.
    Controller(u8),
}

/// A parameter that moves while the instrument sounds.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct ParameterPlan {
    /// Its name.
    pub name: String,
    /// What it is, for a player.
    pub about: String,
    /// What its values are measured in.
    pub unit: Unit,
    /// Its least and its greatest value.
    pub range: [f64; 2],
    /// Its value in the file of the instrument.
    pub default: f64,
    /// Its value until it is moved: the default, or that of a preset.
    pub initial: f64,
    /// The controller of MIDI that moves it over its range.
    pub midi: Option<u8>,
    /// What it changes.
    pub changes: Changes,
}

impl ParameterPlan {
    /// The nearest value that it can have; the default in place of what is no number.
    ///
    /// ```
    /// # use hamiltone_plan::parameter::{Changes, ParameterPlan, Unit};
    /// # let (name, about, midi) = ("level".to_string(), String::new(), None);
    /// let level = ParameterPlan { name, about, midi, unit: Unit::Decibel, range: [-20.0, 6.0], default: 0.0, initial: 0.0, changes: Changes::Level };
    /// assert_eq!([level.within(9.0), level.within(f64::NAN), level.factor(-20.0)], [6.0, 0.0, 0.1]);
    /// assert_eq!([level.at(0.5), level.position(-7.0)], [-7.0, 0.5]);
    /// ```
    pub fn within(&self, value: f64) -> f64 {
        if value.is_nan() { self.default } else { value.clamp(self.range[0], self.range[1]) }
    }

    /// The factor that a value in dB or % stands for; 1 of one in cents.
    pub fn factor(&self, value: f64) -> f64 {
        match self.unit {
            Unit::Percent => value / 100.0,
            Unit::Decibel => pow(10.0, value / 20.0),
            Unit::Cents => 1.0,
        }
    }

    /// The value at a part, 0 to 1, of its range.
    pub fn at(&self, position: f64) -> f64 {
        let [low, high] = self.range;
        self.within(low + position * (high - low))
    }

    /// The part of its range at which a value lies.
    pub fn position(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        (self.within(value) - low) / (high - low)
    }
}
