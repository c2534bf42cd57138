//! Whether there is enough memory and space for a run, before it begins.

use crate::failure::Failure;
use hamiltone_render::{
    file::{folder, linked},
    forecast::Forecast,
};
use hamiltone_scene::limits::{Limited, Limits, size as bytes};
use std::path::{Path, PathBuf};

/// Refuses a run that needs more memory than its limit, or more space than its files find. Where it continues an earlier one
/// (`resumed`), a part of its temporary files is there already.
///
/// # Errors
/// What it needs, and what there is.
pub fn check(forecast: &Forecast, resumed: bool, limits: &Limits) -> Result<(), Failure> {
    check_memory(forecast, limits)?;
    let there = |path: &Path| std::fs::metadata(path).map_or(0, |file| u128::from(file.len()));
    let temporary = forecast.temporary.iter().map(|(path, size)| Need {
        path: path.clone(),
        size: size.saturating_sub(if resumed { there(path) } else { 0 }),
        what: "temporary, for ",
    });
    let files = forecast.files.iter().map(|(path, size)| Need { path: path.clone(), size: *size, what: "" });
    check_files(&temporary.chain(files).collect::<Vec<_>>(), free)
}

/// Refuses a run that needs more memory than its limit.
///
/// # Errors
/// What it needs, and what is allowed.
pub fn check_memory(forecast: &Forecast, limits: &Limits) -> Result<(), Failure> {
    limits.check(Limited::Memory, forecast.memory).map_err(|exceeded| {
        Failure::Other(format!(
            "the run needs memory: {}; leave the report out, use less oversampling or fewer pickups; {}",
            exceeded.amounts(),
            exceeded.help()
        ))
    })
}

/// A file that needs space.
struct Need {
    path: PathBuf,
    /// Bytes.
    size: u128,
    /// What is told of it before its name.
    what: &'static str,
}

/// A file system: its number, and its free bytes.
type Free = (u64, u128);

/// Refuses files that are larger together than the file system that they are on has space; `free` looks that up for a
/// folder, and files where it is not known are not judged.
fn check_files(files: &[Need], free: impl Fn(&Path) -> Option<Free>) -> Result<(), Failure> {
    let placed: Vec<_> = files.iter().filter_map(|file| Some((file, free(&file.path)?))).collect();
    for (file, (system, available)) in &placed {
        let on: Vec<_> =
            placed.iter().filter(|(_, (other, _))| other == system).map(|(file, _)| file).collect();
        let needed: u128 = on.iter().map(|file| file.size).sum();
        if needed > *available {
            let sizes = on.iter().map(|f| format!("{}`{}` {}", f.what, f.path.display(), bytes(f.size)));
            return Err(Failure::Other(format!(
                "the files need {}, and {} are free in `{}` ({}); shorten the sound, or write them elsewhere",
                bytes(needed),
                bytes(*available),
                folder(&file.path).display(),
                sizes.collect::<Vec<_>>().join(", ")
            )));
        }
    }
    Ok(())
}

/// The file system of a file, which need not exist yet, and its space for users.
#[cfg(unix)]
fn free(path: &Path) -> Option<Free> {
    use std::os::unix::fs::MetadataExt;
    // A symbolic link is replaced on the file system of its target.
    let path = std::path::absolute(linked(path).unwrap_or_else(|_| path.into())).ok()?;
    let folder = path.ancestors().skip(1).find_map(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.is_dir().then_some(folder)
    })?;
    let space = rustix::fs::statvfs(folder).ok()?;
    // Some virtual file systems tell no size at all.
    let available = u128::from(space.f_bavail) * u128::from(space.f_frsize);
    (space.f_blocks > 0).then_some((std::fs::metadata(folder).ok()?.dev(), available))
}

/// Unknown.
#[cfg(not(unix))]
fn free(_: &Path) -> Option<Free> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<(), Failure>) -> String {
        match result {
            Err(Failure::Other(message)) => message,
            _ => String::new(),
        }
    }

    #[test]
    fn files_on_one_file_system_share_its_space() {
        let files = [("a/x.wav", 2_000_000_000, "temporary, for "), ("b/x.npz", 1_500_000_000, "")]
            .map(|(path, size, what)| Need { path: path.into(), size, what });
        let one = |_: &Path| Some((1, 3_000_000_000));
        let two = |path: &Path| Some((u64::from(path.starts_with("a")), 2_000_000_000));
        let error = message(check_files(&files, one));
        assert!(
            error.contains(
                "need 3.5 GB, and 3 GB are free in `a` (temporary, for `a/x.wav` 2 GB, `b/x.npz` 1.5 GB)"
            ),
            "{error}"
        );
        assert_eq!(message(check_files(&files, two)), "");
        assert_eq!(message(check_files(&files, |_| None)), "");
    }

    #[test]
    fn the_free_space_of_a_folder_to_be_is_known() {
        let known = free(Path::new("none/yet/x.wav"));
        assert!(!cfg!(unix) || known == free(Path::new("x.wav")) && known.is_some(), "{known:?}");
    }
}
