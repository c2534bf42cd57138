//! Numbers that grow with a run, such as the samples of its sound: appended while it goes on, read when it has ended.
//!
//! They are in memory, in a temporary file, or in a named file that outlives the program and belongs to a checkpoint.
//! Files hold IEEE 754 doubles in little-endian order, and nothing else.

use crate::{
    error::SinkError,
    file::{failed, folder},
    temporary::Temporary,
};
use hamiltone_core::state::Archive;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// How many numbers are written or read at once.
const CHUNK: usize = 1 << 13;
/// The bytes of a number.
const BYTES: u64 = 8;

/// Numbers in the order in which they were pushed.
pub struct Spool {
    place: Place,
    /// The numbers that are not in a file (yet).
    recent: Vec<f64>,
    file: Option<Mutex<File>>,
    /// Removes the file when this is dropped.
    temporary: Option<Temporary>,
    /// How many numbers are in the file.
    written: u64,
}

/// Where the numbers are.
enum Place {
    Memory,
    /// In a temporary file in the folder of this one.
    Beside(PathBuf),
    /// In this file, which stays.
    Named(PathBuf),
}

impl Default for Spool {
    fn default() -> Self {
        Self::in_memory()
    }
}

impl From<Vec<f64>> for Spool {
    fn from(numbers: Vec<f64>) -> Self {
        Self { recent: numbers, ..Self::in_memory() }
    }
}

impl Spool {
    /// Numbers in memory.
    pub fn in_memory() -> Self {
        Self::new(Place::Memory)
    }

    /// Numbers in a temporary file beside `path`, which is removed when this is dropped or the program is interrupted.
    pub fn beside(path: impl Into<PathBuf>) -> Self {
        Self::new(Place::Beside(path.into()))
    }

