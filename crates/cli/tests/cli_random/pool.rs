//! Threads that draw and judge scenes, and what came of them.

use super::program;
use hamiltone_product::scenes::{judge, judge::Verdict, scene::Drawn, shrink};
use std::{
    any::Any,
    collections::BTreeMap,
    env, fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Beyond so many scenes progress is printed.
const PATIENCE: u64 = 1000;
/// The largest part of the scenes that may be too uncertain to be judged, and from how many scenes on it holds.
const UNJUDGED: f64 = 0.1;
const MANY: u64 = 100;
/// What drawing a scene may take, which reads it again and again: beyond, `check` must say in its own time that it is long.
const READING: Duration = Duration::from_secs(120);

/// What draws a scene from a seed, with its files in a folder.
pub type Draws = fn(u64, &Path) -> Drawn;

/// The scenes of a range of seeds.
pub struct Pool {
    draws: Draws,
    first: u64,
    count: u64,
    next: AtomicU64,
    begin: Instant,
    /// The scenes that are being drawn: since when, and where their files are.
    drawn: Mutex<BTreeMap<u64, (Instant, PathBuf)>>,
    results: Mutex<Results>,
}

#[derive(Default)]
struct Results {
    done: u64,
    unjudged: u64,
    counts: BTreeMap<String, u64>,
    faults: Vec<String>,
}

/// The verdict on a scene that was not read in time, in the folder where it is.
fn unread(folder: &Path) -> Verdict {
    match hamiltone_product::scenes::program::check(&program(), folder, &[]) {
        // It was read after all.
        _ if !folder.exists() => Verdict::Unjudged("reading takes long".into()),
        Ok(ended) if !ended.late => Verdict::Unjudged("reading takes long".into()),
        Ok(_) => Verdict::Fault("check does not end", String::new()),
        Err(error) => Verdict::Fault("no program", error.to_string()),
    }
}

impl Pool {
    /// The scenes of `count` seeds from `first` on.
    pub fn new(draws: Draws, first: u64, count: u64) -> Arc<Self> {
        let (next, begin) = (AtomicU64::new(first), Instant::now());
        Arc::new(Self {
            draws,
            first,
            count,
            next,
            begin,
            drawn: Mutex::default(),
            results: Mutex::default(),
        })
    }

    /// Judges them all in so many threads, and returns what faults there were.
    pub fn run(self: Arc<Self>, threads: usize) -> Vec<String> {
        let spawn = || {
            let pool = self.clone();
            thread::spawn(move || while pool.one() {});
        };
        (0..threads).for_each(|_| spawn());
        while self.results.lock().unwrap().done < self.count {
            thread::sleep(Duration::from_millis(100));
            let mut late = Vec::new();
            self.drawn.lock().unwrap().retain(|seed, (since, folder)| {
                let in_time = since.elapsed() <= READING;
                if !in_time {
                    late.push((*seed, folder.clone()));
                }
                in_time
            });
            for (seed, folder) in late {
                // No thread can be ended: another takes its place.
                let text = fs::read_to_string(folder.join("scene.toml")).unwrap_or_default();
                self.enter(seed, "a draft", &unread(&folder), &text);
                spawn();
            }
        }
        let results = std::mem::take(&mut *self.results.lock().unwrap());
        results.print();
        let share = results.unjudged as f64 / self.count as f64;
        let mut faults = results.faults;
        if self.count >= MANY && share > UNJUDGED {
            faults.push(format!("{:.1} % of the scenes are not judged", 100.0 * share));
        }
        faults
    }

    /// Judges the next scene; whether the thread is still needed. A panic on the way is a fault of its own.
    fn one(&self) -> bool {
        let seed = self.next.fetch_add(1, Ordering::Relaxed);
        if seed >= self.first + self.count {
            return false;
        }
        let folder = Folder::of(seed);
        self.drawn.lock().unwrap().insert(seed, (Instant::now(), folder.0.clone()));
        let scene = caught(|| {
            folder.create();
            (self.draws)(seed, &folder.0)
        });
        if self.drawn.lock().unwrap().remove(&seed).is_none() {
            return false;
        }
        let panicked = |message| Verdict::Fault("panic of the test", message);
        let scene = match scene {
            Ok(scene) => scene,
            Err(message) => {
                let text = fs::read_to_string(folder.0.join("scene.toml")).unwrap_or_default();
                self.enter(seed, "a draft", &panicked(message), &text);
                return true;
            }
        };
        let verdict = caught(|| judged(&scene)).unwrap_or_else(panicked);
        let scheme = scene.sections[0].text("scheme").unwrap_or_default();
        let small = match verdict {
            Verdict::Fault(kind, _) if self.is_new(kind, scheme) => caught(|| smallest(&scene, kind))
                .unwrap_or_else(|message| format!("not made smaller: {message}")),
            _ => String::new(),
        };
        self.enter(seed, scheme, &verdict, &small);
        true
    }

    /// Whether no such fault was seen: the first of each kind and scheme is made smaller.
    fn is_new(&self, kind: &str, scheme: &str) -> bool {
        !self.results.lock().unwrap().counts.contains_key(&fault(kind, scheme))
    }

    fn enter(&self, seed: u64, scheme: &str, verdict: &Verdict, small: &str) {
        let key = match &verdict {
            Verdict::Good => "exit 0".to_string(),
            Verdict::Failed(reason) => format!("exit 1: {reason}"),
            Verdict::Refused(reason) => format!("exit 2: {reason}"),
            Verdict::Unjudged(reason) => format!("not judged: {reason}"),
            Verdict::Fault(kind, _) => fault(kind, scheme),
        };
        let mut results = self.results.lock().unwrap();
        *results.counts.entry(key).or_default() += 1;
        results.done += 1;
        results.unjudged += u64::from(matches!(verdict, Verdict::Unjudged(_)));
        let talks = self.count > PATIENCE || self.count == 1;
        if let Verdict::Fault(kind, text) = verdict {
            let line = format!("seed {seed}: {kind} ({scheme}): {}\n{small}", text.trim());
            if talks {
                println!("{line}");
            }
            results.faults.push(line);
        }
        if talks && results.done.is_multiple_of(100) {
            println!(
                "{} of {} scenes, {:.0} s",
                results.done,
                self.count,
                self.begin.elapsed().as_secs_f64()
            );
            results.print();
        }
    }
}

impl Results {
    fn print(&self) {
        self.counts.iter().for_each(|(verdict, count)| println!("{count:6}  {verdict}"));
    }
}

fn fault(kind: &str, scheme: &str) -> String {
    format!("FAULT {kind}: {scheme}")
}

/// What a function returns, or the message of its panic.
fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|payload: Box<dyn Any + Send>| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_string()
    })
}

