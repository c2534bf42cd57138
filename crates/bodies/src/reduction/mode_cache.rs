//! A cache of eigenpairs: of bodies whose masses and stiffness are those of earlier ones.
//!
//! A study runs one scene many times with other velocities, contacts or losses, which leave K φ = ω²M φ as it is, and solving it is
//! nearly all that such a scene costs before it runs. The eigenpairs are a function of masses, stiffness and count alone: cached ones
//! have the bits of those that are computed anew.

use hamiltone_core::{
    operator::Operator,
    system::{Block, System},
};
use hamiltone_numerics::{eigenpairs::Eigenpairs, parallel};
use std::{
    cell::RefCell,
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// The most numbers in cached eigenvectors, 128 MiB; the oldest are dropped. M and K of each problem come on top.
const MAX_NUMBERS: usize = 1 << 24;

thread_local! {
    /// The cache of this thread, during [`ModeCache::during`].
    static CURRENT: RefCell<Option<Arc<ModeCache>>> = const { RefCell::new(None) };
}

/// An eigenproblem: what its eigenpairs depend on.
#[derive(Debug, PartialEq)]
struct Problem {
    mass: Vec<f64>,
    stiffness: Vec<(usize, Operator)>,
    count: usize,
}

/// Eigenpairs that were computed before, for all threads of a study.
///
/// ```
/// use hamiltone_bodies::{StiffString, reduction::ModeCache, sounding};
/// use std::sync::Arc;
///
/// let cache = Arc::new(ModeCache::default());
/// let string = StiffString::new(0.65, 6.6e-3, 75.75)?.on_grid(60)?;
/// let again = || cache.during(|| sounding::partials(&string, 3));
/// assert_eq!(again()?, again()?);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Debug, Default)]
pub struct ModeCache {
    found: Mutex<VecDeque<(Problem, Arc<Eigenpairs>)>>,
}

impl ModeCache {
    /// Does some work of this thread with this cache.
    pub fn during<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        /// Puts back what was used before, also after a panic.
        struct Before(Option<Arc<ModeCache>>);
        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _before = Before(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// Does some work of this thread with its cache or, where it has none, with one that is dropped afterwards.
    pub fn at_hand<T>(work: impl FnOnce() -> T) -> T {
        match CURRENT.with_borrow(Option::is_some) {
            true => work(),
            false => Arc::new(Self::default()).during(work),
        }
    }

    /// The number of cached eigenproblems.
    pub fn count(&self) -> usize {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The eigenpairs of this system, from the cache or by `solve`.
    fn eigenpairs(
        &self,
        system: &System,
        count: usize,
        solve: impl FnOnce() -> Option<Eigenpairs>,
    ) -> Option<Eigenpairs> {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let blocks = || system.blocks.iter();
        let is_this = |(problem, _): &&(Problem, Arc<Eigenpairs>)| {
            let same = |((first, operator), block): (&(usize, Operator), &Block)| {
                *first == block.dofs.start && *operator == block.stiffness
            };
            let Problem { mass, stiffness, count: cached } = problem;
            let alike = *cached == count && *mass == system.mass && stiffness.len() == system.blocks.len();
            alike && stiffness.iter().zip(blocks()).all(same)
        };
        let cached = lock().iter().find(is_this).map(|(_, pairs)| pairs.clone());
        if let Some(pairs) = cached {
            return Some((*pairs).clone());
        }
        // Other threads may solve the same problem at the same time: each finds the same.
        let pairs = solve()?;
        let stiffness = blocks().map(|block| (block.dofs.start, block.stiffness.clone())).collect();
        let problem = Problem { mass: system.mass.clone(), stiffness, count };
        let mut found = lock();
        found.push_back((problem, Arc::new(pairs.clone())));
        let size = |found: &VecDeque<(Problem, Arc<Eigenpairs>)>| -> usize {
            found.iter().map(|(problem, pairs)| problem.mass.len() * pairs.values.len()).sum()
        };
        while size(&found) > MAX_NUMBERS {
            found.pop_front();
        }
        Some(pairs)
    }
}

/// The results of `work` on every item, on several threads ([`parallel::map`]) that have the cache of this thread, if it has one.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cache = CURRENT.with_borrow(Clone::clone);
    parallel::map(items, |item| match &cache {
        Some(cache) => cache.during(|| work(item)),
        None => work(item),
    })
}

/// The eigenpairs of a system, which `solve` finds where the cache of this thread has none.
pub(super) fn eigenpairs(
    system: &System,
    count: usize,
    solve: impl FnOnce() -> Option<Eigenpairs>,
) -> Option<Eigenpairs> {
    match CURRENT.with_borrow(Clone::clone) {
        Some(cache) => cache.eigenpairs(system, count, solve),
        None => solve(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mass(m: f64) -> System {
        let mut system = System::default();
        let dof = system.add_dof(m, 0.0, 0.0);
        let stiffness = Operator::Diagonal(vec![2.0]);
        system.blocks.push(Block {
            name: "m".into(),
            dofs: dof..dof + 1,
            stiffness,
            damping: Operator::Zero,
        });
        system
    }

    /// The same problem is solved for once, any other anew, and outside of `during` nothing is known.
    #[test]
    fn only_the_same_problem_is_known() {
        let cache = Arc::new(ModeCache::default());
        let solved = std::cell::Cell::new(0);
        let ask = |system: &System, count: usize| {
            let solve = || {
                solved.set(solved.get() + 1);
                Some(Eigenpairs { values: vec![2.0 / system.mass[0]], vectors: vec![vec![1.0]] })
            };
            eigenpairs(system, count, solve).unwrap().values[0]
        };
        cache.during(|| {
            assert_eq!([ask(&mass(1.0), 1), ask(&mass(1.0), 1), ask(&mass(4.0), 1)], [2.0, 2.0, 0.5]);
            assert_eq!(solved.get(), 2);
            ask(&mass(1.0), 2);
            let mut stiffer = mass(1.0);
            stiffer.blocks[0].stiffness = Operator::Diagonal(vec![3.0]);
            ask(&stiffer, 1);
            assert_eq!((solved.get(), cache.count()), (4, 4));
        });
        ask(&mass(1.0), 1);
        assert_eq!(solved.get(), 5);
        // Without a cache at hand there is one for this work alone.
        ModeCache::at_hand(|| (0..3).for_each(|_| _ = ask(&mass(1.0), 1)));
        assert_eq!(solved.get(), 6);
    }
}
