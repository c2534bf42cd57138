//! Instruments at random (`proofs/product/src/reasonable`), with all settings of the run at their defaults: the verdict on each is
//! green, or an amber whose advice, applied as it is printed, gives green.
//!
//! By default 24 are drawn. More, from another seed, with a program of another build:
//!
//! ```sh
//! RANDOM_SCENES=5000 RANDOM_SEED=1 RANDOM_PROGRAM=target/release/hamiltone cargo test -p hamiltone-cli --test all cli_reasonable -- --nocapture
//! ```

use hamiltone_product::{
    reasonable,
    scenes::program::{Ended, render},
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// How many scenes, and from which seed on.
const SCENES: u64 = 24;
const SEED: u64 = 1;

fn number(name: &str, default: u64) -> u64 {
    let read = |text: String| text.parse().unwrap_or_else(|_| panic!("{name} takes a whole number"));
    env::var(name).ok().map_or(default, read)
}

/// A folder of its own, removed after it.
struct Folder(PathBuf);

impl Folder {
    fn new(seed: u64) -> Self {
        let path = env::temp_dir().join(format!("hamiltone-reasonable-{}-{seed}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder that can be written");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The audit of a run with these changes, or how it ended where it was not 0.
fn rendered(program: &Path, folder: &Path, changes: &[String]) -> Result<Value, String> {
    let files = ["-o", "sound.wav", "--audit", "audit.json"].map(String::from);
    let Ended { code, err, .. } =
        render(program, folder, &[changes, &files].concat()).map_err(|e| e.to_string())?;
    if code != Some(0) {
        return Err(format!("exit {code:?}: {err}"));
    }
    let text = fs::read_to_string(folder.join("audit.json")).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

/// The colour of a scene, or what is wrong with it.
fn verdict(program: &Path, folder: &Path) -> Result<&'static str, String> {
    let audit = rendered(program, folder, &[])?;
    if audit["verdict"] == "green" {
        return Ok("green");
    }
    let advice = audit["advice"].as_array().map_or(&[][..], Vec::as_slice);
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let change =
        |change: &Value| ["--set".into(), format!("{}={}", word(&change["key"]), word(&change["value"]))];
    let changes: Vec<String> = advice.iter().flat_map(change).collect();
    if changes.is_empty() {
        return Err(format!("{}, without advice: {}", audit["verdict"], audit["warnings"]));
    }
    let audit = rendered(program, folder, &changes)?;
    match audit["verdict"] == "green" {
        true => Ok("amber, green after its advice"),
        false => Err(format!("{} after {}: {}", audit["verdict"], changes.join(" "), audit["warnings"])),
    }
}

#[test]
fn instruments_of_usual_sizes_are_right_by_default() {
    let (count, first) = (number("RANDOM_SCENES", SCENES), number("RANDOM_SEED", SEED));
    let program = env::var_os("RANDOM_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hamiltone").into());
    let next = AtomicU64::new(first);
    let counts = Mutex::new(BTreeMap::<String, u64>::new());
    let faults = Mutex::new(Vec::new());
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= first + count {
            break;
        }
        let (scene, folder) = (reasonable::scene(seed), Folder::new(seed));
        fs::write(folder.0.join("scene.toml"), &scene.scene).unwrap();
        scene.files.iter().for_each(|(name, text)| fs::write(folder.0.join(name), text).unwrap());
        let verdict = verdict(program.as_ref(), &folder.0);
        let word = verdict.as_ref().map_or("FAULT", |colour| colour);
        *counts.lock().unwrap().entry(format!("{}: {word}", scene.kind)).or_default() += 1;
        if let Err(what) = verdict {
            let line = format!("seed {seed} ({}): {}\n{}", scene.kind, what.trim(), scene.scene);
            println!("{line}");
            faults.lock().unwrap().push(line);
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(work));
    });
    counts.lock().unwrap().iter().for_each(|(what, number)| println!("{number:6}  {what}"));
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} of {count} are not right by default", faults.len());
}