fn judged(scene: &Drawn) -> Verdict {
    let folder = Folder::of(scene.seed);
    folder.create();
    judge::judge(&program(), scene, &folder.0)
}

/// The smallest scene with the same kind of fault, as text; it is also left in the folder of `RANDOM_FAULTS`.
fn smallest(scene: &Drawn, kind: &str) -> String {
    let same = |scene: &Drawn| matches!(judged(scene), Verdict::Fault(other, _) if other == kind);
    let small = shrink::shrink(scene, same);
    if let Ok(folder) = env::var("RANDOM_FAULTS") {
        let folder = Path::new(&folder).join(format!("{}-{}", kind.replace([' ', ','], "_"), scene.seed));
        fs::create_dir_all(&folder).unwrap();
        small.write(&folder).unwrap();
    }
    let (text, changes) = small.written();
    let arguments = [changes, small.options.arguments()].concat();
    format!("hamiltone render scene.toml {}\n{text}", arguments.join(" "))
}

/// A folder of its own, removed after it.
struct Folder(PathBuf);

impl Folder {
    /// A name that no other has.
    fn of(seed: u64) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(env::temp_dir().join(format!("hamiltone-random-{}-{seed}-{count}", std::process::id())))
    }

    fn create(&self) {
        fs::create_dir_all(&self.0).expect("a folder that can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
