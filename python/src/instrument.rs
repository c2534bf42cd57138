//! An instrument: it plays songs, is surveyed key by key, and makes engines that are played block by block.

use crate::{
    engine::{self, Engine, Parameter, in_range, parameter},
    errors::study_error,
    performed::Performed,
    rendered::unreadable,
    running::{Watch, watched, workers},
    values::{table, to_toml},
};
use hamiltone_plan::{
    control_curve::{ControlCurve, Controlled},
    instrument::InstrumentPlan,
};
use hamiltone_play::{self as play, offline::Performer, recording};
use hamiltone_render::{SinkError, spool::Spool};
use hamiltone_scene::{
    Limits, Scene, Set,
    digest::sha256,
    instrument::{self as scene, Cache, preset},
};
use hamiltone_study::{
    failure::Failure,
    music::{self, Music},
    survey::{
        keys::{KeyRange, selected},
        rows,
        stroke::Conditions,
        survey,
    },
};
use pyo3::{
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
    types::PyMapping,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

/// The rates that an instrument can have, Hz.
const RATES: [u32; 2] = [8000, 384_000];
/// How long a note of a survey may be, and the longest time between two strokes, s.
const NOTES: [f64; 2] = [0.1, 600.0];
const LONGEST_REPEAT: f64 = 60.0;
/// The longest tail of a performance, s.
const LONGEST_TAIL: f64 = 3600.0;

/// An instrument that is ready to be played.
#[pyclass(module = "hamiltone._hamiltone", frozen)]
pub struct Instrument {
    plan: Arc<Mutex<InstrumentPlan>>,
    rate: f64,
    file: PathBuf,
    tuning: Option<PathBuf>,
    keyboard: Option<PathBuf>,
    preset: Option<String>,
}

/// What a song is played with.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    parts: Vec<u16>,
    tail: f64,
    velocity_curve: Option<String>,
    pedal_curve: Option<String>,
    parameters: Vec<(String, f64)>,
}

/// What is played: a file, or the entries of a score.
#[derive(FromPyObject)]
enum Song<'py> {
    File(PathBuf),
    Score(Bound<'py, PyMapping>),
}

/// The build of this package, by the date and length of its extension module.
fn build(py: Python<'_>) -> Option<String> {
    let file: PathBuf = py.import("hamiltone._hamiltone").ok()?.getattr("__file__").ok()?.extract().ok()?;
    let about = fs::metadata(file).ok()?;
    Some(format!("python {:?} {}", about.modified().ok()?, about.len()))
}

fn outside(what: &str, value: f64, [low, high]: [f64; 2]) -> PyResult<()> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!("{what} is {value}, but must be from {low} to {high} s"))),
    }
}

fn curve(text: Option<&String>, of: Controlled) -> PyResult<Option<ControlCurve>> {
    text.map(|text| ControlCurve::parse(text, of)).transpose().map_err(PyValueError::new_err)
}

/// The plan of the instrument in a file, at a preset.
fn plan(
    path: &Path,
    preset: Option<&str>,
    read: impl FnOnce() -> Result<InstrumentPlan, Failure>,
) -> Result<InstrumentPlan, Failure> {
    let mut plan = read()?;
    if let Some(name) = preset {
        let preset = preset::read(&preset::find(path, name)?, &plan.parameters)?;
        plan.begin_with(&preset.values);
    }
    Ok(plan)
}

/// The plan of the instrument in a file.
fn read(
    path: &Path,
    sets: &[Set],
    rate: f64,
    (tuning, keyboard): (Option<&Path>, Option<&Path>),
    build: Option<String>,
) -> Result<InstrumentPlan, Failure> {
    let limits = Limits::default();
    let scene = Scene::open_within(path, sets, limits.clone())?;
    if scene.is_ensemble() {
        let name = path.display();
        return Err(Failure::Other(format!(
            "`{name}` is an ensemble; load one of its instruments, or play it by the program `hamiltone play`"
        )));
    }
    let instrument = scene::Instrument::from(scene);
    let Some(scale) = tuning else {
        let cache = build.and_then(|build| Some(Cache::of_user()?.of_build(build)));
        return Ok(instrument.cached(rate, cache.as_ref())?);
    };
    let tuning = music::tuning(scale, keyboard, &limits)?;
    Ok(instrument.plan(rate, Some(&|key| tuning.at(key).unwrap_or(f64::NAN)))?)
}

