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
    /// AVX2 with FMA, on x86 only.
    Avx2,
    /// The best that is known: AVX-512 where an x86 processor has it as Ice Lake does.
    Best,
}

/// So few coordinates are stepped by the baseline.
pub(crate) const FEW: usize = 32;

static LIMIT: AtomicU8 = AtomicU8::new(Instructions::Best as u8);

impl Instructions {
    const ALL: [Self; 4] = [Self::Baseline, Self::Sse42, Self::Avx2, Self::Best];

    /// Those that this processor has, from the least; the best may be one of the others.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| set.level().is_some())
    }

    /// Limits what simulations that are prepared from now on use, in the whole process. Where the processor does not have
    /// them, the baseline is used.
    pub fn limit(self) {
        // No other memory depends on the limit, so that no ordering is needed.
        LIMIT.store(self as u8, Ordering::Relaxed);
    }

    /// `None` where this processor does not have them.
    fn level(self) -> Option<Level> {
        match self {
            Self::Baseline => Some(Level::baseline()),
            Self::Sse42 => sse42(),
            Self::Avx2 => avx2(),
            Self::Best => Some(Level::new()),
        }
    }
}

/// What a simulation that is prepared now uses.
pub fn level() -> Level {
    let limit = LIMIT.load(Ordering::Relaxed);
    let set = Instructions::ALL.into_iter().find(|set| *set as u8 == limit).unwrap_or(Instructions::Best);
    // A limit above what the processor has must not select instructions that it cannot run.
    set.level().unwrap_or(Level::baseline())
}

/// The same for steps of so many coordinates: of few, going over to other instructions costs more than they save.
pub(crate) fn level_of(coordinates: usize) -> Level {
    if coordinates < FEW { Level::baseline() } else { level() }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn sse42() -> Option<Level> {
    Level::new().as_sse4_2().map(Level::Sse4_2)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn avx2() -> Option<Level> {
    Level::new().as_avx2().map(Level::Avx2)
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn sse42() -> Option<Level> {
    None
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn avx2() -> Option<Level> {
    None
}
