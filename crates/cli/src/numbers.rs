//! Numbers as they are printed.

use hamiltone_scene::units::plain;

/// Two significant digits, for measured times.
pub fn two_digits(x: f64) -> String {
    plain(format!("{x:.1e}").parse().unwrap_or(x))
}
