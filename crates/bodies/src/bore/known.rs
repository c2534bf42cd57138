//! Fits that this process has made: the same bore is asked for again where a scene is read to be checked and then to be played, and in every run of a study
//! that changes something else. A fit takes some hundredths of a second to seconds, and is a function of what it is looked up by.

use super::{fit::Fit, transmission::Line};
use hamiltone_core::parameter::Complaint;
use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

/// The most that are kept, some kilobytes each: more than twice those of the instrument with the most bores.
const MAX_FITS: usize = 128;

/// A bore, its length (m), Δt (s) and the highest frequency (Hz), and its fit.
type Known = (Line, [f64; 3], Fit);

/// The latest made last; the first is the one to go.
static KNOWN: Mutex<VecDeque<Known>> = Mutex::new(VecDeque::new());

/// The fit of a bore of this length (m) for steps of Δt (s) up to a highest frequency (Hz), made by `make` where it is not known.
pub(super) fn known(
    line: &Line,
    numbers: [f64; 3],
    make: impl FnOnce() -> Result<Fit, Complaint>,
) -> Result<Fit, Complaint> {
    // What a panic of another thread left is a list of whole fits.
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |(other, others, _): &&Known| *others == numbers && other == line;
    let found = lock().iter().rev().find(same).map(|(_, _, fit)| fit.clone());
    if let Some(fit) = found {
        return Ok(fit);
    }
    // Not under the lock: other threads fit other bores.
    let fit = make()?;
    let mut all = lock();
    if all.len() >= MAX_FITS {
        all.pop_front();
    }
    all.push_back((line.clone(), numbers, fit.clone()));
    Ok(fit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bore::{Air, Bore, Piece, Radiation};

    /// A bore is fitted once, and again where anything of it, Δt or the frequency differs.
    #[test]
    fn a_fit_is_made_once() {
        let bore = |length: f64| {
            let piece = Piece { length, left: 0.004_321, right: 0.004_321 };
            Bore::new(&[piece], &[], Air::at(20.0).unwrap(), Radiation::Unflanged).unwrap()
        };
        let mut made = 0;
        let mut fit = |length: f64, dt: f64, highest: f64| {
            let bore = bore(length);
            known(&bore.line, [bore.length, dt, highest], || {
                made += 1;
                super::super::fit::fit(&bore.line, bore.length, dt, highest)
            })
        };
        let first = fit(0.3, 1.0 / 48_000.0, 2000.0).unwrap();
        assert_eq!(fit(0.3, 1.0 / 48_000.0, 2000.0).unwrap(), first);
        assert_ne!(fit(0.31, 1.0 / 48_000.0, 2000.0).unwrap(), first);
        assert_ne!(fit(0.3, 1.0 / 44_100.0, 2000.0).unwrap(), first);
        assert_ne!(fit(0.3, 1.0 / 48_000.0, 2100.0).unwrap(), first);
        assert!(fit(0.3, 0.0, 2000.0).is_err());
        assert_eq!(made, 5);
    }
}
