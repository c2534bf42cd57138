//! The program `hamiltone-live`: runs the command line and returns its exit code.

use clap::Parser;
use hamiltone_live::{arguments::Arguments, performance};
use std::process::ExitCode;

fn main() -> ExitCode {
    let code = performance::run(&Arguments::parse()).unwrap_or_else(|failure| failure.show());
    ExitCode::from(code)
}
