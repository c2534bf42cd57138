//! What a channel message means: status and data become actions. Files and live input go through this; nothing is allocated.
//!
//!   bend = (w − 8192)/8192 · (R + r/100) semitones
//!
//! w is the position of the pitch wheel, 0 to 16383; the registered parameter 0 (pitch-bend sensitivity) sets the range of R
//! semitones and r cents, 2 and 0 at first. Velocities and values of 7 bits are divided by 127.

use hamiltone_gestures::performance::{Action, RELEASE, controller};

/// The position of a wheel at rest.
const CENTRE: u16 = 8192;
/// What [`Channel::apply`] sets to 0 at a reset of all controllers.
const RESET: [u8; 4] =
    [controller::MODULATION, controller::SUSTAIN, controller::SOSTENUTO, controller::UNA_CORDA];

/// What a channel remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    wheel: u16,
    /// Semitones and cents of the wheel's range.
    range: [u8; 2],
    /// The registered parameter that data entry sets, high and low byte; 127, 127 for none.
    parameter: [u8; 2],
}

impl Default for Channel {
    fn default() -> Self {
        Self { wheel: CENTRE, range: [2, 0], parameter: [127, 127] }
    }
}

impl Channel {
    /// A channel whose wheel has a range of so many semitones at first.
    pub fn with_range(semitones: u8) -> Self {
        Self { range: [semitones, 0], ..Self::default() }
    }

    /// What a message means: its status (its low four bits, the channel, are ignored), its two data bytes (their top bits are
    /// ignored), and what takes the actions. System messages mean nothing.
    ///
    /// ```
    /// use hamiltone_play::{Action, midi::channel::Channel};
    ///
    /// let mut actions = Vec::new();
    /// Channel::default().apply(0x90, [60, 0], |action| actions.push(action));
    /// assert_eq!(actions, [Action::NoteOff { key: 60, velocity: 64.0 / 127.0 }]);
    /// ```
    pub fn apply(&mut self, status: u8, data: [u8; 2], mut act: impl FnMut(Action)) {
        let [first, second] = data.map(|byte| byte & 0x7f);
        let part = |byte: u8| f64::from(byte) / 127.0;
        match status & 0xf0 {
            0x80 => act(Action::NoteOff { key: first, velocity: part(second) }),
            0x90 if second == 0 => act(Action::NoteOff { key: first, velocity: RELEASE }),
            0x90 => act(Action::NoteOn { key: first, velocity: part(second) }),
            0xa0 => act(Action::Pressure { key: Some(first), value: part(second) }),
            0xb0 => self.control(first, second, act),
            0xc0 => act(Action::Program(first)),
            0xd0 => act(Action::Pressure { key: None, value: part(first) }),
            0xe0 => {
                self.wheel = u16::from(second) << 7 | u16::from(first);
                act(self.bend());
            }
            _ => {}
        }
    }

    fn bend(&self) -> Action {
        let [semitones, cents] = self.range.map(f64::from);
        let position = (f64::from(self.wheel) - f64::from(CENTRE)) / f64::from(CENTRE);
        Action::Bend { semitones: position * (semitones + cents / 100.0) }
    }

