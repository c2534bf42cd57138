//! What the proofs share. The proofs themselves are in `tests/`.

pub mod parts;
