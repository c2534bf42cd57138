//! Plans of instruments that were resolved before, kept in a folder: an instrument loads in some hundredths of a second then.
//!
//! A plan is found by what it was made of: the instrument's text with every change, its name and folder, the rate, the limits, and the program, by the date and length of
//! its file. It is used only where every file that it was read from still has the same SHA-256. What cannot be read or written is made anew, in silence: a
//! cache may always be deleted. A library in another program, such as a plugin, is not told apart from an older one of the same version there: such programs name their
//! build ([`Cache::of_build`]), or keep no plans.
//!
//! | file | content |
//! |---|---|
//! | `KEY.plan` | a line `SHA-256  PATH` for each file that was read, an empty line, [`hamiltone_plan::stored`] |

use crate::{digest::sha256, scene::Scene};
use hamiltone_plan::{instrument::InstrumentPlan, stored::LAYOUT};
use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use tempfile::Builder;

/// The variable of the environment that names the folder, or is `off`.
pub const VARIABLE: &str = "HAMILTONE_CACHE";
/// The most bytes of all plans in the folder: beyond, those that were not used for longest are removed.
const MAX_BYTES: u64 = 256_000_000;
/// How the names of plans end, and those of files that are being written, which are removed when they are as old as this.
const PLAN: &str = "plan";
const PARTIAL: &str = ".hamiltone.partial";
const LEFT: Duration = Duration::from_secs(3600);
/// What the dates of files are worth at least on every file system.
const DATED: Duration = Duration::from_secs(2);

/// A folder of plans.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// The build of the library that makes the plans, where its program does not tell it.
    build: String,
}

