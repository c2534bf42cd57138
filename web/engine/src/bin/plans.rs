//! Writes what the page fetches, from the folders `instruments` and `scenes` that were copied to it.
//!
//! `hamiltone-plans RATE PAGE` writes `PAGE/plans/NAME-RATE.plan` for each instrument, and `PAGE/index.json`: what is known of the instruments
//! ([`hamiltone_web::about`]) with their presets, the texts that the editor begins with, and the files that these name.

use hamiltone_play::Engine;
use hamiltone_scene::{
    Diagnostics, Limits,
    instrument::{Cache, Instrument, preset},
};
use hamiltone_web::about::about;
use serde_json::{Value, json};
use std::{
    env,
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let [rate, page] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: hamiltone-plans RATE PAGE");
        return ExitCode::from(2);
    };
    match write(rate, Path::new(page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn write(rate: &str, page: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(page.join("plans"))?;
    let (instruments, tables) = files(page, "instruments")?;
    let (scenes, more) = files(page, "scenes")?;
    let instruments: Result<Vec<Value>, Box<dyn Error>> =
        instruments.iter().map(|path| instrument(rate, page, path)).collect();
    let names = |paths: &[PathBuf]| -> Vec<String> {
        let within = paths.iter().filter_map(|path| path.strip_prefix(page).ok());
        within.map(|path| path.display().to_string()).collect()
    };
    let index = json!({ "instruments": instruments?, "scenes": names(&scenes), "files": names(&[tables, more].concat()) });
    Ok(fs::write(page.join("index.json"), index.to_string())?)
}

/// The TOML files of a folder of the page, and its other files, by name.
fn files(page: &Path, folder: &str) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let entries = fs::read_dir(page.join(folder))?.map(|entry| Ok(entry?.path()));
    let mut all = entries.collect::<io::Result<Vec<_>>>()?;
    all.retain(|path| path.is_file());
    all.sort();
    Ok(all.into_iter().partition(|path| path.extension().is_some_and(|end| end == "toml")))
}

/// Writes the plan of an instrument, and tells what the index has of it.
fn instrument(rate: &str, page: &Path, path: &Path) -> Result<Value, Box<dyn Error>> {
    let instrument = Instrument::open(path, &[], Limits::default())?;
    let mut plan = instrument.cached(rate.parse()?, Cache::of_user().as_ref())?;
    // The names of its files say where this was made.
    plan.plan.inputs.clear();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let bytes = plan.to_bytes().ok_or_else(|| format!("{name}: it has a part that plans cannot keep"))?;
    let presets = preset::list(path).into_iter().map(|(_, file)| {
        let preset = preset::read(&file, &plan.parameters)?;
        Ok(json!({ "title": preset.title, "values": preset.values }))
    });
    let mut entry = about(&plan, &Engine::new(&plan)?);
    entry["name"] = Value::from(&*name);
    entry["bytes"] = bytes.len().into();
    entry["presets"] = presets.collect::<Result<Vec<Value>, Diagnostics>>()?.into();
    fs::write(page.join("plans").join(format!("{name}-{rate}.plan")), bytes)?;
    Ok(entry)
}
