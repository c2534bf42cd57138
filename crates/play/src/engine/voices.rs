//! From notes and pedals to the keys or strings of an instrument.
//!
//! An instrument with one part a key plays each key on its own part, and struck again that sounds on. On strings a note takes,
//! in this order: the string that holds this key; the free string with the lowest fret, of several the one that was struck first; of the strings that only a pedal holds, and then of
//! all, the one that was struck first. It does not stop abruptly: the finger that held its note is lifted like that of any
//! note that ends.

use hamiltone_core::state::Archive;
use hamiltone_scene::instrument::notes::{OfKey, Unit};

/// What becomes of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Nothing holds it.
    No,
    /// Its key is down.
    Key,
    /// Its key is up, and a pedal holds it.
    Pedal,
}

/// A key or string that plays.
#[derive(Clone, Debug)]
struct Player {
    /// The number in [`Unit::keys`] of the note that it plays.
    note: Option<usize>,
    held: Held,
    /// Whether the sostenuto pedal caught it.
    caught: bool,
    /// When it was struck: the number of the note.
    struck: u64,
}

/// Why gestures begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A key is struck.
    Struck,
    /// Nothing holds the note any more.
    Released,
    /// The note gives way to another on its string.
    Taken,
    /// A pedal moves.
    Pedal,
}

/// Gestures that begin.
#[derive(Clone, Copy, Debug)]
pub struct Gestures<'a> {
    /// The key or string.
    pub unit: usize,
    /// Why.
    pub cause: Cause,
    /// Which.
    pub numbers: &'a [u32],
}

/// What begins gestures.
pub type Begin<'a> = dyn FnMut(Gestures<'_>) + 'a;

/// The keys or strings of an instrument.
#[derive(Clone, Debug)]
pub struct Voices {
    units: Vec<Unit>,
    players: Vec<Player>,
    sustain: bool,
    sostenuto: bool,
    soft: bool,
    notes: u64,
}

impl Voices {
    /// All at rest.
    pub fn new(units: Vec<Unit>) -> Self {
        let player = Player { note: None, held: Held::No, caught: false, struck: 0 };
        Self {
            players: vec![player; units.len()],
            units,
            sustain: false,
            sostenuto: false,
            soft: false,
            notes: 0,
        }
    }

    /// The unit and the number in it of a key, for each unit that has it.
    fn playing(&self, key: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of = move |(unit, keys): (usize, &Unit)| {
            keys.keys.iter().position(|of: &OfKey| of.key == key).map(|note| (unit, note))
        };
        self.units.iter().enumerate().filter_map(of)
    }

    /// Whether the instrument has a key.
    pub fn has(&self, key: u8) -> bool {
        self.playing(key).next().is_some()
    }

    /// Strikes a key at a velocity of 0 to 1; `false` where the instrument does not have it.
    pub fn note_on(&mut self, key: u8, velocity: f64, begin: &mut Begin<'_>) -> bool {
        let rank = |(unit, note): &(usize, usize)| {
            let player = &self.players[*unit];
            match (player.note, player.held) {
                (Some(playing), Held::Key | Held::Pedal) if playing == *note => (0, 0, 0),
                (_, Held::No) => (1, *note as u64, player.struck),
                (_, Held::Pedal) => (2, player.struck, 0),
                (_, Held::Key) => (3, player.struck, 0),
            }
        };
        let Some((unit, note)) = self.playing(key).min_by_key(rank) else { return false };
        if self.players[unit].held != Held::No && self.players[unit].note != Some(note) {
            self.release(unit, Cause::Taken, begin);
        }
        self.notes += 1;
        let player = &mut self.players[unit];
        (player.note, player.held, player.struck) = (Some(note), Held::Key, self.notes);
        let on = &self.units[unit].keys[note].on[usize::from(self.soft)];
        let level = (velocity.clamp(0.0, 1.0) * (on.len() - 1) as f64).round() as usize;
        begin(Gestures { unit, cause: Cause::Struck, numbers: &on[level] });
        true
    }

