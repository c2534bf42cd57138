//! Threads to work on.
//!
//! Each call has threads of its own: a process that was forked has none of the threads of its parent, and waits for ever for those
//! of a pool that both share.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads, by default as many as there are processors.
///
/// # Errors
/// Where the system does not start them.
pub fn start(count: Option<usize>) -> Result<ThreadPool, String> {
    let pool = ThreadPoolBuilder::new().num_threads(count.unwrap_or(0)).build();
    pool.map_err(|error| format!("no threads can be started: {error}"))
}
