//! The files that a run writes: sound, audit, states.
//!
//! Every file is written under a temporary name, and all get their names together when all are complete.

pub mod audit;
mod contacts;
pub mod flac;
mod pcm;
pub mod states;
pub mod wav;
pub mod wav_header;

use crate::{Ending, Sink, SinkError, Sound, Staged};
use hamiltone_scene::plan::SampleFormat;

/// A sink that writes a sound file.
pub trait SoundSink: Sink {
    /// Writes a sound that ended so, after [`Sink::start`]; [`Sink::finish`] does this with the sound of a run.
    ///
    /// # Errors
    /// Where the file cannot be written, or the samples cannot be read.
    fn stage(
        &mut self,
        sound: &Sound,
        format: SampleFormat,
        ending: Ending,
    ) -> Result<Vec<Staged>, SinkError>;
}