    /// Releases a key.
    pub fn note_off(&mut self, key: u8, begin: &mut Begin<'_>) {
        let held = |(unit, note): &(usize, usize)| {
            self.players[*unit].note == Some(*note) && self.players[*unit].held == Held::Key
        };
        let Some((unit, _)) = self.playing(key).find(held) else { return };
        self.key_up(unit, begin);
    }

    /// The key of a unit goes up.
    fn key_up(&mut self, unit: usize, begin: &mut Begin<'_>) {
        if self.sustain || self.players[unit].caught {
            self.players[unit].held = Held::Pedal;
        } else {
            self.release(unit, Cause::Released, begin);
        }
    }

    fn release(&mut self, unit: usize, cause: Cause, begin: &mut Begin<'_>) {
        let player = &mut self.players[unit];
        player.held = Held::No;
        player.caught = false;
        if let Some(note) = player.note {
            begin(Gestures { unit, cause, numbers: &self.units[unit].keys[note].off });
        }
    }

    /// Presses or releases the sustain pedal.
    pub fn sustain(&mut self, down: bool, begin: &mut Begin<'_>) {
        if down == self.sustain {
            return;
        }
        self.sustain = down;
        for unit in 0..self.units.len() {
            if down {
                self.pedal(unit, begin);
                continue;
            }
            match self.players[unit].held {
                Held::Pedal if !self.players[unit].caught => {
                    self.release(unit, Cause::Released, begin);
                    self.pedal(unit, begin);
                }
                Held::No => self.pedal(unit, begin),
                Held::Pedal | Held::Key => {}
            }
        }
    }

    /// What the sustain pedal does to a key or string as it is now.
    fn pedal(&self, unit: usize, begin: &mut Begin<'_>) {
        let Unit { pedal_down, pedal_up, .. } = &self.units[unit];
        let numbers = if self.sustain { pedal_down } else { pedal_up };
        begin(Gestures { unit, cause: Cause::Pedal, numbers });
    }

    /// Presses or releases the soft pedal, which notes ask for when they are struck.
    pub fn soft(&mut self, down: bool) {
        self.soft = down;
    }

    /// Presses or releases the sostenuto pedal, which holds the notes whose keys are down when it is pressed.
    pub fn sostenuto(&mut self, down: bool, begin: &mut Begin<'_>) {
        if std::mem::replace(&mut self.sostenuto, down) == down {
            return;
        }
        for unit in 0..self.units.len() {
            let player = &mut self.players[unit];
            if down {
                player.caught = player.held == Held::Key;
            } else if std::mem::take(&mut player.caught) && player.held == Held::Pedal && !self.sustain {
                self.release(unit, Cause::Released, begin);
            }
        }
    }

    /// Whether the soft pedal changes any note.
    pub fn has_soft(&self) -> bool {
        self.units.iter().flat_map(|unit| &unit.keys).any(|key| key.on[0] != key.on[1])
    }

    /// Releases all keys; pedals hold their notes.
    pub fn keys_off(&mut self, begin: &mut Begin<'_>) {
        for unit in 0..self.units.len() {
            if self.players[unit].held == Held::Key {
                self.key_up(unit, begin);
            }
        }
    }

    /// Releases all keys and pedals.
    pub fn all_off(&mut self, begin: &mut Begin<'_>) {
        self.sostenuto(false, begin);
        self.sustain(false, begin);
        for unit in 0..self.units.len() {
            if self.players[unit].held != Held::No {
                self.release(unit, Cause::Released, begin);
            }
        }
    }

