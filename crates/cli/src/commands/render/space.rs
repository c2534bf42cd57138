//! Whether there is enough memory and space for a run, before it begins.

use crate::failure::Failure;
use hamiltone_render::{file::folder, forecast::Forecast};
use hamiltone_scene::limits::{Limited, Limits, size as bytes};
use std::path::{Path, PathBuf};

/// Refuses a run that needs more memory than its limit, or more space than its files find.
///
/// # Errors
/// What it needs, and what there is.
pub fn check(forecast: &Forecast, limits: &Limits) -> Result<(), Failure> {
    limits.check(Limited::Memory, forecast.memory).map_err(|exceeded| {
        Failure::Other(format!(
            "the run needs memory: {}; render a shorter duration, fewer pickups or fewer states; {}",
            exceeded.amounts(),
            exceeded.help()
        ))
    })?;
    check_files(&forecast.files, free)
}

/// A file system: its number, and its free bytes.
type Free = (u64, u128);

/// Refuses files that are larger together than the file system that they are on has space; `free` looks that up for a
/// folder, and files where it is not known are not judged.
fn check_files(files: &[(PathBuf, u128)], free: impl Fn(&Path) -> Option<Free>) -> Result<(), Failure> {
    let placed: Vec<_> = files.iter().filter_map(|(path, size)| Some((path, *size, free(path)?))).collect();
    for (path, _, (system, available)) in &placed {
        let on: Vec<_> = placed.iter().filter(|(.., (other, _))| other == system).collect();
        let needed: u128 = on.iter().map(|(_, size, _)| size).sum();
        if needed > *available {
            let sizes = on.iter().map(|(path, size, _)| format!("`{}` {}", path.display(), bytes(*size)));
            return Err(Failure::Other(format!(
                "the files need {}, and {} are free in `{}` ({}); render a shorter duration, or write them elsewhere",
                bytes(needed),
                bytes(*available),
                folder(path).display(),
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
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
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
        let files =
            [("a/x.wav", 2_000_000_000), ("b/x.npz", 1_500_000_000)].map(|(path, size)| (path.into(), size));
        let one = |_: &Path| Some((1, 3_000_000_000));
        let two = |path: &Path| Some((u64::from(path.starts_with("a")), 2_000_000_000));
        let error = message(check_files(&files, one));
        assert!(
            error.contains("need 3.5 GB, and 3 GB are free in `a` (`a/x.wav` 2 GB, `b/x.npz` 1.5 GB)"),
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
