//! How pickups become the channels of sound files.
//!
//! The channel c of the file of a bus holds
//!
//! ```text
//! y_c = Σ_p  s_p · 10^((G_p + G_bus)/20) · w_c(pan_p) · m_p(t) · H_p(x_p)        over the pickups p of the bus
//! ```
//!
//! | factor | meaning |
//! |---|---|
//! | x_p | the pickup in SI units |
//! | H_p | the coil of a magnetic pickup ([`crate::magnet`]) and the high-pass of AC coupling, or nothing |
//! | m_p | the [`Tremolo`], or nothing |
//! | s_p | the level: 10^(dB/20)/(full scale of its unit) for a reference level; see [`Level`] |
//! | G_p, G_bus | the gains of pickup and bus, dB |
//! | w_c | 1 for a bus of one channel; stereo: [`stereo`], w_l² + w_r² = 1 |
//!
//! A bus of separate channels has one for each of its pickups.

use crate::magnet::Pole;
use hamiltone_numerics::math;
use std::{
    f64::consts::{FRAC_PI_4, TAU},
    fmt,
};

/// How a pickup goes into the sound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct PickupMix {
    /// Its gain, dB.
    pub gain: f64,
    /// Its place between the loudspeakers of a stereo bus: −1 left, 0 centre, 1 right.
    pub pan: f64,
    /// The number of its bus in [`OutputPlan::buses`]; `None` where it is in no file.
    pub bus: Option<usize>,
    /// The cut-off of its AC coupling, Hz; 0 without.
    pub ac_coupling: f64,
    /// How its level rises and falls; `None` where it does not.
    pub tremolo: Option<Tremolo>,
    /// The magnet before which a displacement is read; `None` without one.
    pub magnet: Option<Pole>,
}

impl Default for PickupMix {
    /// As it is, in the first bus.
    fn default() -> Self {
        Self { gain: 0.0, pan: 0.0, bus: Some(0), ac_coupling: 0.0, tremolo: None, magnet: None }
    }
}

/// How the sound is written.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct OutputPlan {
    /// How samples are scaled.
    pub level: Level,
    /// Whether the scene states the level; otherwise it is the default of its format.
    pub is_level_stated: bool,
    /// How samples are stored.
    pub format: SampleFormat,
    /// What a reference level and mixes of several quantities compare pickups with.
    pub full_scale: FullScale,
    /// The length of the fade-out at the end, s; 0 without.
    pub fade: f64,
    /// The buses into which a pickup goes, one file each; the first is that of the name which is asked for.
    pub buses: Vec<BusPlan>,
}

impl OutputPlan {
    /// One file with a channel for each pickup, as scenes of format 1 have it.
    pub fn separate(level: Level, format: SampleFormat) -> Self {
        let bus = BusPlan { name: MAIN.into(), channels: Channels::Pickups, gain: 0.0 };
        Self {
            level,
            is_level_stated: true,
            format,
            full_scale: FullScale::default(),
            fade: 0.0,
            buses: vec![bus],
        }
    }

    /// The same where sounds are compared with each other, as those of a sweep: at the reference level unless the scene states
    /// one, since a normalised sound says nothing of how loud it was.
    #[must_use]
    pub fn comparable(mut self) -> Self {
        if !self.is_level_stated {
            self.level = Level::Reference(0.0);
        }
        self
    }
}

/// The bus of pickups that name none.
pub const MAIN: &str = "main";

/// A bus: pickups that are in one file.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct BusPlan {
    /// Its name.
    pub name: String,
    /// The channels of its file.
    pub channels: Channels,
    /// Its gain, dB.
    pub gain: f64,
}

/// The channels of a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum Channels {
    /// One for each of its pickups, in their order.
    Pickups,
    /// One: the sum of its pickups.
    Mono,
    /// Left and right: the sum of its pickups, each at its pan.
    Stereo,
}

impl Channels {
    /// The words of scenes.
    pub const WORDS: [&str; 3] = ["stereo", "mono", "pickups"];

    /// The channels of a word.
    pub fn named(word: &str) -> Self {
        match word {
            "mono" => Channels::Mono,
            "pickups" => Channels::Pickups,
            _ => Channels::Stereo,
        }
    }

    /// How many there are for so many pickups.
    pub fn count(self, pickups: usize) -> usize {
        match self {
            Channels::Pickups => pickups,
            Channels::Mono => 1,
            Channels::Stereo => 2,
        }
    }
}

/// What pan −1 … 1 gives the left and the right channel: sin((1 ∓ pan)π/4). Their squares add up to 1, so that a sound keeps
/// its power when it moves; at ±1 the other channel has exactly 0, and at 0 both have the same number (−3.01 dB).
pub fn stereo(pan: f64) -> [f64; 2] {
    [1.0 - pan, 1.0 + pan].map(|side| math::sin(side * FRAC_PI_4))
}

