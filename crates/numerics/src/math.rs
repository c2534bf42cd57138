//! Transcendental functions whose bits do not depend on the system.
//!
//! The C library of each operating system rounds `sin`, `exp` or `pow` in its
//! own way; these are the pure-Rust ones of the `libm` crate, the same on every
//! machine. Everything in Hamiltone that a sound depends on calls these.
//! (Square roots are exact by IEEE 754 and need no wrapper.)

pub use libm::{atan2, cos, cosh, exp, expm1, jn, log, log1p, pow, sin, sincos, sinh, tan, tanh};
