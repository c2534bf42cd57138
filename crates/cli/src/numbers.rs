//! Numbers as they are printed.

use hamiltone_scene::units::plain;

/// Two significant digits, for measured times.
pub fn two_digits(x: f64) -> String {
    plain(format!("{x:.1e}").parse().unwrap_or(x))
}

/// A number of bytes in three significant digits.
pub fn bytes(size: u128) -> String {
    let size = size as f64;
    let prefixes = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (one, unit) = prefixes.into_iter().find(|(one, _)| size >= *one).unwrap_or((1.0, "B"));
    let digits = format!("{:.2e}", size / one).parse().unwrap_or(size / one);
    format!("{} {unit}", plain(digits))
}
