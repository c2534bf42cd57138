//! Renders by Hamiltone beside the same notes by other programs, where those are installed: see benches/peers/README.md.
//!
//! `cargo build --release -p hamiltone-cli && cargo bench -p hamiltone-benches --bench peers`. Figures are processor times per second of
//! sound, the least of several turns: of whole renders of ours, with energy balance, audit and file; of the peers without what
//! they need to start. The table is archived in `benches/archive`.

use hamiltone_benches::{
    archive::{self, Table},
    command::{hamiltone, run},
    machine::Machine,
};
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const TURNS: usize = 3;

/// A program and its note.
struct Peer {
    name: &'static str,
    /// The scene of the same note.
    scene: &'static str,
    /// Values that are set in it.
    sets: &'static [&'static str],
    run: Run,
}

/// How it is run; it prints a line `sound SECONDS taken SECONDS`.
enum Run {
    /// Its source in benches/peers, compiled by `cc`.
    C(&'static str),
    /// A script in benches/peers with its arguments, run by Python: `PYTHON`, or `python3`.
    Python(&'static str, &'static [&'static str]),
    /// The command in this environment variable.
    Named(&'static str),
}

const PEERS: [Peer; 8] = [
    Peer { name: "Moreau-Jean loop in C", scene: "bass_frets", sets: &[], run: Run::C("moreau_jean.c") },
    Peer {
        name: "the same in NumPy",
        scene: "bass_frets",
        sets: &[],
        run: Run::Python("moreau_jean.py", &["0.1"]),
    },
    Peer {
        name: "openwind",
        scene: "tube_cylinder",
        sets: &[],
        run: Run::Python("tube_openwind.py", &["0.02"]),
    },
    Peer {
        name: "openwind, its energies",
        scene: "tube_cylinder",
        sets: &[],
        run: Run::Python("tube_openwind.py", &["0.005", "energy"]),
    },
    Peer {
        name: "jaxdiffmodal, string",
        scene: "steel_string",
        sets: &[],
        run: Run::Python("string_jaxdiffmodal.py", &[]),
    },
    Peer {
        name: "jaxdiffmodal, plate",
        scene: "plate_mallet",
        sets: &[
            "run.scheme=modal-ec",
            "run.oversampling=1",
            "body.plate.thickness=1 mm",
            "body.plate.von_karman=true",
            "body.plate.modes=100",
            "body.plate.airy_modes=30",
        ],
        run: Run::Python("plate_jaxdiffmodal.py", &[]),
    },
    Peer { name: "NESS modal guitar", scene: "bass_frets", sets: &[], run: Run::Named("PEER_NESS") },
    Peer { name: "SVA piano string C4", scene: "piano_c4", sets: &[], run: Run::Named("PEER_SVA") },
];

fn main() -> Result<(), String> {
    let program = hamiltone()?;
    let folder = env::temp_dir().join(format!("hamiltone-peers-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut table = Table::new(
        "Processor time per second of sound, s",
        &["peer", "scene", "peer's", "modal-moreau-jean", "as shipped", "peer's/shipped"],
    );
    for peer in PEERS {
        let row = match peer.prepared(&folder) {
            Err(why) => vec![
                peer.name.into(),
                peer.scene.into(),
                format!("not run: {why}"),
                "–".into(),
                "–".into(),
                "–".into(),
            ],
            Ok((command, arguments)) => measured(&peer, &program, &folder, (&command, &arguments))?,
        };
        println!("{}", row.join(" | "));
        table.rows.push(row);
    }
    let _ = fs::remove_dir_all(&folder);
    let written = archive::write(&archive::usual_folder(), "peers", &Machine::here("peers"), "", &[table]);
    println!("written: {}", written.map_err(|error| error.to_string())?.display());
    Ok(())
}

impl Peer {
    /// Its command, or why there is none.
    fn prepared(&self, folder: &Path) -> Result<(PathBuf, Vec<String>), String> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
        let source = |name: &str| sources.join(name).to_string_lossy().into_owned();
        match self.run {
            Run::C(name) => {
                let program = folder.join("peer");
                let compiled = Command::new("cc")
                    .args(["-O3", "-march=native", "-ffast-math", &source(name), "-lm", "-o"])
                    .arg(&program)
                    .status();
                match compiled {
                    Ok(status) if status.success() => {
                        Ok((program, vec![folder.join("sound.raw").to_string_lossy().into_owned()]))
                    }
                    Ok(status) => Err(format!("`cc` failed: {status}")),
                    Err(error) => Err(format!("the C compiler `cc` cannot be run: {error}")),
                }
            }
            Run::Python(name, arguments) => {
                let python = env::var("PYTHON").unwrap_or_else(|_| "python3".into());
                let needed = ["openwind", "jaxdiffmodal"].into_iter().find(|package| name.contains(package));
                let package = needed.unwrap_or("numpy");
                let found = Command::new(&python).args(["-c", &format!("import {package}")]).output();
                if !found.is_ok_and(|output| output.status.success()) {
                    return Err(format!("{python} has no {package}"));
                }
                let words = arguments.iter().map(ToString::to_string);
                Ok((python.into(), [source(name)].into_iter().chain(words).collect()))
            }
            Run::Named(variable) => {
                let command = env::var(variable).map_err(|_| format!("{variable} is not set"))?;
                Ok(("bash".into(), vec!["-c".into(), command]))
            }
        }
    }
}

/// A row of the table, in turns.
fn measured(
    peer: &Peer,
    program: &Path,
    folder: &Path,
    (command, arguments): (&Path, &[String]),
) -> Result<Vec<String>, String> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scenes/{}.toml", peer.scene));
    let text = fs::read_to_string(&scene).map_err(|error| error.to_string())?;
    let sound = duration(&text).ok_or_else(|| format!("{}: no duration", scene.display()))?;
    let wav = folder.join("sound.wav");
    let ours = |scheme: Option<&str>| {
        let _ = fs::remove_file(&wav);
        let scheme = scheme.map(|name| format!("run.scheme={name:?}"));
        let mut words = vec!["render".as_ref(), scene.as_os_str(), "-o".as_ref(), wav.as_os_str()];
        for set in peer.sets.iter().copied().chain(scheme.as_deref()) {
            words.extend([OsStr::new("--set"), OsStr::new(set)]);
        }
        Ok::<f64, String>(run(program, &words)?.1 / sound)
    };
    let (mut theirs, mut published, mut shipped) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..TURNS {
        let words: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
        let said = run(command, &words)?.0;
        theirs = theirs.min(rate(&said).ok_or_else(|| format!("{}: no figures in {said}", peer.name))?);
        shipped = shipped.min(ours(None)?);
        if peer.scene == "bass_frets" {
            published = published.min(ours(Some("modal-moreau-jean"))?);
        }
    }
    let shown = |x: f64| if x.is_finite() { format!("{x:.4}") } else { "–".into() };
    Ok(vec![
        peer.name.into(),
        peer.scene.into(),
        shown(theirs),
        shown(published),
        shown(shipped),
        format!("{:.2}", theirs / shipped),
    ])
}

/// s of processor time per second of sound.
fn rate(said: &str) -> Option<f64> {
    let line = said.lines().find(|line| line.starts_with("sound "))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["sound", sound, "taken", taken] = words[..] else { return None };
    Some(taken.parse::<f64>().ok()? / sound.parse::<f64>().ok()?)
}

/// The duration that a scene states, s.
fn duration(text: &str) -> Option<f64> {
    let (_, behind) = text.split_once("duration = \"")?;
    behind.split_once(" s\"")?.0.parse().ok()
}
