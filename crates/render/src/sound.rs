//! The sound of a run: its pickups at the sample rate in SI units, and the factors that normalise them.
//!
//! Sample i of a channel is its pickup at t = i/(sample rate). With oversampling the
//! pickups are filtered by the low-pass of [`crate::decimate`] first. A file stores
//!
//!   factor · x,   factor = 10^(dB/20)/max|x| (peak) or 10^(dB/20) (gain) or 1 (raw)
//!
//! with the maximum over the channels of one unit: channels in metres keep their relative levels, and are not made
//! inaudible by a channel in newtons.
//!
//! The samples are in memory or on disk, as the run was asked to keep them ([`crate::options::Storage`]).

use crate::{decimate, error::SinkError, spool::Spool};
use std::ops::Range;

/// The pickups at the sample rate.
#[derive(Default)]
pub struct Sound {
    /// The sample rate, Hz.
    pub rate: f64,
    /// The number of channels.
    pub channels: usize,
    /// Internal steps per sample; above 1 the low-pass was applied.
    pub oversampling: usize,
    /// Samples in SI units, frames × channels, row by row; channels in the order of the pickups.
    pub samples: Spool,
    /// max |sample| over all channels.
    pub peak: f64,
    /// max |sample| of each channel.
    pub peaks: Vec<f64>,
    /// The factor of each channel, 1/(unit of the pickup), by which samples are multiplied when they are stored; 1 where
    /// a peak level is asked for and the channel is silent, or so small that no number normalises it (2^−1022 and less).
    pub factors: Vec<f64>,
    /// How many samples exceed full scale in the integer format chosen.
    pub clipped: u64,
}

impl Sound {
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

    pub(crate) fn warnings(&self) -> Vec<String> {
        let clipped = format!("{} samples exceed full scale and are clipped; lower the level", self.clipped);
        let silent = "the sound is silent: every pickup stayed at zero".to_string();
        let tiny = format!("the sound is too small to be normalised: its largest sample is {:e}", self.peak);
        let rate = format!(
            "a WAV header stores integer sample rates only: {} Hz is written for {} Hz",
            self.rate.round(),
            self.rate
        );
        [
            (self.clipped > 0).then_some(clipped),
            (self.peak == 0.0 && !self.samples.is_empty()).then_some(silent),
            self.peak.is_subnormal().then_some(tiny),
            (self.rate.fract() != 0.0).then_some(rate),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
