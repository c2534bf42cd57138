//! `hamiltone render`: a scene becomes a sound, with its energy audit.

use super::{BROKEN, Failure, SOUND, SceneArguments};
use clap::{Args, ValueHint};
use hamiltone_core::scheme::Balance;
use hamiltone_render::{
    Outcome, Sink,
    sinks::{
        audit::AuditFile,
        states::States,
        wav::{self, Wav},
    },
};
use hamiltone_report::Report;
use hamiltone_scene::{
    plan::{Level, Plan},
    units::plain,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// A run that is shorter needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// What `render` takes.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// The sound; without it the scene's name with .wav, in the current folder
    #[arg(short, long, value_name = "OUT.wav", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// A folder for a page with pictures of the run and the sound itself
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    report: Option<PathBuf>,
    /// Positions, velocities and energies over time, for numpy
    #[arg(long, value_name = "OUT.npz", value_hint = ValueHint::FilePath)]
    states: Option<PathBuf>,
    /// Keep every N-th internal step in the states; without it one a sample
    #[arg(long, value_name = "N", requires = "states", value_parser = clap::value_parser!(u64).range(1..))]
    states_every: Option<u64>,
    /// Keep the pickups in the states too, at the internal rate
    #[arg(long, requires = "states")]
    states_pickups: bool,
    /// The energy audit as JSON
    #[arg(long, value_name = "OUT.json", value_hint = ValueHint::FilePath)]
    audit: Option<PathBuf>,
    /// How samples are stored: the same as --set output.format=…
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// Renders, and says in a few lines what came of it.
pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let scene = arguments.scene.open(&[("output.format", "--format", arguments.format.as_ref())])?;
    let text = scene.text().to_string();
    let plan = scene.plan()?;
    let mut files = Files::new(arguments, text);
    check_name(&files.sound)?;
    files.make_folders()?;
    files.check(plan.inputs.iter().chain([&arguments.scene.scene]))?;
    let bar = bar(arguments.quiet);
    let begin = Instant::now();
    let outcome = hamiltone_render::run(&plan, &mut files.sinks(), &mut |done, all| {
        if begin.elapsed() > PATIENCE {
            bar.set_length(all);
            bar.set_position(done);
        }
    });
    bar.finish_and_clear();
    let outcome = outcome.map_err(|error| Failure::Other(error.to_string()))?;
    if !arguments.quiet {
        summary(&plan, &outcome, begin.elapsed().as_secs_f64());
        say!("  wrote      {}", files.names(outcome.ok).join(", "));
    }
    outcome.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if let Some(verdict) = verdict(&plan, &outcome) {
        eprintln!("error: {verdict}");
        return Ok(BROKEN);
    }
    Ok(SOUND)
}

/// A sound is a WAV file, and a file.
fn check_name(path: &Path) -> Result<(), Failure> {
    let others =
        ["mp3", "flac", "ogg", "opus", "m4a", "aac", "aif", "aiff", "aifc", "caf", "wma", "raw", "mp4"];
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = path.display();
    if path.as_os_str() == "-" {
        return Err(Failure::Other(
            "the sound does not go to standard output; name a file, such as -o sound.wav".into(),
        ));
    }
    if others.contains(&extension.as_str()) {
        let wav = path.with_extension("wav");
        return Err(Failure::Other(format!("`{name}`: the sound is a WAV file; write -o {}", wav.display())));
    }
    Ok(())
}

/// The sinks that are asked for.
struct Files {
    sound: PathBuf,
    wav: Wav,
    audit: Option<(PathBuf, AuditFile)>,
    states: Option<(PathBuf, States)>,
    report: Option<(PathBuf, Report)>,
}

impl Files {
    fn new(arguments: &Arguments, text: String) -> Self {
        let stem = arguments.scene.scene.file_stem().unwrap_or_default();
        let sound = arguments.output.clone().unwrap_or_else(|| PathBuf::from(stem).with_extension("wav"));
        let (every, pickups) = (arguments.states_every, arguments.states_pickups);
        Self {
            wav: Wav::new(&sound),
            sound,
            audit: arguments.audit.clone().map(|path| (path.clone(), AuditFile::new(path))),
            states: arguments.states.clone().map(|path| (path.clone(), States::new(path, every, pickups))),
            report: arguments.report.clone().map(|path| (path.join("index.html"), Report::new(path, text))),
        }
    }

