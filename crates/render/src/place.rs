//! Whether two paths lead to one file: through symbolic or hard links, relative names, or dots.

use crate::{file::linked, seal::identity};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where a path leads, also of a file that does not exist yet.
pub struct Place {
    path: PathBuf,
    identity: Option<(u64, u64)>,
}

impl Place {
    /// Where a path leads.
    pub fn of(path: &Path) -> Self {
        Self { path: resolved(path), identity: fs::metadata(path).ok().as_ref().and_then(identity) }
    }

    /// Whether both are the same file.
    pub fn is(&self, other: &Self) -> bool {
        self.path == other.path || self.identity.is_some() && self.identity == other.identity
    }

    /// Whether one would have to be a folder of the other.
    pub fn is_around(&self, other: &Self) -> bool {
        self.path.starts_with(&other.path) || other.path.starts_with(&self.path)
    }
}

/// A path with its links and dots resolved as far as its folders exist.
fn resolved(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    // A link that leads to nothing yet is the file that it will lead to.
    let path = &linked(path).unwrap_or_else(|_| path.into());
    fs::canonicalize(path).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        // The path ends in `..`.
        (Some(folder), None) => resolved(folder).parent().map_or_else(|| path.into(), Path::to_path_buf),
        (None, _) => path.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_do_not_exist_are_resolved_by_their_names() {
        let here = fs::canonicalize(".").unwrap();
        for (path, to) in
            [("none/../x.wav", "x.wav"), ("./none/./x.wav", "none/x.wav"), ("none/a/../x.wav", "none/x.wav")]
        {
            assert_eq!(resolved(Path::new(path)), here.join(to), "{path}");
        }
        assert!(Place::of(Path::new("none/../x.wav")).is(&Place::of(Path::new("x.wav"))));
    }
}
