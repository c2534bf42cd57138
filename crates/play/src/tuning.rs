//! Which frequency each key has.
//!
//!   equal temperament:  f(k) = f_A4 · 2^((k − 69)/12)
//!   Scala:              f(k) = f_ref · p(d(k)) / p(d(k_ref))
//!
//! k is the number of the key (69 is A4), d(k) its degree by a keyboard mapping ([`mapping`]) and p the pitch of a degree of a
//! scale ([`scale`]). How far an instrument is stretched is in its own formulas.

mod error;
mod interval;
mod lines;
pub mod mapping;
pub mod scale;

pub use error::TextError;
pub use mapping::Mapping;
pub use scale::Scale;

use hamiltone_gestures::note::Note;
use hamiltone_numerics::piecewise;

/// The number of keys.
pub const KEYS: usize = 128;
/// The lowest and the highest frequency of a key, Hz; a key beyond has none.
pub const FREQUENCIES: [f64; 2] = [1e-3, 1e6];

/// The frequency of each key that has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning([Option<f64>; KEYS]);

impl Default for Tuning {
    /// Equal temperament with A4 = 440 Hz.
    fn default() -> Self {
        Self::equal(440.0)
    }
}

impl Tuning {
    fn of(frequency: impl Fn(u8) -> Option<f64>) -> Self {
        let [lowest, highest] = FREQUENCIES;
        let key = |key| frequency(key as u8).filter(|frequency| (lowest..=highest).contains(frequency));
        Self(std::array::from_fn(key))
    }

    /// Equal temperament with this A4, Hz.
    ///
    /// ```
    /// # use hamiltone_play::tuning::Tuning;
    /// assert_eq!(Tuning::equal(440.0).frequency(57), Some(220.0));
    /// ```
    pub fn equal(a4: f64) -> Self {
        Self::of(|key| Some(Note::of_key(key).frequency(a4)))
    }

    /// A scale on the keys of a mapping. Keys that the mapping leaves out, or that would lie beyond [`FREQUENCIES`], have no
    /// frequency.
    ///
    /// ```
    /// use hamiltone_play::tuning::{Mapping, Scale, Tuning};
    ///
    /// let scale = Scale::parse("Pythagorean\n5\n9/8\n81/64\n3/2\n27/16\n2/1\n")?;
    /// // Degree 0 is on key 60, with the frequency that C4 has where A4 = 440 Hz.
    /// let tuning = Tuning::scala(&scale, &Mapping::linear(440.0));
    /// let ratio = tuning.frequency(63).zip(tuning.frequency(60)).map(|(f, c)| f / c);
    /// assert!((ratio.unwrap_or(0.0) - 1.5).abs() < 1e-15);
    /// # Ok::<(), hamiltone_play::tuning::TextError>(())
    /// ```
    pub fn scala(scale: &Scale, mapping: &Mapping) -> Self {
        let period = scale.len() as i32;
        let (degree, frequency) = mapping.reference(period);
        let reference = scale.ratio(degree);
        Self::of(|key| Some(frequency * (scale.ratio(mapping.degree(key, period)?) / reference)))
    }

    /// The frequency of a key, Hz; none where it makes no sound, and for numbers above 127.
    pub fn frequency(&self, key: u8) -> Option<f64> {
        self.0.get(usize::from(key)).copied().flatten()
    }

