//! Exit codes.

/// The verdict is green or amber: the run is finite, its energy balance holds, it gained no energy, and its pitch is right.
pub const OK: u8 = 0;
/// The verdict is red: the run violated its balance, gained energy that nothing put in, diverged, became non-finite, or is
/// out of tune so far that it is another note.
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
