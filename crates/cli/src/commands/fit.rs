//! `hamiltone fit`: carried out by the Python package, whose SciPy searches.

use super::program::hand_over;
use crate::failure::Failure;
use clap::Args;
use hamiltone_scene::document::problem::printable;
use std::{
    env,
    ffi::OsString,
    io::Error,
    process::{Command, Stdio},
};

/// The variable that names the interpreter of the package.
const PYTHON: &str = "HAMILTONE_PYTHON";
/// The interpreter where it does not.
const DEFAULT: &str = if cfg!(windows) { "python" } else { "python3" };
/// Succeeds where the package can be imported, from where packages are installed and not from the folder at hand.
const IS_THERE: &str = "\
import importlib.util, sys
sys.path = [path for path in sys.path if path]
sys.exit(importlib.util.find_spec('hamiltone._hamiltone') is None)";
/// Runs the command line of the package, likewise.
const RUN: &str = "\
import sys
sys.path = [path for path in sys.path if path]
from hamiltone.__main__ import main
sys.exit(main(sys.argv[1:]))";

/// The arguments of `fit`, which the package reads.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct FitArguments {
    /// The scene, the target and options: `hamiltone fit --help` has them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Hands the arguments to the package and returns its exit code.
///
/// # Errors
/// Where there is no interpreter with the package.
pub fn run(arguments: &FitArguments) -> Result<u8, Failure> {
    let python = env::var_os(PYTHON).filter(|name| !name.is_empty()).unwrap_or_else(|| DEFAULT.into());
    let name = printable(&python.to_string_lossy());
    let help = format!("name the interpreter that has the Python package hamiltone in {PYTHON}");
    let unable = |error: Error| Failure::Other(format!("`{name}` cannot be started: {error}; {help}"));
    let mut check = Command::new(&python);
    check.args(["-c", IS_THERE]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if !check.status().map_err(unable)?.success() {
        return Err(Failure::Other(format!(
            "`fit` is a part of the Python package hamiltone, which `{name}` does not have; install it by \
             `pip install './python[fit]'` in a clone, or {help}"
        )));
    }
    let mut fit = Command::new(&python);
    fit.args(["-c", RUN, "fit"]).args(&arguments.arguments);
    hand_over(fit).map_err(unable)
}
