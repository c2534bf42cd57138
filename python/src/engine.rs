//! An instrument that is played block by block.

use crate::running::watched;
use hamiltone_gestures::performance::Action;
use hamiltone_plan::parameter::ParameterPlan;
use hamiltone_play::{self as play, recording::Balance};
use hamiltone_study::survey::keys;
use numpy::{PyArray2, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyKeyError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict},
};
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// How many frames are rendered before signals are looked for.
const BLOCK: usize = 4096;

/// An instrument that is played by its caller. Other threads may play notes while one renders: they wait for the end of its block.
#[pyclass(module = "hamiltone._hamiltone", frozen)]
pub struct Engine {
    inner: Mutex<play::Engine>,
    channels: usize,
}

/// A parameter of an instrument that can be moved while it sounds.
#[pyclass(module = "hamiltone._hamiltone", frozen, get_all)]
pub struct Parameter {
    name: String,
    about: String,
    unit: &'static str,
    range: (f64, f64),
    default: f64,
    midi: Option<u8>,
}

impl From<&ParameterPlan> for Parameter {
    fn from(plan: &ParameterPlan) -> Self {
        let ParameterPlan { name, about, unit, range: [low, high], default, midi, .. } = plan.clone();
        Self { name, about, unit: unit.symbol(), range: (low, high), default, midi }
    }
}

#[pymethods]
impl Parameter {
    fn __repr__(&self) -> String {
        let Self { name, about, unit, range: (low, high), default, .. } = self;
        format!("<Parameter {name}: {about}, {low} to {high} {unit}, {default} at first>")
    }
}

/// The number of the parameter of a name.
///
/// # Errors
/// KeyError where there is none.
pub fn parameter(parameters: &[ParameterPlan], name: &str) -> PyResult<usize> {
    parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        PyKeyError::new_err(format!("there is no parameter `{name}`; there are {}", names.join(", ")))
    })
}

/// A value that a parameter can have.
///
/// # Errors
/// ValueError outside its range.
pub fn in_range(parameter: &ParameterPlan, value: f64) -> PyResult<f64> {
    let ParameterPlan { name, unit, range: [low, high], .. } = parameter;
    match (*low..=*high).contains(&value) {
        true => Ok(value),
        false => {
            Err(PyValueError::new_err(format!("{name} is {value}, but must be from {low} to {high} {unit}")))
        }
    }
}

/// The key of a MIDI number or of a note such as `"C4"`.
///
/// # Errors
/// What is neither.
pub fn key(key: &Bound<'_, PyAny>) -> PyResult<u8> {
    let text = match key.is_instance_of::<PyBool>() {
        true => None,
        false => key.extract::<String>().or_else(|_| Ok::<_, PyErr>(key.extract::<i64>()?.to_string())).ok(),
    };
    let text = text.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "{key} is no key; write a note such as \"C4\", or a MIDI number from 0 to 127"
        ))
    })?;
    keys::key(&text).map_err(PyValueError::new_err)
}

/// A number within a range.
fn within(what: &str, value: f64, [low, high]: [f64; 2]) -> PyResult<f64> {
    match (low..=high).contains(&value) {
        true => Ok(value),
        false => Err(PyValueError::new_err(format!("{what} is {value}, but must be from {low} to {high}"))),
    }
}

/// A new array; MemoryError where it is too large.
fn zeros(py: Python<'_>, frames: usize, channels: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let zeros = py.import("numpy")?.call_method1("zeros", ((frames, channels),))?;
    Ok(zeros.cast_into()?)
}

impl Engine {
    pub fn new(inner: play::Engine) -> Self {
        Self { channels: inner.channels(), inner: Mutex::new(inner) }
    }

    fn lock(&self) -> MutexGuard<'_, play::Engine> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the engine once no other thread does, which needs the interpreter to end its block.
    fn with<T: Send>(&self, py: Python<'_>, with: impl FnOnce(&mut play::Engine) -> T + Send) -> T {
        py.detach(|| with(&mut self.lock()))
    }
}

#[pymethods]
impl Engine {
    /// Samples per second.
    #[getter]
    fn rate(&self, py: Python<'_>) -> f64 {
        self.with(py, |engine| engine.rate())
    }

    /// The number of channels of a frame.
    #[getter]
    fn channels(&self) -> usize {
        self.channels
    }

    /// By how many frames the sound is behind the notes.
    #[getter]
    fn delay(&self, py: Python<'_>) -> usize {
        self.with(py, |engine| engine.delay())
    }

    /// The time of the next frame, s.
    #[getter]
    fn now(&self, py: Python<'_>) -> f64 {
        self.with(py, |engine| engine.now())
    }

    /// How many notes are held by keys or pedals.
    #[getter]
    fn held(&self, py: Python<'_>) -> usize {
        self.with(py, |engine| engine.held())
    }

    /// Whether nothing moves and no gesture waits.
    #[getter]
    fn is_at_rest(&self, py: Python<'_>) -> bool {
        self.with(py, |engine| engine.is_at_rest() && !engine.waits())
    }

    /// Whether every part is finite and keeps its energy balance.
    #[getter]
    fn is_balanced(&self, py: Python<'_>) -> bool {
        self.with(py, |engine| engine.is_balanced())
    }

