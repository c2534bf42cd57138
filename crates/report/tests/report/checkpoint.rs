//! Runs that are killed and continued: all outputs are those of a run without a break, to the bit.
//!
//! The killed runs are processes of their own, which end without a warning at fixed places: this test starts itself.

use super::{folder, reed};
use hamiltone_core::state::Archive;
use hamiltone_render::{
    Block, Checkpoint, Options, Outcome, RunError, Sink, SinkError, Staged,
    checkpoint::Interval,
    options::Storage,
    run_with,
    sinks::{audit::AuditFile, states::States, wav::Wav},
};
use hamiltone_report::Report;
use hamiltone_scene::{Plan, Scene};
use sha2::{Digest, Sha256};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio, abort},
};

/// How the parent tells a child what to do: `FOLDER|PLAN|PLACE|STEP`.
const CHILD: &str = "HAMILTONE_TEST_CHILD";
/// Steps from one checkpoint to the next.
const EVERY: u64 = 512;

/// A mass on a plate with a rigid contact, whose impulses the scheme adds up between two samples.
const PLATE: &str = r#"
hamiltone = 1
[run]
scheme = "modal-moreau-jean"
duration = "60 ms"
oversampling = 4
[body.plate]
kind = "plate"
modes = 12
length = "40 cm"
width = "30 cm"
thickness = "1 mm"
[body.ball]
kind = "mass"
mass = "2 g"
velocity = "-1 m/s"
position = "1 mm"
[contact.rigid]
between = ["plate@0.3,0.4", "ball"]
law = "rigid"
restitution = 0.6
[drive.weight]
at = "ball"
kind = "constant"
value = "-1 N"
[pickup.left]
at = "plate@0.3,0.4"
"#;

/// A bounded balance whose ledgers are complete at samples only; a string along an obstacle; impacts; two channels.
fn plan(name: &str) -> Plan {
    let string = include_str!("string.rs");
    let scene = |text: &str| {
        Scene::new(text, "x.toml", Path::new(""), &[]).plan().map_err(|e| e.to_string()).unwrap()
    };
    match name {
        "blown" => reed::blown(6000, 2),
        "partial" => {
            let mut plan = reed::plucked(3000, 4);
            plan.scheme = hamiltone_schemes::named("position-verlet").unwrap();
            plan
        }
        "plate" => scene(PLATE),
        "string" => {
            let begin = string.find("\nhamiltone = 1").unwrap();
            let text = &string[begin..begin + string[begin..].find("\"#").unwrap()];
            scene(
                &text.replace("duration = \"1 s\"", "duration = \"80 ms\"").replace("\"1 mm\"", "\"0.1 mm\""),
            )
        }
        name => panic!("there is no plan `{name}`"),
    }
}

/// Ends the program as SIGKILL does, when a step is reached.
struct Killer {
    /// `block` after rows were pushed, `archive` while a checkpoint is saved, `finish` when all steps are done.
    place: String,
    step: u64,
    last: u64,
}

impl Killer {
    fn at(&self, place: &str) {
        if self.place == place && self.last >= self.step {
            abort();
        }
    }
}

impl Sink for Killer {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        self.last = block.last();
        self.at("block");
        Ok(())
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        self.at("finish");
        Ok(Vec::new())
    }
    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        // The other sinks have written what belongs to the new checkpoint, which does not exist yet.
        self.at("archive");
        Ok(())
    }
}

/// Renders all outputs into a folder, continuing from a checkpoint where one is there.
fn render(plan: &Plan, folder: &Path, killer: Killer, checkpointed: bool) -> Result<Outcome, RunError> {
    let path = folder.join("checkpoint");
    let mut checkpoint = Checkpoint::new(&path);
    (checkpoint.interval, checkpoint.resume) = (Interval::Steps(EVERY), path.exists());
    let mut states = States::new(folder.join("x.npz"), Some(3), true);
    if checkpointed {
        states = states.continued(&mut checkpoint);
    }
    let (mut wav, mut killer) = (Wav::new(folder.join("x.wav")), killer);
    let (mut audit, mut report) = (AuditFile::new(folder.join("x.json")), Report::new(folder.join("r"), ""));
    let sinks: &mut [&mut dyn Sink] = &mut [&mut wav, &mut audit, &mut states, &mut report, &mut killer];
    let options = Options {
        storage: Storage::Beside(folder.join("x.wav")),
        checkpoint: checkpointed.then_some(checkpoint),
        ..Options::default()
    };
    run_with(plan, sinks, &mut |_, _| {}, options)
}

