//! Processor time.

/// The processor time of this thread, s. On a busy machine it is what a run would take alone; on systems that do not tell
/// it, the time that has passed.
#[cfg(unix)]
pub fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The time that has passed, s.
#[cfg(not(unix))]
pub fn thread_seconds() -> f64 {
    use std::{sync::OnceLock, time::Instant};
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
