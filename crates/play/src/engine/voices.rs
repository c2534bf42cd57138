//! From notes and pedals to the keys or strings of an instrument.
//!
//! An instrument with one part a key plays each key on its own part, and struck again that sounds on. On strings a note takes,
//! in this order: the string that holds this key; the free string with the lowest fret, of several the one that was struck first; of the strings that only a pedal holds, and then of
//! all, the one that was struck first. It does not stop abruptly: the finger that held its note is lifted like that of any
//! note that ends. A string whose note it would follow by a slur counts as free, but for one that was struck within [`TOGETHER`] before: notes of a chord
//! do not follow each other.
//!
//! **Pedal and pressure.** On an instrument with `pedal_move` a key that goes up begins its `note_off` at once, for the position of
//! the pedal, and the keys that are up follow the pedal; on others the pedal holds notes from half of its way on. Positions and pressures
//! are followed when [`Voices::follow`] is called, each by the last value until then: however often they change, a key begins its list
//! once.
//!
//! **Give way.** A note that begins has the note that its string played last give way, whether that one is still held or has ended long ago: its finger lifts. Of a trill that
//! returns to the lower key, too.
//!
//! **Controllers** act on the notes that are held, likewise. One that has moved once goes on: a note begins with what it does now, in place of what
//! its own gestures would do to the same inputs.
//!
//! **Programs** are ways in which notes are played: a note has what the program that is chosen when it is struck does, until it ends.
//!
//! **Slurs.** Where a note has `slur`, it follows another on its string that is held without the end of that one and without a begin of its own. When it is let go while the key of the
//! other is still down, that note follows it likewise: a trill.

mod player;

use hamiltone_core::state::Archive;
use hamiltone_plan::notes::{Notes, OfKey, Unit, chosen, level};
use player::{Held, Player, small};
use std::collections::BTreeSet;

/// From this position on, half of its way, the sustain pedal is down on an instrument without `pedal_move`.
const DOWN: u8 = 64;
/// Notes that are struck within this time are a chord, s.
const TOGETHER: f64 = 0.03;

/// Why gestures begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A key is struck.
    Struck,
    /// The same, by a note that follows another on its string without a begin of its own.
    Slurred,
    /// Nothing holds the note any more.
    Released,
    /// The note gives way to another on its string.
    Taken,
    /// A pedal moves.
    Pedal,
    /// The pressure on a note or a controller changes.
    Moved,
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
    /// Those of controllers that follow them at once: what acts on the same inputs is left to these.
    pub replaced: &'a [u32],
}

/// What begins gestures.
pub type Begin<'a> = dyn FnMut(Gestures<'_>) + 'a;

/// A controller that begins gestures.
#[derive(Clone, Copy, Debug)]
struct Controller {
    number: u8,
    /// Where it is, once it has moved, and what gestures have followed.
    value: Option<u8>,
    followed: Option<u8>,
}

/// The keys or strings of an instrument.
#[derive(Clone, Debug)]
pub struct Voices {
    units: Vec<Unit>,
    players: Vec<Player>,
    /// The programs that change what notes do, and which of them is chosen, from 1 on; 0 for none.
    programs: Vec<u8>,
    program: usize,
    /// Whether open notes of strings with frets have a vibrato.
    open_vibrates: bool,
    /// Whether gestures follow the position of the sustain pedal.
    continuous: bool,
    /// The position of the sustain pedal, and that which gestures have followed.
    pedal: u8,
    followed: u8,
    controllers: Vec<Controller>,
    /// The gestures of controllers at the note that begins; it keeps its room.
    moved: Vec<u32>,
    /// Whether a position, a pressure or a controller is still to be followed.
    pending: bool,
    sostenuto: bool,
    soft: bool,
    notes: u64,
    /// The time of what happens next, s.
    pub now: f64,
}

impl Voices {
    /// All at rest. The open notes of strings with frets have no vibrato unless `open_vibrates`: in a wind they are notes like any other.
    pub fn new(notes: &Notes, open_vibrates: bool) -> Self {
        let (units, programs) = (notes.units.clone(), notes.programs.clone());
        let keys = || units.iter().flat_map(|unit| &unit.keys);
        let numbers: BTreeSet<u8> =
            keys().flat_map(|of| &of.controllers).map(|(number, _)| *number).collect();
        let most =
            keys().map(|of| of.controllers.iter().map(|(_, levels)| levels.longest()).sum::<usize>()).max();
        let mut voices = Self {
            controllers: numbers
                .into_iter()
                .map(|number| Controller { number, value: None, followed: None })
                .collect(),
            moved: Vec::with_capacity(most.unwrap_or(0)),
            players: vec![Player::REST; units.len()],
            continuous: units.iter().any(|unit| !unit.pedal_move.is_empty()),
            units,
            open_vibrates,
            pedal: 0,
            followed: 0,
            pending: false,
            sostenuto: false,
            soft: false,
            notes: 0,
            now: 0.0,
            programs,
            program: 0,
        };
        notes.program.into_iter().for_each(|program| voices.choose(program));
        voices
    }

