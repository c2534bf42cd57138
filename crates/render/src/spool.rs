//! Numbers that grow with a run, such as the samples of its sound: appended while it goes on, read when it has ended.
//!
//! They are in memory, in a temporary file, or in a named file that outlives the program and belongs to a checkpoint.
//! Files hold IEEE 754 doubles in little-endian order; in a named one they follow the header of `seal.rs`.

use crate::{
    error::SinkError,
    file::{failed, folder, linked},
    seal::{HEADER, Seal, create_named, open_named, random},
};
use hamiltone_core::state::Archive;
use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// How many numbers are written or read at once.
const CHUNK: usize = 1 << 13;
/// The bytes of a number.
const BYTES: u64 = 8;
#[cfg(test)]
thread_local! {
    /// How many numbers this thread has read.
    pub(crate) static READ: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Numbers in the order in which they were pushed.
pub struct Spool {
    place: Backing,
    /// The numbers that are not in a file (yet).
    recent: Vec<f64>,
    file: Option<Mutex<File>>,
    /// How many numbers are in the file.
    written: u64,
    /// What a checkpoint knows of a named file, once it is open.
    seal: Option<Seal>,
    /// Whether a named file was created, and nothing has been pushed since: no checkpoint may belong to it.
    unused: bool,
}

/// Where the numbers are.
enum Backing {
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
        let mut spool = Self::in_memory();
        spool.recent = numbers;
        spool
    }
}

impl Spool {
    /// Numbers in memory.
    pub fn in_memory() -> Self {
        Self::new(Backing::Memory)
    }

    /// Numbers in a temporary file beside `path`. It has no name: nothing of it is left when this is dropped or the program ends.
    pub fn beside(path: impl Into<PathBuf>) -> Self {
        Self::new(Backing::Beside(path.into()))
    }

