//! Hamiltone: physical-modelling sound synthesis whose every step keeps its energy books.

pub mod plan;
pub mod plot;