impl Cache {
    /// In this folder, which need not be there.
    pub fn within(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), build: String::new() }
    }

    /// The same for a library in another program: plans of other builds, which have other names, are not used.
    #[must_use]
    pub fn of_build(self, build: impl Into<String>) -> Self {
        Self { build: build.into(), ..self }
    }

    /// That of the user: the folder that the variable `HAMILTONE_CACHE` names, or `hamiltone` among the caches of the system, such as `~/.cache`. `None` where the variable
    /// is `off`, or there is no such place.
    pub fn of_user() -> Option<Self> {
        use etcetera::BaseStrategy;
        match env::var_os(VARIABLE) {
            Some(off) if off == "off" => None,
            Some(folder) if !folder.is_empty() => Some(Self::within(folder)),
            _ => Some(Self::within(etcetera::choose_base_strategy().ok()?.cache_dir().join("hamiltone"))),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of the plan of a scene at a rate; `None` where the program does not know its own file.
    pub(super) fn file(&self, scene: &Scene, rate: f64) -> Option<PathBuf> {
        let (name, text, base, limits) = scene.made_of();
        let program = env::current_exe().and_then(fs::metadata).ok()?;
        let (dated, version) = ((program.modified().ok()?, program.len()), env!("CARGO_PKG_VERSION"));
        let made_by =
            format!("{LAYOUT} {version} {} {dated:?} {rate:?} {limits:?} {name:?} {base:?}\n", self.build);
        Some(self.folder.join(format!("{}.{PLAN}", sha256(&[made_by.as_bytes(), text.as_bytes()].concat()))))
    }

    /// The plan in a file, where all that it was read from is as it was.
    pub(super) fn find(file: &Path) -> Option<InstrumentPlan> {
        let bytes = fs::read(file).ok()?;
        let mut rest = &bytes[..];
        loop {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if line.is_empty() {
                break;
            }
            let (sum, path) = std::str::from_utf8(line).ok()?.split_once("  ")?;
            if sum != sum_of(Path::new(path), None)? {
                return None;
            }
        }
        let plan = InstrumentPlan::from_bytes(rest).ok()?;
        // Where its date cannot be changed, it is removed as if it had not been used.
        let _ = fs::File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
        Some(plan)
    }

    /// Keeps a plan in a file of the folder, unless it has parts that are not kept, or a file that it was read from has changed since `begin` or just before.
    pub(super) fn keep(&self, file: &Path, plan: &InstrumentPlan, begin: SystemTime) -> Option<()> {
        let bytes = plan.to_bytes()?;
        let mut content = String::new();
        for input in plan.plan.inputs.iter().collect::<BTreeSet<_>>() {
            let path = input.to_str().filter(|path| !path.contains('\n'))?;
            content += &format!("{}  {path}\n", sum_of(input, Some(begin))?);
        }
        content.push('\n');
        fs::create_dir_all(&self.folder).ok()?;
        // Another program sees the whole file or none. What is not renamed is removed.
        let mut written = Builder::new().prefix("").suffix(PARTIAL).tempfile_in(&self.folder).ok()?;
        written.write_all(content.as_bytes()).and_then(|()| written.write_all(&bytes)).ok()?;
        written.persist(file).ok()?;
        self.tidy(MAX_BYTES)
    }

    /// Removes plans that were not used for longest where there are more bytes than `most`, and what programs that were killed have left.
    fn tidy(&self, most: u64) -> Option<()> {
        let (mut plans, now) = (Vec::new(), SystemTime::now());
        for path in fs::read_dir(&self.folder).ok()?.flatten().map(|entry| entry.path()) {
            let Some(name) = path.file_name().and_then(OsStr::to_str) else { continue };
            let is_key = |key: &str| key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_plan = name.strip_suffix(PLAN).and_then(|key| key.strip_suffix('.')).is_some_and(is_key);
            // Other programs remove plans as well.
            let Some((date, size)) =
                path.metadata().ok().and_then(|about| Some((about.modified().ok()?, about.len())))
            else {
                continue;
            };
            if is_plan {
                plans.push((date, size, path));
            } else if name.ends_with(PARTIAL) && now.duration_since(date).is_ok_and(|age| age > LEFT) {
                let _ = fs::remove_file(path);
            }
        }
        plans.sort();
        let mut all: u64 = plans.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in plans {
            if all <= most {
                break;
            }
            let _ = fs::remove_file(path);
            all -= size;
        }
        Some(())
    }
}

/// The SHA-256 of a plain file; `None` of anything else, and where it has changed since `begin` or so shortly before that its date may not show it.
fn sum_of(path: &Path, begin: Option<SystemTime>) -> Option<String> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let dated = about.modified().ok()?;
    let is_older = |begin: SystemTime| begin.duration_since(dated).is_ok_and(|age| age > DATED);
    if !begin.is_none_or(is_older) {
        return None;
    }
    Some(sha256(&fs::read(path).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::Instrument;

    const TEXT: &str = "hamiltone = 3\n[instrument]\nkeys = \"A4..B4\"\n[key.body.bar]\nkind = \"modes\"\nfile = \"bar.csv\"\n\
        [key.pickup.bar]\nat = \"bar\"\n[[note_on]]\ngesture = \"pluck\"\nat = \"bar\"\nforce = \"{velocity} N\"\n";

    /// A folder of its own, and the plan of an instrument in it, which reads a table; whether it is the one that was kept.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("hamiltone-cache-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn table(&self, mass: f64) {
            let table = format!("frequency,q,mass\n440,300,{mass}\n");
            fs::write(self.0.join("bar.csv"), table).unwrap();
            self.date("bar.csv", 9);
        }

        fn date(&self, name: &str, age: u64) {
            let file = fs::File::options().write(true).open(self.0.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }

        fn instrument(&self, text: &str) -> Instrument {
            Instrument::new(text, "bar.toml", &self.0, &[])
        }

        fn is_kept(&self, text: &str, rate: f64) -> bool {
            let cache = Cache::within(self.0.join("cache"));
            let scene = Scene::new(text, "bar.toml", &self.0, &[]);
            let kept = Cache::find(&cache.file(&scene, rate).unwrap()).is_some();
            let plan =
                self.instrument(text).cached(rate, Some(&cache)).unwrap_or_else(|wrong| panic!("{wrong}"));
            let new = self.instrument(text).plan(rate, None).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(plan.to_bytes(), new.to_bytes());
            kept
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_plan_is_used_only_where_all_that_it_was_made_of_is_as_it_was() {
        let folder = Folder::new("same");
        folder.table(0.1);
        let louder = TEXT.replace("{velocity}", "{2 * velocity}");
        let found = [(TEXT, 48e3), (TEXT, 48e3), (&louder, 48e3), (TEXT, 96e3), (TEXT, 48e3)];
        assert_eq!(found.map(|(text, rate)| folder.is_kept(text, rate)), [false, true, false, false, true]);
        folder.table(0.2);
        assert!(!folder.is_kept(TEXT, 48e3) && folder.is_kept(TEXT, 48e3));
    }

    #[test]
    fn plans_of_another_build_are_not_used() {
        let scene = Scene::new(TEXT, "bar.toml", ".".as_ref(), &[]);
        let file = |build: &str| Cache::within("x").of_build(build).file(&scene, 48e3);
        assert!(file("a") == file("a") && file("a") != file("b"));
    }

    #[test]
    fn what_cannot_be_read_is_made_anew() {
        let folder = Folder::new("damaged");
        folder.table(0.1);
        assert!(!folder.is_kept(TEXT, 48e3));
        let plan = fs::read_dir(folder.0.join("cache")).unwrap().next().unwrap().unwrap().path();
        fs::write(&plan, "\nHAMILTON").unwrap();
        assert!(!folder.is_kept(TEXT, 48e3) && folder.is_kept(TEXT, 48e3));
        // A folder that is a file cannot hold any.
        let cache = Cache::within(folder.0.join("bar.csv"));
        assert!(folder.instrument(TEXT).cached(48e3, Some(&cache)).is_ok());
    }

    #[test]
    fn a_file_that_may_have_changed_meanwhile_is_not_relied_upon() {
        let folder = Folder::new("changed");
        folder.table(0.1);
        folder.date("bar.csv", 0);
        assert!(!folder.is_kept(TEXT, 48e3) && !folder.is_kept(TEXT, 48e3));
        folder.date("bar.csv", 9);
        assert!(!folder.is_kept(TEXT, 48e3) && folder.is_kept(TEXT, 48e3));
    }

    /// Of files of other names none.
    #[test]
    fn what_was_not_used_for_longest_is_removed() {
        let folder = Folder::new("full");
        let plan = |digit: &str| format!("{}.plan", digit.repeat(64));
        let names = [plan("a"), plan("b"), plan("c"), "house.plan".into(), "song.wav".into()];
        let partial = ["new", "old"].map(|name| format!("{name}{PARTIAL}"));
        for (age, name) in [3, 1, 2, 9, 9].into_iter().zip(&names).chain([1, 4000].into_iter().zip(&partial))
        {
            fs::write(folder.0.join(name), [0; 100]).unwrap();
            folder.date(name, age);
        }
        Cache::within(&folder.0).tidy(150).unwrap();
        let is_there = |name: &String| folder.0.join(name).exists();
        assert_eq!(names.each_ref().map(is_there), [false, true, false, true, true]);
        assert_eq!(partial.each_ref().map(is_there), [true, false]);
    }
}
