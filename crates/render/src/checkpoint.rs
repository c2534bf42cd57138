//! A checkpoint: the state of a run, from which another process continues it to the same bits.
//!
//! The file `NAME` holds everything but the samples of the sound and the rows of states, which are in `NAME.sound` and
//! files like it, and only grow. A checkpoint counts what of them belongs to it: they are written to the disk first, then
//! the checkpoint replaces the one before. Whenever the program is killed, a checkpoint and its samples are complete; what
//! follows them in the files is dropped when the run continues. All are removed when the run is complete.
//!
//! | bytes of `NAME` | meaning |
//! |---|---|
//! | 0–7 | `HTCHECK6` |
//! | 8–39 | SHA-256 of all that follows |
//! | 8, then so many | the identity of the run, one line of name, tab and value each, in UTF-8 |
//! | 8, then so many | the state of the simulation, as of `hamiltone_core::saved` |
//! | 8, then so many, for the run and each of its sinks | numbers as IEEE 754 doubles |
//!
//! All numbers are little-endian. The whole has at most [`MAX_BYTES`].

use crate::{
    error::SinkError,
    file::{Pending, check_target, failed},
};
use hamiltone_plan::Plan;
use hamiltone_scene::digest::sha256;
use sha2::{Digest, Sha256};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The first bytes of a checkpoint.
const MAGIC: &[u8; 8] = b"HTCHECK6";

/// The most bytes of a checkpoint: larger files are not read, nor written. Samples and rows of states are not in it.
pub const MAX_BYTES: u64 = 1 << 32;

/// The revision of the arithmetic, which is a part of the identity of a run. It is to be raised whenever a change of the
/// program changes bits of sounds, states or audits, which `tests/same_bits.rs` notices: a run that an earlier build began
/// would otherwise continue to bits that no build gives.
pub const ARITHMETIC: u32 = 12;

/// Where and how often the state of a run is saved.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Its file. The samples of the sound are in a file beside it: see [`Checkpoint::data`].
    pub path: PathBuf,
    /// The time from one to the next.
    pub interval: Interval,
    /// Whether the run continues from the file, which otherwise must not exist.
    pub resume: bool,
    /// What the run was asked for besides its plan, as names and values: a checkpoint of a run that was asked for
    /// something else is refused.
    pub options: Vec<(String, String)>,
    /// The files in which sinks keep what grows: they are removed with the checkpoint.
    pub files: Vec<PathBuf>,
}

/// The time from one checkpoint to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// Of the computation.
    Time(Duration),
    /// Internal steps.
    Steps(u64),
}

impl Checkpoint {
    /// A new one, saved once a minute. A symbolic link is resolved: all files are beside its target.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink());
        let target = if is_link { fs::canonicalize(&path).ok() } else { None };
        Self {
            path: target.unwrap_or(path),
            interval: Interval::Time(Duration::from_secs(60)),
            resume: false,
            options: Vec::new(),
            files: Vec::new(),
        }
    }

    /// The file in which something that grows is kept: its name is that of the checkpoint, a dot and `what`.
    pub fn data(&self, what: &str) -> PathBuf {
        let mut name = OsString::from(self.path.as_os_str());
        name.push(".");
        name.push(what);
        name.into()
    }

    /// Removes all files, when the run is complete.
    pub(crate) fn remove(&self) {
        // The outputs are in place: what stays behind is no reason to fail.
        let files = [self.path.clone(), self.data("sound")];
        files.iter().chain(&self.files).for_each(|path| drop(fs::remove_file(path)));
    }

    /// What tells the run from others: names and values. Digests are those of the files as they are now.
    fn identity(&self, plan: &Plan) -> Result<Vec<(String, String)>, SinkError> {
        let mut identity: Vec<(String, String)> = [
            ("the version of the program", env!("CARGO_PKG_VERSION").to_string()),
            ("the revision of the arithmetic", ARITHMETIC.to_string()),
            ("the scene", plan.scene_sha256.clone()),
            ("the title", plan.title.clone()),
            ("the scheme", plan.scheme.name().to_string()),
            ("the sample rate", plan.sample_rate.to_string()),
            ("the oversampling", plan.oversampling.to_string()),
            ("the number of samples", plan.frames.to_string()),
            ("the level", format!("{:?}", plan.output.level)),
            ("the sample format", format!("{:?}", plan.output.format)),
            ("the full scale", format!("{:?}", plan.output.full_scale)),
            ("the fade-out", format!("{} s", plan.output.fade)),
            ("the buses", format!("{:?}", plan.output.buses)),
            ("the mix", plan.pickups.iter().map(|pickup| format!("{:?};", pickup.mix)).collect()),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into();
        for path in &plan.inputs {
            let bytes = fs::read(path).map_err(|error| failed(path, error))?;
            identity.push((format!("the input `{}`", path.display()), sha256(&bytes)));
        }
        identity.extend(self.options.iter().cloned());
        // A line holds one of them.
        let line = |text: String| text.replace(['\n', '\t'], " ");
        Ok(identity.into_iter().map(|(name, value)| (line(name), line(value))).collect())
    }
}

