//! The sound of a run: its pickups at the sample rate in SI units, and how files mix them.
//!
//! Sample i of a channel is its pickup at t = i/(sample rate). With oversampling the
//! pickups are filtered by the low-pass of [`hamiltone_plan::decimate`] first. Files store what [`crate::mix`] makes of them.
//!
//! The samples are in memory or on disk, as the run was asked to keep them ([`crate::options::Storage`]).

use crate::{error::SinkError, mix::Mix, spool::Spool};
use hamiltone_plan::decimate;
use std::ops::Range;

/// The pickups at the sample rate, and their mix.
#[derive(Default)]
pub struct Sound {
    /// The sample rate, Hz.
    pub rate: f64,
    /// The number of channels: the pickups.
    pub channels: usize,
    /// Internal steps per sample; above 1 the low-pass was applied.
    pub oversampling: usize,
    /// Samples in SI units, frames × channels, row by row; channels in the order of the pickups.
    pub samples: Spool,
    /// max |sample| over all channels.
    pub peak: f64,
    /// max |sample| of each channel.
    pub peaks: Vec<f64>,
    /// The factor of each pickup, 1/(unit of the pickup), by which its samples are multiplied in a file, apart from its pan;
    /// 0 of a pickup in no file. Where a peak level is asked for and the sound is silent, or so small that no number
    /// normalises it (2^−1022 and less), it is not normalised.
    pub factors: Vec<f64>,
    /// How the pickups become the channels of files.
    pub mix: Mix,
}

impl Sound {
    /// Samples in SI units, row by row, that one file stores times the factor of each channel.
    pub fn separate(rate: f64, samples: Vec<f64>, factors: Vec<f64>) -> Self {
        let mut peaks = vec![0.0_f64; factors.len()];
        for row in samples.chunks_exact(factors.len().max(1)) {
            peaks.iter_mut().zip(row).for_each(|(peak, x)| *peak = peak.max(x.abs()));
        }
        let peak = peaks.iter().zip(&factors).fold(0.0_f64, |peak, (x, factor)| peak.max(x * factor));
        Self {
            rate,
            channels: factors.len(),
            oversampling: 1,
            samples: samples.into(),
            peak: peaks.iter().copied().fold(0.0, f64::max),
            peaks,
            mix: Mix::separate(&factors, peak),
            factors,
        }
    }

    /// How many samples exceed full scale in the integer format chosen, of all files.
    pub fn clipped(&self) -> u64 {
        self.mix.buses.iter().map(|bus| bus.clipped).sum()
    }

    /// Calls `each` with the number of a bus and the channels of its file for the first so many frames, one frame of each bus after the
    /// other, as they are stored: 1 is full scale.
    ///
    /// # Errors
    /// Where the samples are on disk and cannot be read, and those of `each`.
    pub fn mixed<E: From<SinkError>>(
        &self,
        frames: u64,
        each: impl FnMut(usize, &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.mix.for_each(&self.samples, frames, each)
    }

    /// The number of frames.
    pub fn frames(&self) -> u64 {
        self.samples.len() / self.channels.max(1) as u64
    }

    /// Some frames of one channel, in SI units.
    ///
    /// # Errors
    /// Where the samples are on disk and cannot be read.
    pub fn part(&self, channel: usize, frames: Range<u64>) -> Result<Vec<f64>, SinkError> {
        let mut part = Vec::with_capacity((frames.end - frames.start) as usize);
        self.for_each(frames, |rows| {
            part.extend(rows.iter().skip(channel).step_by(self.channels.max(1)));
            Ok::<(), SinkError>(())
        })?;
        Ok(part)
    }

    /// One channel from beginning to end, in SI units: in memory, however long it is.
    ///
    /// # Errors
    /// Those of [`Sound::part`].
    pub fn channel(&self, channel: usize) -> Result<Vec<f64>, SinkError> {
        self.part(channel, 0..self.frames())
    }

    /// Calls `each` with the samples of a range of frames, some frames at a time, row by row, in SI units.
    ///
    /// # Errors
    /// Where the samples are on disk and cannot be read, and those of `each`.
    pub fn for_each<E: From<SinkError>>(
        &self,
        frames: Range<u64>,
        each: impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let channels = self.channels as u64;
        self.samples.for_each(channels * frames.start..channels * frames.end, self.channels, each)
    }

    /// How the sound was decimated, as a text; `None` without oversampling.
    pub fn filter(&self) -> Option<String> {
        (self.oversampling > 1).then(|| {
            format!(
                "linear-phase Kaiser low-pass: pass band to {} Hz, {} dB attenuation from {} Hz, delay compensated",
                decimate::PASS * self.rate,
                decimate::ATTENUATION,
                decimate::STOP * self.rate
            )
        })
    }
}
