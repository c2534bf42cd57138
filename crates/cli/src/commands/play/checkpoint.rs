//! The checkpoint of a performance, from which another process continues it to the same bits.

use super::arguments::PlayArguments;
use crate::{failure::Failure, interrupt};
use hamiltone_plan::control_curve::ControlCurve;
use hamiltone_play::offline::Performer;
use hamiltone_render::{
    Checkpoint,
    checkpoint::{Interval, Saver},
};
use hamiltone_scene::{Plan, digest::sha256};
use std::{fs, path::PathBuf, time::Duration};

/// The checkpoint that the command line asks for.
pub fn checkpoint(arguments: &PlayArguments) -> Option<Checkpoint> {
    let mut checkpoint = Checkpoint::new(arguments.checkpoint.as_ref()?);
    checkpoint.interval = Interval::Time(Duration::from_secs_f64(arguments.checkpoint_every));
    checkpoint.resume = arguments.resume;
    Some(checkpoint)
}

/// What a performance was asked for besides its instrument and song: files by their digests.
pub fn options(arguments: &PlayArguments) -> Vec<(String, String)> {
    let digest = |path: &Option<PathBuf>| match path {
        Some(path) => fs::read(path).map(|bytes| sha256(&bytes)).unwrap_or_default(),
        None => "none".into(),
    };
    let curve = |curve: &Option<ControlCurve>| match curve {
        Some(curve) => curve.to_string(),
        None => "none".into(),
    };
    [
        ("--tuning", digest(&arguments.tuning)),
        ("--keyboard", digest(&arguments.keyboard)),
        ("--part", format!("{:?}", arguments.part)),
        ("--tail", arguments.tail.to_string()),
        ("--velocity-curve", curve(&arguments.velocity_curve)),
        ("--pedal-curve", curve(&arguments.pedal_curve)),
        ("--preset", arguments.preset.clone().unwrap_or_else(|| "none".into())),
    ]
    .map(|(option, value)| (option.to_string(), value))
    .into()
}

/// Begins a performance that is saved, or continues one: from here on a signal ends it in order.
///
/// # Errors
/// A checkpoint that exists though none is to be continued; one that is missing, damaged or of another performance.
pub fn open(
    arguments: &PlayArguments,
    plan: &Plan,
    song: &str,
    performer: &mut Performer<'_>,
) -> Result<Option<Saver>, Failure> {
    let Some(mut checkpoint) = checkpoint(arguments) else { return Ok(None) };
    checkpoint.options = options(arguments);
    checkpoint.options.push(("the song".into(), song.into()));
    let failed = |error: hamiltone_render::SinkError| Failure::Other(error.to_string());
    let (mut saver, contents) = Saver::open(checkpoint, plan).map_err(failed)?;
    match contents {
        Some(contents) => {
            let restored = performer.restore(&contents.state, &contents.sections);
            restored.map_err(|reason| failed(saver.refuse(reason)))?;
            saver.continue_at(performer.frames());
        }
        None => {
            let (state, sections) = performer.save().map_err(failed)?;
            saver.save(0, state, sections).map_err(failed)?;
        }
    }
    interrupt::end_in_order();
    Ok(Some(saver))
}
