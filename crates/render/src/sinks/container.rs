//! A bus of the sound as a file, whatever the container: what WAV and FLAC files have in common.

use super::{SoundSink, Stream, stage};
use crate::{
    file::{Pending, Staged},
    forecast::Forecast,
    outcome::Outcome,
    sink::{Sink, SinkError},
    sound::Sound,
    target::{Ending, Target},
};
use hamiltone_core::state::Archive;
use hamiltone_plan::{Plan, SampleFormat};
use std::{
    fs::File,
    io::{self, BufWriter},
    marker::PhantomData,
    path::{Path, PathBuf},
};

/// A format of sound files.
pub trait Container {
    /// The size of the file of a bus, bytes, at most.
    fn size(plan: &Plan, bus: usize) -> u128;

    /// Whether it can store a bus, which has a channel, in a file of this name.
    ///
    /// # Errors
    /// Why not, and what to write instead.
    fn check(plan: &Plan, bus: usize, path: &Path) -> Result<(), String>;

    /// Begins the file of a bus of a sound.
    ///
    /// # Errors
    /// Those of `out`.
    fn begin<'w>(
        out: &'w mut BufWriter<File>,
        sound: &Sound,
        bus: usize,
        format: SampleFormat,
    ) -> io::Result<Box<dyn Stream + 'w>>;
}

/// Writes the sound of a bus to a file.
pub struct Contained<C> {
    path: PathBuf,
    bus: usize,
    target: Option<Target>,
    container: PhantomData<C>,
}

impl<C> Contained<C> {
    /// The first bus, written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::of_bus(path, 0)
    }

    /// The bus with this number in the plan, written to `path`.
    pub fn of_bus(path: impl Into<PathBuf>, bus: usize) -> Self {
        Self { path: path.into(), bus, target: None, container: PhantomData }
    }
}

impl<C: Container> Sink for Contained<C> {
    fn forecast(&self, plan: &Plan) -> Forecast {
        Forecast { files: vec![(self.path.clone(), C::size(plan, self.bus))], ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        let checked = match plan.channels(self.bus) {
            0 => Err("no pickup is in this sound, so there is nothing to write".into()),
            _ => C::check(plan, self.bus, &self.path),
        };
        checked.map_err(|reason| SinkError { path: self.path.clone(), reason })?;
        self.target = Some(Target::create(&self.path)?);
        Ok(())
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        stage(&mut [self], &outcome.sound, plan.output.format, outcome.ending)
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The samples are in the checkpoint of the run.
        Ok(())
    }
}

impl<C: Container> SoundSink for Contained<C> {
    fn bus(&self) -> usize {
        self.bus
    }

    fn take(&mut self, ending: Ending) -> Result<Option<Pending>, SinkError> {
        self.target.take().map(|target| target.pending(ending)).transpose()
    }

    fn begin<'w>(
        &self,
        out: &'w mut BufWriter<File>,
        sound: &Sound,
        format: SampleFormat,
    ) -> io::Result<Box<dyn Stream + 'w>> {
        C::begin(out, sound, self.bus, format)
    }
}
