//! What the keys of a computer's keyboard play, whether the terminal tells when they are released or not.
//!
//! A terminal that does not tell repeats a key that is held down, first after some tenths of a second, then about every 30 ms. A note lasts
//! [`LENGTH`] from the last time that its key was told of, and a key that is told of again within [`REPEAT`] is not played again: so a key that is
//! held down sounds on, and is played a second time where the terminal begins to repeat it.

use hamiltone_gestures::performance::controller::SUSTAIN;
use hamiltone_plan::parameter::ParameterPlan;
use hamiltone_play::Action;

/// How long a note lasts where its release is not told of, s.
pub const LENGTH: f64 = 0.6;
/// Within this time a key that is told of again repeats itself, s.
pub const REPEAT: f64 = 0.08;
/// The keys of an octave and a third from C on, as they lie.
const KEYS: &str = "awsedftgyhujkolp;";
/// By how much a velocity changes, and by which part of its range a parameter.
const VELOCITY_STEP: f64 = 0.1;
const PARAMETER_STEP: f64 = 0.05;
/// The lowest note at first, C4, and where it can be.
const FIRST: u8 = 60;
const LOWEST: u8 = 12;
const HIGHEST: u8 = 108;

/// A key of the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter or sign.
    Character(char),
    /// Backspace: everything is damped.
    Panic,
    /// Tab: the next parameter.
    Next,
    /// An octave down or up.
    Octave(bool),
}

/// A note that sounds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Down {
    sign: char,
    key: u8,
    /// When it was last told of, s.
    told: f64,
}

/// The keyboard and what its keys have set.
pub struct Keyboard {
    /// Whether releases are told of.
    releases: bool,
    base: u8,
    velocity: f64,
    sustain: bool,
    down: Vec<Down>,
    parameters: Vec<ParameterPlan>,
    values: Vec<f64>,
    chosen: usize,
}

impl Keyboard {
    /// A keyboard for an instrument with these parameters; `releases` says whether the terminal tells when keys are released.
    pub fn new(parameters: &[ParameterPlan], releases: bool) -> Self {
        let values = parameters.iter().map(|plan| plan.initial).collect();
        let parameters = parameters.to_vec();
        Self {
            releases,
            base: FIRST,
            velocity: 0.7,
            sustain: false,
            down: Vec::new(),
            parameters,
            values,
            chosen: 0,
        }
    }

    /// A key is told of as pressed at a time, s.
    pub fn press(&mut self, key: Key, now: f64, act: &mut dyn FnMut(Action)) {
        match key {
            Key::Character(' ') => {
                self.sustain = !self.sustain;
                act(Action::Control { number: SUSTAIN, value: f64::from(u8::from(self.sustain)) });
            }
            Key::Character('+' | '=') => self.velocity = (self.velocity + VELOCITY_STEP).min(1.0),
            Key::Character('-') => self.velocity = (self.velocity - VELOCITY_STEP).max(VELOCITY_STEP),
            Key::Character('[') => self.turn(-PARAMETER_STEP, act),
            Key::Character(']') => self.turn(PARAMETER_STEP, act),
            Key::Character(sign) => self.note(sign.to_ascii_lowercase(), now, act),
            Key::Panic => {
                self.down.clear();
                self.sustain = false;
                act(Action::AllSoundOff);
            }
            Key::Next => self.chosen = (self.chosen + 1) % self.parameters.len().max(1),
            Key::Octave(up) => {
                let base = if up { self.base + 12 } else { self.base - 12 };
                self.base = base.clamp(LOWEST, HIGHEST);
            }
        }
    }

    fn note(&mut self, sign: char, now: f64, act: &mut dyn FnMut(Action)) {
        let Some(offset) = KEYS.chars().position(|key| key == sign) else { return };
        if let Some(known) = self.down.iter_mut().find(|down| down.sign == sign) {
            let repeats = self.releases || now - known.told < REPEAT;
            known.told = now;
            if repeats {
                return;
            }
            act(off(known.key));
            self.down.retain(|down| down.sign != sign);
        }
        // At most 108 + 16.
        let key = self.base + offset as u8;
        self.down.push(Down { sign, key, told: now });
        act(Action::NoteOn { key, velocity: self.velocity });
    }

    /// A key is told of as released.
    pub fn release(&mut self, key: Key, act: &mut dyn FnMut(Action)) {
        let Key::Character(sign) = key else { return };
        let sign = sign.to_ascii_lowercase();
        self.down.iter().filter(|down| down.sign == sign).for_each(|down| act(off(down.key)));
        self.down.retain(|down| down.sign != sign);
    }

    /// Ends the notes whose time is over, where releases are not told of.
    pub fn end_notes(&mut self, now: f64, act: &mut dyn FnMut(Action)) {
        if !self.releases {
            let is_over = |down: &Down| now - down.told >= LENGTH;
            self.down.iter().filter(|down| is_over(down)).for_each(|down| act(off(down.key)));
            self.down.retain(|down| !is_over(down));
        }
    }

