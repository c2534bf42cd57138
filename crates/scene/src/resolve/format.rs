//! The format of a scene: what its keys mean, stated by its first line, `hamiltone = 3`.
//!
//! A change of meaning makes a new format; scenes of earlier formats keep their sound. `docs/formats.md` has the
//! differences.

use hamiltone_core::parameter::{Rule, Table, Values};
use toml::de::DeValue;

/// The format of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `hamiltone = 1`.
    One,
    /// `hamiltone = 2`.
    Two,
    /// `hamiltone = 3`, the latest.
    #[default]
    Three,
}

impl Format {
    /// Every format that this version reads, the earliest first.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];

    /// Its number in the first line of a scene.
    pub fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// The format that the value of `hamiltone` states. 2.0 is the same number as 2, as in JSON Schema.
    pub(super) fn read(value: &DeValue<'_>) -> Option<Self> {
        let number = match value {
            DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).ok()? as f64,
            DeValue::Float(number) => number.as_str().parse().ok()?,
            _ => return None,
        };
        Self::ALL.into_iter().find(|format| f64::from(format.number()) == number)
    }

    /// Gives the parameters that keys of this format mean where they are not those of the same name; the keys that were given so,
    /// each with its parameter.
    pub(super) fn translate(
        self,
        table: &Table<'_>,
        values: &mut Values,
    ) -> Vec<(&'static str, &'static str)> {
        let mut translated = Vec::new();
        if self > Self::One {
            return translated;
        }
        for rule in table.rules {
            if let Rule::Formerly { parameter, meant } = *rule
                && let Some(value) = values.take(parameter)
            {
                values.set(meant, value);
                translated.push((parameter, meant));
            }
        }
        translated
    }

    /// All that this version reads, in words: `1, 2 or 3`.
    pub(super) fn all() -> String {
        let [earlier @ .., latest] = Self::ALL.map(|format| format.number().to_string());
        format!("{} or {latest}", earlier.join(", "))
    }
}