    /// Numbers in the file `path`, which must not exist unless a run is continued, and stays when this is dropped. It is
    /// created by the first [`Spool::archive`], or when numbers are written, and locked as long as this is there.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        Self::new(Backing::Named(path.into()))
    }

    fn new(place: Backing) -> Self {
        Self { place, recent: Vec::new(), file: None, written: 0, seal: None, unused: false }
    }

    /// The file that it is, or beside which it is, where the numbers are not in memory.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Backing::Memory => None,
            Backing::Beside(path) | Backing::Named(path) => Some(path),
        }
    }

    /// Whether the numbers are in memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.place, Backing::Memory)
    }

    /// Makes sure that there is memory for as many numbers, where they are in memory.
    ///
    /// # Errors
    /// Where there is not.
    pub fn reserve(&mut self, count: u64) -> Result<(), std::collections::TryReserveError> {
        match self.place {
            // On a machine of 32 bits `usize::MAX` is more than it can have, too.
            Backing::Memory => self.recent.try_reserve_exact(usize::try_from(count).unwrap_or(usize::MAX)),
            Backing::Beside(_) | Backing::Named(_) => Ok(()),
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
        self.unused = false;
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
            file.seek(SeekFrom::Start(self.header() + BYTES * self.written))?;
            file.write_all(&bytes)?;
        }
        if let Some(seal) = &mut self.seal {
            seal.add(&bytes);
        }
        self.written += self.recent.len() as u64;
        self.recent.clear();
        Ok(())
    }

    fn create(&mut self) -> io::Result<()> {
        let file = match &self.place {
            Backing::Memory => return Ok(()),
            // As the file itself: in the folder to which a symbolic link leads.
            Backing::Beside(path) => tempfile::tempfile_in(folder(&linked(path)?))?,
            Backing::Named(path) => {
                let mut file = create_named(path)?;
                let (seal, header) = Seal::new(random());
                (self.seal, self.unused) = (Some(seal), self.recent.is_empty());
                file.write_all(&header)?;
                file
            }
        };
        self.file = Some(Mutex::new(file));
        Ok(())
    }

    /// The bytes before the numbers of the file.
    fn header(&self) -> u64 {
        if self.seal.is_some() { HEADER } else { 0 }
    }

    /// Reads the numbers from number `at` on.
    ///
    /// # Errors
    /// Where the file cannot be read, or there are fewer.
    pub fn read(&self, at: u64, numbers: &mut [f64]) -> Result<(), SinkError> {
        self.fill(at, numbers).map_err(|error| self.failed(error))
    }

    fn fill(&self, at: u64, numbers: &mut [f64]) -> io::Result<()> {
        #[cfg(test)]
        READ.set(READ.get() + numbers.len() as u64);
        let in_file = self.written.saturating_sub(at).min(numbers.len() as u64) as usize;
        let (head, tail) = numbers.split_at_mut(in_file);
        if let (Some(file), false) = (&self.file, head.is_empty()) {
            let mut bytes = vec![0; BYTES as usize * head.len()];
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.header() + BYTES * at))?;
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

    /// Writes the count of the numbers and their SHA-256 into a checkpoint, once they are on the disk, or takes them over:
    /// what was appended after the checkpoint is dropped. Numbers in memory are a part of the checkpoint.
    ///
    /// # Errors
    /// Where the file cannot be written, is in use, or has not the numbers of the checkpoint.
    pub fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        if self.is_in_memory() {
            archive.list(&mut self.recent);
            return Ok(());
        }
        if archive.reads() {
            let (mut count, mut identity, mut digest) = (0, 0, [0; 4]);
            [&mut count, &mut identity].into_iter().chain(&mut digest).for_each(|n| archive.long(n));
            return self.reopen(count, identity, digest).map_err(|error| self.failed(error));
        }
        self.sync().map_err(|error| self.failed(error))?;
        let mut identity = self.seal.as_ref().map_or(0, |seal| seal.identity);
        let mut digest = self.seal.as_ref().map_or([0; 4], Seal::digest);
        let mut count = self.written;
        [&mut count, &mut identity].into_iter().chain(&mut digest).for_each(|n| archive.long(n));
        Ok(())
    }

    /// Writes all numbers to the disk; a named file is there afterwards.
    fn sync(&mut self) -> io::Result<()> {
        if self.file.is_none() && matches!(self.place, Backing::Named(_)) {
            self.create()?;
        }
        if !self.recent.is_empty() {
            self.append()?;
        }
        let file = self.file.as_ref().map(|file| file.lock().unwrap_or_else(PoisonError::into_inner));
        file.map_or(Ok(()), |file| file.sync_all())
    }

    /// Opens the file of an earlier program at its first `count` numbers.
    fn reopen(&mut self, count: u64, identity: u64, digest: [u64; 4]) -> io::Result<()> {
        let Backing::Named(path) = &self.place else {
            return Err(io::Error::other("a temporary file does not outlive its program"));
        };
        let missing = "the samples of the checkpoint are missing: there is no such file";
        let mut file = open_named(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::other(missing),
            _ => error,
        })?;
        let (mut seal, header) = Seal::new(identity);
        let mut found = [0; HEADER as usize];
        if file.read_exact(&mut found).is_err() || found != header {
            return Err(io::Error::other("it is not of this checkpoint"));
        }
        let there = file.metadata()?.len();
        let needed = count.checked_mul(BYTES).and_then(|bytes| bytes.checked_add(HEADER));
        let Some(needed) = needed.filter(|needed| *needed <= there) else {
            let reason = format!(
                "it lacks samples of the checkpoint: it has {}, and the checkpoint {count}",
                (there - HEADER) / BYTES
            );
            return Err(io::Error::other(reason));
        };
        seal.read(&mut (&mut file).take(needed - HEADER))?;
        if seal.digest() != digest {
            return Err(io::Error::other("it is damaged: its samples are not those of the checkpoint"));
        }
        file.set_len(needed)?;
        (self.file, self.seal) = (Some(Mutex::new(file)), Some(seal));
        (self.written, self.recent) = (count, Vec::new());
        Ok(())
    }

    /// An error with the file that it is about: the one that was asked for, where the numbers are in a temporary one.
    fn failed(&self, error: io::Error) -> SinkError {
        match &self.place {
            Backing::Memory => failed(Path::new("samples in memory"), error),
            Backing::Beside(path) | Backing::Named(path) => failed(path, error),
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if let (Backing::Named(path), true) = (&self.place, self.unused) {
            // The run ended before its first checkpoint. `drop` cannot report an error.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;

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
        OpenOptions::new().write(true).open(&path).unwrap().set_len(95).unwrap();
        let short = Spool::named(&path).archive(&mut Archive::Read(&numbers)).unwrap_err().to_string();
        assert!(
            short.contains("lacks samples of the checkpoint: it has 9, and the checkpoint 10"),
            "{short}"
        );
        fs::remove_file(path).unwrap();
    }

    /// Foreign files, links and damaged ones are refused and stay as they are.
    #[test]
    fn other_files_are_refused_and_stay() {
        let path = path("other");
        let mut numbers = Vec::new();
        let write = |spool: &mut Spool, numbers: &mut Vec<f64>| spool.archive(&mut Archive::Write(numbers));
        let reason = |numbers: &[f64]| {
            let error = Spool::named(&path).archive(&mut Archive::Read(numbers)).unwrap_err();
            error.reason
        };
        fs::write(&path, [7; 800]).unwrap();
        let foreign = write(&mut Spool::named(&path), &mut numbers).unwrap_err().to_string();
        assert!(foreign.contains("it exists already"), "{foreign}");
        assert!(fs::read(&path).unwrap() == [7; 800]);
        fs::remove_file(&path).unwrap();
        // A file without numbers goes with a run that ends before its first checkpoint; one that was killed leaves it.
        let mut spool = Spool::named(&path);
        write(&mut spool, &mut numbers).unwrap();
        let killed = fs::read(&path).unwrap();
        assert!(write(&mut Spool::named(&path), &mut Vec::new()).unwrap_err().reason.contains("another run"));
        drop(spool);
        assert!(reason(&numbers).contains("the samples of the checkpoint are missing"));
        fs::write(&path, killed).unwrap();
        numbers.clear();
        let mut spool = Spool::named(&path);
        write(&mut spool, &mut numbers).unwrap();
        spool.push(&squares(0, 10)).unwrap();
        numbers.clear();
        write(&mut spool, &mut numbers).unwrap();
        drop(spool);
        let good = fs::read(&path).unwrap();
        for (byte, expected) in
            [(0, "not of this checkpoint"), (15, "not of this"), (16, "damaged"), (95, "damaged")]
        {
            let mut bytes = good.clone();
            bytes[byte] ^= 1;
            bytes.extend([3; 9]);
            fs::write(&path, &bytes).unwrap();
            assert!(reason(&numbers).contains(expected), "{byte}: {}", reason(&numbers));
            assert!(fs::read(&path).unwrap() == bytes);
        }
        #[cfg(unix)]
        {
            let victim = path.with_extension("victim");
            fs::write(&victim, &good).unwrap();
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(&victim, &path).unwrap();
            assert!(reason(&numbers).contains("not a plain file"));
            assert!(
                write(&mut Spool::named(&path), &mut Vec::new())
                    .unwrap_err()
                    .reason
                    .contains("it exists already")
            );
            assert!(fs::read(&victim).unwrap() == good);
            fs::remove_file(victim).unwrap();
        }
        fs::remove_file(path).unwrap();
    }
}
