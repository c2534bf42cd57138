//! How much of a law is run: a part by `cargo test`, and all of it where `HAMILTONE_LONG` is set, as `.ci/run` does.

/// Of so many cases, those that are run: all where `HAMILTONE_LONG` is set, a sixth otherwise.
pub fn cases(all: u32) -> u32 {
    if std::env::var_os("HAMILTONE_LONG").is_some() { all } else { all.div_ceil(6) }
}
