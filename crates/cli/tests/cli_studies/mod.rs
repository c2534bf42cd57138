//! `hamiltone sweep`, `compare` and `fit` as a user meets them.

mod compare;
mod fit;
mod sweep;