    /// What can be moved while it sounds.
    #[getter]
    fn parameters(&self, py: Python<'_>) -> Vec<Parameter> {
        self.with(py, |engine| engine.parameters().iter().map(Parameter::from).collect())
    }

    /// The value that a parameter has, or goes to.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        self.with(py, |engine| Ok(engine.parameter(parameter(engine.parameters(), name)?)))
    }

    /// Moves a parameter.
    fn __setitem__(&self, py: Python<'_>, name: &str, value: f64) -> PyResult<()> {
        self.with(py, |engine| {
            let number = parameter(engine.parameters(), name)?;
            let value = in_range(&engine.parameters()[number], value)?;
            engine.set_parameter(number, value);
            Ok(())
        })
    }

    /// Strikes a key.
    fn note_on(&self, py: Python<'_>, key: &Bound<'_, PyAny>, velocity: f64) -> PyResult<bool> {
        let (key, velocity) = (self::key(key)?, within("velocity", velocity, [0.0, 1.0])?);
        Ok(self.with(py, |engine| engine.note_on(key, velocity)))
    }

    /// Releases a key.
    fn note_off(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let key = self::key(key)?;
        self.with(py, |engine| engine.note_off(key));
        Ok(())
    }

    /// Releases all keys and pedals.
    fn release_all(&self, py: Python<'_>) {
        self.with(py, |engine| engine.release_all());
    }

    /// Moves a controller.
    fn control(&self, py: Python<'_>, number: u8, value: f64) -> PyResult<bool> {
        let value = within("value", value, [0.0, 1.0])?;
        Ok(self.with(py, |engine| engine.act(Action::Control { number, value })))
    }

    /// Bends all strings.
    fn bend(&self, py: Python<'_>, semitones: f64) -> PyResult<bool> {
        let most = play::engine::MAX_BEND;
        let semitones = within("semitones", semitones, [-most, most])?;
        Ok(self.with(py, |engine| engine.act(Action::Bend { semitones })))
    }

    /// Presses on a key, or on all.
    #[pyo3(signature = (value, key=None))]
    fn pressure(&self, py: Python<'_>, value: f64, key: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        let (value, key) = (within("value", value, [0.0, 1.0])?, key.map(self::key).transpose()?);
        Ok(self.with(py, |engine| engine.act(Action::Pressure { key, value })))
    }

    /// Chooses a program.
    fn program(&self, py: Python<'_>, number: u8) -> PyResult<bool> {
        within("program", f64::from(number), [0.0, 127.0])?;
        Ok(self.with(py, |engine| engine.act(Action::Program(number))))
    }

    /// The next frames, in a new array or in one of the caller.
    #[pyo3(signature = (frames=None, out=None))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        frames: Option<usize>,
        out: Option<Bound<'py, PyArray2<f64>>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let out = match (frames, out) {
            (Some(frames), None) => zeros(py, frames, self.channels)?,
            (None, Some(out)) => out,
            (Some(frames), Some(out)) if out.shape()[0] == frames => out,
            (Some(frames), Some(out)) => {
                let rows = out.shape()[0];
                return Err(PyValueError::new_err(format!("`out` has {rows} rows, but frames is {frames}")));
            }
            (None, None) => {
                return Err(PyTypeError::new_err("render needs a number of frames, or an array `out`"));
            }
        };
        if out.shape()[1] != self.channels {
            let (columns, channels) = (out.shape()[1], self.channels);
            return Err(PyValueError::new_err(format!(
                "`out` has {columns} columns, but there are {channels} channels"
            )));
        }
        let mut array: PyReadwriteArray2<'_, f64> = out.try_readwrite()?;
        let contiguous = |_| PyValueError::new_err("`out` must be contiguous: see numpy.ascontiguousarray");
        let block = array.as_slice_mut().map_err(contiguous)?;
        let mut render = |stop: &AtomicBool| {
            let mut engine = self.lock();
            let mut blocks = block.chunks_mut(BLOCK * self.channels.max(1));
            while !stop.load(Ordering::Relaxed)
                && let Some(block) = blocks.next()
            {
                engine.render(block);
            }
        };
        // A short call is over before a signal could be looked for, and before a thread could be started.
        match out.shape()[0] <= BLOCK {
            true => py.detach(|| render(&AtomicBool::new(false))),
            false => watched(py, None, |watch| render(&watch.stop))?,
        }
        drop(array);
        Ok(out)
    }

    /// The energy balance so far.
    fn audit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let balance = self.with(py, |engine| {
            engine.settle();
            Balance::of([&*engine])
        });
        let dict = PyDict::new(py);
        dict.set_item("ok", balance.is_good())?;
        dict.set_item("steps", balance.steps)?;
        dict.set_item("supplied", balance.supplied)?;
        dict.set_item("dissipated", balance.dissipated)?;
        dict.set_item("slept", balance.slept)?;
        dict.set_item("energy_final", balance.stored)?;
        dict.set_item("contact_work", balance.contact_work)?;
        dict.set_item("residual_max_relative", balance.residual.0)?;
        dict.set_item("residual_tolerance", balance.residual.1)?;
        dict.set_item("residual_max_relative_per_step", balance.residual_per_step)?;
        dict.set_item("refused_gestures", balance.refused)?;
        dict.set_item("muted_parts", balance.muted)?;
        Ok(dict)
    }
}
