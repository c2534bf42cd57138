//! Exit codes.

/// The run is finite and its energy balance holds.
pub const OK: u8 = 0;
/// The run violated its energy balance, diverged or became non-finite.
pub const FAILED: u8 = 1;
/// Invalid input.
pub const BAD_INPUT: u8 = 2;

/// Interrupted from the keyboard: 128 + SIGINT, as shells report it.
pub const INTERRUPTED: i32 = 130;
