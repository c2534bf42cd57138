//! A device without hardware: a thread that asks for a block whenever the time of one has passed, as a sound card with two periods does.

use crate::{loan::Loan, meter::Meter};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The channels of its frames.
pub const CHANNELS: usize = 2;
/// How many blocks it has in store: where computing is farther behind, there would be a gap.
const PERIODS: u32 = 2;

/// The device, while it plays.
pub struct NullDevice {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NullDevice {
    /// Plays in blocks of so many samples at a rate (Hz) from now on.
    ///
    /// # Errors
    /// Where the system has no thread for it.
    pub fn start(mut loan: Loan, rate: u32, block: u32, meter: Arc<Meter>) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let period = Duration::from_secs_f64(f64::from(block) / f64::from(rate));
        let play = move || {
            let mut out = vec![0.0; block as usize * CHANNELS];
            let mut due = Instant::now();
            meter.set_delay((PERIODS * period).as_secs_f64());
            while !stopped.load(Relaxed) {
                loan.process(&mut out);
                due += period;
                let now = Instant::now();
                if now > due + PERIODS * period {
                    meter.add_xrun();
                    due = now;
                }
                thread::sleep(due.saturating_duration_since(now));
            }
        };
        Ok(Self { stop, thread: Some(thread::Builder::new().name("null".into()).spawn(play)?) })
    }
}

impl Drop for NullDevice {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        // The loan is back when its thread has ended; where that panicked there is none.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
