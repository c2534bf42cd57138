//! What was played, counted: notes, notes on keys that the instrument does not have, and what had no effect. Counting does not allocate.

use hamiltone_gestures::performance::Action;
use hamiltone_play::offline::{Played, kind};
use std::mem::discriminant;

/// The keys of MIDI.
const KEYS: usize = 128;
/// More kinds than there are: 128 controllers and the other actions.
const KINDS: usize = 160;

/// The counts.
pub struct Tally {
    notes: u64,
    missing: [u64; KEYS],
    /// An action of each kind that had no effect, and their number.
    ignored: Vec<(Action, u64)>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { notes: 0, missing: [0; KEYS], ignored: Vec::with_capacity(KINDS) }
    }
}

impl Tally {
    /// Counts an action that had an effect, or none.
    pub fn count(&mut self, action: Action, effect: bool) {
        match action {
            Action::NoteOn { .. } if effect => self.notes += 1,
            Action::NoteOn { key, .. } => {
                if let Some(missing) = self.missing.get_mut(usize::from(key)) {
                    *missing += 1;
                }
            }
            Action::NoteOff { .. } => {}
            _ if effect => {}
            _ => self.ignore(action),
        }
    }

    /// Counts what had no effect.
    fn ignore(&mut self, action: Action) {
        if let Some((_, count)) = self.ignored.iter_mut().find(|(known, _)| is_alike(*known, action)) {
            *count += 1;
        } else if self.ignored.len() < KINDS {
            self.ignored.push((action, 1));
        }
    }

    /// How many notes were played.
    pub fn notes(&self) -> u64 {
        self.notes
    }

    /// Puts the counts into what was played.
    pub fn put(&self, played: &mut Played) {
        played.notes = self.notes;
        let missing = (0_u8..).zip(self.missing).filter(|(_, count)| *count > 0);
        played.missing = missing.collect();
        played.ignored = self.ignored.iter().map(|(action, count)| (kind(*action), *count)).collect();
    }
}

/// Whether two actions are of one kind: of controllers, the same one.
fn is_alike(a: Action, b: Action) -> bool {
    match (a, b) {
        (Action::Control { number: a, .. }, Action::Control { number: b, .. }) => a == b,
        _ => discriminant(&a) == discriminant(&b),
    }
}