    /// Numbers in the file `path`, which must not exist unless a run is continued, and stays when this is dropped.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        Self::new(Place::Named(path.into()))
    }

    fn new(place: Place) -> Self {
        Self { place, recent: Vec::new(), file: None, temporary: None, written: 0 }
    }

    /// The file that it is, or beside which it is, where the numbers are not in memory.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Memory => None,
            Place::Beside(path) | Place::Named(path) => Some(path),
        }
    }

    /// Whether the numbers are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.place, Place::Memory)
    }

    /// Makes sure that there is memory for as many numbers, where they are in memory.
    ///
    /// # Errors
    /// Where there is not.
    pub fn reserve(&mut self, count: u64) -> Result<(), std::collections::TryReserveError> {
        match self.place {
            // On a machine of 32 bits `usize::MAX` is more than it can have, too.
            Place::Memory => self.recent.try_reserve_exact(usize::try_from(count).unwrap_or(usize::MAX)),
            Place::Beside(_) | Place::Named(_) => Ok(()),
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.written + self.recent.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends numbers.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn push(&mut self, numbers: &[f64]) -> Result<(), SinkError> {
        self.recent.extend_from_slice(numbers);
        if self.recent.len() < CHUNK || self.is_in_memory() { Ok(()) } else { self.flush() }
    }

    /// Writes what is not in the file yet.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn flush(&mut self) -> Result<(), SinkError> {
        if self.is_in_memory() || self.recent.is_empty() {
            return Ok(());
        }
        self.append().map_err(|error| self.failed(error))
    }

    fn append(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.create()?;
        }
        let bytes: Vec<u8> = self.recent.iter().flat_map(|x| x.to_le_bytes()).collect();
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(BYTES * self.written))?;
            file.write_all(&bytes)?;
        }
        self.written += self.recent.len() as u64;
        self.recent.clear();
        Ok(())
    }

    fn create(&mut self) -> io::Result<()> {
        let file = match &self.place {
            Place::Memory => return Ok(()),
            Place::Beside(path) => {
                // As the file itself: in the folder to which a symbolic link leads.
                let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                let (temporary, file) = Temporary::create(folder(&path))?;
                self.temporary = Some(temporary);
                file
            }
            Place::Named(path) => {
                let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
                let file = file.map_err(|error| match error.kind() {
                    ErrorKind::AlreadyExists => io::Error::other(
                        "it exists already, and not as a file of this checkpoint: remove it, or choose another name for the checkpoint",
                    ),
                    _ => error,
                })?;
                lock(&file)?;
                file
            }
        };
        self.file = Some(Mutex::new(file));
        Ok(())
    }

    /// Reads the numbers from number `at` on.
    ///
    /// # Errors
    /// Where the file cannot be read, or there are fewer.
    pub fn read(&self, at: u64, numbers: &mut [f64]) -> Result<(), SinkError> {
        self.fill(at, numbers).map_err(|error| self.failed(error))
    }

    fn fill(&self, at: u64, numbers: &mut [f64]) -> io::Result<()> {
        let in_file = self.written.saturating_sub(at).min(numbers.len() as u64) as usize;
        let (head, tail) = numbers.split_at_mut(in_file);
        if let (Some(file), false) = (&self.file, head.is_empty()) {
            let mut bytes = vec![0; BYTES as usize * head.len()];
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(BYTES * at))?;
            file.read_exact(&mut bytes)?;
            let read = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
            head.iter_mut().zip(read).for_each(|(x, read)| *x = read);
        }
        let from = at.saturating_sub(self.written) as usize;
        let recent = self.recent.get(from..from + tail.len());
        tail.copy_from_slice(recent.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    /// Calls `each` with the numbers of a range, a whole number of groups of `group` at a time.
    ///
    /// # Errors
    /// Where the file cannot be read, and those of `each`.
    pub fn for_each<E: From<SinkError>>(
        &self,
        range: Range<u64>,
        group: usize,
        mut each: impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let at_once = (CHUNK / group.max(1)).max(1) * group.max(1);
        let mut chunk = vec![0.0; at_once];
        let mut at = range.start;
        while at < range.end {
            let count = (range.end - at).min(at_once as u64) as usize;
            self.read(at, &mut chunk[..count])?;
            each(&chunk[..count])?;
            at += count as u64;
        }
        Ok(())
    }

    /// Writes the count of the numbers into a checkpoint, once they are on the disk, or takes it over: what was appended
    /// after the checkpoint is dropped. Numbers in memory are a part of the checkpoint.
    ///
    /// # Errors
    /// Where the file cannot be written, or lacks numbers of the checkpoint.
    pub fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        if self.is_in_memory() {
            archive.list(&mut self.recent);
            return Ok(());
        }
        let mut count = self.len();
        if archive.reads() {
            archive.long(&mut count);
            return self.reopen(count).map_err(|error| self.failed(error));
        }
        archive.long(&mut count);
        self.flush()?;
        let file =
            self.file.as_ref().map(|file| file.lock().unwrap_or_else(PoisonError::into_inner).sync_all());
        file.unwrap_or(Ok(())).map_err(|error| self.failed(error))
    }

    /// Opens the file of an earlier program at its first `count` numbers.
    fn reopen(&mut self, count: u64) -> io::Result<()> {
        let Place::Named(path) = &self.place else {
            return Err(io::Error::other("a temporary file does not outlive its program"));
        };
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            // The run was ended before it wrote any number.
            Err(error) if error.kind() == ErrorKind::NotFound && count == 0 => return Ok(()),
            file => file?,
        };
        lock(&file)?;
        let (there, needed) = (file.metadata()?.len(), BYTES * count);
        if there < needed {
            let reason = format!(
                "it has {there} bytes, and the checkpoint needs {needed}: it is not of this checkpoint"
            );
            return Err(io::Error::other(reason));
        }
        file.set_len(needed)?;
        self.file = Some(Mutex::new(file));
        (self.written, self.recent) = (count, Vec::new());
        Ok(())
    }

    /// An error with the file that it is about: the one that was asked for, where the numbers are in a temporary one.
    fn failed(&self, error: io::Error) -> SinkError {
        match &self.place {
            Place::Memory => failed(Path::new("samples in memory"), error),
            Place::Beside(path) | Place::Named(path) => failed(path, error),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("hamiltone-spool-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    /// The squares of the numbers from `from` on.
    fn squares(from: usize, count: usize) -> Vec<f64> {
        (from..from + count).map(|i| (i * i) as f64).collect()
    }

    #[test]
    fn every_place_gives_back_what_was_pushed() {
        let named = path("places");
        for mut spool in [Spool::in_memory(), Spool::beside(&named), Spool::named(&named)] {
            let pieces = [1, CHUNK - 1, 3, 3 * CHUNK + 1, 2];
            pieces.into_iter().fold(0, |from, count| {
                spool.push(&squares(from, count)).unwrap();
                from + count
            });
            let all = pieces.iter().sum::<usize>();
            assert_eq!(spool.len(), all as u64);
            for (at, count) in [(0, all), (CHUNK - 2, 5), (all - 4, 4), (all, 0)] {
                let mut read = vec![0.0; count];
                spool.read(at as u64, &mut read).unwrap();
                assert!(read == squares(at, count), "{count} at {at}");
            }
            assert!(spool.read(all as u64 - 1, &mut [0.0; 2]).is_err());
            let mut read = Vec::new();
            let range = 3..all as u64 - 5;
            let count = |part: &[f64]| {
                assert!(part.len().is_multiple_of(3) || part.len() < CHUNK);
                read.extend_from_slice(part);
                Ok::<(), SinkError>(())
            };
            spool.for_each(range, 3, count).unwrap();
            assert!(read == squares(3, all - 8));
        }
        assert!(named.exists(), "a named file stays");
        assert!(
            Spool::named(&named).flush().is_ok() && Spool::named(&named).push(&squares(0, CHUNK)).is_err()
        );
        fs::remove_file(named).unwrap();
    }

    /// What follows the checkpoint is dropped, a file that lacks some of it is refused, and so is one in use.
    #[test]
    fn a_file_is_continued_where_the_checkpoint_was() {
        let path = path("continued");
        let mut numbers = Vec::new();
        let mut spool = Spool::named(&path);
        spool.push(&squares(0, 10)).unwrap();
        spool.archive(&mut Archive::Write(&mut numbers)).unwrap();
        spool.push(&[7.0; 5]).unwrap();
        spool.flush().unwrap();
        let used = Spool::named(&path).archive(&mut Archive::Read(&numbers)).unwrap_err().to_string();
        assert!(used.contains("another run"), "{used}");
        drop(spool);
        let mut spool = Spool::named(&path);
        spool.archive(&mut Archive::Read(&numbers)).unwrap();
        spool.push(&squares(10, 3)).unwrap();
        let mut read = [0.0; 13];
        spool.read(0, &mut read).unwrap();
        assert_eq!(read[..], squares(0, 13));
        drop(spool);
        OpenOptions::new().write(true).open(&path).unwrap().set_len(79).unwrap();
        let short = Spool::named(&path).archive(&mut Archive::Read(&numbers)).unwrap_err().to_string();
        assert!(short.contains("it has 79 bytes, and the checkpoint needs 80"), "{short}");
        fs::remove_file(path).unwrap();
    }
}
