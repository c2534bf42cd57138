//! What every long call shares: other threads of Python run meanwhile, Ctrl-C ends it, and a function is told how far it is.

use pyo3::prelude::*;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How often signals are looked for and progress is told.
const EVERY: Duration = Duration::from_millis(100);

/// Watches over a call while the interpreter is left to others.
pub struct Watch {
    /// Becomes true when the call is to end.
    pub stop: Arc<AtomicBool>,
    progress: Option<Py<PyAny>>,
    last: Instant,
    error: Option<PyErr>,
}

impl Watch {
    /// A watch that calls `progress(done, all)`.
    pub fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { stop: Arc::default(), progress, last: Instant::now(), error: None }
    }

    /// Looks for signals, if it is time, and tells how far the call is. What a handler raises ends the call.
    pub fn look(&mut self, done: u64, all: u64) {
        if self.last.elapsed() < EVERY || self.error.is_some() {
            return;
        }
        self.last = Instant::now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done, all)).map(|_| ()))
        });
        if let Err(error) = told {
            self.error = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// What a handler or the function raised.
    ///
    /// # Errors
    /// That.
    pub fn end(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}
