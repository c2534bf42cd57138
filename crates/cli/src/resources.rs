//! What the program has used: processor time and memory.

/// The processor time of the whole program so far, s; what it spends until it reads its scene is a part of every command. 0 on
/// systems that do not tell it.
#[cfg(unix)]
pub fn process_seconds() -> f64 {
    seconds(rustix::time::ClockId::ProcessCPUTime)
}

/// 0: it is not told.
#[cfg(not(unix))]
pub fn process_seconds() -> f64 {
    0.0
}

/// The processor time of this thread, s. On a busy machine it is what a run would take alone; on systems that do not tell
/// it, the time that has passed.
#[cfg(unix)]
pub fn thread_seconds() -> f64 {
    seconds(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn seconds(clock: rustix::time::ClockId) -> f64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The time that has passed, s.
#[cfg(not(unix))]
pub fn thread_seconds() -> f64 {
    use std::{sync::OnceLock, time::Instant};
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// The most memory that the program has used so far, bytes; `None` on systems that do not tell it.
pub fn peak_memory() -> Option<u128> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * kilobytes.trim().trim_end_matches("kB").trim().parse::<u128>().ok()?)
}
