//! Exit codes.

/// Exit code: it ran, finite and balanced.
pub const OK: u8 = 0;
/// Exit code: it ran but broke its balance, diverged or went non-finite.
pub const FAILED: u8 = 1;
/// Exit code: bad input.
pub const BAD_INPUT: u8 = 2;

/// Exit code: interrupted from the keyboard, as shells have it.
pub const INTERRUPTED: i32 = 130;
