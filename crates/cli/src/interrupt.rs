//! Signals that end the program: the temporary files are removed, and the exit code is 128 + the signal.
//!
//! Ctrl-C (SIGINT), SIGTERM and SIGHUP are handled alike by a thread of their own, which waits for nothing that another
//! program could block. A commit that has begun is completed first.
//!
//! A run that saves checkpoints or keeps a partial sound ends in order at the first signal: it is asked to stop, and the
//! command returns the exit code. A second signal ends it at once.

use crate::{exit, output::tell};
use hamiltone_render::remove_unfinished;
use std::{
    io,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicI32, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

/// How long the message may take where nobody reads standard error.
const GRACE: Duration = Duration::from_millis(500);

/// Whether the first signal only asks the run to stop.
static IN_ORDER: AtomicBool = AtomicBool::new(false);
/// Whether the run is asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// The signal that asked for it; 0 for none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// What becomes true when a run is to stop.
pub fn stop() -> &'static AtomicBool {
    &STOP
}

/// From now on the first signal asks the run to stop, and nothing else.
pub fn end_in_order() {
    IN_ORDER.store(true, Ordering::SeqCst);
}

/// The signal that asked the run to stop, if there was one.
pub fn signal() -> Option<i32> {
    Some(SIGNAL.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
}

/// Handles a signal.
fn receive(signal: i32) {
    if !IN_ORDER.load(Ordering::SeqCst) || signal_came_before(signal) {
        end(signal);
    }
    STOP.store(true, Ordering::SeqCst);
}

/// Notes the first signal, and tells whether another one came before.
fn signal_came_before(signal: i32) -> bool {
    SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err()
}

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
    let wait = move || signals.forever().for_each(receive);
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
    ctrlc::set_handler(|| receive(INTERRUPT)).map_err(io::Error::other)
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
        let _ = wait.recv_timeout(GRACE);
    }
    std::process::exit(exit::SIGNALLED + signal);
}
