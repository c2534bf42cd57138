//! What a step of every scheme costs on every representation of the scenes, by its size and its contacts, with its energy balance and
//! without, beside a plain loop of the same arithmetic measured in turns.
//!
//! `cargo bench -p hamiltone-benches --bench table`, with `-- --quick` in a minute, `-- --help` for more. Figures are the least processor
//! time of several turns. The loop runs as many steps as the scheme has stages, an implicit step counting as one; it has no energy
//! balance. Exponents are those of power laws through the figures: of a step and of its preparation by degrees of freedom, and of
//! what contacts add to a step by their number. The table is archived as Markdown and CSV.

#![allow(clippy::disallowed_methods, reason = "no file depends on the numbers of benchmarks")]

mod case;
mod counts;
mod measure;
mod options;
mod report;

use case::Case;
use measure::{Left, Measured, Ready};
use options::{HELP, Options};
use report::Report;
use std::process::ExitCode;

/// Where a case takes longer than this to prepare, larger ones of its kind are left out, s.
const LONGEST_PREPARATION: f64 = 2.0;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if std::env::args().any(|word| word == "--help") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let done = Options::read(&mut words).and_then(|options| match &options.one {
        Some(words) => counts::one(words),
        None => table(&options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Measures all cases, printing each as it is known.
fn table(options: &Options) -> Result<(), String> {
    if options.count {
        counts::available()?;
    }
    let mut report = Report::new(options.count);
    // The last case that was too slow for larger ones.
    let mut slow: Option<(Case, String)> = None;
    for case in Case::all(options) {
        if let Some((before, why)) = &slow
            && before.continues(&case)
        {
            report.left_out(&case, why);
            continue;
        }
        match measured(&case, options) {
            Ok(row) => {
                if row.preparation + row.body > LONGEST_PREPARATION {
                    slow = Some((
                        case,
                        format!("{} took {:.1} s to prepare", case.size, row.preparation + row.body),
                    ));
                }
                let counts = if options.count { Some(counts::of(&case, &row)?) } else { None };
                report.add(row, counts);
            }
            Err(Left::NotCovered) => {}
            Err(Left::Because(why)) => {
                report.left_out(&case, &why);
                slow = Some((case, format!("as with {} and {} contacts", case.size, case.count)));
            }
        }
    }
    report.finish(options)
}

fn measured(case: &Case, options: &Options) -> Result<Measured, Left> {
    Ready::new(case)?.measure(case, options)
}
