//! Lists that are refilled in each step and never grow: copies have the same room.
//!
//! ```
//! use hamiltone_numerics::list::List;
//!
//! let mut list = List::with_room(3);
//! list.push(1);
//! let copy = list.clone();
//! assert_eq!((&copy[..], copy.capacity() >= 3), (&[1][..], true));
//! ```

use std::{
    ops::{Deref, DerefMut},
    slice::Iter,
};

/// A vector whose clones have its capacity: where no step allocates, no step of a copied state does. That of a vector has no more than it holds.
#[derive(Debug, Default, PartialEq)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    /// An empty list with room for n.
    pub fn with_room(n: usize) -> Self {
        Self(Vec::with_capacity(n))
    }
}

impl<T: Clone> Clone for List<T> {
    fn clone(&self) -> Self {
        let mut items = Vec::with_capacity(self.0.capacity());
        items.extend_from_slice(&self.0);
        Self(items)
    }
}

impl<T> Deref for List<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    #[inline(always)]
    fn into_iter(self) -> Iter<'a, T> {
        self.0.iter()
    }
}
