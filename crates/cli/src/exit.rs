//! Exit codes.

/// The run is finite, its energy balance holds, and it gained no energy.
pub const OK: u8 = 0;
/// The run violated its energy balance, gained energy that nothing put in, diverged or became non-finite.
pub const FAILED: u8 = 1;
/// Invalid input.
pub const BAD_INPUT: u8 = 2;
/// Everything went well, but standard output could not be written.
pub const OUTPUT_LOST: u8 = 3;

/// Ended by a signal: 128 + its number, as shells report it.
pub const SIGNALLED: i32 = 128;

/// The exit code of a program that this signal ended in order; [`FAILED`] where it is not known.
pub fn signalled(signal: Option<i32>) -> u8 {
    signal.and_then(|signal| u8::try_from(SIGNALLED + signal).ok()).unwrap_or(FAILED)
}
