//! What the product is held to: its documents, its sources, its packages, its scenes.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of tests")]

mod coverage_table;
mod defaults;
mod imports;
mod packages;
mod random_judge;
mod supply_chain;
mod tidy;
mod transcendental;
mod tuning;
