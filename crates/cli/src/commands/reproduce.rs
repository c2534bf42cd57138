//! `hamiltone reproduce`: recomputes figures and tables of papers.

use crate::{
    exit,
    failure::Failure,
    output::say,
    reproduce::{Options, reproduce},
};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The arguments of `reproduce`.
#[derive(Args)]
pub struct ReproduceArguments {
    /// The paper, such as ducceschi_2017
    #[arg(conflicts_with = "all")]
    paper: Option<String>,
    /// The figure or table, such as fig6
    figure: Option<String>,
    /// Every figure of every paper
    #[arg(long)]
    all: bool,
    /// Use the duration of the paper, also where that takes more than 30 s
    #[arg(long)]
    full: bool,
    /// Folder for figures (SVG) and tables (CSV); by default `reproduced`
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

/// Recomputes them, or lists those that there are.
///
/// # Errors
/// An unknown name, or a file that cannot be written.
pub fn run(arguments: &ReproduceArguments, threads: Option<usize>) -> Result<u8, Failure> {
    let options = Options { all: arguments.all, full: arguments.full, out: arguments.out.clone(), threads };
    let text = reproduce(arguments.paper.as_deref(), arguments.figure.as_deref(), &options);
    let text = text.map_err(|failure| Failure::Other(failure.to_string()))?;
    say!("{}", text.trim_end_matches('\n'));
    Ok(exit::OK)
}