    /// The frequency at a place between keys, Hz: of a key its own, and between two keys k ≤ x < k + 1
    ///
    ///   f(x) = f(k) (f(k + 1)/f(k))^(x − k),
    ///
    /// which is straight in cents. None where one of them makes no sound, and outside the keys 0 to 127.
    ///
    /// ```
    /// # use hamiltone_play::tuning::Tuning;
    /// let tuning = Tuning::equal(440.0);
    /// let quarter_tone = tuning.at(69.5).unwrap_or(0.0);
    /// assert!((quarter_tone - 440.0 * 2_f64.powf(0.5 / 12.0)).abs() < 1e-12);
    /// ```
    pub fn at(&self, place: f64) -> Option<f64> {
        let below = place.floor();
        if !(0.0..KEYS as f64).contains(&below) {
            return None;
        }
        let (key, part) = (below as u8, place - below);
        let frequency = self.frequency(key)?;
        if part == 0.0 {
            return Some(frequency);
        }
        let ends = [(0.0, frequency), (1.0, self.frequency(key + 1)?)];
        Some(piecewise::geometric(&ends, part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_temperament() {
        let tuning = Tuning::default();
        assert_eq!(
            (tuning.frequency(69), tuning.frequency(81), tuning.frequency(128)),
            (Some(440.0), Some(880.0), None)
        );
        // Each frequency is a power and a product, which round by an eps together; the quotient rounds again.
        for key in 0..127 {
            let ratio = tuning.frequency(key + 1).unwrap() / tuning.frequency(key).unwrap();
            assert!(
                (ratio / hamiltone_numerics::math::pow(2.0, 1.0 / 12.0) - 1.0).abs() < 8.0 * f64::EPSILON,
                "{key}: {ratio}"
            );
        }
        assert_eq!(Tuning::equal(f64::NAN).frequency(69), None);
    }

    /// Two of three keys make a sound, key 62 makes none; formulas ask for fractions of keys.
    #[test]
    fn between_keys_the_pitch_is_straight_in_cents() {
        let scale = Scale::parse("x\n2\n300.0\n2/1\n").unwrap();
        let tuning =
            Tuning::scala(&scale, &Mapping::parse("3\n0\n127\n60\n60\n200.0\n2\n0\n1\nx\n").unwrap());
        let cents = |place| tuning.at(place).map(|f| 1200.0 * hamiltone_numerics::math::log2(f / 200.0));
        for (place, expected) in [(60.0, 0.0), (60.25, 75.0), (60.999, 299.7), (61.0, 300.0), (63.5, 1350.0)]
        {
            assert!(cents(place).is_some_and(|cents| (cents - expected).abs() < 1e-9), "{place}");
        }
        assert_eq!(tuning.at(60.0), tuning.frequency(60));
        for place in [61.5, 62.0, 62.5, -0.5, 127.5, 128.0, f64::NAN, f64::INFINITY] {
            assert_eq!(tuning.at(place), None, "{place}");
        }
    }

    /// The usual mapping of a scale of twelve: degree 0 on C4, 440 Hz on A4.
    #[test]
    fn the_reference_key_has_its_frequency() {
        let pitches: String = (1..=12).map(|degree| format!("{degree}00.0\n")).collect();
        let scale = Scale::parse(&format!("equal\n12\n{pitches}")).unwrap();
        for size in ["0\n0\n127\n60\n69\n440.0\n12\n", "2\n0\n127\n60\n69\n440.0\n2\n0\n1\n"] {
            let tuning = Tuning::scala(&scale, &Mapping::parse(size).unwrap());
            assert_eq!(tuning.frequency(69), Some(440.0));
            for key in 0..128 {
                let ratio = tuning.frequency(key).zip(Tuning::default().frequency(key)).map(|(a, b)| a / b);
                // Two powers, a quotient and a product, each rounded by up to an eps.
                assert!(
                    ratio.is_some_and(|ratio| (ratio - 1.0).abs() < 8.0 * f64::EPSILON),
                    "{key}: {ratio:?}"
                );
            }
        }
    }

    #[test]
    fn keys_beyond_all_hearing_have_no_frequency() {
        let scale = Scale::parse("octaves\n1\n2/1\n").unwrap();
        let tuning = Tuning::scala(&scale, &Mapping::linear(440.0));
        let octave = |key: u8| tuning.frequency(key);
        assert_eq!(octave(61), octave(60).map(|frequency| 2.0 * frequency));
        assert_eq!([octave(0), octave(127)], [None, None]);
        assert!(octave(71).is_some() && octave(72).is_none());
    }
}