/// A gain that falls from 1 to 1 − d and rises again f times a second, as the discs that turn in the tubes of a vibraphone make it:
///
/// m(t) = 1 − d (1 − cos 2πft)/2,   t the time since the sound began
///
/// It is a function of the time alone, the same for all pickups with the same f: nothing of it is in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Tremolo {
    /// f, Hz.
    rate: f64,
    /// d, above 0 and at most 1.
    depth: f64,
}

impl Tremolo {
    /// Of a rate (Hz) and a depth; `None` for a depth of 0, which leaves every sample as it is.
    pub fn new(rate: f64, depth: f64) -> Option<Self> {
        (depth > 0.0).then_some(Self { rate, depth })
    }

    /// f, Hz.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// d.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// m at a time, s.
    #[inline]
    pub fn gain(&self, time: f64) -> f64 {
        let turns = self.rate * time;
        // Whole turns are left out, so that the cosine keeps its accuracy after hours.
        1.0 - self.depth * 0.5 * (1.0 - math::cos(TAU * (turns - turns.floor())))
    }
}

/// The value of each quantity, in SI units, that is full scale (0 dBFS) of a file at the reference level.
///
/// The defaults are chosen from the scenes of this project, so that strings, bars, membranes and reeds are between
/// −40 and −3 dBFS: `docs/output.md` has the table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct FullScale {
    /// Of displacements, m.
    pub displacement: f64,
    /// Of velocities, m/s.
    pub velocity: f64,
    /// Of forces, N.
    pub force: f64,
    /// Of pressures, and of the forces on bodies per unit area, Pa.
    pub pressure: f64,
    /// Of volume flows, m³/s.
    pub flow: f64,
}

impl Default for FullScale {
    fn default() -> Self {
        Self { displacement: 0.01, velocity: 10.0, force: 10.0, pressure: 10_000.0, flow: 1e-3 }
    }
}

impl FullScale {
    /// That of a unit, as pickups have them; 1 of a unit that is none of them.
    pub fn of(&self, unit: &str) -> f64 {
        match unit {
            "m" => self.displacement,
            "m/s" => self.velocity,
            "N" => self.force,
            "Pa" => self.pressure,
            "m^3/s" => self.flow,
            _ => 1.0,
        }
    }
}

/// The peak of scenes of format 3 that state no level, dBFS.
pub const DEFAULT_PEAK: f64 = -6.0;
/// The peak, of full scale at the reference level, below which [`Level::Normalised`] does not amplify a sound: one step of a
/// file of 24 bits, −138.5 dBFS. The residuals of a body at rest are some eps = 2^−52 of what moves elsewhere.
pub const NOISE_FLOOR: f64 = 1.0 / (1 << 23) as f64;

/// How samples are scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// Every pickup is divided by the full scale of its quantity ([`FullScale`]), and all are amplified by this many dB: a
    /// sound has the level that it has in nature, from run to run.
    Reference(f64),
    /// The largest sample of all channels of one unit, or of all mixes, becomes this many dB below full scale (≤ 0).
    Peak(f64),
    /// The same, unless the sound stays below [`NOISE_FLOOR`] at the reference level, at which it then is: what is at rest
    /// but for rounding is not amplified.
    Normalised(f64),
    /// Every SI value is multiplied by 10^(dB/20).
    Gain(f64),
    /// SI values as they are.
    Raw,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let db = |db: f64| format!("{db} dB").replace('-', "−");
        match *self {
            Level::Reference(0.0) => f.write_str("reference"),
            Level::Reference(x) => {
                let sign = if x > 0.0 { "+" } else { "" };
                write!(f, "reference {sign}{}", db(x))
            }
            Level::Peak(x) | Level::Normalised(x) => write!(f, "normalised to {}FS", db(x)),
            Level::Gain(x) => write!(f, "gain {}", db(x)),
            Level::Raw => f.write_str("SI values, not normalised"),
        }
    }
}

/// How samples are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub enum SampleFormat {
    /// 16-bit integers with dither.
    Int16,
    /// 24-bit integers with dither.
    Int24,
    /// 32-bit floating point.
    Float32,
    /// 64-bit floating point.
    Float64,
}

impl SampleFormat {
    /// Bytes of one sample.
    pub fn bytes(self) -> usize {
        match self {
            SampleFormat::Int16 => 2,
            SampleFormat::Int24 => 3,
            SampleFormat::Float32 => 4,
            SampleFormat::Float64 => 8,
        }
    }

    /// Whether samples are integers, which have a largest value.
    pub fn is_integer(self) -> bool {
        matches!(self, SampleFormat::Int16 | SampleFormat::Int24)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sin² + cos² = 1 up to three roundings of numbers of at most 1.
    #[test]
    fn pan_keeps_the_power() {
        for i in -100..=100 {
            let [left, right] = stereo(f64::from(i) / 100.0);
            assert!((left * left + right * right - 1.0).abs() <= 3.0 * f64::EPSILON);
            assert!((i < 0) == (left > right) && (left == right) == (i == 0));
        }
        assert_eq!((stereo(-1.0), stereo(1.0)), ([1.0, 0.0], [0.0, 1.0]));
    }
}
