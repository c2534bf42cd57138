//! The sound of a run: its pickups at the sample rate, in SI units, and its level.
//!
//! Sample i of a channel is its pickup at t = i/(sample rate). With oversampling the
//! pickups pass the low-pass of [`crate::decimate`] first. What a file stores is
//!
//!   factor · x,   factor = 10^(dB/20)/max|x| (peak) or 10^(dB/20) (gain) or 1 (raw)
//!
//! with the maximum taken over the channels of one unit: metres and newtons side by side
//! would else leave one of them silent, and channels of one unit keep their balance.

use crate::decimate::{self, Decimator};
use hamiltone_numerics::math;
use hamiltone_scene::plan::{Level, Plan, SampleFormat};
use std::collections::TryReserveError;

/// The pickups at the rate of the sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sound {
    /// Samples a second.
    pub rate: f64,
    /// The number of channels.
    pub channels: usize,
    /// Internal steps per sample; above 1 a low-pass was applied.
    pub oversampling: usize,
    /// Samples in SI units, frame by frame, each all channels in the order of the pickups.
    pub samples: Vec<f64>,
    /// max |sample| over all channels.
    pub peak: f64,
    /// What samples are multiplied by when they are stored, one factor a channel; 1 for the peak level of silence.
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

    /// Samples as they are stored: times their factors, in the order of `samples`.
    pub fn scaled(&self) -> impl Iterator<Item = f64> + '_ {
        self.samples.iter().zip(self.factors.iter().cycle()).map(|(x, factor)| x * factor)
    }

    /// How the sound came from the internal rate, in words; `None` where both rates are one.
    pub fn filter(&self) -> Option<String> {
        (self.oversampling > 1).then(|| {
            format!(
                "linear-phase Kaiser low-pass: pass band to {} Hz, {} dB from {} Hz, delay compensated",
                decimate::PASS * self.rate,
                decimate::ATTENUATION,
                decimate::STOP * self.rate
            )
        })
    }

    pub(crate) fn warnings(&self) -> Vec<String> {
        let clipped = format!("{} samples exceed full scale and are clipped; lower the level", self.clipped);
        let silent = "the sound is silent: no pickup ever left zero".to_string();
        let rate = format!(
            "a WAV header holds whole rates only: {} Hz is written for {}",
            self.rate.round(),
            self.rate
        );
        [
            (self.clipped > 0).then_some(clipped),
            (self.peak == 0.0 && !self.samples.is_empty()).then_some(silent),
            (self.rate.fract() != 0.0).then_some(rate),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Listens to the blocks of a run and makes its sound.
pub(crate) struct Listener {
    channels: usize,
    frames: usize,
    /// One a channel; none where the rates are one.
    decimators: Vec<Decimator>,
    samples: Vec<f64>,
    /// A pickup turned infinite or not a number: what follows is not heard.
    broken: bool,
}

impl Listener {
    /// A listener with room for the whole sound.
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
            broken: false,
        })
    }

    pub fn hear(&mut self, outputs: &[f64]) {
        for row in outputs.chunks_exact(self.channels.max(1)) {
            self.broken |= row.iter().any(|x| !x.is_finite());
            if self.broken {
                return;
            }
            if self.decimators.is_empty() {
                self.keep(row.iter().copied());
            } else {
                self.decimators.iter_mut().zip(row).for_each(|(decimator, x)| decimator.push(*x));
                self.pull();
            }
        }
    }

    fn keep(&mut self, frame: impl Iterator<Item = f64>) {
        if self.samples.len() < self.frames * self.channels {
            self.samples.extend(frame);
        }
    }

    fn pull(&mut self) {
        let frame: Vec<f64> = self.decimators.iter_mut().filter_map(Decimator::pull).collect();
        self.keep(frame.into_iter());
    }

    pub fn sound(mut self, plan: &Plan) -> Sound {
        self.decimators.iter_mut().for_each(Decimator::end);
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
            Level::Peak(_) if peak_in(unit) == 0.0 => 1.0,
            Level::Peak(db) => decibels(db) / peak_in(unit),
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