    /// Moves the parameter that is chosen by a part of its range.
    fn turn(&mut self, step: f64, act: &mut dyn FnMut(Action)) {
        let Some(plan) = self.parameters.get(self.chosen) else { return };
        let value = plan.at(plan.position(self.values[self.chosen]) + step);
        self.values[self.chosen] = value;
        act(Action::Parameter { number: self.chosen, value });
    }

    /// The number of the parameter that is chosen.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// What is set, in words.
    pub fn setting(&self) -> String {
        let Self { base, velocity, sustain, chosen, .. } = self;
        let note = hamiltone_gestures::note::Note::of_key(*base);
        let pedal = if *sustain { ", pedal down" } else { "" };
        let parameter = self.parameters.get(*chosen).map_or(String::new(), |plan| {
            format!(", {} {:.0} {}", plan.name, self.values[*chosen], plan.unit)
        });
        format!("a = {note}, velocity {velocity:.1}{pedal}{parameter}")
    }
}

fn off(key: u8) -> Action {
    Action::NoteOff { key, velocity: hamiltone_gestures::performance::RELEASE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_plan::parameter::{Changes, Unit};

    /// What keys play, each pressed at a time; notes whose time is over end at `until`.
    fn played(releases: bool, presses: &[(char, f64)], until: f64) -> Vec<Action> {
        let (mut keyboard, mut actions) = (Keyboard::new(&[], releases), Vec::new());
        for (sign, time) in presses {
            keyboard.press(Key::Character(*sign), *time, &mut |action| actions.push(action));
        }
        keyboard.end_notes(until, &mut |action| actions.push(action));
        actions
    }

    fn on(key: u8) -> Action {
        Action::NoteOn { key, velocity: 0.7 }
    }

    #[test]
    fn without_releases_notes_have_a_length_and_repeats_lengthen_them() {
        assert_eq!(played(false, &[('a', 0.0), ('k', 0.1)], 0.5), [on(60), on(72)]);
        assert_eq!(played(false, &[('a', 0.0), ('K', 0.1)], 0.65), [on(60), on(72), off(60)]);
        let held = [('a', 0.0), ('a', 0.03), ('a', 0.06)];
        assert_eq!(played(false, &held, 0.65), [on(60)]);
        assert_eq!(played(false, &held, 0.67), [on(60), off(60)]);
        // Played twice.
        assert_eq!(played(false, &[('a', 0.0), ('a', 0.2)], 0.3), [on(60), off(60), on(60)]);
    }

    #[test]
    fn with_releases_notes_end_when_their_key_is_released() {
        assert_eq!(played(true, &[('a', 0.0), ('a', 5.0)], 9.0), [on(60)]);
        let (mut keyboard, mut actions) = (Keyboard::new(&[], true), Vec::new());
        let mut act = |action| actions.push(action);
        keyboard.press(Key::Character('a'), 0.0, &mut act);
        // The note that ends is the one that began, whatever the octave is by then.
        keyboard.press(Key::Octave(true), 0.1, &mut act);
        keyboard.release(Key::Character('A'), &mut act);
        keyboard.press(Key::Character('a'), 0.2, &mut act);
        keyboard.press(Key::Panic, 0.3, &mut act);
        keyboard.release(Key::Character('a'), &mut act);
        assert_eq!(actions, [on(60), off(60), on(72), Action::AllSoundOff]);
    }

    #[test]
    fn octaves_velocities_pedal_and_parameters_stay_within_their_ranges() {
        let plan = |name: &str| ParameterPlan {
            name: name.into(),
            about: String::new(),
            unit: Unit::Percent,
            range: [0.0, 200.0],
            default: 0.0,
            initial: 0.0,
            midi: None,
            changes: Changes::Level,
        };
        let (mut keyboard, mut actions) = (Keyboard::new(&[plan("hammer"), plan("felt")], true), Vec::new());
        for up in [true, false] {
            for _ in 0..20 {
                keyboard.press(Key::Octave(up), 0.0, &mut |_| {});
                keyboard.press(Key::Character(if up { '+' } else { '-' }), 0.0, &mut |_| {});
            }
            for sign in ['p', ';'] {
                keyboard.press(Key::Character(sign), 0.0, &mut |action| match action {
                    Action::NoteOn { key, velocity } => {
                        assert!(key < 128 && velocity > 0.05 && velocity <= 1.0)
                    }
                    other => panic!("{other:?}"),
                });
                keyboard.release(Key::Character(sign), &mut |_| {});
            }
        }
        let mut act = |action| actions.push(action);
        for key in [Key::Next, Key::Character(']'), Key::Character(' '), Key::Character(' ')] {
            keyboard.press(key, 0.0, &mut act);
        }
        let pedal = |value| Action::Control { number: 64, value };
        assert_eq!(actions, [Action::Parameter { number: 1, value: 10.0 }, pedal(1.0), pedal(0.0)]);
        assert!(keyboard.setting().ends_with("felt 10 %"), "{}", keyboard.setting());
    }
}
