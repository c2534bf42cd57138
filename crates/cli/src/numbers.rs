//! Numbers as they are printed.

use hamiltone_scene::units::{plain, read};

/// Two significant digits, for measured times.
pub fn two_digits(x: f64) -> String {
    plain(format!("{x:.1e}").parse().unwrap_or(x))
}

/// A frequency of an option, Hz, with or without a unit.
///
/// # Errors
/// What is needed instead.
pub fn hertz(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().or_else(|| read(text.trim(), &["Hz"]).ok());
    number.ok_or_else(|| "a frequency is needed, such as 88200 or \"88.2 kHz\"".into())
}

/// A number of seconds of an option, above 0, with or without a unit.
///
/// # Errors
/// What is needed instead.
pub fn seconds(text: &str, longest: f64) -> Result<f64, String> {
    let number = text.parse().ok().or_else(|| read(text, &["s"]).ok());
    let number = number.filter(|seconds: &f64| *seconds > 0.0 && *seconds <= longest);
    number.ok_or_else(|| {
        format!("a number of seconds above 0 and at most {longest} is needed, such as 60 or \"20 ms\"")
    })
}
