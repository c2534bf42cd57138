//! The places at which a formula is looked at: x = X 10^(−12 + k/n), k = 0, 1, …, up to the reach X, n to each of twelve decades.

use hamiltone_numerics::math;
use std::sync::LazyLock;

/// Places a decade at most, and decades.
const PLACES: (i32, i32) = (50, 12);

/// x/X of all of them, ascending.
static ALL: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let (each, decades) = PLACES;
    let place = |k: i32| math::pow(10.0, f64::from(k - each * decades) / f64::from(each));
    (0..=each * decades).map(place).collect()
});

/// All places up to this reach (m), ascending.
pub(crate) fn fine(reach: f64) -> impl Iterator<Item = f64> {
    ALL.iter().map(move |part| reach * part)
}

/// Ten to a decade of them.
pub(crate) fn coarse(reach: f64) -> impl Iterator<Item = f64> {
    fine(reach).step_by(5)
}
