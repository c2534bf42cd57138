//! Modes that are asked for again: of a body whose masses and stiffness are those of an earlier one.
//!
//! A study runs one scene many times with other velocities, contacts or losses, which leave K φ = ω²M φ as it is, and finding its
//! solutions is nearly all that such a scene costs before it runs. They are a function of masses, stiffness and number alone, so that
//! what is known gives the same bits as what is found anew.

use hamiltone_core::{
    operator::Operator,
    system::{Block, System},
};
use hamiltone_numerics::eigenpairs::Eigenpairs;
use std::{
    cell::RefCell,
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// The most numbers that eigenvectors take, 128 MiB; the oldest are forgotten.
const MOST: usize = 1 << 24;

thread_local! {
    /// What the thread at hand has been told to use.
    static USED: RefCell<Option<Arc<Known>>> = const { RefCell::new(None) };
}

/// What eigenpairs depend on.
#[derive(Debug, PartialEq)]
struct Question {
    mass: Vec<f64>,
    stiffness: Vec<(usize, Operator)>,
    count: usize,
}

/// Eigenpairs that were found before, for all threads of a study.
///
/// ```
/// use hamiltone_bodies::{StiffString, reduction::Known, sounding};
/// use std::sync::Arc;
///
/// let known = Arc::new(Known::default());
/// let string = StiffString::new(0.65, 6.6e-3, 75.75)?.on_grid(60)?;
/// let again = || known.during(|| sounding::partials(&string, 3));
/// assert_eq!(again()?, again()?);
/// # Ok::<(), hamiltone_core::parameter::Complaint>(())
/// ```
#[derive(Debug, Default)]
pub struct Known {
    found: Mutex<VecDeque<(Question, Arc<Eigenpairs>)>>,
}

impl Known {
    /// Does some work of this thread, in which modes that are known are not searched again, and those that are found are known from
    /// then on.
    pub fn during<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        /// Puts back what was used before, also after a panic.
        struct Before(Option<Arc<Known>>);
        impl Drop for Before {
            fn drop(&mut self) {
                USED.set(self.0.take());
            }
        }
        let _before = Before(USED.replace(Some(self.clone())));
        work()
    }

    /// How many eigenproblems are known.
    pub fn count(&self) -> usize {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The eigenpairs of this system, from what is known or by `search`.
    fn recall(
        &self,
        system: &System,
        count: usize,
        search: impl FnOnce() -> Option<Eigenpairs>,
    ) -> Option<Eigenpairs> {
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let blocks = || system.blocks.iter();
        let is_asked = |(question, _): &&(Question, Arc<Eigenpairs>)| {
            let same = |((first, operator), block): (&(usize, Operator), &Block)| {
                *first == block.dofs.start && *operator == block.stiffness
            };
            let Question { mass, stiffness, count: known } = question;
            let alike = *known == count && *mass == system.mass && stiffness.len() == system.blocks.len();
            alike && stiffness.iter().zip(blocks()).all(same)
        };
        let known = lock().iter().find(is_asked).map(|(_, pairs)| pairs.clone());
        if let Some(pairs) = known {
            return Some((*pairs).clone());
        }
        // Others may search at the same time: each of them finds the same.
        let pairs = search()?;
        let stiffness = blocks().map(|block| (block.dofs.start, block.stiffness.clone())).collect();
        let question = Question { mass: system.mass.clone(), stiffness, count };
        let mut found = lock();
        found.push_back((question, Arc::new(pairs.clone())));
        let size = |found: &VecDeque<(Question, Arc<Eigenpairs>)>| -> usize {
            found.iter().map(|(question, pairs)| question.mass.len() * pairs.values.len()).sum()
        };
        while size(&found) > MOST {
            found.pop_front();
        }
        Some(pairs)
    }
}

/// The eigenpairs of a system, which `search` finds where this thread does not know them.
pub(super) fn eigenpairs(
    system: &System,
    count: usize,
    search: impl FnOnce() -> Option<Eigenpairs>,
) -> Option<Eigenpairs> {
    match USED.with_borrow(Clone::clone) {
        Some(known) => known.recall(system, count, search),
        None => search(),
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

    /// The same question is searched for once, any other anew, and outside of `during` nothing is known.
    #[test]
    fn only_the_same_question_is_known() {
        let known = Arc::new(Known::default());
        let searched = std::cell::Cell::new(0);
        let ask = |system: &System, count: usize| {
            let search = || {
                searched.set(searched.get() + 1);
                Some(Eigenpairs { values: vec![2.0 / system.mass[0]], vectors: vec![vec![1.0]] })
            };
            eigenpairs(system, count, search).unwrap().values[0]
        };
        known.during(|| {
            assert_eq!([ask(&mass(1.0), 1), ask(&mass(1.0), 1), ask(&mass(4.0), 1)], [2.0, 2.0, 0.5]);
            assert_eq!(searched.get(), 2);
            ask(&mass(1.0), 2);
            let mut stiffer = mass(1.0);
            stiffer.blocks[0].stiffness = Operator::Diagonal(vec![3.0]);
            ask(&stiffer, 1);
            assert_eq!((searched.get(), known.count()), (4, 4));
        });
        ask(&mass(1.0), 1);
        assert_eq!(searched.get(), 5);
    }
}
