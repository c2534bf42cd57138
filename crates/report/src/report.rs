//! The report of a run: one self-contained page, as a text or as `DIR/index.html`.
//!
//! Waveform, spectrum, spectrogram, partials compared with theory, deflection of strings, bars and surfaces, contacts,
//! energies and their balance over time, phase portraits, the energy audit, the scene and the sound itself. The page
//! loads nothing from elsewhere. Its memory does not depend on the duration: of a long sound it shows extremes over time,
//! the spectrum of the beginning, and a spectrogram of windows with gaps between them, and says so.
//!
//! A failed run has `DIR/index.failed.html`, an interrupted one `DIR/index.partial.html`.

use crate::{charts, history::History, page, partials, series::MAX_POINTS};
use hamiltone_core::state::Archive;
use hamiltone_render::{
    Block, Outcome, Sink, SinkError,
    file::{Staged, failed},
    forecast::Forecast,
    target::Target,
};
use hamiltone_scene::Plan;
use std::{fs, io::Write, path::PathBuf};

/// A sink that makes the page of the report.
pub struct ReportPage {
    /// The page, when the run has ended.
    pub html: String,
    scene: String,
    history: History,
}

impl ReportPage {
    /// The page of a run of a scene with this text.
    pub fn new(scene: impl Into<String>) -> Self {
        Self { html: String::new(), scene: scene.into(), history: History::default() }
    }
}

/// A sink that writes the report into a folder.
pub struct Report {
    folder: PathBuf,
    target: Option<Target>,
    page: ReportPage,
}

impl Report {
    /// A report in `folder`, which is created if necessary, with the text of the scene.
    pub fn new(folder: impl Into<PathBuf>, scene: impl Into<String>) -> Self {
        Self { folder: folder.into(), target: None, page: ReportPage::new(scene) }
    }
}

/// How many numbers a chart over time has for each of its points: the extremes that are kept, and the line that is drawn.
const NUMBERS: u128 = 4;
/// How many channels and contacts have charts over time, at most.
const MAX_CHARTS: usize = 12;

impl Sink for ReportPage {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let charts = (plan.pickups.len() + plan.contacts.len()).min(MAX_CHARTS);
        let numbers = NUMBERS * plan.frames.min(MAX_POINTS) as u128 * charts as u128;
        Forecast { memory: 8 * numbers, ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        self.history = History::new(plan);
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(plan.oversampling as u64)
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        self.history.post(plan, block);
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        self.history.close(plan, outcome.audit.steps);
        let shown = charts::section::shown(&outcome.sound)?;
        let partials = partials::all(plan, outcome, shown)?;
        let sections = charts::sections(plan, outcome, &self.history, &partials, shown)?;
        self.html = page::html(plan, outcome, &sections, &partials, &self.scene)?;
        Ok(Vec::new())
    }

    fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        self.history.archive(archive);
        if archive.reads() && !self.history.fits() {
            let reason = "the checkpoint is damaged: the numbers of the report contradict each other";
            return Err(SinkError { path: PathBuf::new(), reason: reason.into() });
        }
        Ok(())
    }
}

impl Sink for Report {
    fn forecast(&self, plan: &Plan) -> Forecast {
        self.page.forecast(plan)
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        self.target = Some(Target::create(&self.folder.join("index.html"))?);
        self.page.start(plan)
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        self.page.stride(plan)
    }

    fn wants_each_gap(&self) -> bool {
        self.page.wants_each_gap()
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        self.page.block(plan, block)
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let Some(target) = self.target.take() else { return Ok(Vec::new()) };
        self.page.finish(plan, outcome)?;
        Ok(vec![target.stage(outcome.ending, |out| out.write_all(self.page.html.as_bytes()))?])
    }

    fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        self.page.archive(archive).map_err(|error| SinkError { path: self.folder.clone(), ..error })
    }
}
