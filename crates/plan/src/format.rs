//! The format of a scene: what its keys mean, stated by its first line, `hamiltone = 3`.
//!
//! A change of meaning makes a new format; scenes of earlier formats keep their sound. `docs/formats.md` has the
//! differences.

/// The format of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
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

    /// All that this version reads, in words: `1, 2 or 3`.
    pub fn all() -> String {
        let [earlier @ .., latest] = Self::ALL.map(|format| format.number().to_string());
        format!("{} or {latest}", earlier.join(", "))
    }
}
