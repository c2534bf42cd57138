//! The output side: the run loop and what its sinks write.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod altered;
mod audit;
mod commit;
mod contacts;
mod forecast;
mod level;
mod mix;
mod partial;
mod reed;
mod run;
mod states;
mod verdict;
mod wav;
