//! Parts that play a window on all threads.
//!
//! Nothing couples them within it, so each is stepped on its own, a slice at a time: whichever thread is free takes the part that waits longest and puts
//! it back behind the others. All parts are so about as far, and threads wait for each other only at the end of a window, for less than the
//! longest slice. First one of them finishes the sound of the window before. The sum of the parts is taken afterwards in their
//! order: the bits do not depend on who played what.

use super::island::Island;
use hamiltone_numerics::parallel;
use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    thread,
};

/// The most samples that a part plays before another has its turn: long beside what a turn costs, short beside a window.
const SLICE: usize = 256;

/// Lets parts play the next `frames` samples, while `finish` does what remains of the window before.
pub fn play(islands: &mut [&mut Island], frames: usize, finish: impl FnOnce()) {
    islands.iter_mut().for_each(|island| island.begin_window(frames));
    let waiting: Mutex<VecDeque<(&mut Island, usize)>> =
        Mutex::new(islands.iter_mut().map(|island| (&mut **island, frames)).collect());
    // A part that panicked is the end of the run: `scope` passes it on.
    let turns = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        loop {
            // The lock is held for this statement alone.
            let next = turns().pop_front();
            let Some((island, left)) = next else { break };
            let slice = if island.is_awake() { SLICE.min(left) } else { left };
            island.play(slice);
            if left > slice {
                turns().push_back((island, left - slice));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..parallel::threads() {
            // Where the system refuses a thread, the others do its work.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        finish();
        work();
    });
}
