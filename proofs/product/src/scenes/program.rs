//! The program, run as a user runs it.
//!
//! A run may take 20 s and 10 times what `check` predicts; then it is ended and counts as hanging.

use std::{
    fs::{self, File},
    io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// What a run may take whatever it is, s.
const GRACE: f64 = 20.0;
/// What a run may take beyond, in units of what `check` predicts.
const FACTOR: f64 = 10.0;
/// What `check` may take, s: ten times what a scene of the generator needs.
const CHECK: f64 = 120.0;

/// How a run ended, and what it printed.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The exit code; `None` where a signal or the limit of time ended it.
    pub code: Option<i32>,
    /// Whether it exceeded its limit of time.
    pub late: bool,
    /// What it took, s of processor time, or of time where the system does not tell.
    pub seconds: f64,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// `hamiltone render scene.toml` with these arguments, in a folder.
///
/// # Errors
/// Where the program cannot be started.
pub fn render(program: &Path, folder: &Path, arguments: &[String]) -> io::Result<Ended> {
    let limit = |elapsed: f64| match elapsed < GRACE {
        true => GRACE,
        false => GRACE + FACTOR * predicted(program, folder, arguments).unwrap_or(0.0),
    };
    run(program, folder, "render", arguments, limit)
}

/// `hamiltone check scene.toml` with the arguments of these that it takes.
///
/// # Errors
/// Where the program cannot be started.
pub fn check(program: &Path, folder: &Path, arguments: &[String]) -> io::Result<Ended> {
    let taken = ["--set", "--scheme", "--duration", "--threads"];
    let pairs = arguments.windows(2).filter(|pair| taken.contains(&pair[0].as_str()));
    let arguments: Vec<String> = pairs.flatten().cloned().collect();
    run(program, folder, "check", &arguments, |_| CHECK)
}

/// The time that `check` predicts, s; `None` where it predicts none.
pub fn predicted(program: &Path, folder: &Path, arguments: &[String]) -> Option<f64> {
    let out = check(program, folder, arguments).ok()?.out;
    let words: Vec<&str> = out.lines().find(|line| line.contains("  cost "))?.split_whitespace().collect();
    words.windows(4).find(|four| four[1..] == ["s", "of", "processor"])?[0].parse().ok()
}

/// Runs a command until it ends or is late; `limit` is asked once the time that it gave last is over.
fn run(
    program: &Path,
    folder: &Path,
    command: &str,
    arguments: &[String],
    limit: impl Fn(f64) -> f64,
) -> io::Result<Ended> {
    let names = [folder.join(format!("{command}.out")), folder.join(format!("{command}.err"))];
    let begin = Instant::now();
    let mut child = Command::new(program)
        .current_dir(folder)
        .args([command, "scene.toml"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(&names[0])?)
        .stderr(File::create(&names[1])?)
        .spawn()?;
    let mut allowed = limit(0.0);
    let mut used = None;
    let status: Option<ExitStatus> = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        let elapsed = begin.elapsed().as_secs_f64();
        used = processor_time(child.id()).or(used);
        if elapsed > allowed {
            let longer = limit(elapsed);
            if longer <= elapsed {
                child.kill()?;
                child.wait()?;
                break None;
            }
            allowed = longer;
        }
        sleep(Duration::from_millis(if elapsed < 1.0 { 1 } else { 20 }));
    };
    let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended {
        code: status.and_then(|status| status.code()),
        late: status.is_none(),
        seconds: used.unwrap_or_else(|| begin.elapsed().as_secs_f64()),
        out: text(&names[0])?,
        err: text(&names[1])?,
    })
}

/// The processor time of a process that runs, s: user and system time in hundredths of a second, where Linux tells it.
fn processor_time(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is a name in brackets, with any characters.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: f64 =
        fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Some(ticks / 100.0)
}
