//! The decay time of a partial in a window of time, averaged over beats.
//!
//! ```text
//! E_b = mean of M(f, t)² over block b,   10 lg E_b ≈ a + c t_b by least squares,   T₆₀ = −60 dB/c
//! ```
//!
//! M is the magnitude in a narrow band ([`super::band`]). The strings of one key and the directions in which a string moves have nearly
//! the same frequencies: they beat, and the partial falls fast at first and slowly later (Weinreich 1977, J. Acoust. Soc. Am. 62). So the
//! decay is told by two windows, and a mean of the energy over blocks comes before the logarithm: the minima of beats, where the
//! logarithm falls without bound, weigh no more than the maxima. An exponential decay has a straight line of E_b, so that the
//! slope has no bias. Blocks count from the first on as long as the partial is audible; three are needed.

use super::band::Band;
use crate::decay::Obstacle;
use hamiltone_numerics::math::log10;

/// The prompt window, s after the first audible sample: hammer and mallet have left, the attack is over, and strings that are coupled
/// still move as they were struck.
pub const PROMPT: [f64; 2] = [0.1, 0.6];
/// The late window, s after the first audible sample: what decays promptly in the middle of a piano's compass, within 1 to 2 s, is gone.
pub const LATE: [f64; 2] = [2.0, 4.0];

/// Blocks of a window: of 0.1 s and 0.4 s, which hold a beat of 10 Hz and 2.5 Hz.
const BLOCKS: usize = 5;
/// The fewest blocks of a slope.
const FEWEST_BLOCKS: usize = 3;
/// The fewest instants of a block.
const FEWEST: usize = 4;
/// The least part of a window that must be left behind the beginning of the sound.
const LEAST: f64 = 0.5;
/// How far above the floor every block lies, dB: the floor then changes it by 0.27 dB at most.
const ABOVE_FLOOR: f64 = 30.0;
/// The least fall that shows a decay, dB: twice what the floor may change.
const LEAST_FALL: f64 = 0.54;

