//! The pickups of a run at the samples of the sound, before any filter.

use crate::clock::thread_seconds;
use hamiltone_core::element::Law;
use hamiltone_render::{Block, Outcome, Sink, SinkError, Staged};
use hamiltone_scene::{Plan, plan::ContactPlan};

/// Records the first frames of a run, and the time that its steps take.
pub struct Samples {
    frames: usize,
    channels: usize,
    /// Row by row.
    values: Vec<f64>,
    /// The sample rate, Hz.
    pub rate: f64,
    /// The first sample at which a rigid contact had been closed, if one was.
    pub impact: Option<usize>,
    begin: f64,
    /// From the preparation to the last block, s.
    pub taken: f64,
}

impl Samples {
    /// A record of so many frames.
    pub fn new(frames: usize) -> Self {
        Self { frames, channels: 1, values: Vec::new(), rate: 0.0, impact: None, begin: 0.0, taken: 0.0 }
    }

    /// How many frames there are.
    pub fn count(&self) -> usize {
        self.values.len() / self.channels
    }

    /// The largest relative root mean square difference of a pickup from that of another run over the first frames; `None` where there is
    /// nothing to compare.
    pub fn error(&self, reference: &Self, frames: usize) -> Option<f64> {
        let channel = |k: usize| {
            let pairs = self.values.iter().zip(&reference.values).take(frames * self.channels);
            let pairs = pairs.skip(k).step_by(self.channels);
            let (difference, size) =
                pairs.fold((0.0, 0.0), |(d, s), (y, r)| (d + (y - r) * (y - r), s + r * r));
            (size > 0.0).then(|| (difference / size).sqrt())
        };
        (0..self.channels).filter_map(channel).reduce(f64::max)
    }
}

impl Sink for Samples {
    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        self.channels = plan.pickups.len().max(1);
        self.rate = plan.sample_rate;
        self.begin = thread_seconds();
        Ok(())
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn block(&mut self, plan: &Plan, block: &Block) -> Result<(), SinkError> {
        self.taken = thread_seconds() - self.begin;
        let sample = plan.oversampling as u64;
        let rows = block.outputs.chunks_exact(self.channels).zip(block.first..);
        for (row, _) in rows.filter(|(_, number)| number.is_multiple_of(sample)) {
            if self.values.len() < self.frames * self.channels {
                self.values.extend_from_slice(row);
            }
        }
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        let elements = &plan.system.elements;
        let is_rigid = |contact: &ContactPlan| {
            elements[contact.parts.clone()].iter().any(|element| matches!(element.law, Law::Rigid { .. }))
        };
        let rigid = plan.contacts.iter().zip(&outcome.contacts).filter(|(contact, _)| is_rigid(contact));
        self.impact = rigid.filter_map(|(_, summary)| summary.whole.first).min().map(|first| first as usize);
        Ok(Vec::new())
    }
}
