//! Stretch: how many cents each key lies beside its temperament, as on pianos, whose partials are sharp.
//!
//! A table of keys and cents; linear between its keys, constant beyond the first and the last.

/// The most cents of a key, either way: an octave.
const MOST: f64 = 1200.0;

/// A curve over the keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch(Vec<(f64, f64)>);

impl Stretch {
    /// From keys, which must increase, and their cents.
    ///
    /// ```
    /// use hamiltone_play::tuning::Stretch;
    ///
    /// let stretch = Stretch::new(&[(21, -20.0), (69, 0.0), (108, 30.0)])?;
    /// assert_eq!([0, 45, 69, 95, 127].map(|key| stretch.cents(key)), [-20.0, -10.0, 0.0, 20.0, 30.0]);
    /// assert!(Stretch::new(&[(69, 0.0), (69, 1.0)]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// The first entry whose key is above 127 or not above the one before, or whose cents are beyond ±1200, with what is
    /// allowed; and an empty table.
    pub fn new(table: &[(u8, f64)]) -> Result<Self, String> {
        let mut least = 0;
        for (row, (key, cents)) in (1..).zip(table) {
            if !(least..=127).contains(key) {
                return Err(format!(
                    "row {row}: key {key} must lie from {least} to 127, above the one before"
                ));
            }
            if !(-MOST..=MOST).contains(cents) {
                return Err(format!("row {row}: {cents} cents must lie from -{MOST} to {MOST}"));
            }
            least = key + 1;
        }
        if table.is_empty() {
            return Err("the table has no rows: write at least one key with its cents".into());
        }
        Ok(Self(table.iter().map(|(key, cents)| (f64::from(*key), *cents)).collect()))
    }

    /// The cents of a key.
    pub fn cents(&self, key: u8) -> f64 {
        let key = f64::from(key);
        let after = self.0.partition_point(|(at, _)| *at <= key);
        let entry = |at: usize| self.0.get(at).copied();
        match (after.checked_sub(1).and_then(entry), entry(after)) {
            (Some((a, from)), Some((b, to))) => from + (to - from) * (key - a) / (b - a),
            (Some((_, cents)), None) | (None, Some((_, cents))) => cents,
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_are_no_curves_are_refused() {
        let why = |table: &[(u8, f64)]| Stretch::new(table).unwrap_err();
        assert_eq!(
            why(&[(1, 0.0), (9, 0.0), (9, 0.0)]),
            "row 3: key 9 must lie from 10 to 127, above the one before"
        );
        assert_eq!(why(&[(128, 0.0)]), "row 1: key 128 must lie from 0 to 127, above the one before");
        assert_eq!(why(&[(1, f64::NAN)]), "row 1: NaN cents must lie from -1200 to 1200");
        assert!(why(&[]).contains("at least one"));
        assert_eq!(Stretch::new(&[(127, 5.0)]).unwrap().cents(3), 5.0);
    }

    #[test]
    fn the_curve_is_linear_from_key_to_key() {
        let stretch = Stretch::new(&[(10, -4.0), (14, 4.0), (15, 8.0)]).unwrap();
        assert_eq!(
            [9, 10, 11, 13, 14, 15, 16].map(|key| stretch.cents(key)),
            [-4.0, -4.0, -2.0, 2.0, 4.0, 8.0, 8.0]
        );
    }
}
