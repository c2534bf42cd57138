//! The tests of plots and reports.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod readme_pictures;
mod report;