    /// Goes through every number of the players and pedals.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (player, unit) in self.players.iter_mut().zip(&self.units) {
            // 0 for none, else one more.
            let mut note = player.note.map_or(0, |note| note + 1);
            archive.size(&mut note);
            player.note = note.checked_sub(1).filter(|note| *note < unit.keys.len());
            let mut held = match player.held {
                Held::No => 0,
                Held::Key => 1,
                Held::Pedal => 2,
            };
            archive.count(&mut held);
            player.held = match held {
                1 => Held::Key,
                2 => Held::Pedal,
                _ => Held::No,
            };
            archive.flag(&mut player.caught);
            archive.long(&mut player.struck);
        }
        archive.flag(&mut self.sustain);
        archive.flag(&mut self.sostenuto);
        archive.flag(&mut self.soft);
        archive.long(&mut self.notes);
    }

    /// How many notes are held by keys or pedals.
    pub fn held(&self) -> usize {
        self.players.iter().filter(|player| player.held != Held::No).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings of these open keys with five frets; gesture 100·unit + key begins a note, 1000 more ends it.
    fn strings(open: &[u8]) -> Voices {
        let unit = |(unit, open): (usize, &u8)| {
            let of = |key: u8| {
                let number = 100 * unit as u32 + u32::from(key);
                let on = [number, 5000 + number].map(|number| vec![vec![number]; 128]);
                OfKey { key, on, off: vec![1000 + number] }
            };
            let keys = (*open..=open + 5).map(of).collect();
            Unit { keys, pedal_down: vec![2000 + unit as u32], pedal_up: vec![3000 + unit as u32] }
        };
        Voices::new(open.iter().enumerate().map(unit).collect())
    }

    fn done(act: impl FnOnce(&mut Begin<'_>)) -> Vec<u32> {
        let mut all = Vec::new();
        act(&mut |gestures| all.extend_from_slice(gestures.numbers));
        all
    }

    #[test]
    fn notes_take_the_best_string() {
        let mut voices = strings(&[40, 45]);
        // 45 is open on string 1; 46 then goes to string 0, and 47 takes the string that was struck first.
        assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
        assert_eq!(done(|begin| assert!(voices.note_on(44, 1.0, begin))), [44]);
        assert_eq!(done(|begin| assert!(voices.note_on(45, 1.0, begin))), [145]);
        assert_eq!(done(|begin| assert!(voices.note_on(43, 1.0, begin))), [1044, 43]);
        assert_eq!(done(|begin| voices.note_off(44, begin)), [0; 0]);
        assert_eq!(done(|begin| voices.note_off(43, begin)), [1043]);
        assert!(!voices.note_on(39, 1.0, &mut |_| ()) && voices.held() == 1);
    }

    /// Strings of one pitch are played in turn.
    #[test]
    fn strings_in_unison_take_turns() {
        let mut voices = strings(&[40, 40]);
        for string in [0, 100, 0] {
            assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [string + 40]);
            done(|begin| voices.note_off(40, begin));
        }
        done(|begin| assert!(voices.note_on(40, 1.0, begin)));
        assert_eq!(done(|begin| assert!(voices.note_on(40, 1.0, begin))), [140]);
    }

    #[test]
    fn pedals_hold_notes() {
        let mut voices = strings(&[40, 45]);
        done(|begin| assert!(voices.note_on(40, 1.0, begin)));
        assert_eq!(done(|begin| voices.sustain(true, begin)), [2000, 2001]);
        assert_eq!(done(|begin| voices.note_off(40, begin)), [0; 0]);
        assert_eq!(done(|begin| voices.sustain(false, begin)), [1040, 3000, 3001]);
        done(|begin| assert!(voices.note_on(41, 1.0, begin)));
        assert_eq!(done(|begin| voices.sostenuto(true, begin)), [0; 0]);
        assert_eq!(done(|begin| voices.note_off(41, begin)), [0; 0]);
        assert_eq!(done(|begin| voices.sostenuto(false, begin)), [1041]);
        done(|begin| assert!(voices.note_on(42, 0.5, begin)));
        assert_eq!(done(|begin| voices.all_off(begin)), [1042]);
        assert!(voices.has_soft());
        voices.soft(true);
        assert_eq!(done(|begin| assert!(voices.note_on(40, 0.5, begin))), [5040]);
        assert_eq!(done(|begin| voices.note_off(40, begin)), [1040]);
        assert_eq!(voices.held(), 0);
    }
}
