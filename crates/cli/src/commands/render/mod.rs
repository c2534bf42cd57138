//! `hamiltone render`: renders a scene to a sound, with its energy audit.

mod arguments;
mod files;
mod place;
pub(super) mod space;
mod summary;

pub use arguments::Arguments;

use crate::{
    exit,
    failure::Failure,
    output::{say, tell},
    progress::{self, PATIENCE, PREPARING},
};
use files::Files;
use hamiltone_render::{forecast::forecast, run as run_plan};
use hamiltone_scene::Limits;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Instant;

/// Renders a scene and prints a summary.
///
/// # Errors
/// Invalid input, or a file that cannot be written.
pub fn run(arguments: &Arguments, limits: &Limits) -> Result<u8, Failure> {
    let scene = arguments.scene.open(&[("output.format", "--format", arguments.format.as_ref())], limits)?;
    let text = scene.text().to_string();
    let plan = progress::waiting(arguments.quiet, PREPARING, || scene.plan())?;
    let mut files = Files::new(arguments, text, limits);
    files::check_name(files.sound())?;
    files.check_distinct(plan.inputs.iter().chain([&arguments.scene.scene]))?;
    let needs = forecast(&plan, files.sinks().iter().map(|sink| sink.forecast(&plan)));
    space::check(&needs, limits)?;
    files.create_folders()?;
    let bar = progress_bar(arguments.quiet);
    let begin = Instant::now();
    let outcome = run_plan(&plan, &mut files.sinks(), &mut |done, all| {
        if begin.elapsed() > PATIENCE {
            bar.set_length(all);
            bar.set_position(done);
        }
    });
    bar.finish_and_clear();
    let outcome = outcome.map_err(|error| Failure::Other(error.to_string()))?;
    if !arguments.quiet {
        summary::print(&plan, &outcome, begin.elapsed().as_secs_f64());
        say!("  wrote      {}", files.names(outcome.ok).join(", "));
    }
    outcome.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    if let Some(verdict) = summary::verdict(&plan, &outcome) {
        tell!("error: {verdict}");
        return Ok(exit::FAILED);
    }
    Ok(exit::OK)
}

/// A progress bar; it is drawn on terminals only.
fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("  {bar:40} {percent}% of {len} steps, {eta} left");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