    /// The unit and the number in it of a key as it is played now, for each unit that has it.
    fn playing(&self, key: u8) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of = move |(unit, keys): (usize, &Unit)| {
            let count = keys.count(&self.programs);
            let note =
                self.program * count + keys.keys[..count].iter().position(|of: &OfKey| of.key == key)?;
            keys.keys[note].is_played(&self.programs).then_some((unit, note))
        };
        self.units.iter().enumerate().filter_map(of)
    }

    /// Chooses a program for the notes that follow.
    pub fn choose(&mut self, program: u8) {
        self.program = chosen(&self.programs, program);
    }

    /// Whether the instrument has a key in the program that is chosen.
    pub fn has(&self, key: u8) -> bool {
        self.playing(key).next().is_some()
    }

    /// Strikes a key at a velocity of 0 to 1; `false` where the instrument does not have it.
    pub fn note_on(&mut self, key: u8, velocity: f64, begin: &mut Begin<'_>) -> bool {
        let rank = |(unit, note): &(usize, usize)| {
            let (player, fret) =
                (&self.players[*unit], (*note % self.units[*unit].count(&self.programs)) as u64);
            match (player.note, player.held) {
                (Some(playing), Held::Key | Held::Pedal) if self.is_same_key(*unit, playing, *note) => {
                    (0, 0, 0)
                }
                (_, Held::No) => (1, fret, player.struck),
                _ if self.is_slurred(*unit, *note) && self.now - player.since > TOGETHER => {
                    (1, fret, player.struck)
                }
                (_, Held::Pedal) => (2, player.struck, 0),
                (_, Held::Key) => (3, player.struck, 0),
            }
        };
        let Some((unit, note)) = self.playing(key).min_by_key(rank) else { return false };
        let follows = self.players[unit].held != Held::No && self.players[unit].note != Some(note);
        let slurred = follows && self.is_slurred(unit, note);
        if follows && !slurred {
            self.release(unit, Cause::Taken, begin);
        }
        self.uncover(key);
        if slurred {
            self.players[unit].cover();
        }
        self.strike((unit, note), level(velocity), slurred, begin);
        // In another program the key may lie on another string than that which it holds.
        for other in (0..self.units.len()).filter(|other| *other != unit) {
            if self.players[other].held != Held::No && self.key_of(other) == Some(key) {
                self.release(other, Cause::Taken, begin);
            }
        }
        true
    }

    /// The notes that keys or pedals hold and that have a vibrato, on strings with frets those that a finger stops unless open ones have it, too: their number, and the
    /// number of the last that began among all notes, 0 without any.
    pub fn stopped(&self) -> (usize, u64) {
        let stops = |(player, unit): &(&Player, &Unit)| {
            let any = self.open_vibrates || unit.count(&self.programs) == 1;
            player.held != Held::No
                && player.note.is_some_and(|note| note % unit.count(&self.programs) > 0 || any)
        };
        let all = self.players.iter().zip(&self.units).filter(stops);
        all.fold((0, 0), |(count, last), (player, _)| (count + 1, last.max(player.struck)))
    }

    /// Whether a note follows that of its string by a slur: no note of another program.
    fn is_slurred(&self, unit: usize, note: usize) -> bool {
        let count = self.units[unit].count(&self.programs);
        let alike = self.players[unit].note.is_none_or(|playing| playing / count == note / count);
        alike && !self.units[unit].keys[note].slur.is_empty()
    }

    /// The key of the note of a unit.
    fn key_of(&self, unit: usize) -> Option<u8> {
        self.players[unit].note.map(|note| self.units[unit].keys[note].key)
    }

    /// Whether two notes of a unit are one key, perhaps of two programs.
    fn is_same_key(&self, unit: usize, one: usize, other: usize) -> bool {
        let keys = &self.units[unit].keys;
        keys[one].key == keys[other].key
    }

    /// Begins a note.
    fn strike(&mut self, (unit, note): (usize, usize), level: u8, slurred: bool, begin: &mut Begin<'_>) {
        self.notes += 1;
        if let Some(before) = self.players[unit].note.filter(|before| *before != note) {
            let numbers = self.units[unit].keys[before].give_way.at(self.pedal);
            begin(Gestures { unit, cause: Cause::Taken, numbers, replaced: &[] });
        }
        let player = &mut self.players[unit];
        (player.note, player.held, player.struck, player.level) = (Some(note), Held::Key, self.notes, level);
        (player.pressure, player.followed, player.since) = (0, 0, self.now);
        // The sostenuto pedal holds the note that it caught, not one that follows it.
        player.caught &= !slurred;
        let of = &self.units[unit].keys[note];
        let list = if slurred { &of.slur } else { &of.on[usize::from(self.soft)] };
        self.moved.clear();
        for Controller { number, value, .. } in &self.controllers {
            if let Some(value) = value {
                self.moved.extend_from_slice(of.at_controller(*number, *value));
            }
        }
        let cause = if slurred { Cause::Slurred } else { Cause::Struck };
        begin(Gestures { unit, cause, numbers: list.at(level), replaced: &self.moved });
        if !self.moved.is_empty() {
            begin(Gestures { unit, cause: Cause::Moved, numbers: &self.moved, replaced: &[] });
        }
    }

    /// Releases a key.
    pub fn note_off(&mut self, key: u8, begin: &mut Begin<'_>) {
        let held = |unit: &usize| self.key_of(*unit) == Some(key) && self.players[*unit].held == Held::Key;
        let Some(unit) = (0..self.units.len()).find(held) else {
            self.uncover(key);
            return;
        };
        let Some((note, level)) = self.players[unit].below() else { return self.key_up(unit, begin) };
        self.players[unit].uncover(note);
        let slurred = self.is_slurred(unit, note);
        if !slurred {
            self.end(unit, Cause::Taken, begin);
        }
        self.strike((unit, note), level, slurred, begin);
    }

    /// A key is no longer down under others, on whatever string.
    fn uncover(&mut self, key: u8) {
        for (player, unit) in self.players.iter_mut().zip(&self.units) {
            let of_key = unit.keys.iter().enumerate().filter(|(_, of)| of.key == key);
            of_key.for_each(|(note, _)| _ = player.uncover(note));
        }
    }

    /// The key of a unit goes up.
    fn key_up(&mut self, unit: usize, begin: &mut Begin<'_>) {
        if self.players[unit].caught {
            self.players[unit].held = Held::Pedal;
        } else {
            self.let_go(unit, begin);
        }
    }

    /// Nothing but the sustain pedal holds the note of a unit any more.
    fn let_go(&mut self, unit: usize, begin: &mut Begin<'_>) {
        if self.continuous || self.pedal < DOWN {
            self.release(unit, Cause::Released, begin);
        }
        let pedal = if self.continuous { self.pedal > 0 } else { self.pedal >= DOWN };
        self.players[unit].held = if pedal { Held::Pedal } else { Held::No };
    }

    fn release(&mut self, unit: usize, cause: Cause, begin: &mut Begin<'_>) {
        let player = &mut self.players[unit];
        player.held = Held::No;
        player.caught = false;
        player.forget_below();
        self.end(unit, cause, begin);
    }

    /// Begins what ends the note of a unit.
    fn end(&self, unit: usize, cause: Cause, begin: &mut Begin<'_>) {
        if let Some(note) = self.players[unit].note {
            let numbers = self.units[unit].keys[note].off.at(self.pedal);
            begin(Gestures { unit, cause, numbers, replaced: &[] });
        }
    }

    /// Moves the sustain pedal.
    pub fn sustain(&mut self, position: u8, begin: &mut Begin<'_>) {
        let was_down = std::mem::replace(&mut self.pedal, position) >= DOWN;
        if self.continuous {
            self.pending |= position != self.followed;
            if position == 0 {
                let held =
                    self.players.iter_mut().filter(|player| player.held == Held::Pedal && !player.caught);
                held.for_each(|player| player.held = Held::No);
            }
            return;
        }
        let down = position >= DOWN;
        if down == was_down {
            return;
        }
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

    /// What the sustain pedal does to a key or string when it passes half of its way.
    fn pedal(&self, unit: usize, begin: &mut Begin<'_>) {
        let Unit { pedal_down, pedal_up, .. } = &self.units[unit];
        let numbers = if self.pedal >= DOWN { pedal_down } else { pedal_up };
        begin(Gestures { unit, cause: Cause::Pedal, numbers, replaced: &[] });
    }

    /// Presses on a key, or on all, that were struck.
    pub fn pressure(&mut self, key: Option<u8>, pressure: u8) {
        for (player, unit) in self.players.iter_mut().zip(&self.units) {
            let playing = player.note.map(|note| unit.keys[note].key);
            if playing.is_some_and(|playing| key.is_none_or(|key| key == playing)) {
                player.pressure = pressure;
                self.pending |= pressure != player.followed;
            }
        }
    }

    /// Moves a controller; `false` where the instrument does not follow it.
    pub fn controller(&mut self, number: u8, value: u8) -> bool {
        let Some(controller) = self.controllers.iter_mut().find(|known| known.number == number) else {
            return false;
        };
        // One that is put at 0 where it was, as by a reset of all controllers, has not moved.
        if controller.value.is_some() || value > 0 {
            controller.value = Some(value);
        }
        self.pending |= controller.followed != controller.value;
        true
    }

    /// Whether the instrument follows a controller.
    pub fn has_controller(&self, number: u8) -> bool {
        self.controllers.iter().any(|known| known.number == number)
    }

    /// Whether a pedal, a pressure or a controller has changed and is not yet followed.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Lets the keys that are up follow the sustain pedal, those that were struck the pressure on them, and those that are held the controllers.
    pub fn follow(&mut self, begin: &mut Begin<'_>) {
        if !std::mem::take(&mut self.pending) {
            return;
        }
        let moved = std::mem::replace(&mut self.followed, self.pedal) != self.pedal;
        for (number, (player, unit)) in self.players.iter_mut().zip(&self.units).enumerate() {
            let lifted = player.held == Held::Key || player.caught && player.held == Held::Pedal;
            if self.continuous && moved && !lifted {
                let numbers = unit.pedal_move.at(self.pedal);
                begin(Gestures { unit: number, cause: Cause::Pedal, numbers, replaced: &[] });
            }
            let Some(of) = player.note.map(|note| &unit.keys[note]) else { continue };
            if player.pressure != player.followed {
                player.followed = player.pressure;
                let numbers = of.pressure.at(player.pressure);
                begin(Gestures { unit: number, cause: Cause::Moved, numbers, replaced: &[] });
            }
            if player.held == Held::No {
                continue;
            }
            for Controller { number: moved, value, followed } in &self.controllers {
                if let Some(value) = value.filter(|_| value != followed) {
                    let numbers = of.at_controller(*moved, value);
                    begin(Gestures { unit: number, cause: Cause::Moved, numbers, replaced: &[] });
                }
            }
        }
        self.controllers.iter_mut().for_each(|controller| controller.followed = controller.value);
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
            } else if std::mem::take(&mut player.caught) && player.held == Held::Pedal {
                self.let_go(unit, begin);
            }
        }
    }

    /// Whether the soft pedal changes any note.
    pub fn has_soft(&self) -> bool {
        self.units.iter().flat_map(|unit| &unit.keys).any(|key| key.on[0] != key.on[1])
    }

    /// Whether pressure changes any note.
    pub fn has_pressure(&self) -> bool {
        self.units.iter().flat_map(|unit| &unit.keys).any(|key| !key.pressure.is_empty())
    }

    /// Releases all keys; pedals hold their notes.
    pub fn keys_off(&mut self, begin: &mut Begin<'_>) {
        for unit in 0..self.units.len() {
            self.players[unit].forget_below();
            if self.players[unit].held == Held::Key {
                self.key_up(unit, begin);
            }
        }
    }

    /// Releases all keys and pedals.
    pub fn all_off(&mut self, begin: &mut Begin<'_>) {
        self.sostenuto(false, begin);
        self.sustain(0, begin);
        for unit in 0..self.units.len() {
            if self.players[unit].held != Held::No {
                self.release(unit, Cause::Released, begin);
            }
        }
        self.follow(begin);
    }

    /// Goes through every number of the players and pedals.
    pub fn archive(&mut self, archive: &mut Archive) {
        for (player, unit) in self.players.iter_mut().zip(&self.units) {
            player.archive(archive, unit.keys.len());
        }
        for Controller { value, followed, .. } in &mut self.controllers {
            for position in [value, followed] {
                // 0 for none, else one more.
                let mut count = position.map_or(0, |position| u32::from(position) + 1);
                archive.count(&mut count);
                *position = count.checked_sub(1).and_then(|position| u8::try_from(position).ok());
            }
        }
        let mut program = u8::try_from(self.program).unwrap_or(0);
        small(archive, &mut program);
        self.program = usize::from(program).min(self.programs.len());
        small(archive, &mut self.pedal);
        small(archive, &mut self.followed);
        archive.flag(&mut self.pending);
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
mod tests;
