//! The program `hamiltone`: reads the command line and maps what came of it to exit codes.

mod arguments;
mod commands;
mod exit;
mod failure;
mod numbers;
mod output;
mod reproduce;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(commands::run())
}
