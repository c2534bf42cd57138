//! The named files of a checkpoint: how they are told from others, and damaged ones from good ones.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0–7 | `HTSPOOL1` |
//! | 8–15 | a number of 64 bits that differs from file to file |
//! | then 8 each | IEEE 754 doubles, little-endian |
//!
//! The checkpoint knows that number and the SHA-256 of the bytes that belong to it: no other file is continued, cut or
//! removed. A file is locked as long as a run uses it, so that no two runs use one checkpoint.

use sha2::{Digest, Sha256};
use std::{
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    hash::{BuildHasher, RandomState},
    io::{self, ErrorKind, Read, Seek},
    path::Path,
    time::SystemTime,
};

/// The first bytes of a named file.
const MAGIC: [u8; 8] = *b"HTSPOOL1";
/// The bytes before the numbers of a named file.
pub(crate) const HEADER: u64 = 16;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;

/// What tells a named file from others, and its bytes from damaged ones.
pub(crate) struct Seal {
    /// What tells the file from others.
    pub identity: u64,
    /// Of all bytes so far, as one computes SHA-256.
    hash: Sha256,
}

impl Seal {
    /// That of a file without numbers, and its bytes.
    pub fn new(identity: u64) -> (Self, [u8; HEADER as usize]) {
        let mut header = [0; HEADER as usize];
        header[..8].copy_from_slice(&MAGIC);
        header[8..].copy_from_slice(&identity.to_le_bytes());
        (Self { identity, hash: Sha256::new_with_prefix(header) }, header)
    }

    /// The SHA-256 of the bytes so far, as four numbers.
    pub fn digest(&self) -> [u64; 4] {
        let digest = self.hash.clone().finalize();
        let (words, _) = digest.as_chunks::<8>();
        std::array::from_fn(|i| words.get(i).map_or(0, |word| u64::from_le_bytes(*word)))
    }

    /// Adds bytes that are written.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
    }

    /// Adds all bytes that `file` still has.
    ///
    /// # Errors
    /// Those of reading.
    pub fn read(&mut self, file: &mut impl Read) -> io::Result<()> {
        let mut bytes = vec![0; CHUNK];
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(()),
                count => self.add(&bytes[..count]),
            }
        }
    }
}

/// A number that differs from one file to another.
pub(crate) fn random() -> u64 {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // The state of the hash is random, too.
    RandomState::new().hash_one((std::process::id(), time.as_nanos()))
}

/// Creates a file of a checkpoint and locks it. One of a run that was killed before its first checkpoint, without a
/// number, is taken over.
pub(crate) fn create_named(path: &Path) -> io::Result<File> {
    match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        file => {
            let file = file?;
            lock(&file)?;
            return Ok(file);
        }
    }
    let reason = "it exists already, and not as a file of this checkpoint: remove it, or choose another name for the checkpoint";
    let other = || io::Error::other(reason);
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(other());
    }
    let mut file = open_named(path)?;
    let mut magic = [0; MAGIC.len()];
    if file.metadata()?.len() != HEADER || file.read_exact(&mut magic).is_err() || magic != MAGIC {
        return Err(other());
    }
    file.rewind()?;
    Ok(file)
}

/// Opens a file of a checkpoint and locks it. Symbolic links are not followed.
pub(crate) fn open_named(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    if !is_named(&file, path) {
        return Err(io::Error::other("another program replaces it"));
    }
    lock(&file)?;
    Ok(file)
}

/// Whether the name of a file is still its own, as far as the system tells. A link is another file.
pub(crate) fn is_named(file: &File, path: &Path) -> bool {
    let (named, own) = (fs::symlink_metadata(path), file.metadata());
    named.is_ok_and(|named| own.is_ok_and(|own| identity(&named) == identity(&own)))
}

/// The device and the number of a file, which all its names share; `None` where they are not known.
pub(crate) fn identity(file: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}

/// Locks a file of a checkpoint as long as it is open, so that no two runs continue from it.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another run that goes on uses it")),
        // Some network file systems have no locks.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}
