//! The tests of the contact laws.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod cancellation;
mod felt;
mod quotient;
mod slopes;
