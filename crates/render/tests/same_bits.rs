//! The same scene has the same bits on every machine: short excerpts of all shipped scenes, under each instruction set of
//! this processor, have the hashes in `same_bits.txt`.
//!
//! The hashes say that nothing changed and that machines agree, not that a sound is right. After a change of sound that is
//! meant, `HAMILTONE_UPDATE=1 cargo test -p hamiltone-render --test same_bits` rewrites them. `.ci/run` runs this test
//! under an emulated AArch64 processor, too, where the emulator is installed.

use hamiltone_plan::Format;
use hamiltone_render::{SinkError, run, sinks::audit};
use hamiltone_scene::Scene;
use hamiltone_schemes::instructions::Instructions;
use serde_json::Value;
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

/// The length of an excerpt, s: long enough for plucks, strikes and most first contacts.
const EXCERPT: f64 = 0.03;
/// Its length in steps, at most.
const MAX_STEPS: f64 = 8_000.0;

/// The FNV-1a hash.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn enter(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    }

    /// The numbers and verdicts of an audit, and their names; its texts may be worded anew.
    fn values(&mut self, value: &Value) {
        match value {
            Value::Number(x) => self.enter(&x.as_f64().expect("a number").to_bits().to_le_bytes()),
            Value::Bool(yes) => self.enter(&[u8::from(*yes)]),
            Value::Null => self.enter(b"null"),
            Value::Array(values) => values.iter().for_each(|value| self.values(value)),
            Value::Object(entries) => entries.iter().for_each(|(name, value)| {
                self.enter(name.as_bytes());
                self.values(value);
            }),
            Value::String(_) => {}
        }
    }
}

/// Name, hash of the samples' bits, and hash of the audit's values of an excerpt of a scene.
fn line(path: &Path) -> String {
    let name = path.file_name().expect("a name").display();
    let mut plan = Scene::read(path, &[]).unwrap_or_else(|problems| panic!("{name}: {problems}"));
    let seconds = EXCERPT.min(MAX_STEPS / plan.internal_rate());
    plan.frames = plan.frames.min((seconds * plan.sample_rate) as usize);
    let outcome = run(&plan, &mut [], &mut |_, _| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(outcome.audit.energy_peak > 0.0, "nothing moves in {name} for {seconds} s");
    let (mut sound, mut values) = (Hash::new(), Hash::new());
    let read = outcome.sound.for_each(0..outcome.sound.frames(), |samples| {
        samples.iter().for_each(|x| sound.enter(&x.to_bits().to_le_bytes()));
        Ok::<(), SinkError>(())
    });
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut audit = audit::json(&plan, &outcome);
    // The files of format 1 hold the samples above times the factors of the audit.
    if plan.format == Format::One {
        audit.as_object_mut().expect("an object").shift_remove("output");
    }
    values.values(&audit);
    format!("{name} {:016x} {:016x}\n", sound.0, values.0)
}

/// The lines of all scenes, in the order of their names.
fn lines(scenes: &[PathBuf]) -> String {
    let (next, lines) =
        (Mutex::new(scenes.iter().enumerate()), Mutex::new(vec![String::new(); scenes.len()]));
    let work = || {
        while let Some((i, path)) = { next.lock().expect("no panic").next() } {
            let line = line(path);
            lines.lock().expect("no panic")[i] = line;
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    lines.into_inner().expect("no panic").concat()
}

#[test]
fn excerpts_of_all_scenes_have_the_same_bits_under_every_instruction_set() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(here.join("../../scenes")).expect("the shipped scenes");
    let mut scenes: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    scenes.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    scenes.sort();

    let file = here.join("tests/same_bits.txt");
    let update = env::var_os("HAMILTONE_UPDATE").is_some();
    for set in Instructions::available().rev() {
        set.limit();
        let lines = lines(&scenes);
        if update && set == Instructions::Best {
            fs::write(&file, &lines).expect("a file that can be written");
        }
        let stored = fs::read_to_string(&file).expect("stored hashes");
        let other: Vec<_> =
            lines.lines().filter(|line| !stored.lines().any(|known| known == *line)).collect();
        assert!(
            stored == lines,
            "with {set:?} instructions these excerpts have other bits than in tests/same_bits.txt:\n{}\n\
             where the change of sound is meant: HAMILTONE_UPDATE=1 cargo test -p hamiltone-render --test same_bits",
            other.join("\n")
        );
    }
}
