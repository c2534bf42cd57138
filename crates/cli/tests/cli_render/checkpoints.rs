//! Runs that are interrupted and kept, or continued.

use crate::program::{Folder, audit, folder, hamiltone, names, scene};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

/// SI values to the bit: they do not depend on what follows them.
const RAW: [&str; 4] = ["--set", "output.level=\"raw\"", "--format", "64-bit float"];

/// The arguments of a run of the reed for so long.
fn reed(duration: &str) -> Vec<String> {
    let scene = scene("clarinet_reed.toml");
    let arguments = ["render", &scene, "--duration", duration, "-q", "-o", "x.wav", "--audit", "x.json"];
    arguments.into_iter().chain(RAW).map(String::from).collect()
}

fn command(folder: &Path, arguments: &[String], more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamiltone"));
    command.current_dir(folder).args(arguments).args(more).stderr(Stdio::piped());
    command
}

/// The size of the samples of a checkpoint.
fn named(folder: &Folder) -> u64 {
    let sound = names(folder).into_iter().find(|name| name.ends_with(".sound"));
    sound.and_then(|name| fs::metadata(folder.join(name)).ok()).map_or(0, |file| file.len())
}

/// The size of the largest file without a name that a process has open: where samples are without a checkpoint.
fn open(id: u32) -> u64 {
    let files =
        fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten().map(|file| file.path());
    let nameless =
        |path: &PathBuf| fs::read_link(path).is_ok_and(|file| file.to_string_lossy().ends_with(" (deleted)"));
    let sizes = files.filter(nameless).filter_map(|path| fs::metadata(path).ok());
    sizes.map(|file| file.len()).max().unwrap_or(0)
}

/// Ends a run once it has written samples, more than are there from an earlier one, and what it says.
fn interrupted(folder: &Folder, arguments: &[String], more: &[&str], signal: &str) -> Output {
    // The header of the file is no sample.
    let before = named(folder).max(16);
    let mut run: Child = command(folder, arguments, more).spawn().unwrap();
    let samples = |id| if more.contains(&"--checkpoint") { named(folder) } else { open(id) };
    while samples(run.id()) <= before && run.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
    run.wait_with_output().unwrap()
}

/// The sound so far is that of a shorter run to the bit, its audit says that it is partial, and earlier files stay.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_keeps_what_there_is() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let folder = folder("partial");
        fs::write(folder.join("x.wav"), "of an earlier run").unwrap();
        let output = interrupted(&folder, &reed("300 s"), &["--keep-partial"], signal);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{err}");
        assert_eq!(err, "interrupted; what there is was kept as x.partial.wav, x.partial.json\n");
        assert_eq!(names(&folder), ["x.partial.json", "x.partial.wav", "x.wav"]);
        assert_eq!(fs::read(folder.join("x.wav")).unwrap(), b"of an earlier run");
        let written = audit(&folder.join("x.partial.json"));
        assert_eq!((&written["ok"], &written["partial"]), (&false.into(), &true.into()));
        let steps = written["steps"].as_u64().unwrap();
        assert!(0 < steps && steps < 300 * 44_100, "{steps}");
        // Row 0 is a sample, too.
        let duration = format!("{} s", (steps + 1) as f64 / 44_100.0);
        assert!(command(&folder, &reed(&duration), &[]).status().unwrap().success());
        let [partial, shorter] = ["x.partial.wav", "x.wav"].map(|name| fs::read(folder.join(name)).unwrap());
        assert!(partial == shorter, "{} and {} bytes", partial.len(), shorter.len());
        assert_eq!(audit(&folder.join("x.json"))["partial"], false);
    }
}

/// A mix in several files, faded, coupled and normalised, is of the samples alone: it becomes that of a run without a break.
#[test]
fn the_mix_of_a_continued_run_is_that_of_a_whole_one() {
    let (whole, broken) = (folder("whole-mix"), folder("broken-mix"));
    let scene = fs::read_to_string(scene("clarinet_reed_beating.toml")).unwrap();
    let scene = scene.replacen("hamiltone = 1", "hamiltone = 3", 1)
        + "\n[pickup.force]\nat = \"lay\"\nquantity = \"force\"\nbus = \"lay\"\n\n[bus.lay]\nchannels = \"mono\"\n";
    let arguments = ["render", "x.toml", "--duration", "40 s", "-q", "-o", "x.flac", "--audit", "x.json"];
    let arguments = arguments.map(String::from).to_vec();
    for folder in [&whole, &broken] {
        fs::write(folder.join("x.toml"), &scene).unwrap();
    }
    let output = command(&whole, &arguments, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let checkpoint = ["--checkpoint", "c", "--checkpoint-every", "0.01"];
    assert_eq!(interrupted(&broken, &arguments, &checkpoint, "-TERM").status.code(), Some(143));
    assert_eq!(names(&broken), ["c", "c.sound", "x.toml"]);
    let resume = [&checkpoint[..], &["--resume"]].concat();
    let output = command(&broken, &arguments, &resume).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(&broken), ["x.flac", "x.json", "x.lay.flac", "x.toml"]);
    for name in names(&broken) {
        assert!(fs::read(whole.join(&name)).unwrap() == fs::read(broken.join(&name)).unwrap(), "{name}");
    }
}

/// A signal and a kill in the middle: the files become those of a run without a break, and the checkpoint goes.
#[test]
fn an_interrupted_run_is_continued_to_the_same_bits() {
    let (whole, broken) = (folder("whole"), folder("broken"));
    let files = |folder: &Path| ["x.wav", "x.json"].map(|name| fs::read(folder.join(name)).unwrap());
    assert!(command(&whole, &reed("60 s"), &[]).status().unwrap().success());
    let checkpoint = ["--checkpoint", "c", "--checkpoint-every", "0.01"];
    let output = interrupted(&broken, &reed("60 s"), &checkpoint, "-TERM");
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{err}");
    assert_eq!(err, "interrupted; to continue, add --resume: the checkpoint is `c`\n");
    assert_eq!(names(&broken), ["c", "c.sound"]);
    // A run that begins anew would lose it.
    let (output, _, err) = hamiltone(&broken, &["render", &scene("clarinet_reed.toml"), "--checkpoint", "c"]);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("`c`: it exists already: continue from it (--resume)"), "{err}");

    let resume = [&checkpoint[..], &["--resume"]].concat();
    interrupted(&broken, &reed("60 s"), &resume, "-KILL");
    let partial = interrupted(&broken, &reed("60 s"), &[&resume[..], &["--keep-partial"]].concat(), "-INT");
    assert_eq!(partial.status.code(), Some(130));
    assert!(broken.join("c").exists() && broken.join("x.partial.wav").exists());
    for (change, reason) in [
        (["--set", "contact.lay.gap=\"0.3 mm\""], "it is a checkpoint of another run: the scene was "),
        (["--report", "r"], "another run: --report was not asked for, here it is asked for"),
    ] {
        let output = command(&broken, &reed("60 s"), &[&resume[..], &change].concat()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(reason), "{err}");
    }
    let output = command(&broken, &reed("60 s"), &resume).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(files(&broken) == files(&whole));
    let left: Vec<String> = names(&broken).into_iter().filter(|name| !name.ends_with(".part")).collect();
    assert_eq!(left, ["x.json", "x.partial.json", "x.partial.wav", "x.wav"]);
}
