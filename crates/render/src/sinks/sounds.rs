//! The sound files of a run: one for each bus, in the format that their extension names.
//!
//! | bus | file |
//! |---|---|
//! | the first | `out.wav`, as it is asked for |
//! | `room` | `out.room.wav` beside it |

use super::{SoundSink, flac::Flac, stage, wav::Wav};
use crate::{
    file::Staged,
    forecast::Forecast,
    outcome::Outcome,
    sink::{Sink, SinkError},
    sound::Sound,
    target::Ending,
};
use hamiltone_core::state::Archive;
use hamiltone_plan::{Plan, SampleFormat};
use hamiltone_scene::document::problem::printable_path;
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

/// The sound files of a run, which are written together.
pub struct Sounds(pub Vec<SoundFile>);

impl Sounds {
    /// Writes a sound that ended so, after [`Sink::start`]; [`Sink::finish`] does this with the sound of a run.
    ///
    /// # Errors
    /// Where a file cannot be written, or the samples cannot be read.
    pub fn stage(
        &mut self,
        sound: &Sound,
        format: SampleFormat,
        ending: Ending,
    ) -> Result<Vec<Staged>, SinkError> {
        let mut sinks: Vec<&mut dyn SoundSink> =
            self.0.iter_mut().map(|file| &mut *file.sink as &mut dyn SoundSink).collect();
        stage(&mut sinks, sound, format, ending)
    }
}

impl Sink for Sounds {
    fn forecast(&self, plan: &Plan) -> Forecast {
        let files = self.0.iter().flat_map(|file| file.sink.forecast(plan).files).collect();
        Forecast { files, ..Forecast::default() }
    }

    fn start(&mut self, plan: &Plan) -> Result<(), SinkError> {
        self.0.iter_mut().try_for_each(|file| file.sink.start(plan))
    }

    fn wants_each_gap(&self) -> bool {
        false
    }

    fn finish(&mut self, plan: &Plan, outcome: &Outcome) -> Result<Vec<Staged>, SinkError> {
        self.stage(&outcome.sound, plan.output.format, outcome.ending)
    }

    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The samples are in the checkpoint of the run.
        Ok(())
    }
}

/// The formats of sound files.
#[derive(Clone, Copy)]
enum SoundFormat {
    Wav,
    Flac,
}

/// The sound files of a plan, the first of which is `path`.
///
/// # Errors
/// Standard output, and extensions of other formats.
pub fn sounds(path: &Path, plan: &Plan) -> Result<Sounds, String> {
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
            SoundFormat::Wav => Box::new(Wav::of_bus(&path, bus)),
            SoundFormat::Flac => Box::new(Flac::of_bus(&path, bus)),
        };
        SoundFile { what, path, sink }
    };
    Ok(Sounds((0..count).map(file).collect()))
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
fn container(path: &Path) -> Result<SoundFormat, String> {
    if path.as_os_str() == "-" {
        return Err(
            "the sound cannot be written to standard output; give a file, such as -o sound.wav".into()
        );
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "" | "wav" | "wave" => Ok(SoundFormat::Wav),
        "flac" => Ok(SoundFormat::Flac),
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
    use crate::{run::run, spool::READ};
    use hamiltone_scene::Scene;
    use std::fs;

    /// Every file of a run needs the samples of its own pickups: with four times the pickups and buses four times as many numbers are
    /// read, to the last one.
    #[test]
    fn the_work_of_buses_is_linear() {
        let read = |count: usize| {
            let buses: String = (0..count)
                .map(|i| format!("[bus.b{i}]\n[pickup.p{i}]\nat = \"fork\"\nbus = \"b{i}\"\n"))
                .collect();
            let text = format!(
                "hamiltone = 3\nrun.duration = \"10 ms\"\n\
                 body.fork = {{ kind = \"oscillator\", mass = 1, frequency = 440, velocity = 1 }}\n{buses}"
            );
            let plan = Scene::new(&text, "x.toml", ".".as_ref(), &[]).plan().unwrap();
            let folder = std::env::temp_dir().join(format!("hamiltone-buses-{}-{count}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            let mut files = sounds(&folder.join("x.wav"), &plan).unwrap();
            READ.set(0);
            run(&plan, &mut [&mut files], &mut |_, _| {}).unwrap();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), count);
            fs::remove_dir_all(folder).unwrap();
            READ.get()
        };
        let few = read(5);
        assert!(few > 0 && read(20) == 4 * few);
    }

    #[test]
    fn a_bus_is_named_before_the_extension() {
        assert_eq!(beside(Path::new("out/a.b.wav"), "room"), PathBuf::from("out/a.b.room.wav"));
        assert_eq!(beside(Path::new("a"), "room"), PathBuf::from("a.room"));
    }
}
