//! The report: one self-contained page, `DIR/index.html`, with the pictures of a run.
//!
//! Waveform, spectrum, spectrogram, energies and balance over time, phase portraits,
//! the audit, the scene and the sound itself. It loads nothing from elsewhere.

mod charts;
mod page;
mod spectrum;
mod trace;

use super::{
    Block, Sink, SinkError,
    file::{Pending, failed},
};
use crate::{plan::Plan, run::Outcome};
use std::{fs, io::Write, path::PathBuf};
use trace::{Energy, Orbit};

/// Writes the report into a folder.
pub struct Report {
    folder: PathBuf,
    scene: String,
    file: Option<Pending>,
    energy: Energy,
    orbit: Option<Orbit>,
}

impl Report {
    /// A report in `folder`, which is made where it does not exist, with the scene's text.
    pub fn new(folder: impl Into<PathBuf>, scene: impl Into<String>) -> Self {
        Self {
            folder: folder.into(),
            scene: scene.into(),
            file: None,
            energy: Energy::default(),
            orbit: None,
        }
    }
}

impl Sink for Report {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        self.file = Some(Pending::create(&self.folder.join("index.html"))?);
        self.energy = Energy::new(plan.frames as u64 * plan.oversampling as u64);
        self.orbit = Orbit::new(plan);
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(plan.oversampling as u64)
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        self.energy.post(block);
        if let Some(orbit) = &mut self.orbit
            && block.last().is_multiple_of(plan.oversampling as u64)
        {
            orbit.post(block);
        }
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<(), SinkError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        self.energy.close(outcome.audit.steps, plan.sample_rate * plan.oversampling as f64);
        let sections = charts::sections(plan, outcome, &self.energy, self.orbit.as_ref());
        let page = page::html(plan, outcome, &sections, &self.scene);
        file.commit(&self.folder.join("index.html"), |out| out.write_all(page.as_bytes()))
    }
}
