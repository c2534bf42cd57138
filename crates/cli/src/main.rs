//! The program `hamiltone`: reads the command line and maps what came of it to exit codes.

mod commands;
mod reproduce;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(commands::run())
}
