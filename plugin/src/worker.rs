//! The thread of an instance that loads its instruments.
//!
//! The worker thread of nice-plug 0.4.2 serves all instances, and ends for all of them at a task of an instance that is gone. This one belongs to one instance: it
//! is joined when the instance is deleted, so that no code of the plugin runs after that.

use crate::loader::Loader;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

/// The thread.
pub struct Worker {
    ended: Arc<AtomicBool>,
    woken: Arc<AtomicBool>,
    /// `None` where the system has no more threads: then only an activation loads.
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts one, which sleeps until it is woken.
    pub fn new(loader: Arc<Loader>) -> Self {
        let (ended, woken) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let own = (ended.clone(), woken.clone());
        let work = move || {
            let (ended, woken) = own;
            while !ended.load(Ordering::Acquire) {
                loader.drop_played();
                loader.load();
                // The flag, since what loads on several threads parks this one, too, and takes the token of an `unpark` that comes meanwhile.
                while !woken.swap(false, Ordering::AcqRel) {
                    thread::park();
                }
            }
        };
        Self { ended, woken, thread: thread::Builder::new().name("hamiltone".into()).spawn(work).ok() }
    }

    /// Lets it look at what is wanted, and drop what was played. It neither waits nor allocates.
    pub fn wake(&self) {
        self.woken.store(true, Ordering::Release);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Worker {
    /// Waits for the instrument that is being loaded.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        self.wake();
        if let Some(thread) = self.thread.take() {
            // Where it panicked, its message was written; there is nothing to end.
            _ = thread.join();
        }
    }
}
