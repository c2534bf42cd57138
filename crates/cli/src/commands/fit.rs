//! `hamiltone fit`: carried out by the Python package, whose SciPy searches.

use crate::failure::Failure;
use clap::Args;
use std::{
    env,
    ffi::OsString,
    process::{Command, Stdio},
};

/// The variable that names the interpreter of the package.
const PYTHON: &str = "HAMILTONE_PYTHON";
/// The interpreter where it does not.
const DEFAULT: &str = if cfg!(windows) { "python" } else { "python3" };
/// Succeeds where the package can be imported.
const IS_THERE: &str = "import importlib.util, sys; sys.exit(importlib.util.find_spec('hamiltone') is None)";

/// The arguments of `fit`, which the package reads.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// The scene, the target and options: `hamiltone fit --help` has them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Hands the arguments to the package and returns its exit code.
///
/// # Errors
/// Where there is no interpreter with the package.
pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let python = env::var_os(PYTHON).unwrap_or_else(|| DEFAULT.into());
    let missing = || {
        let python = python.to_string_lossy();
        Failure::Other(format!(
            "`fit` is a part of the Python package hamiltone, which `{python}` does not have; install it by \
             `pip install './python[fit]'` in a clone, or name its interpreter in {PYTHON}"
        ))
    };
    let mut check = Command::new(&python);
    check.args(["-c", IS_THERE]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !check.status().is_ok_and(|status| status.success()) {
        return Err(missing());
    }
    let mut fit = Command::new(&python);
    fit.args(["-m", "hamiltone", "fit"]).args(&arguments.arguments);
    hand_over(fit).map_err(|_| missing())
}

/// Becomes this process, so that signals reach it and its exit code is ours.
#[cfg(unix)]
fn hand_over(mut command: Command) -> std::io::Result<u8> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Waits for this process and returns its exit code.
#[cfg(not(unix))]
fn hand_over(mut command: Command) -> std::io::Result<u8> {
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::exit::FAILED))
}
