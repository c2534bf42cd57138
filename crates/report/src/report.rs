//! The report of a run: one self-contained page, `DIR/index.html`.
//!
//! Waveform, spectrum, spectrogram, partials compared with theory, deflection of strings, bars and surfaces, contacts,
//! energies and their balance over time, phase portraits, the energy audit, the scene and the sound itself. The page
//! loads nothing from elsewhere.

use crate::{charts, history::History, page, partials};
use hamiltone_render::{
    Block, Outcome, Sink, SinkError,
    file::{Pending, Staged, failed},
    forecast::Forecast,
};
use hamiltone_scene::Plan;
use std::{fs, io::Write, path::PathBuf};

/// A sink that writes the report into a folder.
pub struct Report {
    folder: PathBuf,
    scene: String,
    file: Option<Pending>,
    history: History,
}

impl Report {
    /// A report in `folder`, which is created if necessary, with the text of the scene.
    pub fn new(folder: impl Into<PathBuf>, scene: impl Into<String>) -> Self {
        Self { folder: folder.into(), scene: scene.into(), file: None, history: History::default() }
    }
}

/// How many numbers are kept for each sample: times, and one chart while it is drawn.
const NUMBERS: usize = 3;
/// How many numbers are kept for each sample of a channel or a contact: time and value.
const NUMBERS_PER_CHART: usize = 2;
/// How many channels and contacts have charts over time, at most.
const MAX_CHARTS: usize = 12;

impl Sink for Report {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let charts = (plan.pickups.len() + plan.contacts.len()).min(MAX_CHARTS);
        let numbers = NUMBERS + charts * NUMBERS_PER_CHART;
        Forecast { memory: 8 * plan.frames as u128 * numbers as u128, files: Vec::new() }
    }

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

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(file) = self.file.take() else { return Ok(Vec::new()) };
        self.history.close(plan, outcome.audit.steps);
        let partials = partials::all(plan, &outcome.sound, charts::section::shown(&outcome.sound));
        let sections = charts::sections(plan, outcome, &self.history, &partials);
        let page = page::html(plan, outcome, &sections, &partials, &self.scene);
        Ok(vec![file.stage(|out| out.write_all(page.as_bytes()))?])
    }
}
