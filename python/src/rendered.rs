//! The outcome of a render as arrays and texts.

use hamiltone_render::{Outcome, SinkError, Sound, sinks::audit};
use hamiltone_report::{partials, preview};
use hamiltone_scene::Plan;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::{
    exceptions::{PyKeyError, PyOSError},
    prelude::*,
    types::PyDict,
};

/// What a render has found.
#[pyclass(module = "hamiltone._hamiltone", frozen)]
pub struct Rendered {
    plan: Plan,
    outcome: Outcome,
    /// The scene.
    text: String,
}

impl Rendered {
    pub fn new(plan: Plan, outcome: Outcome, text: String) -> Self {
        Self { plan, outcome, text }
    }
}

/// Files that cannot be read or written.
pub fn unreadable(error: SinkError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// Numbers row by row as an array of frames × channels that owns them.
pub fn matrix(py: Python<'_>, samples: Vec<f64>, channels: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let frames = samples.len() / channels.max(1);
    PyArray1::from_vec(py, samples).reshape([frames, channels])
}

/// The samples of a sound, frames × channels.
///
/// # Errors
/// Where they cannot be read.
pub fn samples<'py>(py: Python<'py>, sound: &Sound) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut samples = Vec::with_capacity(sound.frames() as usize * sound.channels);
    py.detach(|| {
        sound.for_each(0..sound.frames(), |rows| {
            samples.extend_from_slice(rows);
            Ok::<(), SinkError>(())
        })
    })
    .map_err(unreadable)?;
    matrix(py, samples, sound.channels)
}

/// One partial as a row of a table.
fn row<'py>(
    py: Python<'py>,
    body: &partials::Partials,
    partial: &partials::Partial,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("body", &body.body)?;
    row.set_item("pickups", &body.pickups)?;
    row.set_item("partial", partial.number)?;
    row.set_item("theory_hz", partial.theory)?;
    row.set_item("system_hz", partial.grid)?;
    row.set_item("step_hz", partial.predicted)?;
    row.set_item("measured_hz", partial.measured)?;
    row.set_item("cents", partial.cents())?;
    row.set_item("level_db", partial.level)?;
    row.set_item("audible", partial.is_audible())?;
    row.set_item("t60_requested_s", partial.requested)?;
    row.set_item("t60_s", partial.decay.as_ref().ok())?;
    row.set_item("t60_missing", partial.decay.as_ref().err().map(ToString::to_string))?;
    Ok(row)
}

#[pymethods]
impl Rendered {
    /// Whether the verdict is not red.
    #[getter]
    fn ok(&self) -> bool {
        self.outcome.ok
    }

    /// green, amber or red.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.outcome.verdict.word()
    }

    #[getter]
    fn title(&self) -> &str {
        &self.plan.title
    }

    #[getter]
    fn sample_rate(&self) -> f64 {
        self.outcome.sound.rate
    }

    /// Why the verdict is not green; empty of a green one.
    #[getter]
    fn reason(&self) -> String {
        self.outcome.reason(&self.plan)
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.outcome.warnings.clone()
    }

    /// The names of the buses.
    #[getter]
    fn buses(&self) -> Vec<String> {
        self.outcome.sound.mix.buses.iter().map(|bus| bus.name.clone()).collect()
    }

    /// Name, quantity and unit of each pickup.
    #[getter]
    fn pickups(&self) -> Vec<(String, String, String)> {
        let of = |pickup: &hamiltone_scene::plan::Pickup| {
            (pickup.name.clone(), pickup.quantity.to_string(), pickup.unit.to_string())
        };
        self.plan.pickups.iter().map(of).collect()
    }

    /// The audit, JSON.
    fn audit(&self) -> String {
        audit::json(&self.plan, &self.outcome).to_string()
    }

    /// A bus as its file stores it, frames × channels; 1 is full scale.
    fn bus<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let sound = &self.outcome.sound;
        let bus = sound.mix.buses.get(number).ok_or_else(|| PyKeyError::new_err(number))?;
        let channels = bus.channels.len();
        let mut samples = Vec::with_capacity(sound.frames() as usize * channels);
        py.detach(|| {
            sound.mixed(sound.frames(), |bus, row| {
                samples.extend_from_slice(if bus == number { row } else { &[] });
                Ok::<(), SinkError>(())
            })
        })
        .map_err(unreadable)?;
        matrix(py, samples, channels)
    }

    /// The pickups in SI units, frames × pickups.
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        samples(py, &self.outcome.sound)
    }

    /// The partials of the bodies with a pickup, a dict each: see `Result.partials`.
    fn partials<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let all = py.detach(|| partials::all(&self.plan, &self.outcome, None)).map_err(unreadable)?;
        let rows = all.iter().flat_map(|body| body.list.iter().map(move |partial| (body, partial)));
        rows.map(|(body, partial)| row(py, body, partial)).collect()
    }

    /// A page with verdict, player, pictures and audit.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| preview::html(&self.plan, &self.outcome, &self.text)).map_err(unreadable)
    }
}
