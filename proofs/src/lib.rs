//! What the proofs share. The proofs themselves are in `tests/`.

pub mod grid;
pub mod parts;
pub mod reference;
pub mod smooth;
pub mod trial;
