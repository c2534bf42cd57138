//! The program on the device without hardware: files, what it prints, exit codes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The program in the root of the workspace, where the folder `instruments` is.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamiltone-live"));
    let output =
        command.args(arguments).current_dir(root).env("HAMILTONE_CACHE", "off").stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = output.expect("it can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("a code"), text(stdout), text(stderr))
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("hamiltone-live-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_performance_without_hardware_is_recorded_with_its_audit() {
    let folder = Folder::new("recorded");
    let (wav, json) = (folder.file("x.wav"), folder.file("x.json"));
    let (code, out, wrong) = run(&["kalimba", "--device", "null", "--seconds", "0.5", "--record", &wav]);
    assert_eq!(code, 0, "{out}{wrong}");
    for part in
        ["null: 48000 Hz, 2 channels, blocks of 256 samples", "balance    exact", ": ok", "xruns", "x.wav"]
    {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    let audit: serde_json::Value = serde_json::from_slice(&fs::read(json).expect("an audit")).expect("JSON");
    assert_eq!(
        (&audit["ok"], &audit["notes"], &audit["input_sha256"]),
        (&true.into(), &0.into(), &"played live".into())
    );
    assert!(audit["live"]["late_blocks"].is_u64() && audit["live"]["unrecorded_samples"] == 0);
    let duration = audit["duration_s"].as_f64().expect("a duration");
    // Where the machine is busy there are gaps, which sound as long as nothing.
    assert!(duration > 0.0, "{duration} s");
    // 24 bits on two channels.
    let bytes = fs::metadata(wav).expect("a sound").len() as f64;
    assert!((bytes / 6.0 - 48_000.0 * duration).abs() < 100.0, "{bytes} bytes of {duration} s");
}

#[test]
fn what_is_wrong_with_the_command_line_is_told() {
    let folder = Folder::new("wrong");
    let sound = folder.file("x.mp3");
    let cases: [(&[&str], &str); 8] = [
        (&["theremin", "--device", "null"], "neither a file of this name nor instruments/theremin.toml"),
        (&["kalimba", "--device", "no such device"], "--device no such device"),
        (&["kalimba", "--device", "null", "--keys"], "no terminal"),
        (&["kalimba", "--device", "null", "--preset", "none"], "no preset `none`"),
        (&["kalimba", "--device", "null", "--set", "run.nothing=1"], "nothing"),
        (&["kalimba", "--device", "null", "--seconds", "0"], "a number of seconds above 0"),
        (&["kalimba", "--device", "null", "--seconds", "1", "--record", &sound], "written as .wav or .flac"),
        (&["ensembles/string_quartet.toml", "--device", "null"], "is an ensemble"),
    ];
    for (arguments, message) in cases {
        let (code, out, wrong) = run(arguments);
        assert!(code == 2 && wrong.contains(message), "{arguments:?}: {code}\n{out}{wrong}");
    }
}

#[test]
fn help_and_devices_are_listed() {
    let (code, help, _) = run(&["--help"]);
    assert!(code == 0 && help.contains("hamiltone live guitar") && help.contains("--list-devices"), "{help}");
    let (code, devices, _) = run(&["--list-devices"]);
    assert!(code == 0 && devices.contains("sound devices") && devices.contains("MIDI inputs"), "{devices}");
}
