//! Records the pickups of a run and makes its sound.

use crate::{error::SinkError, mix::Mix, sound::Sound, spool::Spool};
use hamiltone_core::state::Archive;
use hamiltone_plan::Plan;
use hamiltone_plan::decimate::Decimator;
use std::collections::TryReserveError;

/// The sound so far.
pub(crate) struct Recorder {
    channels: usize,
    /// The most samples that are recorded, of all channels together.
    limit: u64,
    /// One for each channel; none without oversampling.
    decimators: Vec<Decimator>,
    /// A row of samples that the decimators have finished.
    frame: Vec<f64>,
    samples: Spool,
    /// max |sample| of each channel.
    peaks: Vec<f64>,
    /// Whether a pickup became infinite or not a number: nothing is recorded after it.
    non_finite: bool,
}

impl Recorder {
    /// A recorder that keeps its samples in `samples`.
    pub fn new(plan: &Plan, samples: Spool) -> Self {
        let channels = plan.pickups.len();
        let decimators = if plan.oversampling > 1 { channels } else { 0 };
        Self {
            channels,
            limit: (plan.frames as u64).saturating_mul(channels as u64),
            decimators: (0..decimators).map(|_| Decimator::new(plan.oversampling)).collect(),
            frame: vec![0.0; channels],
            samples,
            peaks: vec![0.0; channels],
            non_finite: false,
        }
    }

    /// The same, and keeps so many samples at most: where only the time of a run is of interest.
    pub fn limited(self, most: u64) -> Self {
        let whole = most / self.channels.max(1) as u64 * self.channels as u64;
        Self { limit: self.limit.min(whole), ..self }
    }

    /// Makes sure that there is memory for the whole sound, where its samples are in memory.
    ///
    /// # Errors
    /// Where there is not.
    pub fn reserve(&mut self) -> Result<(), TryReserveError> {
        self.samples.reserve(self.limit)
    }

    /// Records rows of pickups at the internal rate.
    ///
    /// # Errors
    /// Where the samples cannot be written.
    pub fn push(&mut self, outputs: &[f64]) -> Result<(), SinkError> {
        if self.non_finite || self.channels == 0 {
            // The spool knows that the run goes on.
            return self.samples.push(&[]);
        }
        let finite = match outputs.iter().position(|x| !x.is_finite()) {
            Some(at) => {
                self.non_finite = true;
                &outputs[..at / self.channels * self.channels]
            }
            None => outputs,
        };
        if self.decimators.is_empty() {
            return self.store(finite);
        }
        for row in finite.chunks_exact(self.channels) {
            self.decimators.iter_mut().zip(row).for_each(|(decimator, x)| decimator.push(*x));
        }
        while self.pull()? {}
        Ok(())
    }

    fn store(&mut self, frames: &[f64]) -> Result<(), SinkError> {
        let left = (self.limit - self.samples.len()).min(frames.len() as u64);
        let frames = &frames[..left as usize];
        for row in frames.chunks_exact(self.channels) {
            self.peaks.iter_mut().zip(row).for_each(|(peak, x)| *peak = peak.max(x.abs()));
        }
        self.samples.push(frames)
    }

    /// Stores the frame that the decimators have finished, if there is one; answers whether there was.
    fn pull(&mut self) -> Result<bool, SinkError> {
        let mut frame = std::mem::take(&mut self.frame);
        let mut there = true;
        for (sample, decimator) in frame.iter_mut().zip(&mut self.decimators) {
            match decimator.pull() {
                Some(x) => *sample = x,
                None => there = false,
            }
        }
        let stored = if there { self.store(&frame) } else { Ok(()) };
        self.frame = frame;
        stored.map(|()| there)
    }

    /// Goes through what has been recorded, to write it into a checkpoint or to take it over.
    ///
    /// # Errors
    /// Where the samples cannot be written, or are not those of the checkpoint.
    pub fn archive(&mut self, archive: &mut Archive) -> Result<(), SinkError> {
        self.decimators.iter_mut().for_each(|decimator| decimator.archive(archive));
        archive.numbers(&mut self.peaks);
        archive.flag(&mut self.non_finite);
        self.samples.archive(archive)
    }

    /// Whether the numbers of a checkpoint can be those after so many rows.
    pub fn fits(&self, rows: u64) -> bool {
        let (samples, channels) = (self.samples.len(), self.channels as u64);
        let frames = samples.checked_div(channels).unwrap_or(0);
        // Nothing is recorded after a row that is not finite.
        let all =
            self.non_finite || !self.decimators.is_empty() || samples == self.limit.min(rows * channels);
        let decimated = |decimator: &Decimator| decimator.fits(frames, rows, self.non_finite);
        samples <= self.limit
            && frames * channels == samples
            && frames <= rows
            && all
            && self.decimators.iter().all(decimated)
    }

    /// The sound, after the last row.
    ///
    /// # Errors
    /// Where the samples cannot be written.
    pub fn finish(mut self, plan: &Plan) -> Result<Sound, SinkError> {
        self.decimators.iter_mut().for_each(Decimator::end);
        // The filter looks ahead: its last frames come out after the last row.
        while !self.decimators.is_empty() && self.pull()? {}
        self.samples.flush()?;
        let (mix, factors) = Mix::new(plan, &self.samples)?;
        Ok(Sound {
            rate: plan.sample_rate,
            channels: self.channels,
            oversampling: plan.oversampling,
            peak: self.peaks.iter().copied().fold(0.0, f64::max),
            peaks: self.peaks,
            factors,
            mix,
            samples: self.samples,
        })
    }
}