/// T₆₀, s, within a window (s from the beginning of the sound) of a partial; what is weaker than an amplitude of `audible` is not
/// measured. Where the band is so narrow that its window is longer than what comes before, the window of time begins later.
///
/// # Errors
/// A sound that ends before the window or is too short for the band, a partial that is inaudible or covered by others, and one that does
/// not decay.
pub fn t60(sound: &[f64], band: &Band, [from, to]: [f64; 2], audible: f64) -> Result<f64, Obstacle> {
    let (half, rate) = (band.half(), band.rate);
    let (begin, end) = ((from * rate).max(half), to * rate);
    let block = (end - begin) / BLOCKS as f64;
    let is_long = end - begin >= LEAST * (to - from) * rate && end + half < sound.len() as f64;
    if !is_long {
        return Err(Obstacle::Near(band.distance));
    }
    let window = band.window();
    let full = 0.5 * window.iter().sum::<f64>();
    let count = ((block / band.spread()).ceil() as usize).max(FEWEST);
    let mut levels = Vec::with_capacity(BLOCKS);
    for b in 0..BLOCKS {
        let (mut energy, mut floor) = (0.0, 0.0);
        for i in 0..count {
            let middle = begin + block * (b as f64 + (i as f64 + 0.5) / count as f64);
            let first = (middle - half) as usize;
            let found = band.magnitude(&sound[first..first + window.len()], &window);
            energy += found.partial * found.partial;
            floor += found.floor * found.floor;
        }
        let mean = (energy / count as f64).sqrt() / full;
        // Also where it is no number.
        if mean.is_nan() || mean < audible || mean == 0.0 {
            break;
        }
        let above = 10.0 * log10(energy / floor);
        if above < ABOVE_FLOOR {
            return Err(Obstacle::Covered(above));
        }
        levels.push(10.0 * log10(energy));
    }
    if levels.len() < FEWEST_BLOCKS {
        return Err(Obstacle::Silent);
    }
    // In blocks, from the middle of those that count.
    let middle = 0.5 * (levels.len() - 1) as f64;
    let products = levels.iter().enumerate().map(|(b, level)| (b as f64 - middle, *level));
    let (squares, product) = products.fold((0.0, 0.0), |(s, p), (b, level)| (s + b * b, p + b * level));
    // Of one block, and of all.
    let slope = -product / squares;
    let fall = slope * levels.len() as f64;
    if fall >= LEAST_FALL { Ok(60.0 / slope * block / rate) } else { Err(Obstacle::Lasting(fall)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;
    const FREQUENCY: f64 = 262.0;
    const AUDIBLE: f64 = 1e-5;

    /// Sines: frequency, amplitude, T₆₀.
    fn sound(partials: &[(f64, f64, f64)]) -> Vec<f64> {
        let of = |t: f64| {
            let one = |(f, a, t60): &(f64, f64, f64)| a * 10_f64.powf(-3.0 * t / t60) * (TAU * f * t).sin();
            partials.iter().map(one).sum()
        };
        (0..(4.5 * RATE) as usize).map(|n| of(n as f64 / RATE)).collect()
    }

    fn both(sound: &[f64]) -> [Result<f64, Obstacle>; 2] {
        let band = Band { rate: RATE, frequency: FREQUENCY, distance: FREQUENCY };
        [PROMPT, LATE].map(|window| t60(sound, &band, window, AUDIBLE))
    }

    #[test]
    fn the_decay_of_one_partial_is_the_same_in_both_windows() {
        // With neighbours that are 20 dB stronger.
        let found = both(&sound(&[(FREQUENCY, 0.1, 3.0), (2.0 * FREQUENCY, 1.0, 5.0)]));
        for t60 in found {
            assert!((t60.unwrap() / 3.0 - 1.0).abs() < 1e-3, "{found:?}");
        }
    }

    /// A prompt sound 30 dB above a late one: T₆₀ of 1.5 s and 12 s cross at 0.86 s. In the prompt window the late one is 26 dB lower
    /// at first, 9 dB at its end; at 2 s the prompt one is 40 dB below the late one.
    #[test]
    fn two_slopes_are_told_apart() {
        let [prompt, late] = both(&sound(&[(FREQUENCY, 1.0, 1.5), (FREQUENCY + 0.02, 0.0316, 12.0)]));
        let (prompt, late) = (prompt.unwrap(), late.unwrap());
        assert!((prompt / 1.5 - 1.0).abs() < 0.15, "{prompt} s");
        assert!((late / 12.0 - 1.0).abs() < 0.03, "{late} s");
    }

    /// Strings 5.3 Hz and 1.9 Hz apart of which one is 1 dB weaker: the level falls by 25 dB in every beat, and T₆₀ is still that of both. One
    /// instant a block would be off by 49 % and 32 %, and means of levels by 12 % where a block holds less than one beat.
    #[test]
    fn beats_are_averaged() {
        for (beat, error) in [(5.3, 0.01), (1.9, 0.06)] {
            let strings = [(FREQUENCY - 0.5 * beat, 0.9, 6.0), (FREQUENCY + 0.5 * beat, 1.0, 6.0)];
            let late = both(&sound(&strings))[1].unwrap();
            assert!((late / 6.0 - 1.0).abs() < error, "{late} s with beats of {beat} Hz");
        }
    }

    #[test]
    fn what_is_inaudible_covered_rising_or_too_short_is_refused() {
        let fast = both(&sound(&[(FREQUENCY, 1.0, 0.25)]));
        // 100 dB are gone after 0.42 s: of three blocks, with an exact slope.
        assert!(fast[0].is_ok_and(|t60| (t60 / 0.25 - 1.0).abs() < 1e-3), "{fast:?}");
        assert_eq!(fast[1], Err(Obstacle::Silent));
        assert_eq!(both(&sound(&[(FREQUENCY, 1.0, 0.1)]))[0], Err(Obstacle::Silent));
        let covered = both(&sound(&[(FREQUENCY, 1e-3, 3.0), (1.4 * FREQUENCY, 1.0, 3.0)]));
        assert!(matches!(covered[0], Err(Obstacle::Covered(_))), "{covered:?}");
        let rising = both(&sound(&[(FREQUENCY, 0.1, -50.0)]));
        assert!(matches!(rising, [Err(Obstacle::Lasting(_)), Err(Obstacle::Lasting(_))]), "{rising:?}");
        // 0.3 dB within half a second, 1.2 dB within two.
        let lasting = both(&sound(&[(FREQUENCY, 0.1, 100.0)]));
        assert!(matches!(lasting, [Err(Obstacle::Lasting(_)), Ok(_)]), "{lasting:?}");
        let short = both(&sound(&[(FREQUENCY, 1.0, 3.0)])[..96_000]);
        assert!(short[0].is_ok() && matches!(short[1], Err(Obstacle::Near(_))), "{short:?}");
    }
}
