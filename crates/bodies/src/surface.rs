//! How many modes a surface has.

use crate::modal_grid::HEARD;
use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values};

/// The most modes unless more are asked for.
const USUAL: usize = 300;
/// The most modes.
const MOST: f64 = 5000.0;

/// How many.
pub(crate) const MODES: Parameter = Parameter {
    name: "modes",
    takes: Takes::Number(Role::Count, Range { min: 1.0, max: MOST, open: false }),
    absent: Absent::Optional("those below 20 kHz, 300 at most"),
    doc: "how many modes, the lowest, a whole number",
};

/// How many modes of these frequencies the values ask for; `frequencies` is handed how many there are at most.
pub(crate) fn count(values: &Values, frequencies: impl Fn(usize) -> Vec<f64>) -> usize {
    let heard = || frequencies(USUAL).into_iter().filter(|f| *f <= HEARD).count().max(1);
    values.count("modes").unwrap_or_else(heard)
}

/// That a number of modes is at least one and not too many.
///
/// # Errors
/// A [`Complaint`] where it is otherwise.
pub(crate) fn check(modes: usize) -> Result<(), Complaint> {
    Range { min: 1.0, max: MOST, open: false }.check("modes", modes as f64).map(|_| ())
}
