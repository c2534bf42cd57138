//! What the proofs share. The proofs themselves are in `tests/`.

pub mod grid;
pub mod parts;
pub mod trial;
