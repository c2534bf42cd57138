//! Independent pieces of work on several threads.
//!
//! Results stand in the order of the items, and a piece of work knows nothing of the others: the bits are the same on any number of
//! threads. Work that is done on such a thread takes no more threads of its own.

use std::{
    cell::Cell,
    sync::{Mutex, PoisonError},
    thread,
};

thread_local! {
    /// How many threads work of this thread may take; as many as there are processors where it is `None`.
    static MOST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Does some work, all [`map`]s of which take at most so many threads.
///
/// ```
/// use hamiltone_numerics::parallel;
///
/// let squares = || parallel::map(vec![1, 2, 3], |x| x * x);
/// assert_eq!(parallel::at_most(1, squares), squares());
/// ```
pub fn at_most<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    /// Puts back what was allowed before, also after a panic.
    struct Before(Option<usize>);
    impl Drop for Before {
        fn drop(&mut self) {
            MOST.set(self.0);
        }
    }
    let _before = Before(MOST.replace(Some(threads.max(1))));
    work()
}

/// How many threads work of this thread may take.
pub fn threads() -> usize {
    MOST.get().unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

/// The results of `work` on every item, in the order of the items.
///
/// This thread works, too; where the system starts no others it does all the work.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let others = threads().min(items.len()).saturating_sub(1);
    if others == 0 {
        return items.into_iter().map(work).collect();
    }
    let mut found: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let open = Mutex::new(items.into_iter().zip(&mut found));
    // `work` runs without the lock, so that a panic of it cannot leave the iterator half advanced.
    let next = || open.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        at_most(1, || {
            while let Some((item, place)) = next() {
                *place = Some(work(item));
            }
        });
    };
    thread::scope(|scope| {
        for _ in 0..others {
            // Where the system refuses a thread, the others do its work.
            _ = thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
    drop(open);
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Items that end in another order than they begin keep their places.
    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let slow_first = |i: u64| {
            thread::sleep(std::time::Duration::from_millis(20_u64.saturating_sub(i)));
            (i, thread::current().id(), threads())
        };
        let found = at_most(4, || map((0..40).collect(), slow_first));
        assert!(found.iter().map(|(i, ..)| *i).eq(0..40));
        let ids: BTreeSet<String> = found.iter().map(|(_, id, _)| format!("{id:?}")).collect();
        assert!((2..=4).contains(&ids.len()), "{ids:?}");
        assert!(found.iter().all(|(.., within)| *within == 1));
    }

    #[test]
    fn one_thread_is_this_one() {
        let ids = at_most(1, || map(vec![(); 5], |()| thread::current().id()));
        assert!(ids.iter().all(|id| *id == thread::current().id()));
        assert!(map(Vec::<u8>::new(), |x| x).is_empty());
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_not_lost() {
        let main = thread::current().id();
        at_most(2, || {
            map((0..20).collect(), |_| {
                thread::sleep(std::time::Duration::from_millis(5));
                assert_eq!(thread::current().id(), main);
            })
        });
    }
}
