//! Another program that carries out a command.

use std::{io::Error, process::Command};

/// Becomes this process, so that signals reach it and its exit code is ours.
#[cfg(unix)]
pub fn hand_over(mut command: Command) -> Result<u8, Error> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Waits for this process and returns its exit code.
#[cfg(not(unix))]
pub fn hand_over(mut command: Command) -> Result<u8, Error> {
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::exit::FAILED))
}
