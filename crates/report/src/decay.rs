//! How fast one partial of a sound decays: T₆₀, the time in which its level falls by 60 dB.
//!
//! ```text
//! L(t) = 20 lg |Σ w[n − t] (x[n] − x̄) e^(−2πi f n/f_s)|,   w[n] = e^(−n²/2s²),   T₆₀ = −60 dB/slope of L(t)
//! ```
//!
//! A partial that decays as e^(−σt) has a straight L(t) for any window w, so that the slope has no bias; a regression line
//! gives it. The window is as long as its neighbours require: half-way to them, at Δf/2, the spectrum of the Gaussian of
//! s = 1.4/Δf has fallen by 84 dB. What sounds there – a neighbour that is much stronger, noise, the remains of
//! an impact – is the floor: the line ends where the level comes within 30 dB of it, or has fallen by 60 dB.

use crate::measure::band::Band;
use hamiltone_numerics::math::log10;
use std::{fmt, ops::Range};

/// Levels taken at a time.
const INSTANTS: usize = 64;
/// The fewest levels of a line.
const FEWEST: usize = 24;
/// How far above the floor levels are used, dB: the floor then changes them by 0.27 dB at most.
const ABOVE_FLOOR: f64 = 30.0;
/// How far a level is followed, dB.
const DEPTH: f64 = 60.0;
/// The least fall that shows a decay, dB: half a beat looks like one up to there.
const LEAST_FALL: f64 = 6.0;
/// The root mean square distance from the line that an exponential decay may have, relative to the fall; a slope is then
/// certain to about 1 %.
const STRAIGHT: f64 = 0.02;

/// Why a decay is not measurable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle {
    /// There is no peak at its frequency.
    Silent,
    /// The sound lasts for less than the windows that its neighbour at this distance (Hz) requires.
    Near(f64),
    /// It is at most so many dB above what sounds beside it.
    Covered(f64),
    /// It falls by so many dB only, or rises, while the sound lasts.
    Lasting(f64),
    /// Its level departs by so many dB from a straight line.
    Bent(f64),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => write!(f, "no peak at its frequency"),
            Self::Near(distance) => {
                write!(f, "sound too short for a partial {distance:.2} Hz beside another")
            }
            Self::Covered(level) => {
                write!(f, "too short or too weak: at most {level:.0} dB above its surroundings")
            }
            Self::Lasting(fall) if *fall > 0.0 => write!(f, "falls by {fall:.1} dB only within the sound"),
            Self::Lasting(_) => write!(f, "does not decay within the sound"),
            Self::Bent(distance) => {
                write!(f, "level {distance:.1} dB off a straight line: beats, or losses that change")
            }
        }
    }
}

/// A partial in a sound of one channel.
#[derive(Clone, Copy)]
pub struct SoundPartial {
    /// The samples of the sound.
    pub samples: u64,
    /// The sample rate, Hz.
    pub rate: f64,
    /// f, Hz.
    pub frequency: f64,
    /// Δf, the distance to the nearest other partial, to 0 or to Nyquist, Hz.
    pub distance: f64,
}

impl SoundPartial {
    /// T₆₀, s, in the sound whose samples `read` gives.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn t60<E>(
        &self,
        read: impl Fn(Range<u64>) -> Result<Vec<f64>, E>,
    ) -> Result<Result<f64, Obstacle>, E> {
        let band = Band { rate: self.rate, frequency: self.frequency, distance: self.distance };
        let half = band.half();
        // The first and the last instant with a whole window.
        let (first, end) = (half, self.samples as f64 - half - 1.0);
        if half.is_nan() || end < first + INSTANTS as f64 {
            return Ok(Err(Obstacle::Near(self.distance)));
        }
        let half = half as u64;
        let window = band.window();
        let (mut first, mut last) = (first, end);
        loop {
            let mut levels = Vec::with_capacity(INSTANTS);
            for i in 0..INSTANTS {
                let middle = first + (last - first) * i as f64 / (INSTANTS - 1) as f64;
                let middle = middle.round() as u64;
                let part = read(middle - half..middle + half + 1)?;
                let found = band.magnitude(&part, &window);
                let [level, floor] = [found.partial, found.floor].map(decibels);
                levels.push(Level { at: middle as f64, level, floor });
            }
            match line(&levels, half as f64) {
                LineFit::Found(slope) => return Ok(Ok(-DEPTH / (slope * self.rate))),
                LineFit::Refused(obstacle) => return Ok(Err(obstacle)),
                // The decay ends soon: the same again, from its beginning to its end.
                LineFit::Short([from, until], obstacle) => {
                    let nearer = until.min(from + 0.75 * (last - first));
                    if nearer < from + INSTANTS as f64 {
                        return Ok(Err(obstacle));
                    }
                    (first, last) = (from, nearer);
                }
            }
        }
    }
}

/// 20 lg of a magnitude.
fn decibels(magnitude: f64) -> f64 {
    20.0 * log10(magnitude.max(f64::MIN_POSITIVE))
}

/// The level of a partial at an instant, dB.
#[derive(Clone, Copy)]
struct Level {
    /// The instant, samples.
    at: f64,
    level: f64,
    /// The larger of the levels half-way to its neighbours.
    floor: f64,
}

/// What levels say.
enum LineFit {
    /// The slope of a straight line, dB a sample.
    Found(f64),
    /// Too few levels from the first sample to the second, where the decay ends.
    Short([f64; 2], Obstacle),
    /// No line.
    Refused(Obstacle),
}

