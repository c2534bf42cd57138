//! The report: one self-contained page, `DIR/index.html`, with the pictures of a run.
//!
//! Waveform, spectrum, spectrogram, partials against theory, shapes of strings, bars and surfaces, contacts,
//! energies and balance over time, phase portraits, the audit, the scene and the
//! sound itself. It loads nothing from elsewhere.

use crate::{
    charts,
    contactogram::Contactogram,
    forces::Force,
    page, partials,
    shape::Shape,
    surface::SurfaceShape,
    trace::{Energy, Orbit},
};
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
    kept: Kept,
}

/// What is kept of a run while it lasts.
#[derive(Default)]
pub struct Kept {
    pub energy: Energy,
    pub orbit: Option<Orbit>,
    pub shapes: Vec<Shape>,
    pub surfaces: Vec<SurfaceShape>,
    pub forces: Vec<Force>,
    pub contactograms: Vec<Contactogram>,
}

impl Report {
    /// A report in `folder`, which is made where it does not exist, with the scene's text.
    pub fn new(folder: impl Into<PathBuf>, scene: impl Into<String>) -> Self {
        Self { folder: folder.into(), scene: scene.into(), file: None, kept: Kept::default() }
    }
}

impl Sink for Report {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        self.file = Some(Pending::create(&self.folder.join("index.html"))?);
        self.kept = Kept {
            energy: Energy::new(plan.frames as u64 * plan.oversampling as u64),
            orbit: Orbit::new(plan),
            shapes: Shape::all(plan),
            surfaces: SurfaceShape::all(plan),
            forces: Force::all(plan),
            contactograms: Contactogram::all(plan),
        };
        Ok(())
    }

    fn stride(&self, plan: &Plan) -> Option<u64> {
        Some(plan.oversampling as u64)
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        let kept = &mut self.kept;
        kept.energy.post(block);
        if block.last().is_multiple_of(plan.oversampling as u64) {
            kept.orbit.iter_mut().for_each(|orbit| orbit.post(block));
            kept.shapes.iter_mut().for_each(|shape| shape.post(block));
            kept.surfaces.iter_mut().for_each(|surface| surface.post(block));
            kept.forces.iter_mut().for_each(|force| force.post(plan, block));
            kept.contactograms.iter_mut().for_each(|seen| seen.post(plan, block));
        }
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<(), SinkError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        self.kept.energy.close(outcome.audit.steps, plan.sample_rate * plan.oversampling as f64);
        let heard = partials::all(plan, &outcome.sound, charts::shown(&outcome.sound));
        let sections = charts::sections(plan, outcome, &self.kept, &heard);
        let page = page::html(plan, outcome, &sections, &heard, &self.scene);
        file.commit(&self.folder.join("index.html"), |out| out.write_all(page.as_bytes()))
    }
}
