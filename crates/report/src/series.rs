//! A quantity over time with a bounded number of points: one for each sample as long as there is room, then the smallest
//! and the largest value of several.

use hamiltone_core::state::Archive;
use std::ops::Range;

/// The most points that are kept: each sample of a sound of 11.9 s at 44.1 kHz.
pub const MAX_POINTS: usize = 1 << 19;
/// The most points of a line whose points stand for several samples: many times as many as pixels.
const MAX_DRAWN: usize = 1 << 14;

/// A quantity at consecutive samples.
#[derive(Default)]
pub struct TimeSeries {
    /// The number of samples.
    count: u64,
    /// How many times the points were joined in pairs: each stands for 2^`halvings` samples.
    halvings: u32,
    /// The smallest value of each point.
    low: Vec<f64>,
    /// The largest value of each point.
    high: Vec<f64>,
}

impl TimeSeries {
    /// Adds the value of the next sample.
    pub fn push(&mut self, x: f64) {
        if self.count >> self.halvings == MAX_POINTS as u64 {
            self.low = pairs(&self.low, f64::min);
            self.high = pairs(&self.high, f64::max);
            self.halvings += 1;
        }
        let point = (self.count >> self.halvings) as usize;
        match (self.low.get_mut(point), self.high.get_mut(point)) {
            (Some(low), Some(high)) => (*low, *high) = (low.min(x), high.max(x)),
            _ => {
                self.low.push(x);
                self.high.push(x);
            }
        }
        self.count += 1;
    }

    /// The number of samples.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether every point is a sample.
    pub fn is_exact(&self) -> bool {
        self.halvings == 0
    }

    /// The line through a range of samples, `rate` of them a second: times, s, and values; both extremes of a point that
    /// stands for several samples.
    pub fn line(&self, samples: Range<u64>, rate: f64) -> (Vec<f64>, Vec<f64>) {
        let points = (samples.start >> self.halvings) as usize
            ..(samples.end.div_ceil(1 << self.halvings) as usize).min(self.low.len());
        let time = |point: usize| ((point as u64) << self.halvings) as f64 / rate;
        if self.is_exact() {
            return (points.clone().map(time).collect(), self.low[points].to_vec());
        }
        let joined = points.len().div_ceil(MAX_DRAWN).max(1);
        let extremes = points.step_by(joined).flat_map(|first| {
            let last = (first + joined).min(self.low.len());
            let low = self.low[first..last].iter().copied().fold(f64::INFINITY, f64::min);
            let high = self.high[first..last].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            [(time(first), low), (time(first), high)]
        });
        extremes.unzip()
    }

    /// Goes through the points, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.count);
        archive.count(&mut self.halvings);
        archive.list(&mut self.low);
        archive.list(&mut self.high);
    }

    /// Whether the numbers of a checkpoint can be those of a series.
    pub fn fits(&self) -> bool {
        let points = 1_u64.checked_shl(self.halvings).map(|samples| self.count.div_ceil(samples));
        points == Some(self.low.len() as u64)
            && self.high.len() == self.low.len()
            && self.low.len() <= MAX_POINTS
    }
}

/// Values joined in pairs.
fn pairs(values: &[f64], join: fn(f64, f64) -> f64) -> Vec<f64> {
    values.chunks(2).map(|pair| pair.iter().copied().reduce(join).unwrap_or(f64::NAN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_series_is_its_samples() {
        let mut series = TimeSeries::default();
        (0..10).for_each(|i| series.push(f64::from(i * i)));
        assert_eq!(series.line(2..5, 10.0), (vec![0.2, 0.3, 0.4], vec![4.0, 9.0, 16.0]));
    }

    /// One sample of 2²¹ stands out: the line has few points, and this one, at its time.
    #[test]
    fn a_long_series_keeps_its_extremes() {
        let (count, at) = (1_u64 << 21, 1_234_567);
        let mut series = TimeSeries::default();
        (0..count).for_each(|i| series.push(if i == at { -7.0 } else { (i % 2) as f64 }));
        assert_eq!((series.len(), series.is_exact()), (count, false));
        assert!(series.low.len() <= MAX_POINTS);
        let (times, values) = series.line(0..count, 1.0);
        assert!(times.len() <= 2 * MAX_DRAWN && values.iter().all(|x| [-7.0, 0.0, 1.0].contains(x)));
        let lowest: Vec<f64> =
            times.iter().zip(&values).filter(|(_, x)| **x == -7.0).map(|(t, _)| *t).collect();
        let width = count as f64 / MAX_DRAWN as f64;
        assert!(matches!(lowest[..], [t] if t <= at as f64 && at as f64 - t < width), "{lowest:?}");
    }
}