/// The line through the levels after their maximum and its window, as far as they are above the floor.
fn line(levels: &[Level], half: f64) -> LineFit {
    let largest =
        (0..levels.len()).max_by(|a, b| levels[*a].level.total_cmp(&levels[*b].level).then(b.cmp(a)));
    let largest = largest.unwrap_or(0);
    // At the maximum the window may hold the beginning of the partial.
    let from = if largest == 0 { levels[0].at } else { levels[largest].at + half };
    let begin = levels.partition_point(|level| level.at < from);
    let Some(first) = levels.get(begin) else { return LineFit::Refused(Obstacle::Lasting(0.0)) };
    let used = |l: &&Level| l.level >= l.floor + ABOVE_FLOOR && l.level >= first.level - DEPTH;
    let count = levels[begin..].iter().take_while(used).count();
    let part = &levels[begin..begin + count];
    let above = levels.iter().map(|l| l.level - l.floor).fold(0.0, f64::max);
    if count < FEWEST {
        return match levels.get(begin + count) {
            Some(after) => LineFit::Short([from, after.at], Obstacle::Covered(above)),
            None => LineFit::Refused(Obstacle::Lasting(0.0)),
        };
    }
    let n = count as f64;
    let (at, level) = part.iter().fold((0.0, 0.0), |(t, l), p| (t + p.at / n, l + p.level / n));
    let products = part.iter().map(|p| ((p.at - at) * (p.at - at), (p.at - at) * (p.level - level)));
    let (squares, product) = products.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    let slope = product / squares;
    let fall = -slope * (part[count - 1].at - part[0].at);
    let distances = || part.iter().map(|p| (p.level - level - slope * (p.at - at)).abs());
    let rms = (distances().map(|d| d * d).sum::<f64>() / n).sqrt();
    if rms > STRAIGHT * fall.abs().max(LEAST_FALL) {
        return LineFit::Refused(Obstacle::Bent(distances().fold(0.0, f64::max)));
    }
    match fall {
        fall if fall >= LEAST_FALL => LineFit::Found(slope),
        fall if begin + count < levels.len() => LineFit::Refused(Obstacle::Covered(above.max(fall))),
        fall => LineFit::Refused(Obstacle::Lasting(fall)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 44_100.0;

    /// Exponentially decaying sines: (frequency, amplitude, T₆₀); a beginning after `delay` s.
    fn sound(seconds: f64, delay: f64, partials: &[(f64, f64, f64)]) -> Vec<f64> {
        let value = |t: f64| -> f64 {
            let of = |(f, a, t60): &(f64, f64, f64)| a * (-6.907_755 * t / t60).exp() * (TAU * f * t).sin();
            if t < 0.0 { 0.0 } else { partials.iter().map(of).sum() }
        };
        (0..(seconds * RATE) as usize).map(|n| value(n as f64 / RATE - delay)).collect()
    }

    fn t60(sound: &[f64], frequency: f64, distance: f64) -> Result<f64, Obstacle> {
        let partial = SoundPartial { samples: sound.len() as u64, rate: RATE, frequency, distance };
        partial.t60(|part| Ok::<_, ()>(sound[part.start as usize..part.end as usize].to_vec())).unwrap()
    }

    /// Harmonics with T₆₀ from 20 ms to 8 s, of very different strength, and noise 80 dB below the strongest: 1 %.
    #[test]
    fn decays_of_harmonics_are_those_they_were_given() {
        let given =
            [(200.0, 1.0, 8.0), (400.0, 0.3, 2.0), (600.0, 0.01, 1.0), (800.0, 0.5, 0.1), (1000.0, 0.2, 0.3)];
        for delay in [0.0, 0.13] {
            let mut noisy = sound(3.0, delay, &given);
            let mut random = 1_u64;
            for x in &mut noisy {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *x += 1e-4 * ((random >> 33) as f64 / f64::from(1 << 30) - 1.0);
            }
            for (f, _, expected) in given {
                let found = t60(&noisy, f, 200.0).unwrap();
                assert!(
                    (found / expected - 1.0).abs() < 0.01,
                    "{f} Hz after {delay} s: {found} of {expected} s"
                );
            }
        }
        // Of one partial alone the window is as short as its frequency allows.
        let fast = t60(&sound(1.0, 0.0, &[(2000.0, 1.0, 0.02)]), 2000.0, 2000.0).unwrap();
        assert!((fast / 0.02 - 1.0).abs() < 0.01, "{fast}");
    }

    #[test]
    fn what_cannot_be_measured_is_told_with_its_reason() {
        let beating = sound(3.0, 0.0, &[(440.0, 1.0, 2.0), (442.0, 0.6, 2.0)]);
        assert!(matches!(t60(&beating, 441.0, 440.0), Err(Obstacle::Bent(distance)) if distance > 3.0));
        let twice = sound(3.0, 0.0, &[(440.0, 1.0, 0.4), (440.0, 0.1, 4.0)]);
        assert!(matches!(t60(&twice, 440.0, 440.0), Err(Obstacle::Bent(_))));
        let lasting = sound(0.5, 0.0, &[(440.0, 1.0, 100.0)]);
        assert!(
            matches!(t60(&lasting, 440.0, 440.0), Err(Obstacle::Lasting(fall)) if (fall - 0.3).abs() < 0.1)
        );
        assert_eq!(t60(&lasting, 440.0, 5.0), Err(Obstacle::Near(5.0)));
        let weak = sound(1.0, 0.0, &[(440.0, 1.0, 5.0), (880.0, 1e-5, 0.05)]);
        assert!(
            matches!(t60(&weak, 884.0, 440.0), Err(Obstacle::Covered(_))),
            "{:?}",
            t60(&weak, 884.0, 440.0)
        );
        assert!(t60(&[0.0; 44_100], 440.0, 440.0).is_err());
    }
}