fn nobody() -> Killer {
    Killer { place: "nowhere".into(), step: 0, last: 0 }
}

/// The outputs, and the names of what else there is but temporary files.
fn outputs(folder: &Path) -> ([Vec<u8>; 4], Vec<String>) {
    let files = ["x.wav", "x.json", "x.npz", "r/index.html"].map(|name| fs::read(folder.join(name)).unwrap());
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".part")).collect();
    names.sort();
    (files, names)
}

#[test]
fn a_killed_run_continues_to_the_same_bits() {
    if let Ok(child) = env::var(CHILD) {
        let [folder, name, place, step] = child.split('|').collect::<Vec<_>>().try_into().unwrap();
        let killer = Killer { place: place.into(), step: step.parse().unwrap(), last: 0 };
        drop(render(&plan(name), &PathBuf::from(folder), killer, true));
        return;
    }
    for name in ["blown", "partial", "plate", "string"] {
        let (whole, broken) = (folder(&format!("whole-{name}")), folder(&format!("killed-{name}")));
        let plan = plan(name);
        assert!(render(&plan, &whole, nobody(), false).is_ok_and(|outcome| outcome.ok), "{name}");
        let end = plan.steps();
        // Before anything, before and after checkpoints, while one is saved, twice at the same place, and at the end.
        let kills = [
            ("block", 0),
            ("archive", 0),
            ("block", 300),
            ("archive", 1000),
            ("block", 2000),
            ("block", 2000),
        ];
        for (place, step) in
            kills.into_iter().chain([("archive", end - 2 * EVERY), ("block", end), ("finish", end)])
        {
            let status = Command::new(env::current_exe().unwrap())
                .args(["--exact", "report::checkpoint::a_killed_run_continues_to_the_same_bits"])
                .env(CHILD, format!("{}|{name}|{place}|{step}", broken.display()))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            assert!(
                !status.success() && !broken.join("x.wav").exists(),
                "{name}: {place} {step} was not killed"
            );
        }
        assert!(broken.join("checkpoint").exists(), "{name}");
        assert!(render(&plan, &broken, nobody(), true).is_ok_and(|outcome| outcome.ok), "{name}");
        assert!(outputs(&broken) == outputs(&whole), "{name}: {:?}", outputs(&broken).1);
    }
}

/// Ends the run by an error before its last block, after which the checkpoint stays.
struct Full;
impl Sink for Full {
    fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
        Ok(())
    }
    fn block(&mut self, _: &Plan, block: &Block) -> Result<(), SinkError> {
        let full = SinkError { path: "x".into(), reason: "the device is full".into() };
        if block.last() < 2000 { Ok(()) } else { Err(full) }
    }
    fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
        Ok(Vec::new())
    }
    fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Runs with states and with or without the pickups at the internal rate are continued to the same file.
