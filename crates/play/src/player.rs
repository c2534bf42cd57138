//! An instrument that can be put at rest at any time: notes that are played one by one, each from the same state.

use crate::engine::Engine;

/// An engine and its state at rest.
///
/// What is rendered after [`Player::rest`] has the bits of an engine that is new.
pub struct Player {
    /// The engine.
    pub engine: Engine,
    /// Its state before anything was played.
    rest: (Vec<u8>, Vec<f64>),
}

impl Player {
    /// Of an engine on which nothing was played yet.
    pub fn new(mut engine: Engine) -> Self {
        let rest = engine.save();
        Self { engine, rest }
    }

    /// Everything is as it was before anything was played, with the energy balance of the engine.
    ///
    /// # Panics
    /// Where `engine` was replaced by that of another instrument.
    pub fn rest(&mut self) {
        self.engine.restore(&self.rest.0, &self.rest.1).expect("its own state");
    }

    /// The next seconds, rounded down to whole samples: the channels interleaved.
    pub fn render(&mut self, seconds: f64) -> Vec<f64> {
        let mut samples = vec![0.0; (seconds * self.engine.rate()) as usize * self.engine.channels()];
        self.engine.render(&mut samples);
        samples
    }

    /// A note from rest, at a velocity of 0 to 1; `None` where the instrument does not have the key.
    pub fn note(&mut self, key: u8, velocity: f64, seconds: f64) -> Option<Vec<f64>> {
        self.rest();
        self.engine.note_on(key, velocity).then(|| self.render(seconds))
    }
}
