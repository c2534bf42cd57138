//! The files that a run writes: sound, audit, states.
//!
//! Every file is written under a temporary name, and all get their names together when all are complete.

pub mod audit;
mod contacts;
pub mod flac;
mod pcm;
pub mod sounds;
pub mod states;
pub mod wav;
pub mod wav_header;

use crate::{
    Sink, SinkError, Sound, Staged,
    target::{Ending, Target},
};
use hamiltone_scene::plan::SampleFormat;
use std::{
    fs::File,
    io::{self, BufWriter},
};

/// A sink that writes a sound file.
pub trait SoundSink: Sink {
    /// The file that [`Sink::start`] has begun, which is then no longer there.
    fn take_target(&mut self) -> Option<Target>;

    /// Writes the whole file.
    ///
    /// # Errors
    /// Those of `out`, and where the samples cannot be read.
    fn write(&self, out: &mut BufWriter<File>, sound: &Sound, format: SampleFormat) -> io::Result<()>;

    /// Writes a sound that ended so, after [`Sink::start`]; [`Sink::finish`] does this with the sound of a run.
    ///
    /// # Errors
    /// Where the file cannot be written, or the samples cannot be read.
    fn stage(
        &mut self,
        sound: &Sound,
        format: SampleFormat,
        ending: Ending,
    ) -> Result<Vec<Staged>, SinkError> {
        let Some(target) = self.take_target() else { return Ok(Vec::new()) };
        Ok(vec![target.stage(ending, |out| self.write(out, sound, format))?])
    }
}
