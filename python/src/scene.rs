//! A scene: its text, its changes, its plan.

use crate::{
    checked,
    errors::{SceneError, run_error, scene_error},
    rendered::Rendered,
    running::watched,
    simulation::Simulation,
    values::{table, to_dict, to_toml},
};
use hamiltone_render::{
    Options, Sink,
    distinct::check_distinct,
    run_with,
    sinks::{audit::AuditFile, sounds::sounds, states::States},
};
use hamiltone_report::Report;
use hamiltone_scene::{Limits, Plan, Set};
use hamiltone_study::source::{Shared, Source};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
    types::{PyDict, PyMapping},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use toml::{Table, Value};

/// A scene: TOML text with changes, not yet checked.
#[pyclass(module = "hamiltone._hamiltone", from_py_object)]
#[derive(Clone)]
pub struct Scene {
    text: String,
    name: String,
    base: PathBuf,
    sets: Vec<Set>,
    /// What its copies share.
    shared: Arc<Shared>,
}

impl Scene {
    /// The scene for studies, with its changes in its text.
    pub fn source(&self) -> Source {
        let (text, name, shared) = (self.text(), self.name.clone(), self.shared.clone());
        Source { text, name, file: self.file(), base: self.base.clone(), limits: Limits::default(), shared }
    }

    /// The file of the scene, if it has one: its name without folders, in the folder from which file names start.
    fn file(&self) -> Option<PathBuf> {
        Path::new(&self.name).file_name().map(|name| self.base.join(name)).filter(|file| file.is_file())
    }

    fn opened(&self) -> hamiltone_scene::Scene {
        hamiltone_scene::Scene::new(&self.text, &self.name, &self.base, &self.sets)
    }

    /// The plan, while others use the interpreter.
    fn plan(&self, py: Python<'_>) -> PyResult<Plan> {
        py.detach(|| self.shared.plan(self.opened())).map_err(|diagnostics| scene_error(py, &diagnostics))
    }
}

/// The files that a render writes besides what it returns.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Files {
    sound: Option<PathBuf>,
    states: Option<PathBuf>,
    states_every: Option<u64>,
    audit: Option<PathBuf>,
    report: Option<PathBuf>,
}

impl Files {
    /// The sinks of the files, none of which takes the place of an input or of another.
    fn sinks(&self, scene: &Scene, plan: &Plan) -> PyResult<Vec<Box<dyn Sink>>> {
        let sounds = self
            .sound
            .as_deref()
            .map(|path| sounds(path, plan))
            .transpose()
            .map_err(PyValueError::new_err)?;
        let page = self.report.as_ref().map(|folder| folder.join("index.html"));
        let files = [("the audit", &self.audit), ("the states", &self.states), ("the report", &page)];
        let files = files.into_iter().filter_map(|(what, path)| Some((what.to_string(), path.as_ref()?)));
        let outputs: Vec<_> = sounds
            .iter()
            .flat_map(|sounds| &sounds.0)
            .map(|sound| (sound.what.clone(), &sound.path))
            .chain(files)
            .collect();
        check_distinct(outputs.iter().cloned(), None, plan.inputs.iter().chain(scene.file().as_ref()))
            .map_err(PyValueError::new_err)?;
        for folder in outputs.iter().filter_map(|(_, path)| path.parent()) {
            fs::create_dir_all(folder).map_err(|error| {
                PyOSError::new_err(format!("cannot write to `{}`: {error}", folder.display()))
            })?;
        }
        let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
        sinks.extend(self.audit.as_ref().map(|path| Box::new(AuditFile::new(path)) as Box<dyn Sink>));
        let states = |path| Box::new(States::new(path, self.states_every, false)) as Box<dyn Sink>;
        sinks.extend(self.states.as_ref().map(states));
        let report = |path| Box::new(Report::new(path, scene.text())) as Box<dyn Sink>;
        sinks.extend(self.report.as_ref().map(report));
        sinks.extend(sounds.map(|sounds| Box::new(sounds) as Box<dyn Sink>));
        Ok(sinks)
    }
}

#[pymethods]
impl Scene {
    /// A scene of this text; `name` stands in messages, and file names in it start from `base`.
    #[new]
    fn new(text: String, name: String, base: PathBuf) -> Self {
        Self { text, name, base, sets: Vec::new(), shared: Arc::default() }
    }

    /// A scene of this dict.
    #[staticmethod]
    fn of_dict(dict: &Bound<'_, PyMapping>, name: String, base: PathBuf) -> PyResult<Self> {
        Ok(Self::new(table(dict, "")?.to_string(), name, base))
    }

    /// The text with its changes.
    #[getter]
    fn text(&self) -> String {
        self.opened().text().to_string()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The scene as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match self.text().parse::<Table>() {
            Ok(table) => to_dict(py, &table),
            // Said with its place.
            Err(error) => match self.opened().plan() {
                Err(diagnostics) => Err(scene_error(py, &diagnostics)),
                Ok(_) => Err(PyValueError::new_err(error.to_string())),
            },
        }
    }

    /// Changes the value at a dotted path.
    fn set(&mut self, path: String, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // A text is what `--set` takes it for: a quantity, a name, or TOML.
        let value = match to_toml(value, &path)? {
            Value::String(text) => text,
            value => value.to_string(),
        };
        let shown = format!("{path} = {value}");
        self.sets.retain(|set| set.path != path);
        self.sets.push(Set { path, value, shown });
        Ok(())
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    /// What is known before a render: see `Scene.check`.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        checked::dict(py, &self.plan(py)?)
    }

    /// Renders the scene; `files` says what is written besides.
    #[pyo3(signature = (files, progress=None))]
    fn render(&self, py: Python<'_>, files: Files, progress: Option<Py<PyAny>>) -> PyResult<Rendered> {
        let plan = self.plan(py)?;
        let outcome = watched(py, progress.as_ref(), |watch| {
            let mut sinks = files.sinks(self, &plan)?;
            let mut sinks: Vec<&mut dyn Sink> =
                sinks.iter_mut().map(|sink| &mut **sink as &mut dyn Sink).collect();
            let prepared = Some(&self.shared.prepared);
            let options = Options { stop: Some(&watch.stop), prepared, ..Options::default() };
            Ok::<_, PyErr>(run_with(&plan, &mut sinks, &mut |done, all| watch.tell(done, all), options))
        })?;
        outcome?.map(|outcome| Rendered::new(plan, outcome, self.text())).map_err(|error| run_error(&error))
    }

    /// The scene prepared for stepping.
    fn prepare(&self, py: Python<'_>) -> PyResult<Simulation> {
        let plan = self.plan(py)?;
        py.detach(|| Simulation::new(plan)).map_err(|refusal| SceneError::new_err(refusal.to_string()))
    }

    fn __getstate__(&self) -> (String, String, PathBuf, Vec<(String, String)>) {
        let sets = self.sets.iter().map(|set| (set.path.clone(), set.value.clone())).collect();
        (self.text.clone(), self.name.clone(), self.base.clone(), sets)
    }

    fn __setstate__(&mut self, state: (String, String, PathBuf, Vec<(String, String)>)) {
        let (text, name, base, sets) = state;
        let set = |(path, value): (String, String)| Set { shown: format!("{path} = {value}"), path, value };
        *self = Self { sets: sets.into_iter().map(set).collect(), ..Self::new(text, name, base) };
    }

    fn __getnewargs__(&self) -> (String, String, PathBuf) {
        (self.text.clone(), self.name.clone(), self.base.clone())
    }
}
