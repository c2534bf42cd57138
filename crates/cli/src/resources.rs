//! What the program has used: processor time and memory.

/// The processor time of the whole program so far, s; what it spends until it reads its scene is a part of every command. 0 on
/// systems that do not tell it.
#[cfg(unix)]
pub fn process_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// 0: it is not told.
#[cfg(not(unix))]
pub fn process_seconds() -> f64 {
    0.0
}

/// The most memory that the program has used so far, bytes; `None` on systems that do not tell it.
pub fn peak_memory() -> Option<u128> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * kilobytes.trim().trim_end_matches("kB").trim().parse::<u128>().ok()?)
}