    /// Makes the folders that the files go to.
    fn make_folders(&self) -> Result<(), Failure> {
        let others = [&self.audit.as_ref().map(|f| &f.0), &self.states.as_ref().map(|f| &f.0)];
        for path in others.into_iter().flatten().copied().chain([&self.sound]) {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder)
                .map_err(|error| Failure::Other(format!("cannot write `{}`: {error}", path.display())))?;
        }
        Ok(())
    }

    /// No output may take the place of a file that is read, or of another output.
    fn check<'a>(&self, inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Failure> {
        let named = [
            ("the sound", Some(&self.sound)),
            ("the audit", self.audit.as_ref().map(|f| &f.0)),
            ("the states", self.states.as_ref().map(|f| &f.0)),
            ("the report", self.report.as_ref().map(|f| &f.0)),
        ];
        let mut taken: Vec<(&str, PathBuf)> =
            inputs.map(|path| ("an input of the scene", real(path))).collect();
        for (what, path) in named.into_iter().filter_map(|(what, path)| Some((what, path?))) {
            let place = real(path);
            if let Some((other, _)) = taken.iter().find(|(_, taken)| *taken == place) {
                let path = path.display();
                return Err(Failure::Other(format!(
                    "{what} and {other} would be one file, `{path}`; name another"
                )));
            }
            taken.push((what, place));
        }
        Ok(())
    }

    fn sinks(&mut self) -> Vec<&mut dyn Sink> {
        let mut sinks: Vec<&mut dyn Sink> = vec![&mut self.wav];
        sinks.extend(self.audit.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.states.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks.extend(self.report.as_mut().map(|(_, sink)| sink as &mut dyn Sink));
        sinks
    }

    fn names(&self, ok: bool) -> Vec<String> {
        let sound = if ok { self.sound.clone() } else { wav::failed_name(&self.sound) };
        let others = [
            self.audit.as_ref().map(|(path, _)| path.clone()),
            self.states.as_ref().map(|(path, _)| path.clone()),
            self.report.as_ref().map(|(path, _)| path.clone()),
        ];
        [Some(sound)].into_iter().chain(others).flatten().map(|path| path.display().to_string()).collect()
    }
}

/// A bar that appears only on a terminal.
fn bar(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("  {bar:40} {percent}% of {len} steps, {eta} to go");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn summary(plan: &Plan, outcome: &Outcome, seconds: f64) {
    let (audit, sound) = (&outcome.audit, &outcome.sound);
    let rate = plan.sample_rate * plan.oversampling as f64;
    let simulated = audit.steps as f64 / rate;
    let claim = match outcome.balance {
        Balance::Exact => "exact",
        Balance::Bounded => "bounded",
    };
    let level = match plan.output.level {
        Level::Peak(db) => format!("peak {db} dBFS"),
        Level::Gain(db) => format!("gain {db} dB"),
        Level::Raw => "raw SI values".into(),
    };
    say!("{}", plan.title);
    say!(
        "  run        {} s: {} steps of `{}` at {} Hz",
        plain(simulated),
        audit.steps,
        plan.scheme.name(),
        plain(rate)
    );
    say!(
        "  balance    {claim}: residual {:.2e}, tolerance {:.2e}: {}",
        audit.residual_max_relative(),
        outcome.tolerance,
        if outcome.ok { "ok" } else { "FAILED" },
    );
    let factors = plan.pickups.iter().zip(&sound.factors);
    let factors: Vec<String> =
        factors.map(|(pickup, f)| format!("{} {f:.6e} per {}", pickup.name, pickup.unit)).collect();
    say!("  level      {level}: samples are the pickups times {}", factors.join(", "));
    say!("  speed      {} times real time ({} s)", two_digits(simulated / seconds), two_digits(seconds));
}

/// Two significant digits: a time is never the same twice.
pub fn two_digits(x: f64) -> String {
    plain(format!("{x:.1e}").parse().unwrap_or(x))
}

/// What went wrong, if anything did.
fn verdict(plan: &Plan, outcome: &Outcome) -> Option<String> {
    let audit = &outcome.audit;
    if let Some((step, fault)) = &audit.fault {
        let time = *step as f64 / (plan.sample_rate * plan.oversampling as f64);
        return Some(format!(
            "scheme `{}`, step {step} (t = {} s): {fault}",
            plan.scheme.name(),
            plain(time)
        ));
    }
    (!outcome.ok).then(|| {
        format!(
            "scheme `{}` broke its energy balance: residual {:.2e} after step {}, tolerance {:.2e}",
            plan.scheme.name(),
            audit.residual_max_relative(),
            audit.residual_max_step,
            outcome.tolerance,
        )
    })
}

/// A path with its links and dots resolved, of a file that may not be there yet.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let there = fs::canonicalize(folder).map(|folder| folder.join(path.file_name().unwrap_or_default()));
    fs::canonicalize(path).or(there).unwrap_or_else(|_| path.into())
}
