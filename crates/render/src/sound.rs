//! The sound of a run: its pickups at the sample rate in SI units, and the factors that normalise them.
//!
//! Sample i of a channel is its pickup at t = i/(sample rate). With oversampling the
//! pickups are filtered by the low-pass of [`crate::decimate`] first. A file stores
//!
//!   factor · x,   factor = 10^(dB/20)/max|x| (peak) or 10^(dB/20) (gain) or 1 (raw)
//!
//! with the maximum over the channels of one unit: channels in metres keep their relative levels, and are not made
//! inaudible by a channel in newtons.

use crate::decimate::{self, Decimator};
use hamiltone_numerics::math;
use hamiltone_scene::plan::{Level, Plan, SampleFormat};
use std::collections::TryReserveError;

/// The pickups at the sample rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sound {
    /// The sample rate, Hz.
    pub rate: f64,
    /// The number of channels.
    pub channels: usize,
    /// Internal steps per sample; above 1 the low-pass was applied.
    pub oversampling: usize,
    /// Samples in SI units, frames × channels, row by row; channels in the order of the pickups.
    pub samples: Vec<f64>,
    /// max |sample| over all channels.
    pub peak: f64,
    /// The factor of each channel, 1/(unit of the pickup), by which samples are multiplied when they are stored; 1 where
    /// a peak level is asked for and the channel is silent, or so small that no number normalises it (2^−1022 and less).
    pub factors: Vec<f64>,
    /// How many samples exceed full scale in the integer format chosen.
    pub clipped: u64,
}

impl Sound {
    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.samples.len() / self.channels.max(1)
    }

    /// One channel, in SI units.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = f64> + '_ {
        self.samples.iter().skip(channel).step_by(self.channels.max(1)).copied()
    }

    /// Samples as they are stored: multiplied by the factors of their channels, in the order of `samples`.
    pub fn scaled(&self) -> impl Iterator<Item = f64> + '_ {
        self.samples.iter().zip(self.factors.iter().cycle()).map(|(x, factor)| x * factor)
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

/// Records the pickups of a run and makes its sound.
pub(crate) struct Recorder {
    channels: usize,
    frames: usize,
    /// One for each channel; none without oversampling.
    decimators: Vec<Decimator>,
    samples: Vec<f64>,
    /// Whether a pickup became infinite or not a number: nothing is recorded after it.
    non_finite: bool,
}

impl Recorder {
    /// A recorder with memory for the whole sound.
    ///
    /// # Errors
    /// Where there is not enough memory.
    pub fn new(plan: &Plan) -> Result<Self, TryReserveError> {
        let channels = plan.pickups.len();
        let mut samples = Vec::new();
        samples.try_reserve_exact(plan.frames.saturating_mul(channels))?;
        let decimators = if plan.oversampling > 1 { channels } else { 0 };
        Ok(Self {
            channels,
            frames: plan.frames,
            decimators: (0..decimators).map(|_| Decimator::new(plan.oversampling)).collect(),
            samples,
            non_finite: false,
        })
    }

    /// Records rows of pickups at the internal rate.
    pub fn push(&mut self, outputs: &[f64]) {
        for row in outputs.chunks_exact(self.channels.max(1)) {
            self.non_finite |= row.iter().any(|x| !x.is_finite());
            if self.non_finite {
                return;
            }
            if self.decimators.is_empty() {
                self.store(row.iter().copied());
            } else {
                self.decimators.iter_mut().zip(row).for_each(|(decimator, x)| decimator.push(*x));
                self.pull();
            }
        }
    }

    fn store(&mut self, frame: impl Iterator<Item = f64>) {
        if self.samples.len() < self.frames * self.channels {
            self.samples.extend(frame);
        }
    }

    /// Stores the frame that the decimators have finished, if there is one.
    fn pull(&mut self) {
        let frame: Vec<f64> = self.decimators.iter_mut().filter_map(Decimator::pull).collect();
        self.store(frame.into_iter());
    }

    /// The sound, after the last row.
    pub fn finish(mut self, plan: &Plan) -> Sound {
        self.decimators.iter_mut().for_each(Decimator::end);
        // The filter looks ahead: its last frames come out after the last row.
        let mut before = usize::MAX;
        while !self.decimators.is_empty() && self.samples.len() != before {
            before = self.samples.len();
            self.pull();
        }
        let peaks: Vec<f64> = (0..self.channels)
            .map(|c| self.samples.iter().skip(c).step_by(self.channels).fold(0.0_f64, |a, x| a.max(x.abs())))
            .collect();
        let peak_in = |unit: &str| {
            let of_unit = plan.pickups.iter().zip(&peaks).filter(|(pickup, _)| pickup.unit == unit);
            of_unit.fold(0.0_f64, |a, (_, peak)| a.max(*peak))
        };
        let decibels = |db: f64| math::pow(10.0, db / 20.0);
        let factor = |unit: &str| match plan.output.level {
            Level::Peak(db) => match decibels(db) / peak_in(unit) {
                factor if factor.is_finite() => factor,
                _ => 1.0,
            },
            Level::Gain(db) => decibels(db),
            Level::Raw => 1.0,
        };
        let factors: Vec<f64> = plan.pickups.iter().map(|pickup| factor(pickup.unit)).collect();
        let integers = matches!(plan.output.format, SampleFormat::Int16 | SampleFormat::Int24);
        let mut sound = Sound {
            rate: plan.sample_rate,
            channels: self.channels,
            oversampling: plan.oversampling,
            peak: peaks.into_iter().fold(0.0, f64::max),
            factors,
            clipped: 0,
            samples: self.samples,
        };
        sound.clipped = sound.scaled().filter(|x| integers && x.abs() > 1.0).count() as u64;
        sound
    }
}
