//! Outputs that would take the place of an input, of another output, or of a checkpoint.

use crate::{checkpoint::Checkpoint, place::Place, target::Ending};
use hamiltone_scene::document::problem::printable_path;
use std::path::PathBuf;

/// Checks that no output overwrites an input or another output under any of its names, and that none lies in another.
/// `outputs` have what messages call them and the name of a good run.
///
/// # Errors
/// The two that are the same file, or of which one would be a folder.
pub fn check_distinct<'a>(
    outputs: impl IntoIterator<Item = (String, &'a PathBuf)>,
    checkpoint: Option<&Checkpoint>,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), String> {
    let mut names = Vec::new();
    for (what, path) in outputs {
        let of = ["", " of a failed run", " of an interrupted run"];
        let endings = Ending::ALL.map(|ending| ending.name(path));
        names.extend(of.into_iter().zip(endings).map(|(of, name)| (format!("{what}{of}"), name)));
    }
    if let Some(checkpoint) = checkpoint {
        let data = [checkpoint.path.clone(), checkpoint.data("sound")];
        let files = data.iter().chain(&checkpoint.files);
        names.extend(files.map(|path| ("a file of the checkpoint".to_string(), path.clone())));
    }
    let input = |path: &PathBuf| ("an input".to_string(), Place::of(path));
    let mut taken: Vec<(String, Place)> = inputs.into_iter().map(input).collect();
    let count = taken.len();
    for (what, path) in names {
        let place = Place::of(&path);
        if let Some((other, _)) = taken.iter().find(|(_, taken)| taken.is(&place)) {
            let path = printable_path(&path);
            return Err(format!("{what} and {other} are the same file, `{path}`; choose another name"));
        }
        // A folder that is an input's file cannot be created, and is reported then.
        let mut outputs = taken.iter().skip(count);
        if let Some((other, _)) = outputs.find(|(_, taken)| taken.is_around(&place)) {
            let path = printable_path(&path);
            return Err(format!(
                "{what}, `{path}`, and {other}: one would be a folder of the other; choose another name"
            ));
        }
        taken.push((what, place));
    }
    Ok(())
}
