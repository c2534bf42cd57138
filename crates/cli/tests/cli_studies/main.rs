//! `hamiltone sweep`, `compare` and `fit` as a user meets them.

mod compare;
mod fit;
#[path = "../cli_render/program.rs"]
#[allow(dead_code, reason = "tests of renders use more of it")]
mod program;
mod sweep;
