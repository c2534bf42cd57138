//! `hamiltone live`: carried out by the program `hamiltone-live`, which needs the sound and MIDI libraries of the system.

use super::program::hand_over;
use crate::failure::Failure;
use clap::Args;
use std::{env, ffi::OsString, io::ErrorKind, path::PathBuf, process::Command};

/// The program.
const PROGRAM: &str = "hamiltone-live";

/// The arguments of `live`, which the other program reads.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct LiveArguments {
    /// The instrument and options: `hamiltone live --help` has them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Hands the arguments to the program beside this one, else to that in the folders of PATH, and returns its exit code.
///
/// # Errors
/// Where it is in neither, or cannot be started.
pub fn run(arguments: &LiveArguments) -> Result<u8, Failure> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().map(|program| program.with_file_name(&name));
    let program = beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(&name));
    let mut live = Command::new(&program);
    live.args(&arguments.arguments);
    hand_over(live).map_err(|error| {
        Failure::Other(match error.kind() {
            ErrorKind::NotFound => format!(
                "`live` is a program of its own, `{PROGRAM}`, which is neither beside this one nor in a folder of PATH; \
                 build it in a clone by `cargo build --release -p {PROGRAM}` (on Debian it needs the package libasound2-dev)"
            ),
            _ => format!("`{}` cannot be started: {error}", program.display()),
        })
    })
}
