//! The files that a run writes: sound, audit, states.
//!
//! Every file is written under a temporary name, and all get their names together when all are complete.

pub mod audit;
mod contacts;
pub mod container;
pub mod flac;
mod pcm;
pub mod sounds;
pub mod states;
pub mod wav;
pub mod wav_header;

use crate::{
    Sink, SinkError, Sound, Staged,
    file::{Pending, failed},
    target::Ending,
};
use hamiltone_plan::SampleFormat;
use std::{
    fs::File,
    io::{self, BufWriter},
};

/// A sink that writes a sound file, frame by frame when the run has ended and its peak is known.
pub trait SoundSink: Sink {
    /// The number of its bus.
    fn bus(&self) -> usize;

    /// The file that [`Sink::start`] has begun, for a sound that ended so; it is then no longer there.
    ///
    /// # Errors
    /// Where a file of that ending cannot be created.
    fn take(&mut self, ending: Ending) -> Result<Option<Pending>, SinkError>;

    /// Begins the file of a sound.
    ///
    /// # Errors
    /// Those of `out`.
    fn begin<'w>(
        &self,
        out: &'w mut BufWriter<File>,
        sound: &Sound,
        format: SampleFormat,
    ) -> io::Result<Box<dyn Stream + 'w>>;
}

/// A sound file that is being written.
pub trait Stream {
    /// Takes the channels of the next frame; 1 is full scale.
    ///
    /// # Errors
    /// Those of the file.
    fn push(&mut self, frame: &[f64]) -> io::Result<()>;

    /// Writes what is left.
    ///
    /// # Errors
    /// Those of the file.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Writes the files of a sound that ended so, after [`Sink::start`], in one reading of its samples however many files there are.
///
/// # Errors
/// Where a file cannot be written, or the samples cannot be read.
pub fn stage(
    sinks: &mut [&mut dyn SoundSink],
    sound: &Sound,
    format: SampleFormat,
    ending: Ending,
) -> Result<Vec<Staged>, SinkError> {
    // Of each bus its file, and which of them it is.
    let mut pending = Vec::new();
    let mut of_bus = vec![Vec::new(); sound.mix.buses.len()];
    for sink in sinks {
        let Some(file) = sink.take(ending)? else { continue };
        of_bus.get_mut(sink.bus()).into_iter().for_each(|files| files.push(pending.len()));
        pending.push((&**sink, file));
    }
    let mut streams = Vec::new();
    for (sink, file) in &mut pending {
        let (name, out) = file.parts();
        streams.push((name, sink.begin(out, sound, format).map_err(|error| failed(name, error))?));
    }
    sound.mixed(sound.frames(), |bus, frame| {
        of_bus[bus].iter().try_for_each(|file| {
            let (name, stream) = &mut streams[*file];
            stream.push(frame).map_err(|error| failed(name, error))
        })
    })?;
    for (name, stream) in streams {
        stream.finish().map_err(|error| failed(name, error))?;
    }
    pending.into_iter().map(|(_, file)| file.complete()).collect()
}
