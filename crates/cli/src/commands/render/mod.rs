//! `hamiltone render`: renders a scene to a sound, with its energy audit.

mod arguments;
mod files;
pub(super) mod space;
pub(super) mod summary;

pub use arguments::RenderArguments;

use crate::{
    exit,
    failure::Failure,
    interrupt,
    output::{say, tell},
    progress::{self, PREPARING, SHOWN_AFTER},
};
use files::RenderFiles;
use hamiltone_render::{Ending, Options, RunError, forecast::forecast, run_with};
use hamiltone_scene::{Limits, document::problem::printable_path};
use std::time::Instant;

/// Renders a scene and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &RenderArguments, limits: &Limits) -> Result<u8, Failure> {
    let scene = arguments.scene.open(&[("output.format", "--format", arguments.format.as_ref())], limits)?;
    let text = scene.text().to_string();
    let plan = progress::waiting(arguments.quiet, PREPARING, || scene.plan())?;
    let mut files = RenderFiles::new(arguments, &plan, text, limits)?;
    files.check_distinct(plan.inputs.iter().chain([&arguments.scene.scene]))?;
    let needs = forecast(&plan, &files.storage(), files.sinks().iter().map(|sink| sink.forecast(&plan)));
    space::check(&needs, arguments.resume, limits)?;
    files.create_folders()?;
    let bar = progress::bar(arguments.quiet, "steps");
    let begin = Instant::now();
    let graceful = arguments.keep_partial || arguments.checkpoint.is_some();
    let options = Options {
        storage: files.storage(),
        checkpoint: files.checkpoint().cloned(),
        stop: Some(interrupt::stop()),
        keep_partial: arguments.keep_partial,
        prepared: None,
        audit_every: Some(arguments.audit_every),
    };
    let mut progress = |done, all| {
        // Until here there is nothing to keep, and a signal ends the program at once.
        if graceful {
            interrupt::end_in_order();
        }
        if begin.elapsed() > SHOWN_AFTER {
            bar.set_length(all);
            bar.set_position(done);
        }
    };
    let outcome = run_with(&plan, &mut files.sinks(), &mut progress, options);
    bar.finish_and_clear();
    let outcome = match outcome {
        Err(RunError::Stopped) => {
            if let Some(checkpoint) = files.checkpoint() {
                tell!(
                    "interrupted; to continue, add --resume: the checkpoint is `{}`",
                    printable_path(&checkpoint.path)
                );
            }
            return Ok(exit::signalled(interrupt::signal()));
        }
        outcome => outcome.map_err(|error| Failure::Other(error.to_string()))?,
    };
    if !arguments.quiet {
        summary::print(&plan, &outcome, begin.elapsed().as_secs_f64());
        say!("  wrote      {}", files.names(outcome.ending).join(", "));
    }
    outcome.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    if outcome.ending == Ending::Interrupted {
        tell!("interrupted; what there is was kept as {}", files.names(outcome.ending).join(", "));
        return Ok(exit::signalled(interrupt::signal()));
    }
    let failure = outcome.failure(&plan);
    failure.iter().for_each(|failure| tell!("error: {failure}"));
    if let Some(signal) = interrupt::signal() {
        tell!("interrupted after the files were written");
        return Ok(exit::signalled(Some(signal)));
    }
    Ok(if failure.is_some() { exit::FAILED } else { exit::OK })
}
