//! Contact laws: what happens when bodies touch. One file, one law, one line here.

use hamiltone_core::{law::Touch, parameter::Entry};

/// Every contact law, in the order in which `list` shows them.
pub fn catalogue() -> &'static [Entry<Touch>] {
    &[]
}
