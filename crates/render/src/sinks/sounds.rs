//! The sound files of a run: one for each bus, in the format that their extension names.
//!
//! | bus | file |
//! |---|---|
//! | the first | `out.wav`, as it is asked for |
//! | `room` | `out.room.wav` beside it |

use super::{SoundSink, flac::Flac, wav::Wav};
use hamiltone_scene::{Plan, document::problem::printable_path};
use std::path::{Path, PathBuf};

/// A sound file.
pub struct SoundFile {
    /// What messages call it.
    pub what: String,
    /// Its name.
    pub path: PathBuf,
    /// What writes it.
    pub sink: Box<dyn SoundSink>,
}

/// The formats of sound files.
#[derive(Clone, Copy)]
enum Container {
    Wav,
    Flac,
}

/// The sound files of a plan, the first of which is `path`.
///
/// # Errors
/// Standard output, and extensions of other formats.
pub fn sounds(path: &Path, plan: &Plan) -> Result<Vec<SoundFile>, String> {
    let container = container(path)?;
    // Where no pickup is in a bus, the sink of the first refuses.
    let count = plan.output.buses.len().max(1);
    let file = |bus: usize| {
        let name = plan.output.buses.get(bus).map_or("", |bus| bus.name.as_str());
        let (what, path) = match bus {
            0 => ("the sound".into(), path.to_path_buf()),
            _ => (format!("the sound of bus `{name}`"), beside(path, name)),
        };
        let sink: Box<dyn SoundSink> = match container {
            Container::Wav => Box::new(Wav::of_bus(&path, bus)),
            Container::Flac => Box::new(Flac::of_bus(&path, bus)),
        };
        SoundFile { what, path, sink }
    };
    Ok((0..count).map(file).collect())
}

/// The name with that of a bus before its extension.
fn beside(path: &Path, bus: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(bus);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The format that the name of a sound asks for; WAV without an extension.
fn container(path: &Path) -> Result<Container, String> {
    if path.as_os_str() == "-" {
        return Err(
            "the sound cannot be written to standard output; give a file, such as -o sound.wav".into()
        );
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "" | "wav" | "wave" => Ok(Container::Wav),
        "flac" => Ok(Container::Flac),
        _ => Err(format!(
            "`{}`: sounds are written as .wav or .flac; use -o {}",
            printable_path(path),
            printable_path(path.with_extension("wav"))
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_is_named_before_the_extension() {
        assert_eq!(beside(Path::new("out/a.b.wav"), "room"), PathBuf::from("out/a.b.room.wav"));
        assert_eq!(beside(Path::new("a"), "room"), PathBuf::from("a.room"));
    }
}