/// What a checkpoint holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    identity: Vec<(String, String)>,
    /// The state of the simulation.
    pub state: Vec<u8>,
    /// The numbers of the run, and of each of its sinks.
    pub sections: Vec<Vec<f64>>,
}

impl Contents {
    /// The number of bytes of the file.
    fn size(&self) -> u64 {
        let sections = self.sections.iter().map(|section| 8 + 8 * section.len() as u64).sum::<u64>();
        40 + 8 + self.lines().len() as u64 + 8 + self.state.len() as u64 + sections
    }

    fn lines(&self) -> String {
        self.identity.iter().map(|(name, value)| format!("{name}\t{value}\n")).collect()
    }

    /// Hands over what follows the digest, piece by piece: a report may keep many numbers, of which there is no second copy.
    fn pieces(&self, take: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let lines = self.lines();
        for part in [lines.as_bytes(), &self.state] {
            take(&(part.len() as u64).to_le_bytes())?;
            take(part)?;
        }
        for section in &self.sections {
            take(&(8 * section.len() as u64).to_le_bytes())?;
            section.iter().try_for_each(|x| take(&x.to_le_bytes()))?;
        }
        Ok(())
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut digest = Sha256::new();
        self.pieces(&mut |bytes| {
            digest.update(bytes);
            Ok(())
        })?;
        out.write_all(MAGIC)?;
        out.write_all(&digest.finalize())?;
        self.pieces(&mut |bytes| out.write_all(bytes))
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (digest, mut body) = rest.split_at_checked(32)?;
        if magic != MAGIC || Sha256::digest(body)[..] != *digest {
            return None;
        }
        let mut part = || {
            let (length, rest) = body.split_first_chunk::<8>()?;
            let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            body = rest;
            Some(part)
        };
        let lines = std::str::from_utf8(part()?).ok()?.lines();
        let identity = lines.filter_map(|line| line.split_once('\t')).map(|(n, v)| (n.into(), v.into()));
        let (identity, state) = (identity.collect(), part()?.to_vec());
        let mut sections = Vec::new();
        while let Some(bytes) = part() {
            let (numbers, rest) = bytes.as_chunks();
            sections.push(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect());
            if !rest.is_empty() {
                return None;
            }
        }
        body.is_empty().then_some(Self { identity, state, sections })
    }
}

/// Saves the checkpoints of a run.
pub struct Saver {
    checkpoint: Checkpoint,
    identity: Vec<(String, String)>,
    /// When the last one was saved, and at which step.
    last: (Instant, u64),
    /// The step at which the clock was last read.
    clock: u64,
}

/// The clock is read once in as many steps.
const STEPS_PER_READING: u64 = 256;

impl Saver {
    /// Begins a run, or opens the checkpoint from which it continues.
    ///
    /// # Errors
    /// A file where a new run would save its checkpoint; a checkpoint that is missing, damaged or of another run.
    pub fn open(checkpoint: Checkpoint, plan: &Plan) -> Result<(Self, Option<Contents>), SinkError> {
        let identity = checkpoint.identity(plan)?;
        let contents = read(&checkpoint, &identity)?;
        Ok((Self { checkpoint, identity, last: (Instant::now(), 0), clock: 0 }, contents))
    }

    /// The run continues at this step, from which on the steps to the next one count.
    pub fn continue_at(&mut self, step: u64) {
        (self.last, self.clock) = ((Instant::now(), step), step);
    }

    /// Whether it is time for another, after this step.
    pub fn is_due(&mut self, step: u64) -> bool {
        match self.checkpoint.interval {
            Interval::Steps(steps) => step >= self.last.1 + steps.max(1),
            Interval::Time(_) if step < self.clock + STEPS_PER_READING => false,
            Interval::Time(time) => {
                self.clock = step;
                self.last.0.elapsed() >= time
            }
        }
    }

    /// Saves one after this step: it replaces the one before when it is complete.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save(&mut self, step: u64, state: Vec<u8>, sections: Vec<Vec<f64>>) -> Result<(), SinkError> {
        let contents = Contents { identity: self.identity.clone(), state, sections };
        let size = contents.size();
        if size > MAX_BYTES {
            let reason = format!("the state of the run has {size} bytes, a checkpoint at most {MAX_BYTES}");
            return Err(self.refuse(reason));
        }
        let file = Pending::create(&self.checkpoint.path)?;
        file.stage(|out| contents.write(out))?.replace()?;
        // The time that saving takes does not count: between two of them the run goes on.
        self.continue_at(step);
        Ok(())
    }

    /// Removes the checkpoint when the run is complete.
    pub fn remove(&self) {
        self.checkpoint.remove();
    }

    /// An error with the file that it is about.
    pub fn refuse(&self, reason: impl Into<String>) -> SinkError {
        refused(&self.checkpoint.path, reason)
    }
}

