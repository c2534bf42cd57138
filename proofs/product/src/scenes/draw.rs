//! Numbers at random from a seed: the same seed gives the same numbers.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

/// A source of numbers at random.
pub struct Draw(TestRunner);

impl Draw {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)))
    }

    /// A value of a strategy.
    ///
    /// # Panics
    /// If the strategy rejects every value that it draws.
    pub fn of<T: std::fmt::Debug>(&mut self, strategy: impl Strategy<Value = T>) -> T {
        strategy.new_tree(&mut self.0).expect("a value").current()
    }

    /// A whole number from 0 to n − 1; n > 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.of(0..n)
    }

    /// `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.of(0.0..1.0) < probability
    }

    /// A number between two others.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        self.of(from..to)
    }

    /// 10^x, x between two numbers.
    pub fn decades(&mut self, from: f64, to: f64) -> f64 {
        10_f64.powf(self.between(from, to))
    }

    /// One of a list that is not empty.
    pub fn any<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
