//! The instruments that are shipped, each loaded once, and what they sound like.

use crate::partials;
use hamiltone_core::element::{Element, Law};
use hamiltone_numerics::math;
use hamiltone_plan::{instrument::InstrumentPlan, notes::OfKey};
use hamiltone_play::Engine;
use hamiltone_report::measure::level;
use std::{
    collections::BTreeSet,
    fs,
    ops::{Deref, DerefMut},
    sync::{LazyLock, Mutex, OnceLock},
};

/// Samples a second.
pub const RATE: f64 = 44_100.0;
/// How long a note is heard, s.
pub const HEARD: f64 = 0.5;
/// The velocity of notes at full strength, for which levels are stated.
pub const FORTE: f64 = 100.0 / 127.0;

/// An instrument that is shipped.
pub struct Shipped {
    /// The name of its file.
    pub name: String,
    plan: OnceLock<Mutex<InstrumentPlan>>,
    forte: OnceLock<Vec<Note>>,
}

/// What was heard of a note.
#[derive(Clone, Debug)]
pub struct Note {
    pub key: u8,
    /// The mean square of each channel, and of both.
    pub channels: [f64; 2],
    /// max |sample|.
    pub peak: f64,
}

impl Note {
    /// Of its samples, left and right.
    pub fn of(key: u8, sound: &[[f64; 2]]) -> Self {
        let (samples, mut channels) = (sound.as_flattened(), [0.0; 2]);
        channels.copy_from_slice(&level::mean_squares(samples, 2));
        Self { key, channels, peak: level::peak(samples) }
    }

    /// dB of both channels.
    pub fn level(&self) -> f64 {
        10.0 * math::log10(self.channels[0] + self.channels[1])
    }
}

/// Those in the folder.
pub fn all() -> &'static [Shipped] {
    static ALL: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let files =
            fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../instruments")).expect("a folder");
        let name = |file: std::io::Result<fs::DirEntry>| {
            Some(file.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_string())
        };
        let names: BTreeSet<String> = files.filter_map(name).collect();
        assert!(!names.is_empty());
        let shipped = |name| Shipped { name, plan: OnceLock::new(), forte: OnceLock::new() };
        names.into_iter().map(shipped).collect()
    });
    &ALL
}

impl Shipped {
    /// Something of its plan.
    pub fn plan<T>(&self, of: impl FnOnce(&mut InstrumentPlan) -> T) -> T {
        let plan = self.plan.get_or_init(|| Mutex::new(partials::shipped(&self.name, &[], RATE)));
        of(&mut plan.lock().expect("no panic while it is held"))
    }

    /// An engine of it at rest.
    pub fn player(&self) -> Player {
        Player::new(self.plan(|plan| Engine::new(plan)).expect("an instrument that can be played"))
    }

    /// Its keys, ascending.
    pub fn keys(&self) -> Vec<u8> {
        let keys = self.plan(|plan| of_keys(plan).map(|of| of.key).collect::<BTreeSet<u8>>());
        keys.into_iter().collect()
    }

    /// So many of its keys, from the lowest to the highest.
    pub fn some_keys(&self, count: usize) -> Vec<u8> {
        let keys = self.keys();
        let some = (0..count).map(|n| keys[n * (keys.len() - 1) / (count - 1)]);
        some.collect::<BTreeSet<u8>>().into_iter().collect()
    }

    /// Whether a key that is let go ends its note; a bow that is lifted leaves its string ringing.
    pub fn is_damped(&self) -> bool {
        !self.is_bowed() && self.plan(|plan| of_keys(plan).any(|of| !of.off.is_empty()))
    }

    /// Whether friction sustains its notes: a bow can be lifted.
    pub fn is_bowed(&self) -> bool {
        self.has_port(true)
    }

    /// Whether a reed sustains its notes: it stays where it is.
    pub fn is_blown(&self) -> bool {
        self.has_port(false)
    }

    /// Whether it has a port that is idle at the control value 0, or one that is not.
    fn has_port(&self, idle: bool) -> bool {
        let port =
            |element: &Element| matches!(&element.law, Law::Port(law) if law.port.is_idle(0.0) == idle);
        self.plan(|plan| plan.plan.system.elements.iter().any(port))
    }

    /// Whether its keys share strings.
    pub fn has_strings(&self) -> bool {
        self.plan(|plan| plan.notes.units.iter().any(|unit| unit.keys.len() > 1))
    }

    /// Whether strings that keys share stand on one body, so that one sets the others ringing.
    pub fn rings_along(&self) -> bool {
        self.has_strings() && self.plan(|plan| !plan.plan.system.joints.is_empty())
    }

    /// Every key at [`FORTE`], each from rest.
    pub fn forte(&self) -> &[Note] {
        self.forte.get_or_init(|| {
            let mut player = self.player();
            self.keys().into_iter().map(|key| Note::of(key, &player.note(key, FORTE, HEARD))).collect()
        })
    }
}

fn of_keys(plan: &InstrumentPlan) -> impl Iterator<Item = &OfKey> {
    plan.notes.units.iter().flat_map(|unit| &unit.keys)
}

/// A player whose sound has two channels, left and right; one channel is both.
pub struct Player(hamiltone_play::Player);

impl Deref for Player {
    type Target = hamiltone_play::Player;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Player {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Player {
    /// At rest.
    pub fn new(engine: Engine) -> Self {
        assert!(engine.is_at_rest());
        Self(hamiltone_play::Player::new(engine))
    }

    fn frames(&self, samples: &[f64]) -> Vec<[f64; 2]> {
        let channels = self.engine.channels();
        samples.chunks_exact(channels).map(|frame| [frame[0], frame[channels.min(2) - 1]]).collect()
    }

    /// The next seconds.
    pub fn render(&mut self, seconds: f64) -> Vec<[f64; 2]> {
        let samples = self.0.render(seconds);
        self.frames(&samples)
    }

    /// A note from rest.
    pub fn note(&mut self, key: u8, velocity: f64, seconds: f64) -> Vec<[f64; 2]> {
        let samples = self.0.note(key, velocity, seconds).unwrap_or_else(|| panic!("key {key}"));
        self.frames(&samples)
    }

    /// Plays until everything sleeps, for so many seconds at most; whether it does.
    pub fn falls_asleep(&mut self, seconds: usize) -> bool {
        (0..seconds).any(|_| {
            self.render(1.0);
            self.engine.is_at_rest()
        })
    }
}
