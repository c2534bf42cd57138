//! Random numbers from a fixed seed.

use proptest::{
    prelude::Rng,
    test_runner::{RngAlgorithm, TestRng},
};

pub struct Random(TestRng);

impl Random {
    pub fn new() -> Self {
        Self(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    /// A whole number below n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    pub fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
