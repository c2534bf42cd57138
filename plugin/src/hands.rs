//! What events of a host do to an engine: notes and pressure by key, everything of MIDI by [`hamiltone_play::midi::channel`], and one bend for all strings.
//!
//!   bend = the wheel of the channel on which a key went down last + the tuning of the note that is held, where it is the only one
//!
//! An engine bends all its strings alike, so that the tunings of several notes at a time (MPE) have no effect.

use hamiltone_play::{Action, Engine, midi::channel::Channel};
use nice_plug::{
    midi::{self, Key},
    prelude::NoteEvent,
};

/// Controllers of MIDI in the status byte, and what else is of a channel.
const CONTROL: u8 = 0xb0;
const PROGRAM: u8 = 0xc0;
const PRESSURE: u8 = 0xd0;
const WHEEL: u8 = 0xe0;

/// What is held, and where wheels stand.
pub struct Hands {
    channels: [Channel; 16],
    /// Where the wheel of each channel stands, semitones.
    wheels: [f64; 16],
    /// The channel on which each key is held.
    held: [Option<u8>; 128],
    /// How far each note is tuned from its key, semitones.
    tunings: [f64; 128],
    /// The channel on which a key went down last.
    last: u8,
    /// The tuning that acts, and the bend that the engine has, semitones.
    tuning: f64,
    bend: f64,
}

impl Default for Hands {
    fn default() -> Self {
        let (channels, tunings) = (Default::default(), [0.0; 128]);
        Self { channels, wheels: [0.0; 16], held: [None; 128], tunings, last: 0, tuning: 0.0, bend: 0.0 }
    }
}

impl Hands {
    /// Lets an event act from the next sample on.
    pub fn play(&mut self, engine: &mut Engine, event: NoteEvent<()>) {
        match event {
            NoteEvent::NoteOn { channel, key: Key::Number(key), velocity, .. } => {
                self.last = channel.number().unwrap_or(0) & 15;
                self.tunings[usize::from(key & 127)] = 0.0;
                if engine.note_on(key, velocity.into()) {
                    self.held[usize::from(key & 127)] = Some(self.last);
                }
                self.bend(engine);
            }
            NoteEvent::NoteOff { channel, key, .. } | NoteEvent::Choke { channel, key, .. } => {
                for key in self.keys(channel, key) {
                    self.held[usize::from(key)] = None;
                    engine.note_off(key);
                }
                self.bend(engine);
            }
            NoteEvent::PolyPressure { channel, key, pressure, .. } => {
                self.keys(channel, key).for_each(|key| engine.pressure(Some(key), pressure.into()));
            }
            NoteEvent::PolyTuning { channel, key, tuning, .. } => {
                self.keys(channel, key).for_each(|key| self.tunings[usize::from(key)] = tuning.into());
                self.bend(engine);
            }
            NoteEvent::MidiCC { channel, cc, value, .. } => {
                self.message(engine, channel, CONTROL, [cc, seven_bits(value)]);
            }
            NoteEvent::MidiChannelPressure { channel, pressure, .. } => {
                self.message(engine, channel, PRESSURE, [seven_bits(pressure), 0]);
            }
            NoteEvent::MidiPitchBend { channel, value, .. } => {
                self.message(engine, channel, WHEEL, fourteen_bits(value));
            }
            NoteEvent::MidiProgramChange { channel, program, .. } => {
                self.message(engine, channel, PROGRAM, [program, 0]);
            }
            // Volume, pan, vibrato, expression and brightness of single notes.
            _ => {}
        }
    }

    /// The key of an event; of one for any key those that are held on its channel.
    fn keys(&self, channel: midi::Channel, key: Key) -> impl Iterator<Item = u8> + use<> {
        let (held, channel) = (self.held, channel.number());
        let is_held =
            move |key: &u8| held[usize::from(*key)].is_some_and(|on| channel.is_none_or(|c| c == on));
        (0..128).filter(move |other| key.number().map_or_else(|| is_held(other), |key| key == *other))
    }

    /// A message of MIDI.
    fn message(&mut self, engine: &mut Engine, channel: u8, status: u8, data: [u8; 2]) {
        let Self { channels, wheels, held, .. } = self;
        let on = usize::from(channel & 15);
        channels[on].apply(status, data, |action| match action {
            Action::Bend { semitones } => wheels[on] = semitones,
            // A controller of MPE has a channel for each note; elsewhere it is of all that sounds.
            Action::Pressure { key: None, value } if held.iter().flatten().any(|other| *other != channel) => {
                let own = (0..).zip(&*held).filter(|(_, held)| **held == Some(channel));
                own.for_each(|(key, _)| engine.pressure(Some(key), value));
            }
            Action::AllNotesOff | Action::AllSoundOff => {
                *held = [None; 128];
                engine.act(action);
            }
            action => _ = engine.act(action),
        });
        self.bend(engine);
    }

    /// Bends the strings to where wheels and tunings stand now. What rings on after its key is as it was.
    fn bend(&mut self, engine: &mut Engine) {
        let mut held = (0..128).filter(|key| self.held[*key].is_some());
        match (held.next(), held.next()) {
            (Some(only), None) => self.tuning = self.tunings[only],
            (Some(_), Some(_)) => self.tuning = 0.0,
            _ => {}
        }
        let bend = self.wheels[usize::from(self.last)] + self.tuning;
        if bend != self.bend {
            self.bend = bend;
            engine.bend(bend);
        }
    }
}

/// A value from 0 to 1 as MIDI has it; beyond, the nearest of these, and 0 for no number.
fn seven_bits(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 127.0).round() as u8
}

/// The position of a wheel from 0 to 1 as MIDI has it, the lower seven bits first; beyond, the nearest of these, and the middle for no number.
fn fourteen_bits(value: f32) -> [u8; 2] {
    let value = if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) };
    let position = (value * 16_383.0).round() as u16;
    [position as u8 & 127, (position >> 7) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_their_range_are_at_its_ends() {
        let controllers = [-0.1, 0.0, 0.5, 1.0, 1.01, 3.0, f32::INFINITY, f32::NAN].map(seven_bits);
        assert_eq!(controllers, [0, 0, 64, 127, 127, 127, 127, 0]);
        let wheel = |value| fourteen_bits(value).map(u16::from);
        let wheels =
            [-1.0, 0.0, 0.5, 1.0, 1.01, f32::NAN].map(|value| wheel(value)[0] + 128 * wheel(value)[1]);
        assert_eq!(wheels, [0, 0, 8192, 16_383, 16_383, 8192]);
    }
}
