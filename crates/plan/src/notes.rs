//! What notes, pedals and pressure do to the parts of an instrument: which gestures, by number.

/// The values of a velocity, a pedal or a pressure, 0 to 127 as MIDI has them: a gesture is made for each, so that a player
/// evaluates no formula.
pub const LEVELS: usize = 128;

/// The nearest of the [`LEVELS`] to a value from 0 to 1.
///
/// ```
/// use hamiltone_plan::notes::level;
///
/// assert_eq!([-1.0, 0.25, 0.5, 1.0, 3.0, f64::NAN].map(level), [0, 32, 64, 127, 127, 0]);
/// ```
pub fn level(value: f64) -> u8 {
    // What is no number is 0.
    (value.clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as u8
}

/// A list of gestures for each of the [`LEVELS`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Levels(Vec<Vec<u32>>);

impl Levels {
    /// Of one list for each level, or of one for all.
    pub fn new(lists: Vec<Vec<u32>>) -> Self {
        Self(lists)
    }

    /// The gestures at a level.
    pub fn at(&self, level: u8) -> &[u32] {
        let last = self.0.len().saturating_sub(1);
        self.0.get(usize::from(level).min(last)).map_or(&[], Vec::as_slice)
    }

    /// The lists: one for each level, or one for all.
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// The most gestures of a level.
    pub fn longest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Makes every number larger by this.
    pub fn shift(&mut self, by: u32) {
        self.0.iter_mut().flatten().for_each(|number| *number += by);
    }

    /// Whether there is no gesture at any level.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

/// What notes, pedals and pressure do.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Notes {
    /// The keys or strings.
    pub units: Vec<Unit>,
    /// The programs of MIDI that change what notes do: each unit has its keys once for any other program, and then once for each of these, in this order.
    pub programs: Vec<u8>,
    /// The program that is chosen at first, where it is one.
    pub program: Option<u8>,
    /// How many gestures there are.
    pub gestures: usize,
}

/// A key or a string with what it plays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct Unit {
    /// The keys that it plays: one, or one a fret; those of [`Notes::programs`] after them.
    pub keys: Vec<OfKey>,
    /// What it does when the sustain pedal is pressed.
    pub pedal_down: Vec<u32>,
    /// What it does when the pedal is released while its key is up.
    pub pedal_up: Vec<u32>,
    /// What it does when the position of the pedal changes while its key is up, for each position.
    pub pedal_move: Levels,
}

impl Unit {
    /// How many keys it plays, where these programs change what notes do.
    pub fn count(&self, programs: &[u8]) -> usize {
        self.keys.len() / (programs.len() + 1)
    }

    /// Makes the number of every gesture larger by this.
    pub fn shift(&mut self, by: u32) {
        let Self { keys, pedal_down, pedal_up, pedal_move } = self;
        [pedal_down, pedal_up].into_iter().flatten().for_each(|number| *number += by);
        for OfKey { on: [loud, soft], slur, give_way, off, pressure, controllers, .. } in keys {
            [loud, soft, slur, give_way, off, pressure].into_iter().for_each(|levels| levels.shift(by));
            controllers.iter_mut().for_each(|(_, levels)| levels.shift(by));
        }
        pedal_move.shift(by);
    }
}

/// What a note does.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "stored", derive(serde::Serialize, serde::Deserialize))]
pub struct OfKey {
    /// The key, as MIDI numbers it.
    pub key: u8,
    /// For each velocity what it does when it is struck; then the same for each while the soft pedal is down.
    pub on: [Levels; 2],
    /// What it does, for each velocity, where it follows another note of its string that is held: in place of `on`, and of `off` of the other. None where
    /// they are played apart.
    pub slur: Levels,
    /// What it does when another note of its string begins after it, for each position of the sustain pedal.
    pub give_way: Levels,
    /// What it does when it is released, for each position of the sustain pedal; of an instrument without
    /// [`Unit::pedal_move`] when no pedal holds it any more.
    pub off: Levels,
    /// What it does when the pressure on it changes while it sounds, for each pressure.
    pub pressure: Levels,
    /// For each controller that moves it while it is held, by the number of MIDI, what it does at each value.
    pub controllers: Vec<(u8, Levels)>,
}

/// Which keys of a unit a program has: 0 those of any other, 1 those of the first of `programs`, and so on.
///
/// ```
/// use hamiltone_plan::notes::chosen;
///
/// assert_eq!([45, 46, 0].map(|program| chosen(&[46, 45], program)), [2, 1, 0]);
/// ```
pub fn chosen(programs: &[u8], program: u8) -> usize {
    programs.iter().position(|known| *known == program).map_or(0, |at| at + 1)
}

impl Notes {
    /// The keys of all units that are played in the program that is chosen at first.
    pub fn keys_at_first(&self) -> impl Iterator<Item = &OfKey> {
        let program = self.program.map_or(0, |program| chosen(&self.programs, program));
        let own = move |unit: &'_ Unit| {
            let count = unit.count(&self.programs);
            program * count..(program + 1) * count
        };
        self.units
            .iter()
            .flat_map(move |unit| &unit.keys[own(unit)])
            .filter(|of| of.is_played(&self.programs))
    }

    /// Whether a program changes anything.
    pub fn has_programs(&self) -> bool {
        let differs = |unit: &Unit| {
            let (usual, others) = unit.keys.split_at(unit.count(&self.programs));
            others.chunks(usual.len().max(1)).any(|keys| keys != usual)
        };
        self.units.iter().any(differs)
    }
}

impl OfKey {
    /// Whether it is a key of its program: where there are `programs`, only if it does anything when it is struck.
    pub fn is_played(&self, programs: &[u8]) -> bool {
        programs.is_empty() || self.on.iter().any(|on| !on.is_empty())
    }

    /// What it does when this controller is at a value.
    pub fn at_controller(&self, number: u8, value: u8) -> &[u32] {
        let of = self.controllers.iter().find(|(known, _)| *known == number);
        of.map_or(&[], |(_, levels)| levels.at(value))
    }
}
