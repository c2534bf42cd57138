//! How much of a law is run: a sixth of its cases by `cargo test`, one of N where `HAMILTONE_LONG` is N: 3 in `.ci/run`, 1 for all.

/// Of so many cases, those that are run.
///
/// # Panics
/// Where `HAMILTONE_LONG` is no whole number above 0.
pub fn cases(all: u32) -> u32 {
    let parsed = |text: String| text.parse().ok().filter(|part| *part > 0);
    let part = std::env::var("HAMILTONE_LONG").map_or(Some(6), parsed);
    all.div_ceil(part.expect("HAMILTONE_LONG is a whole number above 0"))
}