#[test]
fn states_are_continued_in_every_combination() {
    let plan = plan("partial");
    for pickups in [false, true] {
        let folder = folder(&format!("states-{pickups}"));
        let run = |name: &str, checkpointed: bool, resume: bool, sinks: &mut [&mut dyn Sink]| {
            let mut checkpoint = Checkpoint::new(folder.join("c"));
            (checkpoint.interval, checkpoint.resume) = (Interval::Steps(EVERY), resume);
            let mut states = States::new(folder.join(name), Some(3), pickups);
            if checkpointed {
                states = states.continued(&mut checkpoint);
            }
            let mut all: Vec<&mut dyn Sink> = vec![&mut states];
            all.extend(sinks.iter_mut().map(|sink| &mut **sink as &mut dyn Sink));
            let options = Options { checkpoint: checkpointed.then_some(checkpoint), ..Options::default() };
            run_with(&plan, &mut all, &mut |_, _| {}, options)
        };
        assert!(run("whole", false, false, &mut [&mut nobody()]).is_ok_and(|outcome| outcome.ok));
        assert!(run("broken", true, false, &mut [&mut Full]).is_err());
        assert_eq!(folder.join("c.pickups").exists(), pickups);
        let outcome = run("broken", true, true, &mut [&mut nobody()]);
        assert!(outcome.as_ref().is_ok_and(|outcome| outcome.ok), "{:?}", outcome.err());
        let [whole, broken] = ["whole", "broken"].map(|name| fs::read(folder.join(name)).unwrap());
        assert!(whole == broken, "{pickups}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }
}

/// A checkpoint of another plan, one that is damaged or missing, and one where none may be are refused with the reason.
#[test]
fn checkpoints_that_do_not_fit_are_refused() {
    let folder = folder("checkpoint-refused");
    let path = folder.join("checkpoint");
    let run = |plan: &Plan, resume: bool, sinks: &mut [&mut dyn Sink]| {
        let mut checkpoint = Checkpoint::new(&path);
        (checkpoint.interval, checkpoint.resume) = (Interval::Steps(EVERY), resume);
        let options = Options { checkpoint: Some(checkpoint), ..Options::default() };
        run_with(plan, sinks, &mut |_, _| {}, options)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let plan = plan("partial");
    assert!(run(&plan, true, &mut [&mut Full]).contains("there is no such checkpoint"));
    assert!(run(&plan, false, &mut [&mut Full]).contains("the device is full"));
    let saved = fs::read(&path).unwrap();
    assert!(run(&plan, false, &mut [&mut Full]).contains("it exists already"));
    assert!(run(&plan, true, &mut []).contains("a run with other outputs"));
    let mut other = reed::plucked(3000, 4);
    let reason = run(&other, true, &mut [&mut Full]);
    assert!(reason.contains("another run: the scheme was position-verlet, here it is ec"), "{reason}");
    other = reed::plucked(3001, 4);
    other.scheme = hamiltone_schemes::named("position-verlet").unwrap();
    assert!(run(&other, true, &mut [&mut Full]).contains("the number of samples was 3000, here it is 3001"));
    // The same scene and scheme with another system, as of another version of a body.
    other = reed::plucked(3000, 4);
    other.scheme = hamiltone_schemes::named("position-verlet").unwrap();
    other.system.mass[0] *= 2.0;
    assert!(run(&other, true, &mut [&mut Full]).contains("fingerprint"));
    fs::write(&path, &saved[..saved.len() - 1]).unwrap();
    assert!(run(&plan, true, &mut [&mut Full]).contains("it is damaged"));
    fs::write(&path, &saved).unwrap();
    let sound = folder.join("checkpoint.sound");
    fs::rename(&sound, folder.join("moved")).unwrap();
    let reason = run(&plan, true, &mut [&mut Full]);
    assert!(
        reason.starts_with("cannot continue from `")
            && reason.contains("checkpoint.sound`: the samples of the checkpoint are missing"),
        "{reason}"
    );
    // Damaged samples, and those of another run, are neither used nor cut.
    let good = fs::read(folder.join("moved")).unwrap();
    for (byte, expected) in [(20, "it is damaged"), (9, "it is not of this checkpoint")] {
        let mut bytes = good.clone();
        bytes[byte] ^= 1;
        bytes.extend([1; 24]);
        fs::write(&sound, &bytes).unwrap();
        let reason = run(&plan, true, &mut [&mut Full]);
        assert!(reason.contains(expected), "{reason}");
        assert!(fs::read(&sound).unwrap() == bytes);
    }
    fs::rename(folder.join("moved"), &sound).unwrap();
    // It continues, to the same error.
    assert!(run(&plan, true, &mut [&mut Full]).contains("the device is full"));
    assert!(fs::read(&path).unwrap() == saved);
}

/// The places of the numbers of the run and of its sinks in the bytes of a checkpoint.
fn sections(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut at, mut parts) = (40, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        parts.push(at + 8..at + 8 + length);
        at += 8 + length;
    }
    // Before them are the identity and the state.
    parts.split_off(2)
}

/// Numbers of a checkpoint that are changed under a valid digest: the run is refused or ends, and its steps are refused. Each number is a
/// run: those of one scene unless `HAMILTONE_LONG` is set, as `.ci/run` does.
#[test]
fn numbers_that_contradict_each_other_do_no_harm() {
    let scenes = if std::env::var_os("HAMILTONE_LONG").is_some() { 2 } else { 1 };
    for name in &["plate", "string"][..scenes] {
        let (plan, folder) = (plan(name), folder(&format!("numbers-{name}")));
        let run = |resume: bool, last: &mut dyn Sink| {
            let mut checkpoint = Checkpoint::new(folder.join("c"));
            (checkpoint.interval, checkpoint.resume) = (Interval::Steps(EVERY), resume);
            let mut states = States::new(folder.join("x.npz"), Some(300), true).continued(&mut checkpoint);
            let mut report = Report::new(folder.join("r"), "");
            let options = Options { checkpoint: Some(checkpoint), ..Options::default() };
            run_with(&plan, &mut [&mut states, &mut report, last], &mut |_, _| {}, options)
        };
        assert!(run(false, &mut Full).is_err());
        let files = ["c", "c.sound", "c.states", "c.pickups"].map(|name| folder.join(name));
        let saved = files.clone().map(|path| fs::read(path).unwrap());
        // Steps are the numbers 16 and 17 of the run.
        let mut refused = 0;
        for section in sections(&saved[0]) {
            let count = section.len() / 8;
            for number in [1, 16, 17].into_iter().filter(|n| *n < count) {
                for value in [f64::from(u32::MAX), 1e9] {
                    let mut bytes = saved[0].clone();
                    let at = section.start + 8 * number;
                    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
                    let digest = Sha256::digest(&bytes[40..]);
                    bytes[8..40].copy_from_slice(&digest);
                    files.iter().zip(&saved).for_each(|(path, saved)| fs::write(path, saved).unwrap());
                    fs::write(&files[0], bytes).unwrap();
                    match run(true, &mut nobody()) {
                        Err(RunError::Resume(error)) => {
                            refused += 1;
                            let now = files.clone().map(|path| fs::read(path).unwrap().len());
                            assert!(now[1] <= saved[1].len() && now[1] > 16, "{error}");
                        }
                        Err(error) => panic!("{name} {number} {value}: {error}"),
                        Ok(_) => {}
                    }
                }
            }
        }
        assert!(refused >= 2, "{refused}");
    }
}

/// Files of others under the names of a checkpoint stay, and a second run ends at once while the first one goes on.
#[test]
fn files_of_others_stay() {
    let folder = folder("foreign");
    let plan = plan("partial");
    let begin = |last: &mut dyn Sink| {
        let mut checkpoint = Checkpoint::new(folder.join("c"));
        checkpoint.interval = Interval::Steps(EVERY);
        let mut states = States::new(folder.join("x.npz"), None, true).continued(&mut checkpoint);
        let options = Options { checkpoint: Some(checkpoint), ..Options::default() };
        run_with(&plan, &mut [&mut states, last], &mut |_, _| {}, options)
    };
    for name in ["c.sound", "c.states", "c.pickups"] {
        fs::write(folder.join(name), "of someone else").unwrap();
        let reason = begin(&mut nobody()).err().unwrap().to_string();
        assert!(reason.contains(name) && reason.contains("it exists already"), "{reason}");
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"of someone else");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{name}");
        fs::remove_file(folder.join(name)).unwrap();
    }
    type Run<'a> = &'a dyn Fn(&mut dyn Sink) -> Result<Outcome, RunError>;
    /// In its first block, starts the run again, as another program that has seen no checkpoint yet.
    struct Second<'a>(PathBuf, Option<Run<'a>>);
    impl Sink for Second<'_> {
        fn start(&mut self, _: &Plan) -> Result<(), SinkError> {
            Ok(())
        }
        fn block(&mut self, _: &Plan, _: &Block) -> Result<(), SinkError> {
            let Some(run) = self.1.take() else { return Ok(()) };
            let saved = fs::read(&self.0).unwrap();
            fs::remove_file(&self.0).unwrap();
            let reason = run(&mut nobody()).err().unwrap().to_string();
            assert!(reason.contains("another run that goes on uses it"), "{reason}");
            assert!(!self.0.exists());
            fs::write(&self.0, saved).unwrap();
            Ok(())
        }
        fn finish(&mut self, _: &Plan, _: &Outcome) -> Result<Vec<Staged>, SinkError> {
            Ok(Vec::new())
        }
        fn archive(&mut self, _: &mut Archive) -> Result<(), SinkError> {
            Ok(())
        }
    }
    assert!(begin(&mut Second(folder.join("c"), Some(&begin))).is_ok_and(|outcome| outcome.ok));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the states alone");
}
