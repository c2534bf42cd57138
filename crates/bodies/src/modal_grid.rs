//! How many modes a line has, and the grid of its sample points.
//!
//! A grid of N intervals distinguishes N − 1 modes. N is best a product of small primes, N = 2ᵃ3ᵇ5ᶜ, for which sine transforms
//! are fast.

use hamiltone_core::{
    measure::HIGHEST_AUDIBLE,
    parameter::{Absent, Complaint, Parameter, Range, Role, Rule, Takes, Values},
};

/// The largest number of modes unless `modes` is given.
pub(crate) const DEFAULT_MODES: usize = 500;
/// The same where it is stated up to which frequency the sound goes and a formula gives the modes: the lowest string of
/// a piano has 700 below 20 kHz.
const MODES_OF_FORMULA: usize = 1000;
/// The largest number of modes.
const MAX_MODES: f64 = 20_000.0;

/// K.
pub(crate) const MODES: Parameter = Parameter {
    name: "modes",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: MAX_MODES, open: false }),
    absent: Absent::Optional(
        "those below 20 kHz, 500 at most; where a formula gives them, intervals − 1 if that is given; where [run] names no scheme, those below 20 kHz and 0.45 of the sample rate, 1000 at most by a formula",
    ),
    doc: "how many modes, rigid motions among them; fewer than intervals",
};

/// What a body by its modes takes.
pub(crate) const OF_MODES: Rule = Rule::OnlyWith { parameters: &["modes"], key: "method", word: "modal" };

/// Whether the values ask for modes.
pub(crate) fn wanted(values: &Values) -> bool {
    values.word("method") == Some("modal")
}

/// The smallest 2ᵃ3ᵇ5ᶜ above `modes`, 4 at least.
pub(crate) fn smooth(modes: usize) -> usize {
    let rest = |n: usize| {
        [2, 3, 5].into_iter().fold(n, |mut n, prime| {
            while n % prime == 0 {
                n /= prime;
            }
            n
        })
    };
    (modes.max(3) + 1..).find(|&n| rest(n) == 1).unwrap_or(modes + 1)
}

/// At least one mode, and more intervals than modes, 4 at least.
///
/// # Errors
/// A [`Complaint`] where it is otherwise.
pub(crate) fn check(modes: usize, intervals: usize) -> Result<(), Complaint> {
    Range { min: 1.0, max: MAX_MODES, open: false }.check("modes", modes as f64)?;
    Range::from(4.0).check("intervals", intervals as f64)?;
    if modes < intervals {
        return Ok(());
    }
    let most = intervals - 1;
    let message = format!(
        "is {modes}, but a grid of {intervals} intervals distinguishes only {most} modes; use at most {most}, or more `intervals`"
    );
    Err(Complaint::new("modes", message))
}

/// So many modes on so many intervals, or on as many as fit.
///
/// # Errors
/// A [`Complaint`] where the grid cannot tell them apart.
pub(crate) fn fitting(modes: usize, intervals: Option<usize>) -> Result<(usize, usize), Complaint> {
    let intervals = intervals.unwrap_or_else(|| smooth(modes));
    check(modes, intervals).map(|()| (modes, intervals))
}

/// How many modes are audible, but no more than `most`; `frequency(k)` is that of mode k = 1, 2, …, Hz, rising.
pub(crate) fn audible(values: &Values, most: usize, frequency: impl Fn(usize) -> f64) -> usize {
    let highest = values.detail().map_or(HIGHEST_AUDIBLE, |detail| detail.highest);
    (1..most).find(|&k| frequency(k + 1) > highest).unwrap_or(most)
}

/// How many modes and intervals the values ask for; `frequency(k)` is that of mode k = 1, 2, …, Hz, rising.
///
/// # Errors
/// A [`Complaint`] where they are more modes than the grid can tell apart.
pub(crate) fn counts(values: &Values, frequency: impl Fn(usize) -> f64) -> Result<(usize, usize), Complaint> {
    match (values.count("modes"), values.count("intervals")) {
        (Some(modes), intervals) => fitting(modes, intervals),
        (None, Some(intervals)) => Ok(((intervals - 1).min(MAX_MODES as usize), intervals)),
        (None, None) => {
            let most = if values.detail().is_some() { MODES_OF_FORMULA } else { DEFAULT_MODES };
            let modes = audible(values, most, frequency);
            Ok((modes, smooth(modes)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_core::parameter::Detail;

    #[test]
    fn grids_have_small_factors() {
        assert_eq!([862, 863, 864, 1, 3].map(smooth), [864, 864, 900, 4, 4]);
        let counts = |numbers: &[(&'static str, f64)]| {
            let mut values = Values::default();
            numbers.iter().for_each(|&(name, x)| values.set(name, x));
            counts(&values, |k| 130.0 * k as f64)
        };
        assert_eq!(counts(&[]), Ok((153, 160)));
        assert_eq!(counts(&[("modes", 20.0)]), Ok((20, 24)));
        assert_eq!(counts(&[("intervals", 20.0)]), Ok((19, 20)));
        assert_eq!(counts(&[("modes", 20.0), ("intervals", 20.0)]).unwrap_err().parameter, "modes");
    }

    /// Up to the highest frequency of the sound, where that is stated.
    #[test]
    fn modes_are_those_that_sound() {
        let count = |highest: Option<f64>, f: f64| {
            let mut values = Values::default();
            let detail = |highest| values.set_detail(Detail { highest, coordinates: 4000 });
            highest.into_iter().for_each(detail);
            super::counts(&values, |k| f * k as f64).unwrap().0
        };
        assert_eq!([None, Some(3600.0), Some(19845.0)].map(|highest| count(highest, 130.0)), [153, 27, 152]);
        // A1 of a piano, and a rope.
        assert_eq!([None, Some(19845.0)].map(|highest| count(highest, 27.5)), [500, 721]);
        assert_eq!([None, Some(19845.0)].map(|highest| count(highest, 2.0)), [500, 1000]);
    }
}
