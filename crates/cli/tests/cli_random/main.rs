//! Scenes at random, rendered by the program, and judged by energies that are recomputed from their states.
//!
//! The scenes are drawn from the published tables of bodies, laws, drives and schemes (`proofs/src/scenes`), each from a
//! seed of its own. By default 240 are drawn. More, from another seed, with a folder for those that show a fault:
//!
//! ```sh
//! RANDOM_SCENES=20000 RANDOM_SEED=1 RANDOM_FAULTS=out cargo test -p hamiltone-cli --test cli_random -- --nocapture
//! ```
//!
//! and one of them again:
//!
//! ```sh
//! RANDOM_SCENES=1 RANDOM_SEED=4711 cargo test -p hamiltone-cli --test cli_random -- --nocapture
//! ```
//!
//! `RANDOM_PROGRAM` names the program to be judged, where it is another than that of this build.

mod published;

use hamiltone_proofs::scenes::{generate, judge, judge::Verdict, scene::Drawn, shrink};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

/// How many scenes, and from which seed on.
const SCENES: u64 = 240;
const SEED: u64 = 1;
/// Beyond so many scenes progress is printed.
const PATIENCE: u64 = 1000;

fn number(name: &str, default: u64) -> u64 {
    env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a whole number")))
}

/// The program: that of this build, or another, such as an optimised one.
fn program() -> PathBuf {
    env::var_os("RANDOM_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_hamiltone").into()).into()
}

/// A folder of its own, removed after it.
struct Folder(PathBuf);

impl Folder {
    fn new(seed: u64) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("hamiltone-random-{}-{seed}-{count}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn judged(scene: &Drawn) -> Verdict {
    let folder = Folder::new(scene.seed);
    judge::judge(&program(), scene, &folder.0)
}

/// A scene, what came of it, and its scheme.
fn one(seed: u64) -> (Drawn, Verdict) {
    let folder = Folder::new(seed);
    let scene = generate::scene(seed, &folder.0);
    let verdict = judged(&scene);
    (scene, verdict)
}

/// The smallest scene with the same kind of fault, as text.
fn smallest(scene: &Drawn, kind: &str) -> String {
    let same = |scene: &Drawn| matches!(judged(scene), Verdict::Fault(other, _) if other == kind);
    let small = shrink::shrink(scene, same);
    if let Ok(folder) = env::var("RANDOM_FAULTS") {
        let folder = Path::new(&folder).join(format!("{}-{}", kind.replace([' ', ','], "_"), scene.seed));
        fs::create_dir_all(&folder).unwrap();
        small.write(&folder).unwrap();
    }
    let (text, arguments) = small.written();
    format!(
        "hamiltone render scene.toml {} {}\n{text}",
        arguments.join(" "),
        small.options.arguments().join(" ")
    )
}

fn print_counts(counts: &BTreeMap<String, u64>) {
    counts.iter().for_each(|(verdict, count)| println!("{count:6}  {verdict}"));
}

#[test]
fn exit_codes_agree_with_the_energy_of_the_states() {
    let (count, first) = (number("RANDOM_SCENES", SCENES), number("RANDOM_SEED", SEED));
    let next = AtomicU64::new(first);
    let counts: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let faults: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let begin = Instant::now();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            let (scene, verdict) = one(seed);
            let scheme = scene.sections[0].text("scheme").unwrap_or_default().to_string();
            let key = match &verdict {
                Verdict::Good => "exit 0".to_string(),
                Verdict::Failed(reason) => format!("exit 1: {reason}"),
                Verdict::Refused(reason) => format!("exit 2: {reason}"),
                Verdict::Fault(kind, _) => format!("FAULT {kind}: {scheme}"),
            };
            let seen = {
                let mut counts = counts.lock().unwrap();
                let seen = counts.entry(key.clone()).or_default();
                *seen += 1;
                *seen
            };
            if let Verdict::Fault(kind, text) = verdict {
                // The first of each kind and scheme is made smaller.
                let small = if seen <= 1 { smallest(&scene, kind) } else { String::new() };
                let line = format!("seed {seed}: {kind} ({scheme}): {}\n{small}", text.trim());
                if count > PATIENCE || count == 1 {
                    println!("{line}");
                }
                faults.lock().unwrap().push(line);
            }
            let done = seed - first + 1;
            if count > PATIENCE && done.is_multiple_of(100) {
                println!("{done} of {count} scenes, {:.0} s", begin.elapsed().as_secs_f64());
                print_counts(&counts.lock().unwrap());
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    print_counts(&counts.into_inner().unwrap());
    let faults = faults.into_inner().unwrap();
    println!("seeds {first} to {}: {} faults", first + count - 1, faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
