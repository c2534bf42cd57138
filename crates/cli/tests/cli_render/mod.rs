//! `hamiltone render` as a user meets it: exit codes, what is printed, what is written.

mod buses;
#[cfg(unix)]
mod checkpoints;
mod fingers;
mod limits;
mod outputs;
mod passive;
mod races;
mod rounding;
mod runs;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod streams;