impl Instrument {
    fn lock(&self) -> MutexGuard<'_, InstrumentPlan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a performance is asked for, by the names that its audit has from the program.
    fn options(&self, asked: &Asked, [velocity, pedal]: [&Option<ControlCurve>; 2]) -> Vec<(String, String)> {
        let digest = |path: &Option<PathBuf>| match path {
            Some(path) => fs::read(path).map(|bytes| sha256(&bytes)).unwrap_or_default(),
            None => "none".into(),
        };
        let curve = |curve: &Option<ControlCurve>| curve.as_ref().map_or("none".into(), ToString::to_string);
        let options = [
            ("--tuning", digest(&self.tuning)),
            ("--keyboard", digest(&self.keyboard)),
            ("--part", format!("{:?}", asked.parts)),
            ("--tail", asked.tail.to_string()),
            ("--velocity-curve", curve(velocity)),
            ("--pedal-curve", curve(pedal)),
            ("--preset", self.preset.clone().unwrap_or_else(|| "none".into())),
        ];
        options.map(|(name, value)| (name.to_string(), value)).into()
    }

    /// Plays a song whole.
    fn performed(
        &self,
        plan: &InstrumentPlan,
        song: &Music,
        asked: &Asked,
        options: &[(String, String)],
        watch: &Watch,
    ) -> Result<Performed, Failed> {
        let engine = play::Engine::new(plan).map_err(|error| Failure::Other(error.to_string()))?;
        let (mut engine, mut samples) = (engine.on_all_cores(), Spool::in_memory());
        let seconds = song.performance.duration();
        let all = (seconds * self.rate).ceil() as u64;
        samples.reserve(all * engine.channels() as u64).map_err(|error| {
            Failed::Memory(format!("the sound of {seconds:.0} s does not fit into memory: {error}"))
        })?;
        let tail = (asked.tail, plan.plan.output.fade);
        let mut performer = Performer::new(&mut engine, &song.performance, tail, &mut samples);
        while performer.advance()? {
            watch.tell(performer.frames().min(all), all);
            if watch.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped.into());
            }
        }
        let played = performer.played();
        music::check_notes(played.notes, &played.missing, "the instrument has none")?;
        let audit = recording::audit(plan, &engine, &played, &song.sha256, options);
        let warnings = [music::of_song(&song.performance), music::of_played(plan, &played)].concat();
        Ok(Performed {
            instrument: self.plan.clone(),
            trouble: recording::trouble(&engine),
            sound: recording::sound(&engine, &played, samples),
            audit: audit.to_string(),
            warnings,
            inputs: Vec::new(),
        })
    }
}

/// Why there was no performance.
enum Failed {
    Study(Failure),
    Sink(SinkError),
    Memory(String),
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Failed::Study(failure)
    }
}

impl From<SinkError> for Failed {
    fn from(error: SinkError) -> Self {
        Failed::Sink(error)
    }
}

