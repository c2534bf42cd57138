//! Signals that end the program: the temporary files are removed, and the exit code is 128 + the signal.
//!
//! Ctrl-C (SIGINT), SIGTERM and SIGHUP are handled alike by a thread of their own, which waits for nothing that another
//! program could block. A commit that has begun is completed first.

use crate::{exit, output::tell};
use hamiltone_render::remove_unfinished;
use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError, mpsc::channel},
    thread,
    time::Duration,
};

/// How long the message may take where nobody reads standard error.
const PATIENCE: Duration = Duration::from_millis(500);

/// Held by what ends the program, a signal or the end of the command: there is one exit code.
static ENDING: Mutex<()> = Mutex::new(());

fn ending() -> MutexGuard<'static, ()> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the handling of signals, when a command has its exit code. Where a signal came before, this does not return.
pub fn finish() {
    std::mem::forget(ending());
}

/// Handles the signals from now on.
///
/// # Errors
/// Where the operating system refuses.
#[cfg(unix)]
pub fn handle() -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
    };
    // With a handler of its own, a write beyond the size limit of files fails and is reported like any other.
    flag::register(SIGXFSZ, std::sync::Arc::default())?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !hangup_is_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            end(signal);
        }
    };
    thread::Builder::new().spawn(wait).map(drop)
}

/// Whether the program was started by `nohup`, on systems that tell: the mask of ignored signals, SIGHUP in its lowest bit.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Handles Ctrl-C from now on.
///
/// # Errors
/// Where the operating system refuses.
#[cfg(not(unix))]
pub fn handle() -> io::Result<()> {
    /// SIGINT.
    const INTERRUPT: i32 = 2;
    ctrlc::set_handler(|| end(INTERRUPT)).map_err(io::Error::other)
}

/// Removes the temporary files, says so and ends the program.
fn end(signal: i32) -> ! {
    let _ending = ending();
    let what = match remove_unfinished() {
        true => "interrupted after the files were written",
        false => "interrupted; nothing was written",
    };
    let (done, wait) = channel();
    let message = move || {
        tell!("{what}");
        // Nobody waits any more where it took too long.
        let _ = done.send(());
    };
    if thread::Builder::new().spawn(message).is_ok() {
        let _ = wait.recv_timeout(PATIENCE);
    }
    std::process::exit(exit::SIGNALLED + signal);
}
