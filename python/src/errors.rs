//! What is wrong with a scene or a render, as exceptions of Python.

use hamiltone_render::RunError;
use hamiltone_scene::Diagnostics;
use hamiltone_study::failure::Failure;
use pyo3::{
    create_exception,
    exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError},
    prelude::*,
    types::PyDict,
};

create_exception!(
    hamiltone,
    SceneError,
    PyValueError,
    "A scene that cannot be run. `problems` lists all that is wrong with it, each a dict with file, line, column, field, message \
     and help; file, line, column and field of the first are attributes of the exception."
);
create_exception!(
    hamiltone,
    RenderError,
    PyRuntimeError,
    "A render that ended with a red verdict, or that could not be carried out. `result` is what there is of it, or None."
);

/// The exception for what is wrong with a scene.
pub fn scene_error(py: Python<'_>, diagnostics: &Diagnostics) -> PyErr {
    let error = SceneError::new_err(diagnostics.to_string());
    describe(py, &error, diagnostics).err().unwrap_or(error)
}

/// Gives the exception its attributes.
fn describe(py: Python<'_>, error: &PyErr, diagnostics: &Diagnostics) -> PyResult<()> {
    let problem = |located: hamiltone_scene::document::diagnostics::Located| {
        let dict = PyDict::new(py);
        dict.set_item("file", located.file)?;
        dict.set_item("line", located.place.map(|place| place.0))?;
        dict.set_item("column", located.place.map(|place| place.1))?;
        dict.set_item("field", located.field)?;
        dict.set_item("message", located.message)?;
        dict.set_item("help", located.help)?;
        Ok(dict)
    };
    let problems = diagnostics.located().into_iter().map(problem).collect::<PyResult<Vec<_>>>()?;
    let value = error.value(py);
    for name in ["file", "line", "column", "field"] {
        let first = problems.first().map(|first| first.get_item(name)).transpose()?.flatten();
        value.setattr(name, first)?;
    }
    value.setattr("problems", problems)
}

/// The exception for a study that gave no results.
pub fn study_error(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Scene(diagnostics) => scene_error(py, &diagnostics),
        Failure::Other(message) => PyValueError::new_err(message),
        Failure::Stopped => PyKeyboardInterrupt::new_err("the study was stopped"),
    }
}

/// The exception for a run that could not be carried out.
pub fn run_error(error: &RunError) -> PyErr {
    match error {
        RunError::Refused(refusal) => SceneError::new_err(refusal.to_string()),
        RunError::Memory(_) => pyo3::exceptions::PyMemoryError::new_err(error.to_string()),
        RunError::Sink(_) | RunError::Resume(_) => pyo3::exceptions::PyOSError::new_err(error.to_string()),
        RunError::Stopped => RenderError::new_err(error.to_string()),
    }
}