    fn control(&mut self, number: u8, value: u8, mut act: impl FnMut(Action)) {
        match number {
            // Data entry: of the parameters the range of the wheel alone is known.
            6 | 38 if self.parameter == [0, 0] => {
                self.range[usize::from(number == 38)] = value;
                if self.wheel != CENTRE {
                    act(self.bend());
                }
            }
            6 | 38 | 96 | 97 => {}
            // Parameters that are not registered.
            98 | 99 => self.parameter = [127, 127],
            100 => self.parameter[1] = value,
            101 => self.parameter[0] = value,
            120 => act(Action::AllSoundOff),
            121 => {
                *self = Self { range: self.range, ..Self::default() };
                for number in RESET {
                    act(Action::Control { number, value: 0.0 });
                }
                act(Action::Control { number: controller::EXPRESSION, value: 1.0 });
                act(self.bend());
                act(Action::Pressure { key: None, value: 0.0 });
            }
            // Local control.
            122 => {}
            // The modes of receiving (omni, mono, poly) release all keys, too.
            123.. => act(Action::AllNotesOff),
            _ => act(Action::Control { number, value: f64::from(value) / 127.0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(messages: &[(u8, u8, u8)]) -> Vec<Action> {
        let (mut channel, mut actions) = (Channel::default(), Vec::new());
        for (status, first, second) in messages {
            channel.apply(*status, [*first, *second], |action| actions.push(action));
        }
        actions
    }

    #[test]
    fn the_wheel_has_a_range() {
        let bend = |semitones| Action::Bend { semitones };
        assert_eq!(
            actions(&[(0xe0, 0, 64), (0xe1, 0, 0), (0xe0, 0, 96)]),
            [bend(0.0), bend(-2.0), bend(1.0)]
        );
        let range = [(0xb0, 101, 0), (0xb0, 100, 0), (0xb0, 6, 12), (0xb0, 38, 50), (0xe0, 0, 0)];
        assert_eq!(actions(&range), [bend(-12.5)]);
        // A bent note follows the range, and a parameter of another number, registered or not, has no effect.
        let bent = [(0xe0, 0, 0), (0xb0, 101, 0), (0xb0, 100, 0), (0xb0, 6, 7)];
        assert_eq!(actions(&bent), [bend(-2.0), bend(-7.0)]);
        for other in [(0xb0, 100, 1), (0xb0, 101, 127), (0xb0, 98, 0), (0xb0, 99, 0)] {
            let messages = [(0xb0, 101, 0), (0xb0, 100, 0), other, (0xb0, 6, 12), (0xe0, 0, 0)];
            assert_eq!(actions(&messages), [bend(-2.0)]);
        }
    }

    #[test]
    fn a_reset_returns_to_rest_and_keeps_volume_and_range() {
        let mut messages = vec![(0xb0, 101, 0), (0xb0, 100, 0), (0xb0, 6, 12), (0xe0, 0, 0), (0xb0, 121, 0)];
        let reset = actions(&messages);
        let controls: Vec<_> = reset
            .iter()
            .filter_map(|action| match action {
                Action::Control { number, value } => Some((*number, *value)),
                _ => None,
            })
            .collect();
        assert_eq!(controls, [(1, 0.0), (64, 0.0), (66, 0.0), (67, 0.0), (11, 1.0)]);
        assert!(
            reset.ends_with(&[Action::Bend { semitones: 0.0 }, Action::Pressure { key: None, value: 0.0 }])
        );
        // The parameter is no longer selected, its value is kept.
        messages.extend([(0xb0, 6, 1), (0xe0, 0, 0)]);
        assert_eq!(actions(&messages).last(), Some(&Action::Bend { semitones: -12.0 }));
    }

    #[test]
    fn every_kind_of_message_has_its_action() {
        let value = 100.0 / 127.0;
        assert_eq!(
            actions(&[
                (0x8f, 60, 100),
                (0x90, 60, 100),
                (0xa0, 60, 100),
                (0xb0, 64, 100),
                (0xc0, 5, 0),
                (0xd0, 100, 0),
                (0xb0, 120, 0),
                (0xb0, 123, 0),
                (0xb0, 126, 1),
                (0xb0, 122, 0),
                (0xf8, 0, 0),
            ]),
            [
                Action::NoteOff { key: 60, velocity: value },
                Action::NoteOn { key: 60, velocity: value },
                Action::Pressure { key: Some(60), value },
                Action::Control { number: 64, value },
                Action::Program(5),
                Action::Pressure { key: None, value },
                Action::AllSoundOff,
                Action::AllNotesOff,
                Action::AllNotesOff,
            ]
        );
    }
}