#[pymethods]
impl Instrument {
    /// The instrument in a file.
    #[new]
    #[pyo3(signature = (path, sets, rate, tuning=None, keyboard=None, preset=None))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        sets: Vec<(String, Bound<'_, PyAny>)>,
        rate: u32,
        tuning: Option<PathBuf>,
        keyboard: Option<PathBuf>,
        preset: Option<String>,
    ) -> PyResult<Self> {
        let [low, high] = RATES;
        if !(low..=high).contains(&rate) {
            return Err(PyValueError::new_err(format!(
                "rate is {rate}, but must be from {low} to {high} Hz"
            )));
        }
        if keyboard.is_some() && tuning.is_none() {
            return Err(PyValueError::new_err(
                "a keyboard mapping (.kbm) belongs to a scale: give `tuning`, too",
            ));
        }
        let set = |(path, value): (String, Bound<'_, PyAny>)| {
            let value = match to_toml(&value, &path)? {
                toml::Value::String(text) => text,
                value => value.to_string(),
            };
            Ok(Set { shown: format!("{path} = {value}"), path, value })
        };
        let sets = sets.into_iter().map(set).collect::<PyResult<Vec<_>>>()?;
        let (rate, build) = (f64::from(rate), build(py));
        let scala = (tuning.as_deref(), keyboard.as_deref());
        let plan = py.detach(|| plan(&path, preset.as_deref(), || read(&path, &sets, rate, scala, build)));
        let plan = plan.map_err(|failure| study_error(py, failure))?;
        Ok(Self { plan: Arc::new(Mutex::new(plan)), rate, file: path, tuning, keyboard, preset })
    }

    #[getter]
    fn rate(&self) -> f64 {
        self.rate
    }

    #[getter]
    fn title(&self, py: Python<'_>) -> String {
        py.detach(|| self.lock().plan.title.clone())
    }

    #[getter]
    fn keys(&self, py: Python<'_>) -> Vec<u16> {
        // A list of bytes would be `bytes`.
        py.detach(|| self.lock().keys().into_iter().map(u16::from).collect())
    }

    #[getter]
    fn parameters(&self, py: Python<'_>) -> Vec<Parameter> {
        py.detach(|| self.lock().parameters.iter().map(Parameter::from).collect())
    }

    #[getter]
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.lock().plan.warnings.clone())
    }

    /// Plays a song.
    #[pyo3(signature = (song, asked, progress=None))]
    fn play(
        &self,
        py: Python<'_>,
        song: Song<'_>,
        asked: Asked,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Performed> {
        outside("tail", asked.tail, [0.0, LONGEST_TAIL])?;
        let curves = [
            curve(asked.velocity_curve.as_ref(), Controlled::Velocity)?,
            curve(asked.pedal_curve.as_ref(), Controlled::Pedal)?,
        ];
        let read = match &song {
            Song::File(path) => py.detach(|| music::read(path, &Limits::default())),
            Song::Score(entries) => music::score(&table(entries, "")?.to_string(), "the score"),
        };
        let music = read.and_then(|music| music.with_parts(&asked.parts));
        let music = music.map_err(|failure| study_error(py, failure))?;
        let options = self.options(&asked, curves.each_ref());
        let workers = workers()?;
        let mut values: Vec<f64> = Vec::new();
        py.detach(|| {
            let own = &self.lock().parameters;
            values.extend(own.iter().map(|parameter| parameter.initial));
            for (name, value) in &asked.parameters {
                let number = parameter(own, name)?;
                values[number] = in_range(&own[number], *value)?;
            }
            PyResult::Ok(())
        })?;
        let performed = watched(py, progress.as_ref(), |watch| {
            let mut plan = self.lock();
            let initial: Vec<f64> = plan.parameters.iter().map(|parameter| parameter.initial).collect();
            plan.begin_with(&values);
            let own = (plan.velocity_curve.clone(), plan.pedal_curve.clone());
            let [velocity, pedal] = curves;
            plan.velocity_curve = velocity.unwrap_or(own.0.clone());
            plan.pedal_curve = pedal.unwrap_or(own.1.clone());
            let performed = workers.install(|| self.performed(&plan, &music, &asked, &options, watch));
            (plan.velocity_curve, plan.pedal_curve) = own;
            plan.begin_with(&initial);
            performed
        })?;
        let mut performed = performed.map_err(|failed| match failed {
            Failed::Study(failure) => study_error(py, failure),
            Failed::Sink(error) => unreadable(error),
            Failed::Memory(message) => PyMemoryError::new_err(message),
        })?;
        let song = if let Song::File(path) = song { Some(path) } else { None };
        let files = [Some(self.file.clone()), song, self.tuning.clone(), self.keyboard.clone()];
        performed.inputs = files.into_iter().flatten().collect();
        Ok(performed)
    }

    /// The engine, at rest.
    fn engine(&self, py: Python<'_>) -> PyResult<Engine> {
        let engine = py.detach(|| play::Engine::new(&self.lock()));
        engine.map(Engine::new).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Surveys keys at velocities: the rows of the table, JSON, and what went wrong.
    #[pyo3(signature = (keys, velocities, seconds, repeat_after, progress=None))]
    fn survey(
        &self,
        py: Python<'_>,
        keys: Vec<Bound<'_, PyAny>>,
        mut velocities: Vec<u8>,
        seconds: f64,
        repeat_after: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        outside("seconds", seconds, NOTES)?;
        outside("repeat_after", repeat_after, [0.0, LONGEST_REPEAT])?;
        velocities.sort_unstable();
        velocities.dedup();
        if velocities.is_empty() || velocities.iter().any(|velocity| !(1..=127).contains(velocity)) {
            return Err(PyValueError::new_err(format!(
                "velocities are {velocities:?}, but are numbers from 1 to 127"
            )));
        }
        let range = |key: &Bound<'_, PyAny>| match key.extract::<String>() {
            Ok(range) => KeyRange::parse(&range).map_err(PyValueError::new_err),
            Err(_) => KeyRange::parse(&engine::key(key)?.to_string()).map_err(PyValueError::new_err),
        };
        let ranges = keys.iter().map(range).collect::<PyResult<Vec<_>>>()?;
        let workers = workers()?;
        let found = watched(py, progress.as_ref(), |watch| {
            let mut plan = self.lock();
            let keys = selected(&ranges, &plan.keys())?;
            let (done, all) = (std::sync::atomic::AtomicU64::new(0), (keys.len() * velocities.len()) as u64);
            let each = || watch.tell(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            // A note with vibrato has no one pitch.
            let vibrato = plan.vibrato;
            (plan.vibrato.depth, plan.vibrato.pressure) = (0.0, 0.0);
            let conditions = Conditions { seconds, repeat_after };
            let found = survey(&plan, (&keys, &velocities), conditions, &workers, (&watch.stop, &each));
            plan.vibrato = vibrato;
            found
        })?;
        let found = found.map_err(|failure| study_error(py, failure))?;
        let rows = rows::of(&found).into_iter().map(|row| Value::Object(row).to_string()).collect();
        Ok((rows, found.troubles()))
    }
}
