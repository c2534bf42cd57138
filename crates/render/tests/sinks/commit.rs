//! The files of a run get their names together: none changes before, and none where one of them cannot have its name.

use super::{
    reed::{folder, plucked, render},
    run::BREAKING,
};
use hamiltone_plan::Plan;
use hamiltone_render::{
    Outcome, RunError, Sink, SinkError, Staged, run,
    sinks::{audit::AuditFile, states::States, wav::Wav},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Does something after the last block, when all other sinks have begun their files.
struct AtTheEnd<F: FnMut() -> Result<(), SinkError>>(F);

impl<F: FnMut() -> Result<(), SinkError>> Sink for AtTheEnd<F> {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        (self.0)().map(|()| Vec::new())
    }
}

/// The files of a folder, hidden ones included, with their contents.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(path).unwrap())).collect()
}

/// A run with three files, and something that happens at its end.
fn run_with(
    plan: &Plan,
    folder: &Path,
    at_the_end: impl FnMut() -> Result<(), SinkError>,
) -> Result<Outcome, RunError> {
    run(
        plan,
        &mut [
            &mut Wav::new(folder.join("x.wav")),
            &mut AuditFile::new(folder.join("x.json")),
            &mut States::new(folder.join("x.npz"), None, false),
            &mut AtTheEnd(at_the_end),
        ],
        &mut |_, _| {},
    )
}

#[test]
fn a_run_that_fails_at_its_end_changes_no_file() {
    let folder = folder("commit-none");
    assert!(run_with(&plucked(100, 1), &folder, || Ok(())).is_ok_and(|outcome| outcome.ok));
    let before = contents(&folder);
    assert_eq!(before.keys().collect::<Vec<_>>(), ["x.json", "x.npz", "x.wav"]);
    let full = || Err(SinkError { path: "x".into(), reason: "the device is full".into() });
    assert!(run_with(&plucked(200, 1), &folder, full).is_err());
    assert!(contents(&folder) == before);
}

/// A folder appears where the last file is to be: the files that have their new names already are restored, those that
/// did not exist are removed.
#[test]
fn one_rename_that_fails_undoes_the_others() {
    for earlier in [true, false] {
        let folder = folder(&format!("commit-undone-{earlier}"));
        if earlier {
            render(&plucked(100, 1), &mut [&mut Wav::new(folder.join("x.wav"))]);
            render(&plucked(100, 1), &mut [&mut AuditFile::new(folder.join("x.json"))]);
        }
        fs::write(folder.join("x.failed.wav"), "of an earlier run").unwrap();
        let before = contents(&folder);
        let obstacle = || {
            fs::create_dir(folder.join("x.npz")).unwrap();
            Ok(())
        };
        let error = run_with(&plucked(200, 1), &folder, obstacle).err().unwrap().to_string();
        assert!(error.contains("cannot write `") && error.contains("x.npz"), "{error}");
        assert!(contents(&folder) == before, "{:?}", contents(&folder).keys());
    }
}

#[test]
fn a_failed_run_keeps_the_sound_of_an_earlier_one() {
    let folder = folder("commit-failed");
    let names = || contents(&folder).into_keys().collect::<Vec<_>>();
    let mut plan = plucked(100, 1);
    let run = |plan: &Plan| render(plan, &mut [&mut Wav::new(folder.join("reed.wav"))]);
    run(&plan);
    assert_eq!(names(), ["reed.wav"]);
    let good = fs::read(folder.join("reed.wav")).unwrap();
    let scheme = std::mem::replace(&mut plan.scheme, Box::new(BREAKING));
    run(&plan);
    assert_eq!(names(), ["reed.failed.wav", "reed.wav"]);
    assert!(fs::read(folder.join("reed.wav")).unwrap() == good);
    plan.scheme = scheme;
    run(&plan);
    assert_eq!(names(), ["reed.wav"]);
}

