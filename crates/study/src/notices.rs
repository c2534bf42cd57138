//! The licence notices of all that is linked into the program and the Python package.

/// The notices; the test `supply_chain` of `proofs/product` writes them.
pub const NOTICES: &str = include_str!("notices.txt");
