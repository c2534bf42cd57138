//! The instruction set of the loops that are compiled for several: the best that the processor has, or less on request.
//!
//! Sums run in eight lanes of a fixed order and products are fused only where the error of a product is computed, so that
//! the results do not depend on it. That is what tests limit it for.

use fearless_simd::Level;
use std::sync::atomic::{AtomicU8, Ordering};

/// What loops may use of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// What every processor of the target has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// SSE4.2, on x86 only.
    Sse42,
    /// The best that is known: AVX2 with FMA where an x86 processor has them.
    Best,
}

/// So few coordinates are stepped by the baseline.
const FEW: usize = 32;

static LIMIT: AtomicU8 = AtomicU8::new(Instructions::Best as u8);

impl Instructions {
    const ALL: [Self; 3] = [Self::Baseline, Self::Sse42, Self::Best];

    /// Those that differ on this processor, from the least.
    pub fn distinct() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| match set {
            Self::Baseline => cfg!(any(target_arch = "x86", target_arch = "x86_64")),
            Self::Sse42 => sse42().is_some(),
            Self::Best => true,
        })
    }

    /// Limits what simulations that are prepared from now on use, in the whole process. Where the processor does not have
    /// them, the baseline is used.
    pub fn limit(self) {
        LIMIT.store(self as u8, Ordering::Relaxed);
    }
}

/// What a simulation that is prepared now uses.
pub fn level() -> Level {
    let limit = LIMIT.load(Ordering::Relaxed);
    match Instructions::ALL.into_iter().find(|set| *set as u8 == limit) {
        Some(Instructions::Baseline) => Level::baseline(),
        Some(Instructions::Sse42) => sse42().unwrap_or(Level::baseline()),
        Some(Instructions::Best) | None => Level::new(),
    }
}

/// The same for steps of so many coordinates: of few, going over to other instructions costs more than they save.
pub(crate) fn level_of(coordinates: usize) -> Level {
    if coordinates < FEW { Level::baseline() } else { level() }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn sse42() -> Option<Level> {
    Level::new().as_sse4_2().map(Level::Sse4_2)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn sse42() -> Option<Level> {
    None
}