fn refused(path: &Path, reason: impl Into<String>) -> SinkError {
    SinkError { path: path.into(), reason: reason.into() }
}

fn read(checkpoint: &Checkpoint, identity: &[(String, String)]) -> Result<Option<Contents>, SinkError> {
    let path = &checkpoint.path;
    if !checkpoint.resume {
        let reason =
            "it exists already: continue from it (--resume), or remove it if its run is not needed any more";
        let there = fs::symlink_metadata(path).is_ok();
        return if there { Err(refused(path, reason)) } else { Ok(None) };
    }
    check_target(path)?;
    let bytes = bytes(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused(
            path,
            "there is no such checkpoint to continue from; without --resume the run begins anew",
        ),
        _ => refused(path, format!("the checkpoint cannot be read: {error}")),
    })?;
    let contents = Contents::from_bytes(&bytes);
    let contents =
        contents.ok_or_else(|| refused(path, "it is damaged, or no checkpoint of this version"))?;
    if let Some(reason) = difference(&contents.identity, identity) {
        return Err(refused(path, format!("it is a checkpoint of another run: {reason}")));
    }
    Ok(Some(contents))
}

/// The bytes of a checkpoint, as many as it may have.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let (file, mut bytes) = (File::open(path)?, Vec::new());
    let too_large = || Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes")));
    if file.metadata()?.len() > MAX_BYTES {
        return too_large();
    }
    // It may grow meanwhile.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { too_large() } else { Ok(bytes) }
}

/// The first difference between a checkpoint and a run.
fn difference(saved: &[(String, String)], own: &[(String, String)]) -> Option<String> {
    let other = saved.iter().zip(own).find(|(saved, own)| saved != own);
    match other {
        Some(((name, saved), (own_name, own))) if name == own_name => {
            Some(format!("{name} was {saved}, here it is {own}"))
        }
        Some(((name, saved), (own_name, own))) => {
            Some(format!("{name} was {saved}, here {own_name} is {own}"))
        }
        None if saved.len() > own.len() => {
            saved.get(own.len()).map(|(name, value)| format!("{name} was {value}"))
        }
        None => own.get(saved.len()).map(|(name, value)| format!("{name} is {value} here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents() -> Contents {
        let identity = vec![("the scene".into(), "ab".into()), ("the title".into(), "x = 1".into())];
        Contents {
            identity,
            state: vec![1, 2, 3],
            sections: vec![vec![-0.0, 1.0 / 3.0], vec![], vec![f64::INFINITY]],
        }
    }

    fn written(contents: &Contents) -> Vec<u8> {
        let mut bytes = Vec::new();
        contents.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn bytes_keep_every_bit_and_damaged_ones_are_refused() {
        let bytes = written(&contents());
        assert_eq!(bytes.len() as u64, contents().size());
        let back = Contents::from_bytes(&bytes).unwrap();
        assert_eq!(back, contents());
        assert!(back.sections[0][0].is_sign_negative());
        for length in 0..bytes.len() {
            assert_eq!(Contents::from_bytes(&bytes[..length]), None, "{length}");
        }
        for byte in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 4;
            assert_eq!(Contents::from_bytes(&damaged), None, "{byte}");
        }
    }

    /// A device would be read without an end, a pipe would be waited for, and a large file would take all memory.
    #[cfg(unix)]
    #[test]
    fn what_is_no_checkpoint_is_not_read() {
        let folder = std::env::temp_dir().join(format!("hamiltone-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let reason = |path: PathBuf| {
            let mut checkpoint = Checkpoint::new(path);
            checkpoint.resume = true;
            read(&checkpoint, &[]).unwrap_err().reason
        };
        assert_eq!(reason("/dev/zero".into()), "it is not a plain file");
        assert_eq!(reason(folder.clone()), "it is a folder");
        let pipe = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(reason(pipe), "it is not a plain file");
        let large = folder.join("large");
        File::create(&large).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(reason(large).contains("it has more than 4294967296 bytes"));
        let (link, target) = (folder.join("link"), folder.join("large"));
        std::os::unix::fs::symlink("large", &link).unwrap();
        assert_eq!(
            Checkpoint::new(link).data("sound"),
            fs::canonicalize(target).unwrap().with_extension("sound")
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_difference_names_what_was_and_what_is() {
        let own = contents().identity;
        let changed = |at: usize, value: &str| {
            let mut identity = own.clone();
            identity[at].1 = value.into();
            identity
        };
        assert_eq!(difference(&own, &own), None);
        assert_eq!(difference(&changed(0, "cd"), &own).unwrap(), "the scene was cd, here it is ab");
        assert_eq!(difference(&own, &own[..1]).unwrap(), "the title was x = 1");
        assert_eq!(difference(&own[..1], &own).unwrap(), "the title is x = 1 here");
    }
}
