//! Files that a scene reads: plain ones, and no more of them than the limits allow.

use crate::limits::{Exceeded, Limited, Limits};
use std::{cell::Cell, fs::File, io::Read, path::Path};

/// What may still be read.
pub struct Reading<'a> {
    limits: &'a Limits,
    /// The bytes of all files so far.
    bytes: Cell<u128>,
}

impl<'a> Reading<'a> {
    /// Nothing has been read yet.
    pub fn new(limits: &'a Limits) -> Self {
        Self { limits, bytes: Cell::new(0) }
    }

    /// The limits.
    pub fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Counts bytes that are about to be read or unpacked.
    ///
    /// # Errors
    /// Where they are too many with those before.
    pub fn count(&self, bytes: u128) -> Result<(), Exceeded> {
        let all = self.bytes.get().saturating_add(bytes);
        self.limits.check(Limited::Files, all)?;
        self.bytes.set(all);
        Ok(())
    }

    /// The bytes of a plain file; a pipe or device would wait for ever.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        let metadata = path.metadata().map_err(|e| e.to_string())?;
        if !metadata.is_file() {
            return Err("it is not a plain file".into());
        }
        self.count(metadata.len().into()).map_err(|exceeded| too_large(&exceeded))?;
        // A file that grows meanwhile is cut.
        up_to(path, metadata.len()).map_err(|e| e.to_string())
    }
}

/// The sentence for files that are too large.
pub fn too_large(exceeded: &Exceeded) -> String {
    format!("the files of the scene have {exceeded}")
}

/// The bytes of a file, which may be a pipe or device; one without end is read up to its limit.
///
/// # Errors
/// Where it cannot be read, or is larger than its limit.
pub fn within(path: &Path, of: Limited, limits: &Limits) -> Result<Vec<u8>, String> {
    let bytes = up_to(path, limits.get(of).saturating_add(1)).map_err(|e| e.to_string())?;
    let stored = path.metadata().map_or(0, |metadata| metadata.len());
    limits.check(of, stored.into()).map_err(|exceeded| format!("it has {exceeded}"))?;
    // Of a pipe or device nothing is known beyond the first byte that is too much.
    limits.check(of, bytes.len() as u128).map_err(|exceeded| format!("it {}", exceeded.at_least()))?;
    Ok(bytes)
}

/// The first bytes of a file.
fn up_to(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
