//! Random numbers, the same in every run, and how many cases are tried.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

pub struct Random(TestRng);

impl Random {
    pub fn new() -> Self {
        Self(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    /// A number from 0 to below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }
}

/// Whether all cases are run: `HAMILTONE_LONG` is 1.
pub fn is_long() -> bool {
    std::env::var_os("HAMILTONE_LONG").is_some_and(|part| part == "1")
}

/// How many cases `HAMILTONE_FUZZ_CASES` says, or the default.
pub fn cases(default: usize) -> usize {
    match std::env::var("HAMILTONE_FUZZ_CASES") {
        Ok(cases) => cases.parse().expect("HAMILTONE_FUZZ_CASES is a whole number"),
        Err(_) => default,
    }
}
