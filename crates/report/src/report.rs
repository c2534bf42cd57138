//! The report: one self-contained page, `DIR/index.html`, with the pictures of a run.
//!
//! Waveform, spectrum, spectrogram, partials against theory, shapes of long bodies, contacts,
//! energies and balance over time, phase portraits, the audit, the scene and the
//! sound itself. It loads nothing from elsewhere.

use crate::{charts, history::History, page, partials};
use hamiltone_render::{
    Block, Outcome, Sink, SinkError,
    file::{Pending, failed},
};
use hamiltone_scene::Plan;
use std::{fs, io::Write, path::PathBuf};

/// Writes the report into a folder.
pub struct Report {
    folder: PathBuf,
    scene: String,
    file: Option<Pending>,
    history: History,
}

impl Report {
    /// A report in `folder`, which is made where it does not exist, with the scene's text.
    pub fn new(folder: impl Into<PathBuf>, scene: impl Into<String>) -> Self {
        Self { folder: folder.into(), scene: scene.into(), file: None, history: History::default() }
    }
}

impl Sink for Report {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        self.file = Some(Pending::create(&self.folder.join("index.html"))?);
        self.history = History::new(plan);
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(plan.oversampling as u64)
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        self.history.post(plan, block);
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<(), SinkError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        self.history.close(plan, outcome.audit.steps);
        let heard = partials::all(plan, &outcome.sound, charts::section::shown(&outcome.sound));
        let sections = charts::sections(plan, outcome, &self.history, &heard);
        let page = page::html(plan, outcome, &sections, &heard, &self.scene);
        file.commit(&self.folder.join("index.html"), |out| out.write_all(page.as_bytes()))
    }
}
