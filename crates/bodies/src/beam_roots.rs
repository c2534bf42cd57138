//! The wave numbers of a uniform slender bar, β = kL, by its ends.
//!
//!   hinged–hinged            sin β = 0            free–free, clamped–clamped   cos β cosh β = 1
//!   clamped–free             cos β cosh β = −1    hinged–free, hinged–clamped  tan β = tanh β

use crate::{ends::End, root::root};
use hamiltone_numerics::math::{cos, cosh, sin, tanh};
use std::f64::consts::PI;

/// β_m of a uniform bar with these ends; partial 1 is the first that is not rigid.
pub(crate) fn beta(ends: [End; 2], m: usize) -> f64 {
    let m = m as f64;
    use End::{Clamped, Free, Hinged};
    match ends {
        [Hinged, Hinged] => m * PI,
        [Free, Free] | [Clamped, Clamped] => root(m * PI, (m + 1.0) * PI, |x| cos(x) - 1.0 / cosh(x)),
        [Clamped, Free] | [Free, Clamped] => root((m - 1.0) * PI, m * PI, |x| cos(x) + 1.0 / cosh(x)),
        _ => root(m * PI, (m + 0.5) * PI, |x| sin(x) - cos(x) * tanh(x)),
    }
}
