//! How a run is carried out, besides its plan and its sinks.

use crate::{checkpoint::Checkpoint, prepared::Prepared, spool::Spool};
use std::{num::NonZeroU64, path::PathBuf, sync::atomic::AtomicBool};

/// How a run is carried out. By default its samples are in memory, and it ends when it is complete.
#[derive(Default)]
pub struct Options<'a> {
    /// Where the samples of the sound are.
    pub storage: Storage,
    /// The state that is saved while the run goes on, or from which it continues.
    pub checkpoint: Option<Checkpoint>,
    /// The run ends at the next block after this has become true.
    pub stop: Option<&'a AtomicBool>,
    /// Whether the sinks of a run that was stopped write what there is.
    pub keep_partial: bool,
    /// What it shares with other runs of a study.
    pub prepared: Option<&'a Prepared>,
    /// How many steps lie between two audit points; [`hamiltone_core::audit::AUDIT_INTERVAL`] unless given.
    pub audit_every: Option<NonZeroU64>,
}

/// Where the samples of a sound are while a run goes on, and in its outcome. The files of a checkpoint have them in any case.
#[derive(Clone, Debug, Default)]
pub enum Storage {
    /// In memory: 8 bytes a sample.
    #[default]
    Memory,
    /// In a temporary file in the folder of this one: memory does not depend on the duration. The file is removed when
    /// the outcome is dropped.
    Beside(PathBuf),
}

impl Options<'_> {
    /// Where the samples go.
    pub(crate) fn spool(&self) -> Spool {
        match (&self.checkpoint, &self.storage) {
            (Some(checkpoint), _) => Spool::named(checkpoint.data("sound")),
            (None, Storage::Memory) => Spool::in_memory(),
            (None, Storage::Beside(path)) => Spool::beside(path),
        }
    }
}
