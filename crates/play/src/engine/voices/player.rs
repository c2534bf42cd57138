//! A key or string that plays: its note, what holds it, and the keys that are down under it.

use hamiltone_core::state::Archive;

/// So many keys that are down under the one that sounds are remembered, the last ones.
const UNDER: usize = 4;

/// What becomes of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Nothing holds it.
    No,
    /// Its key is down.
    Key,
    /// Its key is up, and a pedal holds it.
    Pedal,
}

/// A key or string that plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// The number in [`hamiltone_plan::notes::Unit::keys`] of the note that it plays.
    pub note: Option<usize>,
    pub held: Held,
    /// Whether the sostenuto pedal caught it.
    pub caught: bool,
    /// When it was struck: the number of the note, and the time, s.
    pub struck: u64,
    pub since: f64,
    /// The velocity of its note.
    pub level: u8,
    /// The notes from which it was slurred and whose keys are still down, with their velocities, the last one first.
    under: [Option<(usize, u8)>; UNDER],
    /// The pressure on its note, and that which its gestures have followed.
    pub pressure: u8,
    pub followed: u8,
}

impl Player {
    /// At rest.
    pub const REST: Self = Self {
        note: None,
        held: Held::No,
        caught: false,
        struck: 0,
        since: 0.0,
        level: 0,
        under: [None; UNDER],
        pressure: 0,
        followed: 0,
    };

    /// The note that sounds goes under another.
    pub fn cover(&mut self) {
        if let (Some(note), Held::Key) = (self.note, self.held) {
            self.under.rotate_right(1);
            self.under[0] = Some((note, self.level));
        }
    }

    /// The note that follows where the one that sounds is let go, with its velocity.
    pub fn below(&self) -> Option<(usize, u8)> {
        self.under[0]
    }

    /// Forgets the notes under it.
    pub fn forget_below(&mut self) {
        self.under = [None; UNDER];
    }

    /// The key of a note that is under another goes up; whether it was one.
    pub fn uncover(&mut self, note: usize) -> bool {
        let Some(at) = self.under.iter().position(|under| under.is_some_and(|(of, _)| of == note)) else {
            return false;
        };
        self.under[at..].rotate_left(1);
        self.under[UNDER - 1] = None;
        true
    }

    /// Goes through every number, for a unit with so many notes.
    pub fn archive(&mut self, archive: &mut Archive, notes: usize) {
        // 0 for none, else one more.
        let mut note = self.note.map_or(0, |note| note + 1);
        archive.size(&mut note);
        self.note = note.checked_sub(1).filter(|note| *note < notes);
        let mut held = match self.held {
            Held::No => 0,
            Held::Key => 1,
            Held::Pedal => 2,
        };
        archive.count(&mut held);
        self.held = match held {
            1 => Held::Key,
            2 => Held::Pedal,
            _ => Held::No,
        };
        archive.flag(&mut self.caught);
        archive.long(&mut self.struck);
        archive.number(&mut self.since);
        small(archive, &mut self.level);
        for under in &mut self.under {
            // 0 for none, else one more.
            let (mut note, mut level) = under.map_or((0, 0), |(note, level)| (note + 1, level));
            archive.size(&mut note);
            small(archive, &mut level);
            *under = note.checked_sub(1).filter(|note| *note < notes).map(|note| (note, level));
        }
        small(archive, &mut self.pressure);
        small(archive, &mut self.followed);
    }
}

/// A small number of a state.
pub fn small(archive: &mut Archive, number: &mut u8) {
    let mut count = u32::from(*number);
    archive.count(&mut count);
    *number = u8::try_from(count).unwrap_or(0);
}
