//! MIDI Polyphonic Expression (MMA, M1-100-UM, version 1.0), the lower zone: channel 1 for all notes, channels 2 to 16 for one note each.
//!
//! | of a member channel | becomes |
//! |---|---|
//! | note-on, note-off | the same |
//! | channel pressure | pressure on the key that the channel plays |
//! | controller 74 and others | the same |
//! | pitch wheel, of 48 semitones at first | a bend, where this note is the only one that is held |
//!
//! An instrument bends all its strings at once. So the bend is that of channel 1, to which that of a member channel is added while
//! its note alone is held; when all keys are up it stays until the next note.

use super::channel::Channel;
use hamiltone_gestures::performance::Action;

/// The channels of MIDI.
const CHANNELS: usize = 16;
/// The range of the wheel of member channels at first, semitones.
const RANGE: u8 = 48;
/// The controllers that set registered parameters; those of a member channel are for all of them.
const PARAMETERS: [u8; 6] = [6, 38, 98, 99, 100, 101];

/// What the zone remembers.
pub struct Mpe {
    channels: [Channel; CHANNELS],
    /// The bend of each channel, semitones.
    bends: [f64; CHANNELS],
    /// The key that was last played on each channel, and those of its keys that are down, one bit each.
    keys: [u8; CHANNELS],
    down: [u128; CHANNELS],
    /// The bend that was told last.
    told: f64,
}

impl Default for Mpe {
    fn default() -> Self {
        let mut channels: [Channel; CHANNELS] = std::array::from_fn(|_| Channel::with_range(RANGE));
        channels[0] = Channel::default();
        Self { channels, bends: [0.0; CHANNELS], keys: [0; CHANNELS], down: [0; CHANNELS], told: 0.0 }
    }
}

impl Mpe {
    /// What a message means, as [`Channel::apply`] has it; the low four bits of the status are the channel.
    ///
    /// ```
    /// use hamiltone_play::{Action, midi::mpe::Mpe};
    ///
    /// let (mut mpe, mut actions) = (Mpe::default(), Vec::new());
    /// for (status, data) in [(0x91, [60, 127]), (0xd1, [127, 0]), (0xe1, [0, 96])] {
    ///     mpe.apply(status, data, |action| actions.push(action));
    /// }
    /// let on = Action::NoteOn { key: 60, velocity: 1.0 };
    /// assert_eq!(actions, [on, Action::Pressure { key: Some(60), value: 1.0 }, Action::Bend { semitones: 24.0 }]);
    /// ```
    pub fn apply(&mut self, status: u8, data: [u8; 2], mut act: impl FnMut(Action)) {
        let own = usize::from(status & 0x0f);
        let is_parameter = status & 0xf0 == 0xb0 && PARAMETERS.contains(&data[0]);
        let channels = if own > 0 && is_parameter { 1..CHANNELS } else { own..own + 1 };
        for n in channels {
            let Self { channels, bends, keys, down, .. } = self;
            channels[n].apply(status, data, |action| {
                match action {
                    Action::NoteOn { key, .. } => {
                        keys[n] = key;
                        down[n] |= 1 << key;
                    }
                    Action::NoteOff { key, .. } => down[n] &= !(1 << key),
                    Action::AllNotesOff | Action::AllSoundOff if n == 0 => *down = [0; CHANNELS],
                    Action::AllNotesOff | Action::AllSoundOff => down[n] = 0,
                    Action::Bend { semitones } => {
                        bends[n] = semitones;
                        return;
                    }
                    Action::Pressure { key: None, value } if n > 0 => {
                        return act(Action::Pressure { key: Some(keys[n]), value });
                    }
                    _ => {}
                }
                act(action);
            });
        }
        let semitones = self.bend();
        if semitones != self.told {
            self.told = semitones;
            act(Action::Bend { semitones });
        }
    }

    /// The bend of all strings now, semitones.
    fn bend(&self) -> f64 {
        let held: u32 = self.down.iter().map(|keys| keys.count_ones()).sum();
        let alone = self.down.iter().position(|keys| *keys != 0).filter(|n| held == 1 && *n > 0);
        match (held, alone) {
            (0, _) => self.told,
            (_, Some(n)) => self.bends[0] + self.bends[n],
            _ => self.bends[0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(messages: &[(u8, u8, u8)]) -> Vec<Action> {
        let (mut mpe, mut actions) = (Mpe::default(), Vec::new());
        for (status, first, second) in messages {
            mpe.apply(*status, [*first, *second], |action| actions.push(action));
        }
        actions
    }

    fn bends(messages: &[(u8, u8, u8)]) -> Vec<f64> {
        let bend =
            |action: Action| if let Action::Bend { semitones } = action { Some(semitones) } else { None };
        actions(messages).into_iter().filter_map(bend).collect()
    }

    #[test]
    fn a_note_is_bent_while_it_is_held_alone() {
        let (up, on, on_2, off, off_2) =
            ((0xe1, 0, 96), (0x91, 60, 9), (0x92, 64, 9), (0x81, 60, 0), (0x82, 64, 0));
        assert_eq!(bends(&[up]), [0.0; 0], "no note");
        assert_eq!(bends(&[on, up]), [24.0]);
        assert_eq!(bends(&[up, on, on_2, off_2]), [24.0, 0.0, 24.0]);
        // What rings on is bent until the next note.
        assert_eq!(bends(&[on, up, off, (0xe1, 0, 64), on_2]), [24.0, 0.0]);
        // The wheel of channel 1, of 2 semitones, is for all.
        assert_eq!(bends(&[on, on_2, (0xe0, 0, 96), off, (0xe2, 0, 96)]), [1.0, 25.0]);
    }

    #[test]
    fn one_member_channel_sets_the_range_of_all() {
        let range = [(0xb5, 101, 0), (0xb5, 100, 0), (0xb5, 6, 12), (0x91, 60, 9), (0xe1, 0, 96)];
        assert_eq!(bends(&range), [6.0]);
        let own = [(0xb0, 101, 0), (0xb0, 100, 0), (0xb0, 6, 12), (0x91, 60, 9), (0xe1, 0, 96)];
        assert_eq!(bends(&own), [24.0], "channel 1 has its own");
    }

    #[test]
    fn pressure_is_that_of_the_key_and_of_channel_1_of_all() {
        let (on, press, all) = ((0x93, 67, 9), (0xd3, 127, 0), (0xd0, 127, 0));
        let pressed = |key| Action::Pressure { key, value: 1.0 };
        assert_eq!(actions(&[on, press, all])[1..], [pressed(Some(67)), pressed(None)]);
        assert_eq!(actions(&[(0xb3, 74, 127)]), [Action::Control { number: 74, value: 1.0 }]);
    }
}
