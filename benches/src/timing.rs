//! Processor time, and work that is timed in turns.

use std::time::Duration;

/// The processor time that this thread has used: what other programs take of a shared machine does not count.
#[cfg(unix)]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The time since the first call, where processor time is not known.
#[cfg(not(unix))]
pub fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// The processor time of `work`, s; what it returns is not optimised away.
pub fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = processor_time();
    std::hint::black_box(work());
    (processor_time() - start).as_secs_f64()
}

/// The least processor time of each of these, s, of so many turns in which each runs once: ratios hold although the clock rate
/// and the load of the machine vary.
pub fn least_in_turns<const N: usize>(turns: usize, mut work: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    for _ in 0..turns {
        for (least, work) in least.iter_mut().zip(&mut work) {
            *least = least.min(seconds(work));
        }
    }
    least
}
