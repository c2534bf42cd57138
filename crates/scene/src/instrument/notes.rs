//! What notes and pedals do to the parts of an instrument: which gestures, by number.

/// The velocities of MIDI, 0 to 127: a gesture is made for each, so that a player evaluates no formula.
pub const VELOCITIES: usize = 128;

/// What notes and pedals do.
#[derive(Clone, Debug, PartialEq)]
pub struct Notes {
    /// The keys or strings.
    pub units: Vec<Unit>,
    /// How many gestures there are.
    pub gestures: usize,
}

/// A key or a string with what it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The keys that it plays: one, or one a fret.
    pub keys: Vec<OfKey>,
    /// What it does when the sustain pedal is pressed.
    pub pedal_down: Vec<u32>,
    /// What it does when the pedal is released while its key is up.
    pub pedal_up: Vec<u32>,
}

/// What a note does.
#[derive(Clone, Debug, PartialEq)]
pub struct OfKey {
    /// The key, as MIDI numbers it.
    pub key: u8,
    /// For each velocity what it does when it is struck; then the same for each while the soft pedal is down.
    pub on: [Vec<Vec<u32>>; 2],
    /// What it does when it is released and no pedal holds it.
    pub off: Vec<u32>,
}
