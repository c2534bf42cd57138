//! Sweeps and comparisons.

use crate::{
    errors::study_error,
    running::{watched, workers},
    scene::Scene,
    values::to_toml,
};
use hamiltone_report::plot;
use hamiltone_study::{
    axis::Axis,
    compare::{Options, compare as compare_schemes, order::Order, picture, rows},
    features::Row,
    sweep::{
        self,
        journal::{self, Journal},
    },
};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyOSError, PyValueError},
    prelude::*,
    types::{PySequence, PyString},
};
use serde_json::{Value, json};
use std::{path::PathBuf, sync::atomic::AtomicBool};

/// A sweep and, once it is opened, its journal. Rows are texts in JSON.
#[pyclass(module = "hamiltone._hamiltone")]
pub struct Sweep {
    sweep: sweep::Sweep,
    journal: Option<Journal>,
}

/// The values of an axis: a text as the command line takes it, or a sequence.
fn axis(path: &str, values: &Bound<'_, PyAny>) -> PyResult<Axis> {
    if let Ok(range) = values.cast::<PyString>() {
        return Axis::parse(&format!("{path}={range}")).map_err(PyValueError::new_err);
    }
    let plain = values.call_method0("tolist").unwrap_or_else(|_| values.clone());
    let Ok(list) = plain.cast::<PySequence>() else {
        return Err(PyValueError::new_err(format!("{path}: the values are neither a range nor a sequence")));
    };
    let value = |i| match to_toml(&list.get_item(i)?, path)? {
        toml::Value::String(text) => Ok(text),
        value => Ok(value.to_string()),
    };
    let values = (0..list.len()?).map(value).collect::<PyResult<Vec<_>>>()?;
    if values.is_empty() {
        return Err(PyValueError::new_err(format!("{path}: there are no values")));
    }
    Ok(Axis { path: path.into(), values })
}

fn text(row: Row) -> String {
    Value::Object(row).to_string()
}

fn unwritable(error: hamiltone_render::SinkError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

#[pymethods]
impl Sweep {
    #[new]
    fn new(
        scene: &Scene,
        over: Vec<(String, Bound<'_, PyAny>)>,
        shard: Option<(usize, usize)>,
        keep_audio: Option<PathBuf>,
    ) -> PyResult<Self> {
        let axes = over.iter().map(|(path, values)| axis(path, values)).collect::<PyResult<Vec<_>>>()?;
        let mut sweep = sweep::Sweep::new(scene.source(), axes).map_err(PyValueError::new_err)?;
        if let Some((i, n)) = shard {
            sweep = sweep.shard(i, n).map_err(PyValueError::new_err)?;
        }
        if let Some(folder) = keep_audio {
            sweep = sweep.keep_audio(folder);
        }
        Ok(Self { sweep, journal: None })
    }

    /// Checks that the paths lead somewhere, and that the table takes the place of nothing that is read.
    fn check(&mut self, py: Python<'_>, table: Option<PathBuf>) -> PyResult<()> {
        let files = table.map(|table| [("the journal", journal::path(&table)), ("the table", table)]);
        let checked = py.detach(|| self.sweep.check(files.as_ref().map_or(&[], |files| &files[..])));
        checked.map_err(|failure| study_error(py, failure))
    }

    /// Opens the journal of a table and returns the runs that are missing.
    fn open(&mut self, table: PathBuf) -> PyResult<Vec<usize>> {
        let journal = Journal::open(&self.sweep, &table).map_err(unwritable)?;
        let pending = journal.pending().to_vec();
        self.journal = Some(journal);
        Ok(pending)
    }

    /// The numbers of all runs.
    fn runs(&self) -> Vec<usize> {
        self.sweep.runs().collect()
    }

    /// The row of a run.
    fn row(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        let never = AtomicBool::new(false);
        let row = py.detach(|| self.sweep.row(number, &never));
        row.map(text).ok_or_else(|| PyKeyboardInterrupt::new_err("stopped"))
    }

    /// Enters a row into the journal, if there is one.
    fn enter(&mut self, row: &str) -> PyResult<()> {
        let row: Row = serde_json::from_str(row).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.journal.as_mut().map_or(Ok(()), |journal| journal.enter(row)).map_err(unwritable)
    }

    /// Computes these runs on all threads, enters each as it is complete, and returns their rows.
    fn run(
        &mut self,
        py: Python<'_>,
        runs: Vec<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<String>> {
        let (all, Self { sweep, journal }) = (runs.len() as u64, self);
        let mut rows = Vec::new();
        let workers = workers()?;
        let done = watched(py, progress.as_ref(), |watch| {
            sweep.all(&workers, &runs, &watch.stop, |row| {
                if let Some(journal) = journal {
                    journal.enter(row.clone())?;
                }
                rows.push(text(row));
                watch.tell(rows.len() as u64, all);
                Ok(())
            })
        })?;
        done.map_err(unwritable)?;
        Ok(rows)
    }

    /// Writes the table of the journal and returns its rows.
    fn finish(&mut self) -> PyResult<Vec<String>> {
        let journal = self.journal.take().ok_or_else(|| PyValueError::new_err("the sweep has no journal"))?;
        Ok(journal.finish().map_err(unwritable)?.into_iter().map(text).collect())
    }
}

/// What is compared: schemes, rates (Hz), the scheme of the reference, window and sound (s).
type Asked = (Vec<String>, Vec<f64>, Option<String>, Option<f64>, Option<f64>);
/// The rows, the orders (JSON by scheme), the reference and the chart as SVG.
type Found = (Vec<String>, String, Option<(String, f64)>, String);

/// Compares schemes.
#[pyfunction]
#[pyo3(signature = (scene, asked, progress))]
pub fn compare(py: Python<'_>, scene: &Scene, asked: Asked, progress: Option<Py<PyAny>>) -> PyResult<Found> {
    let (schemes, rates, reference, window, duration) = asked;
    let window = window.unwrap_or(Options::default().window);
    let options = Options { schemes, rates, reference, window, duration };
    let source = scene.source();
    let workers = workers()?;
    let comparison = watched(py, progress.as_ref(), |watch| {
        let tell = |done, all| watch.tell(done, all);
        workers.install(|| compare_schemes(&source, &options, &[], &watch.stop, &tell))
    })?;
    let comparison = comparison.map_err(|failure| study_error(py, failure))?;
    let of = |order: &Order| {
        let found = json!({
            "measured": order.smooth.order(),
            "state": order.smooth.word(),
            "omega_dt": order.longest,
            "impact_s": order.impact,
            "with_impacts": order.with_impacts,
            "claimed": order.claimed,
            "sentence": order.sentence(),
        });
        (order.scheme.clone(), found)
    };
    let orders = Value::Object(comparison.orders.iter().map(of).collect()).to_string();
    let picture = plot::svg(&picture::chart(&comparison));
    Ok((rows::of(&comparison).into_iter().map(text).collect(), orders, comparison.reference, picture))
}
