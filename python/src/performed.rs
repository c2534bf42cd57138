//! What an instrument has played: samples, audit, sound files.

use crate::rendered::{samples, unreadable};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_render::{
    Ending, Sink, Sound, commit::commit, distinct::check_distinct, file::failed, sinks::sounds::sounds,
};
use numpy::PyArray2;
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// A performance on an instrument.
#[pyclass(module = "hamiltone._hamiltone", frozen)]
pub struct Performed {
    pub instrument: Arc<Mutex<InstrumentPlan>>,
    pub sound: Sound,
    /// JSON.
    pub audit: String,
    /// What went wrong, if something did.
    pub trouble: Option<String>,
    pub warnings: Vec<String>,
    /// The files that were read, besides those that the instrument names.
    pub inputs: Vec<PathBuf>,
}

#[pymethods]
impl Performed {
    #[getter]
    fn rate(&self) -> f64 {
        self.sound.rate
    }

    #[getter]
    fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Name and number of channels of each bus, in the order of the channels of a frame.
    #[getter]
    fn buses(&self) -> Vec<(String, usize)> {
        self.sound.mix.buses.iter().map(|bus| (bus.name.clone(), bus.channels.len())).collect()
    }

    /// The audit, JSON.
    fn audit(&self) -> &str {
        &self.audit
    }

    /// All channels of all buses, frames × channels; 1 is full scale.
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        samples(py, &self.sound)
    }

    /// Writes a sound file for each bus and returns their names.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PathBuf>> {
        let ending = if self.trouble.is_none() { Ending::Good } else { Ending::Failed };
        py.detach(|| {
            let mut instrument = self.instrument.lock().unwrap_or_else(PoisonError::into_inner);
            let plan = &mut instrument.plan;
            plan.frames = self.sound.frames() as usize;
            let mut sounds = sounds(&path, plan).map_err(PyValueError::new_err)?;
            let outputs = sounds.0.iter().map(|sound| (sound.what.clone(), &sound.path));
            check_distinct(outputs, None, self.inputs.iter().chain(&plan.inputs))
                .map_err(PyValueError::new_err)?;
            for folder in sounds.0.iter().filter_map(|sound| sound.path.parent()) {
                fs::create_dir_all(folder).map_err(|error| unreadable(failed(folder, error)))?;
            }
            let written = sounds.0.iter().map(|sound| ending.name(&sound.path)).collect();
            let format = plan.output.format;
            let staged = sounds.start(plan).and_then(|()| sounds.stage(&self.sound, format, ending));
            staged.and_then(commit).map_err(unreadable)?;
            Ok(written)
        })
    }
}
