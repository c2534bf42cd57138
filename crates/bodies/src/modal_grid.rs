//! How many modes a line has, and the grid of its sample points.
//!
//! A grid of N intervals distinguishes N − 1 modes. N is best a product of small primes, N = 2ᵃ3ᵇ5ᶜ, for which sine transforms
//! are fast.

use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Rule, Takes, Values};

/// The highest frequency of a mode unless `modes` is given, Hz: the limit of hearing.
pub const HIGHEST_AUDIBLE: f64 = 20_000.0;
/// The largest number of modes unless `modes` is given.
pub(crate) const DEFAULT_MODES: usize = 500;
/// The largest number of modes.
const MAX_MODES: f64 = 20_000.0;

/// K.
pub(crate) const MODES: Parameter = Parameter {
    name: "modes",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: MAX_MODES, open: false }),
    absent: Absent::Optional(
        "those below 20 kHz, 500 at most; where a formula gives them, intervals − 1 if that is given",
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
fn smooth(modes: usize) -> usize {
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

/// How many modes are audible, but no more than are usual; `frequency(k)` is that of mode k = 1, 2, …, Hz, rising.
pub(crate) fn audible(frequency: impl Fn(usize) -> f64) -> usize {
    (1..DEFAULT_MODES).find(|&k| frequency(k + 1) > HIGHEST_AUDIBLE).unwrap_or(DEFAULT_MODES)
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
            let modes = audible(frequency);
            Ok((modes, smooth(modes)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
