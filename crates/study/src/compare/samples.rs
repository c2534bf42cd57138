//! The pickups of a run at the samples of the sound, before any filter.

use crate::clock::thread_seconds;
use hamiltone_render::{Block, Outcome, Sink, SinkError, Staged};
use hamiltone_scene::Plan;

/// Records the first frames of a run, and the time that its steps take.
pub struct Samples {
    frames: usize,
    channels: usize,
    /// Row by row.
    values: Vec<f64>,
    begin: f64,
    /// From the preparation to the last block, s.
    pub taken: f64,
}

impl Samples {
    /// A record of so many frames.
    pub fn new(frames: usize) -> Self {
        Self { frames, channels: 1, values: Vec::new(), begin: 0.0, taken: 0.0 }
    }

    /// The largest relative root mean square difference of a pickup from that of another run; `None` where there is nothing to compare.
    pub fn error(&self, reference: &Self) -> Option<f64> {
        let channel = |k: usize| {
            let pairs = self.values.iter().zip(&reference.values).skip(k).step_by(self.channels);
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

    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        Ok(Vec::new())
    }
}
