//! An engine with what a plugin needs beside it: the state at rest, to be reset to without allocation, its presets, and its hands.

use crate::{
    hands::Hands,
    settings::{SLOTS, Settings},
    slot,
};
use hamiltone_play::{Engine, engine::mark::Mark};
use nice_plug::prelude::NoteEvent;
use std::ops::Range;

/// The most frames that are computed at a time.
const CHUNK: usize = 512;

/// What plays an instrument.
pub struct Player {
    engine: Engine,
    at_rest: Mark,
    hands: Hands,
    /// The values of all parameters in each preset; those of none come first.
    presets: Vec<Vec<f64>>,
    /// The values that slots have given to the parameters.
    given: [f64; SLOTS],
    /// The channels of the first bus.
    channels: usize,
    frames: Vec<f32>,
}

impl Player {
    /// One at rest.
    pub fn new(mut engine: Engine, presets: Vec<Vec<f64>>) -> Self {
        let channels = engine.channels_of_buses().first().copied().unwrap_or(0);
        let frames = vec![0.0; CHUNK * engine.channels()];
        let mut player = Self {
            at_rest: engine.mark(),
            engine,
            hands: Hands::default(),
            presets,
            given: [0.0; SLOTS],
            channels,
            frames,
        };
        player.reset();
        player
    }

    /// Goes back to rest.
    pub fn reset(&mut self) {
        let Self { engine, at_rest, hands, given, .. } = self;
        engine.return_to(at_rest);
        *hands = Hands::default();
        given.iter_mut().enumerate().for_each(|(number, given)| *given = engine.parameter(number));
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// As [`Self::follow`], at rest: nothing sounds yet, and the level is at once where it goes to.
    pub fn begin(&mut self, settings: &Settings) {
        self.follow(settings);
        self.engine.arrive();
    }

    /// Lets the parameters have the values that the preset and the slots say. One that did not move is left to the controller of MIDI that moves it.
    pub fn follow(&mut self, settings: &Settings) {
        let Self { engine, presets, given, .. } = self;
        let Some(preset) = presets.get(settings.preset.value() as usize).or(presets.first()) else { return };
        for (number, ((base, slot), given)) in preset.iter().zip(&settings.slots).zip(given).enumerate() {
            let value = slot::value(&engine.parameters()[number], *base, slot.position.value().into());
            if value != *given {
                *given = value;
                engine.set_parameter(number, value);
            }
        }
    }

    /// Lets an event act from the next sample on.
    pub fn act(&mut self, event: NoteEvent<()>) {
        self.hands.play(&mut self.engine, event);
    }

    /// The next frames, left and right: the first two channels of the first bus, or its only one on both sides.
    pub fn render(&mut self, out: &mut [&mut [f32]], mut range: Range<usize>) {
        let [left, right, ..] = out else { return };
        // A part that overflows is muted by the engine; until then its samples may be beyond those of 32 bits.
        let heard = |sample: f32| if sample.is_finite() { sample } else { 0.0 };
        let all = self.engine.channels();
        while !range.is_empty() && self.channels > 0 {
            let end = range.end.min(range.start + CHUNK);
            let block = &mut self.frames[..(end - range.start) * all];
            self.engine.render(block);
            for (frame, i) in block.chunks_exact(all).zip(range.start..end) {
                (left[i], right[i]) = (heard(frame[0]), heard(frame[self.channels.min(2) - 1]));
            }
            range.start = end;
        }
    }

    /// Whether it sounds, or is going to.
    pub fn sounds(&self) -> bool {
        !self.engine.is_at_rest() || self.engine.waits() || self.engine.held() > 0
    }
}
