//! The instruments of Hamiltone inside a program, for plugins and others that have no folder of instruments beside them.
//!
//! Their files are written into a folder among the caches of the user, which is named by the version and the build, and are opened from there like any others. Plans of
//! instruments are kept among those of the user, by the build. All of it may be deleted at any time.
//!
//! ```no_run
//! let marimba = hamiltone_shipped::path("marimba")?.expect("it is shipped");
//! let cache = hamiltone_shipped::plans();
//! let instrument = hamiltone_scene::instrument::Instrument::open(marimba, &[], Default::default())?;
//! let plan = instrument.cached(48_000.0, cache.as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod private;

use hamiltone_scene::instrument::Cache;
use std::{
    env, fs, io,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The path of each file from the folder of instruments on, and its content.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/files.rs"));
/// What tells this build from others.
const BUILD: &str = env!("HAMILTONE_BUILD");
/// Caches of plans rely on no file that has just been written.
const AGE: Duration = Duration::from_secs(60);

/// The names of the instruments, in the order of the alphabet.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix(".toml").filter(|name| !name.contains('/')))
}

/// The file of an instrument, beside all files that it uses, and its presets; `None` where no instrument has this name.
///
/// # Errors
/// Where the files cannot be written.
pub fn path(name: &str) -> io::Result<Option<PathBuf>> {
    if !names().any(|known| known == name) {
        return Ok(None);
    }
    let folder = folder()?;
    for (path, content) in FILES {
        write(&folder.join(path), content)?;
    }
    Ok(Some(folder.join(format!("{name}.toml"))))
}

/// The plans of the user that this build has made; `None` where the user keeps none.
pub fn plans() -> Option<Cache> {
    Cache::of_user().map(|cache| cache.of_build(BUILD))
}

/// What is of this build among the caches of the user, or, where these are switched off, in a folder of the user among the files that are temporary.
fn folder() -> io::Result<PathBuf> {
    let caches = match Cache::of_user() {
        Some(cache) => cache.folder().into(),
        None => private::folder(&env::temp_dir())?,
    };
    Ok(caches.join(format!("instruments-{}-{BUILD}", env!("CARGO_PKG_VERSION"))))
}

/// Writes a file that is not there as it should be. Another program sees the whole file or none.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().set_modified(SystemTime::now() - AGE)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_scene::instrument::{Instrument, preset};

    #[test]
    fn instruments_are_written_once_and_mended() {
        assert!(names().count() >= 24 && names().is_sorted());
        assert_eq!((path("piano.toml").unwrap(), path("piano/muffled").unwrap()), (None, None));
        let piano = path("piano").unwrap().unwrap();
        assert!(piano.starts_with(folder().unwrap()) && !preset::list(&piano).is_empty());
        let written = || fs::metadata(&piano).unwrap().modified().unwrap();
        let first = written();
        path("piano").unwrap();
        assert_eq!(written(), first);
        fs::write(&piano, "damaged").unwrap();
        path("piano").unwrap();
        assert_eq!(
            fs::read(&piano).unwrap(),
            FILES.iter().find(|(path, _)| *path == "piano.toml").unwrap().1
        );
    }

    /// At once: files that were just written are relied upon.
    #[test]
    fn a_plan_is_kept_the_first_time() {
        let cache = tempfile::tempdir().unwrap();
        let kept = || fs::read_dir(cache.path()).unwrap().count();
        let load = || {
            let guitar = Instrument::open(path("guitar").unwrap().unwrap(), &[], Default::default()).unwrap();
            guitar.cached(44_100.0, Some(&Cache::within(cache.path()))).unwrap()
        };
        let _ = fs::remove_file(folder().unwrap().join("guitar_body.csv"));
        let first = load();
        assert_eq!(kept(), 1);
        assert_eq!((load().to_bytes(), kept()), (first.to_bytes(), 1));
    }
}
