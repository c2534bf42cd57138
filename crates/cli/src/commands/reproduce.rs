//! `hamiltone reproduce`: the figures and tables of papers, made again.

use super::{Failure, SOUND};
use crate::reproduce::{Options, reproduce};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// What `reproduce` takes.
#[derive(Args)]
pub struct Arguments {
    /// The paper, such as ducceschi_2017
    #[arg(conflicts_with = "all")]
    paper: Option<String>,
    /// The figure or table, such as fig6
    figure: Option<String>,
    /// Every figure of every paper
    #[arg(long)]
    all: bool,
    /// The paper's own length also where it takes more than 30 s
    #[arg(long)]
    full: bool,
    /// The folder for the pictures; without it `reproduced`
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

/// Makes them, or lists what there is.
pub fn run(arguments: &Arguments, threads: Option<u16>) -> Result<u8, Failure> {
    let options = Options {
        all: arguments.all,
        full: arguments.full,
        out: arguments.out.clone(),
        threads: threads.map(usize::from),
    };
    let text = reproduce(arguments.paper.as_deref(), arguments.figure.as_deref(), &options);
    let text = text.map_err(|failure| Failure::Other(failure.to_string()))?;
    say!("{}", text.trim_end_matches('\n'));
    Ok(SOUND)
}
