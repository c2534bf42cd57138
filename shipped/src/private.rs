//! A folder among the files that are temporary that no other user can write into.

use std::{
    io,
    path::{Path, PathBuf},
};

/// The folder of the user in another one, such as `/tmp/hamiltone-1000`. It is made where it is not there.
///
/// # Errors
/// Where it is not a folder of this user alone.
#[cfg(unix)]
pub fn folder(within: &Path) -> io::Result<PathBuf> {
    use std::{
        fs,
        os::unix::fs::{DirBuilderExt, MetadataExt},
    };
    // A file that is made is of the user of the program.
    let user = tempfile::tempfile_in(within)?.metadata()?.uid();
    let folder = within.join(format!("hamiltone-{user}"));
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(&folder)?;
    if found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0 {
        return Ok(folder);
    }
    let error = format!("{}: other users can write into it, or it is no folder; delete it", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, error))
}

/// The folder of the user in another one. Elsewhere each user has temporary files of their own.
#[cfg(not(unix))]
pub fn folder(within: &Path) -> io::Result<PathBuf> {
    Ok(within.join("hamiltone"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::PermissionsExt};

    #[test]
    fn a_folder_that_others_can_write_into_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let own = folder(temporary.path()).unwrap();
        assert_eq!(fs::metadata(&own).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(folder(temporary.path()).unwrap(), own);
        fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).unwrap();
        let error = folder(temporary.path()).unwrap_err();
        assert!(error.to_string().contains("other users"), "{error}");
        // A link could lead to where others write.
        fs::remove_dir(&own).unwrap();
        std::os::unix::fs::symlink(temporary.path(), &own).unwrap();
        assert!(folder(temporary.path()).is_err());
    }
}
