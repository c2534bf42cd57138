//! Blocks of samples.

/// The most samples that are computed at a time.
pub const BLOCK: usize = 1024;

/// A sample of a block of sound.
pub trait Sample: Copy {
    /// From the number that was computed.
    fn of(x: f64) -> Self;
}

impl Sample for f64 {
    fn of(x: f64) -> Self {
        x
    }
}

impl Sample for f32 {
    fn of(x: f64) -> Self {
        x as f32
    }
}
