//! The program `hamiltone`: runs the command line and returns its exit code.

mod arguments;
mod commands;
mod exit;
mod failure;
mod interrupt;
mod numbers;
mod output;
mod progress;
mod reproduce;
mod resources;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(commands::run())
}
