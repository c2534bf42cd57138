//! Temporary files of runs that were killed.
//!
//! A run holds an advisory lock on each of its temporary files while they have their temporary names; the operating system
//! releases it when the process ends, however that comes. So a file of such a name that can be locked belongs to
//! nobody, whichever process has its number now, in whichever container or, where locks reach them, on whichever machine of a shared folder.
//! Nothing else is removed: no other name, no link, no folder, and no file where the system has no locks. Earlier files that a commit
//! was replacing have other names, and stay.

use crate::seal::is_same;
use std::{
    fs::{self, File, OpenOptions},
    path::Path,
};

/// The extension of files that are not complete.
pub(crate) const PART: &str = "part";

/// Removes the leftovers in a folder. What cannot be removed stays: it is no reason not to run.
pub(crate) fn remove(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name().to_string_lossy())
            && let Some(_locked) = abandoned(&entry.path())
        {
            // A run that has just created it and finds it locked takes another name.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file has a name such as `.hamiltone-123-4.part`.
fn is_temporary(name: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbers =
        name.strip_prefix(".hamiltone-").and_then(|rest| rest.strip_suffix(PART)?.strip_suffix('.'));
    numbers
        .and_then(|numbers| numbers.split_once('-'))
        .is_some_and(|(process, n)| number(process) && number(n))
}

/// A plain file that no process holds, locked.
fn abandoned(path: &Path) -> Option<File> {
    let named = fs::symlink_metadata(path).ok().filter(|named| named.is_file())?;
    let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    // Meanwhile it may have got its name, and another file this one.
    (is_same(&named, &file.metadata().ok()?) && file.try_lock().is_ok()).then_some(())?;
    let still = fs::symlink_metadata(path).ok()?;
    is_same(&still, &named).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Pending;
    use std::{collections::BTreeSet, io::Write};

    fn names(folder: &Path) -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Of all that has a similar name only plain files that can be locked go; what a link leads to stays.
    #[test]
    fn only_files_that_nobody_holds_are_removed() {
        let folder = std::env::temp_dir().join(format!("hamiltone-leftover-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join(".hamiltone-1-5.part")).unwrap();
        let stay = [
            ".hamiltone-1-2.part",
            ".hamiltone-1-3.previous",
            ".hamiltone-1-x.part",
            ".hamiltone--1.part",
            ".hamiltone-1.part",
            ".hamiltone-1-2part",
            "hamiltone-1-2.part",
            "x.wav",
        ];
        for name in stay.iter().chain(&[".hamiltone-1-1.part", ".hamiltone-4194304-77.part"]) {
            fs::write(folder.join(name), "x").unwrap();
        }
        let held = File::open(folder.join(stay[0])).unwrap();
        held.try_lock().unwrap();
        let mut expected: BTreeSet<String> = stay.map(String::from).into();
        expected.insert(".hamiltone-1-5.part".into());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("x.wav", folder.join(".hamiltone-1-6.part")).unwrap();
            expected.insert(".hamiltone-1-6.part".into());
        }
        remove(&folder);
        assert_eq!(names(&folder), expected);
        drop(held);
        remove(&folder);
        expected.remove(stay[0]);
        assert_eq!(names(&folder), expected);
        fs::remove_dir_all(folder).unwrap();
    }

    /// From its creation until it has its name a file of a run that goes on is held, also when it is complete.
    #[test]
    fn the_files_of_a_living_run_are_not_removed() {
        let folder = std::env::temp_dir().join(format!("hamiltone-living-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = Pending::create(&folder.join("x.wav")).unwrap();
        remove(&folder);
        assert_eq!(names(&folder).len(), 1);
        let staged = file.stage(|out| out.write_all(b"x")).unwrap();
        remove(&folder);
        assert_eq!(names(&folder).len(), 1);
        staged.replace().unwrap();
        remove(&folder);
        assert_eq!(names(&folder), ["x.wav".to_string()].into());
        fs::remove_dir_all(folder).unwrap();
    }
}
