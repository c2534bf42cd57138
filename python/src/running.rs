//! What every long call shares: it runs on a thread of its own, while that of the caller looks for signals, so that Ctrl-C ends it, and
//! tells a function how far it is. Other threads of Python run meanwhile.

use hamiltone_study::threads;
use pyo3::{exceptions::PyOSError, prelude::*};
use rayon::ThreadPool;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How often signals are looked for and progress is told.
const EVERY: Duration = Duration::from_millis(100);
/// How often it is looked whether the call has ended.
const TICK: Duration = Duration::from_millis(1);

/// How far a call is, and whether it is to end.
#[derive(Default)]
pub struct Watch {
    /// Becomes true when the call is to end.
    pub stop: AtomicBool,
    done: AtomicU64,
    all: AtomicU64,
}

impl Watch {
    /// So much is done, of so much.
    pub fn tell(&self, done: u64, all: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    /// Looks for signals and tells `progress` how far the call is.
    fn look(&self, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        Python::attach(|py| {
            py.check_signals()?;
            match progress {
                Some(progress) if done > 0 => progress.call1(py, (done, all)).map(|_| ()),
                _ => Ok(()),
            }
        })
    }
}

/// Threads for one call. Those of an earlier call, or of rayon's own pool, would not be there in a process that was forked since.
///
/// # Errors
/// Where the system does not start them.
pub fn workers() -> PyResult<ThreadPool> {
    threads::start(None).map_err(PyOSError::new_err)
}

/// Does `work` and calls `progress(done, all)` meanwhile.
///
/// # Errors
/// What a handler of a signal or `progress` raised; then the work was told to stop, and has ended.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    py.detach(|| {
        thread::scope(|scope| {
            let worker = scope.spawn(|| work(&watch));
            let (mut last, mut raised) = (Instant::now(), None);
            while !worker.is_finished() {
                thread::sleep(TICK);
                if raised.is_none() && last.elapsed() > EVERY {
                    last = Instant::now();
                    raised = watch.look(progress).err();
                    watch.stop.store(raised.is_some(), Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            raised.map_or(Ok(result), Err)
        })
    })
}
