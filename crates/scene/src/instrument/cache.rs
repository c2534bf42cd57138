//! Plans of instruments that were resolved before, kept in a folder: an instrument loads in some hundredths of a second then.
//!
//! A plan is found by what it was made of: the instrument's text with every change, its name and folder, the rate, the limits, and the program, by the date and length of
//! its file. It is used only where every file that it was read from still has the same SHA-256. What cannot be read or written is made anew, in silence: a
//! cache may always be deleted.
//!
//! | file | content |
//! |---|---|
//! | `KEY.plan` | a line `SHA-256  PATH` for each file that was read, an empty line, [`hamiltone_plan::stored`] |

use crate::{digest::sha256, scene::Scene};
use hamiltone_plan::{instrument::InstrumentPlan, stored::LAYOUT};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
    time::SystemTime,
};

/// The variable of the environment that names the folder, or is `off`.
pub const VARIABLE: &str = "HAMILTONE_CACHE";
/// The most bytes of all plans in the folder: beyond, those that were not used for longest are removed.
const MOST: u64 = 256 << 20;
/// How the names of plans end.
const ENDING: &str = "plan";

/// A folder of plans.
#[derive(Clone, Debug)]
pub struct Cache(PathBuf);

impl Cache {
    /// In this folder, which need not be there.
    pub fn within(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
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

    /// The file of the plan of a scene at a rate.
    pub(super) fn file(&self, scene: &Scene, rate: f64) -> PathBuf {
        let (name, text, base, limits) = scene.made_of();
        let program = env::current_exe().and_then(fs::metadata);
        let dated = program.and_then(|file| Ok((file.modified()?, file.len())));
        let made_by = format!("{LAYOUT} {} {dated:?} {rate:?} {limits:?}\n", env!("CARGO_PKG_VERSION"));
        let base = format!("{name:?} {base:?}\n");
        let all = [made_by.as_bytes(), base.as_bytes(), text.as_bytes()].concat();
        self.0.join(format!("{}.{ENDING}", sha256(&all)))
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
            if sum != sum_of(Path::new(path)).ok()? {
                return None;
            }
        }
        let plan = InstrumentPlan::from_bytes(rest).ok()?;
        // It is the last one that is removed; where its date cannot be changed, it goes in its turn.
        let _ = fs::File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
        Some(plan)
    }

    /// Keeps a plan in a file of the folder, unless it has parts that are not kept.
    pub(super) fn keep(&self, file: &Path, plan: &InstrumentPlan) -> io::Result<()> {
        let Some(bytes) = plan.to_bytes() else { return Ok(()) };
        let mut content = String::new();
        for input in &plan.plan.inputs {
            let Some(path) = input.to_str().filter(|path| !path.contains('\n')) else { return Ok(()) };
            content += &format!("{}  {path}\n", sum_of(input)?);
        }
        content.push('\n');
        fs::create_dir_all(&self.0)?;
        // Another program sees the whole file or none.
        let written = file.with_extension(format!("{}.partial", process::id()));
        fs::write(&written, [content.as_bytes(), &bytes].concat())?;
        fs::rename(&written, file)?;
        self.tidy(MOST)
    }

    /// Removes what was not used for longest where there are more bytes than `most`.
    fn tidy(&self, most: u64) -> io::Result<()> {
        let mut plans = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let (path, about) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
            if path.extension().is_some_and(|ending| ending == ENDING) {
                plans.push((about.modified()?, about.len(), path));
            }
        }
        plans.sort();
        let mut all: u64 = plans.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in plans {
            if all <= most {
                break;
            }
            fs::remove_file(path)?;
            all -= size;
        }
        Ok(())
    }
}

fn sum_of(path: &Path) -> io::Result<String> {
    Ok(sha256(&fs::read(path)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::Instrument;
    use std::time::Duration;

    const TEXT: &str = "hamiltone = 3\n[instrument]\nkeys = \"A4..B4\"\n[key.body.bar]\nkind = \"modes\"\nfile = \"bar.csv\"\n\
        [key.pickup.bar]\nat = \"bar\"\n[[note_on]]\ngesture = \"pluck\"\nat = \"bar\"\nforce = \"{velocity} N\"\n";

    /// A folder of its own, and the plan of an instrument in it, which reads a table; whether it is the one that was kept.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = env::temp_dir().join(format!("hamiltone-cache-{name}-{}", process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn table(&self, mass: f64) {
            let table = format!("frequency,q,mass\n440,300,{mass}\n");
            fs::write(self.0.join("bar.csv"), table).unwrap();
        }

        fn instrument(&self, text: &str) -> Instrument {
            Instrument::new(text, "bar.toml", &self.0, &[])
        }

        fn is_kept(&self, text: &str, rate: f64) -> bool {
            let cache = Cache::within(self.0.join("cache"));
            let scene = Scene::new(text, "bar.toml", &self.0, &[]);
            let kept = Cache::find(&cache.file(&scene, rate)).is_some();
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
    fn what_was_not_used_for_longest_is_removed() {
        let folder = Folder::new("full");
        let cache = Cache::within(&folder.0);
        for (age, name) in [(3, "a.plan"), (1, "b.plan"), (2, "c.plan"), (9, "song.wav")] {
            fs::write(folder.0.join(name), [0; 100]).unwrap();
            let file = fs::File::options().write(true).open(folder.0.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        cache.tidy(150).unwrap();
        let left = ["a.plan", "b.plan", "c.plan", "song.wav"].map(|name| folder.0.join(name).exists());
        assert_eq!(left, [false, true, false, true]);
    }
}
