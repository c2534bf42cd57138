//! The tests of the run loop and its files.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod decay;
mod edges;
mod pitch;
mod scene_long;
mod scene_random;
mod scene_score;
mod scene_surfaces;
mod scene_sustained;
mod scene_values;
mod sinks;
