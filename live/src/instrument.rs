//! The instrument that the command line asks for.

use crate::{arguments::Arguments, failure::Failure};
use hamiltone_plan::instrument::InstrumentPlan;
use hamiltone_play::tuning::{Mapping, Scale, TextError, Tuning};
use hamiltone_scene::{
    Limits, Scene,
    document::{
        problem::{printable, printable_path},
        reading,
    },
    instrument::{Cache, Instrument, preset},
    limits::Limited,
};
use std::path::{Path, PathBuf};

/// The folder of instruments.
const FOLDER: &str = "instruments";

/// The file of an instrument: this one, or that of the name in the folder `instruments`.
///
/// # Errors
/// Where there is neither.
pub fn find(instrument: &Path) -> Result<PathBuf, Failure> {
    let ending = if instrument.extension().is_none() { ".toml" } else { "" };
    let mut named = Path::new(FOLDER).join(instrument).into_os_string();
    named.push(ending);
    let mut there = [instrument.to_path_buf(), named.into()].into_iter().filter(|path| path.is_file());
    there.next().ok_or_else(|| {
        let name = printable_path(instrument);
        Failure::input(format!(
            "there is no instrument `{name}`, neither a file of this name nor {FOLDER}/{name}{ending} here; give the file of one"
        ))
    })
}

/// Its plan at a rate (Hz).
///
/// # Errors
/// All that is wrong with it, with the preset or with the tuning.
pub fn plan(path: &Path, arguments: &Arguments, rate: f64) -> Result<InstrumentPlan, Failure> {
    let scene = Scene::open_within(path, &arguments.set, Limits::default())?;
    if scene.is_ensemble() {
        let name = printable_path(path);
        return Err(Failure::input(format!("`{name}` is an ensemble: play one of its instruments")));
    }
    let instrument = Instrument::from(scene);
    let mut plan = match tuning(arguments)? {
        None => instrument.cached(rate, Cache::of_user().as_ref())?,
        Some(tuning) => instrument.plan(rate, Some(&|key| tuning.at(key).unwrap_or(f64::NAN)))?,
    };
    if let Some(curve) = &arguments.velocity_curve {
        plan.velocity_curve = curve.clone();
    }
    if let Some(curve) = &arguments.pedal_curve {
        plan.pedal_curve = curve.clone();
    }
    if let Some(name) = &arguments.preset {
        let file = preset::find(path, name).map_err(Failure::input)?;
        let preset = preset::read(&file, &plan.parameters)?;
        plan.begin_with(&preset.values);
    }
    Ok(plan)
}

/// The text of a file.
fn text(path: &Path) -> Result<String, Failure> {
    let bytes = reading::within(path, Limited::Tuning, &Limits::default());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    text.map_err(|why| Failure::input(format!("`{}` cannot be read: {why}", printable_path(path))))
}

/// The tuning that is asked for; `None` for equal temperament.
fn tuning(arguments: &Arguments) -> Result<Option<Tuning>, Failure> {
    let wrong = |path: &Path, error: &TextError| {
        let TextError { line, column, message, help } = error;
        let name = printable_path(path);
        Failure::input(format!("{name}:{line}:{column}: {}; {help}", printable(message)))
    };
    let Some(path) = &arguments.tuning else { return Ok(None) };
    let scale = Scale::parse(&text(path)?).map_err(|error| wrong(path, &error))?;
    let mapping = match &arguments.keyboard {
        Some(path) => Mapping::parse(&text(path)?).map_err(|error| wrong(path, &error))?,
        None => Mapping::linear(440.0),
    };
    Ok(Some(Tuning::scala(&scale, &mapping)))
}
