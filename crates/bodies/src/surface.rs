//! How many modes a surface has.

use hamiltone_core::measure::HIGHEST_AUDIBLE;
use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values};

/// The largest number of modes unless `modes` is given.
const DEFAULT_MODES: usize = 300;
/// The same where it is stated up to which frequency the sound goes: a drum of 40 cm then sounds up to 2.4 kHz, at several
/// times real time.
const MODES_OF_SOUND: usize = 1000;
/// The largest number of modes.
const MAX_MODES: f64 = 5000.0;

/// How many.
pub(crate) const MODES: Parameter = Parameter {
    name: "modes",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: MAX_MODES, open: false }),
    absent: Absent::Optional(
        "those below 20 kHz, 300 at most; where [run] names no scheme, those below 20 kHz and 0.45 of the sample rate, 1000 at most",
    ),
    doc: "how many modes, the lowest, a whole number",
};

/// How many modes of these frequencies the values ask for; `frequencies` is handed how many there are at most.
pub(crate) fn count(values: &Values, frequencies: impl Fn(usize) -> Vec<f64>) -> usize {
    let (highest, most) = match values.detail() {
        Some(detail) => (detail.highest, MODES_OF_SOUND),
        None => (HIGHEST_AUDIBLE, DEFAULT_MODES),
    };
    let audible = || frequencies(most).into_iter().filter(|f| *f <= highest).count().max(1);
    values.count("modes").unwrap_or_else(audible)
}

/// That a number of modes is at least one and not too many.
///
/// # Errors
/// A [`Complaint`] where it is otherwise.
pub(crate) fn check(modes: usize) -> Result<(), Complaint> {
    Range { min: 1.0, max: MAX_MODES, open: false }.check("modes", modes as f64).map(|_| ())
}