/// What stands under the name of a temporary file is neither opened nor followed.
#[cfg(unix)]
#[test]
fn a_symbolic_link_under_a_temporary_name_is_not_followed() {
    let folder = folder("commit-planted");
    let victim = folder.join("victim");
    fs::write(&victim, "precious").unwrap();
    let planted = |name: String| std::os::unix::fs::symlink(&victim, folder.join(name)).unwrap();
    planted("x.wav.part".into());
    // The tests of this process share the numbers: some of these are still to come.
    (0..3000).for_each(|n| planted(format!(".hamiltone-{}-{n}.part", std::process::id())));
    assert!(run_with(&plucked(100, 1), &folder, || Ok(())).is_ok_and(|outcome| outcome.ok));
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert!(fs::symlink_metadata(folder.join("x.wav")).unwrap().is_file());
}

/// An output that is a symbolic link stays one: its target is replaced, by a file of the target's own folder.
#[cfg(unix)]
#[test]
fn a_link_as_an_output_stays() {
    let folder = folder("commit-link");
    let target: PathBuf = folder.join("elsewhere/sound.wav");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    fs::write(&target, "").unwrap();
    std::os::unix::fs::symlink(&target, folder.join("x.wav")).unwrap();
    assert!(run_with(&plucked(100, 1), &folder, || Ok(())).is_ok_and(|outcome| outcome.ok));
    assert!(fs::symlink_metadata(folder.join("x.wav")).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap().len(), 44 + 2 * 2 * 100);
}

/// What a killed run left is removed by the next one in the folder; all else stays.
#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let folder = folder("commit-leftover");
    for name in [".hamiltone-4194305-1.part", ".hamiltone-4194305-2.previous", "notes.part"] {
        fs::write(folder.join(name), "of a run that was killed").unwrap();
    }
    assert!(run_with(&plucked(100, 1), &folder, || Ok(())).is_ok_and(|outcome| outcome.ok));
    let names: Vec<String> = contents(&folder).into_keys().collect();
    assert_eq!(names, [".hamiltone-4194305-2.previous", "notes.part", "x.json", "x.npz", "x.wav"]);
}

/// A link stays a link: the file that it leads to is replaced, or created where there is none; links in a circle are refused.
#[cfg(unix)]
#[test]
fn an_output_is_written_through_a_symbolic_link() {
    use std::os::unix::fs::symlink;
    let folder = folder("commit-links");
    fs::create_dir_all(folder.join("elsewhere")).unwrap();
    fs::write(folder.join("elsewhere/x.json"), "of an earlier run").unwrap();
    symlink("elsewhere/x.json", folder.join("x.json")).unwrap();
    symlink("elsewhere/y.wav", folder.join("middle")).unwrap();
    symlink("middle", folder.join("x.wav")).unwrap();
    assert!(run_with(&plucked(100, 1), &folder, || Ok(())).is_ok_and(|outcome| outcome.ok));
    for (link, file) in [("x.json", "elsewhere/x.json"), ("x.wav", "elsewhere/y.wav")] {
        assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink(), "{link}");
        assert!(fs::symlink_metadata(folder.join(file)).unwrap().is_file(), "{file}");
    }
    assert!(fs::read(folder.join("elsewhere/x.json")).unwrap().starts_with(b"{"));
    assert!(fs::read(folder.join("elsewhere/y.wav")).unwrap().starts_with(b"RIFF"));
    assert_eq!(contents(&folder.join("elsewhere")).len(), 2, "nothing temporary is left");

    symlink("b", folder.join("a")).unwrap();
    symlink("a", folder.join("b")).unwrap();
    let circle = run(&plucked(100, 1), &mut [&mut Wav::new(folder.join("a"))], &mut |_, _| {});
    let circle = circle.err().unwrap().to_string();
    assert!(circle.contains("its symbolic links lead in a circle"), "{circle}");
    assert!(fs::symlink_metadata(folder.join("a")).unwrap().is_symlink());
}
