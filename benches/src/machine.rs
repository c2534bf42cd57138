//! Where, when and how figures were measured.

use fearless_simd::Level;
use std::{
    fmt,
    process::Command,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

/// The machine and the run that figures belong to.
pub struct Machine {
    /// Name and value, in the order in which they are written.
    facts: Vec<(&'static str, String)>,
    /// The minute, UTC, as in 2026-01-31 23:59.
    pub date: String,
    /// The commit of the source, abbreviated; `+` behind it where files had changed.
    pub commit: String,
}

impl Machine {
    /// This one, running a benchmark of this name with the arguments that the program has.
    pub fn here(bench: &str) -> Self {
        let date = minute(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs()));
        let changed =
            said("git", &["status", "--porcelain", "--untracked-files=no"]).is_some_and(|s| !s.is_empty());
        let commit = said("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".into());
        let commit = if changed { commit + "+" } else { commit };
        // Cargo adds the last word to every benchmark.
        let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
        let arguments =
            if arguments.is_empty() { String::new() } else { format!(" -- {}", arguments.join(" ")) };
        let facts = vec![
            ("processor", processor().unwrap_or_else(|| "unknown".into())),
            ("instructions", format!("{:?}", Level::new()).chars().take_while(|c| *c != '(').collect()),
            ("cores", thread::available_parallelism().map_or(0, usize::from).to_string()),
            ("system", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)),
            ("rustc", said("rustc", &["--version"]).unwrap_or_else(|| "unknown".into())),
            ("commit", commit.clone()),
            ("date", date.clone()),
            ("command", format!("cargo bench -p hamiltone-benches --bench {bench}{arguments}")),
        ];
        Self { facts, date, commit }
    }

    /// One line a fact, each behind `prefix`.
    pub fn lines(&self, prefix: &str) -> String {
        self.facts.iter().map(|(name, value)| format!("{prefix}{name}: {value}\n")).collect()
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines("- "))
    }
}

/// What a command says, without the end of its line; nothing where it fails.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The model of the processor, where the system tells it.
fn processor() -> Option<String> {
    let known = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let model = text.lines().find_map(|line| line.strip_prefix("model name"))?;
        Some(model.trim_start_matches([' ', '\t', ':']).to_string())
    });
    known.or_else(|| said("sysctl", &["-n", "machdep.cpu.brand_string"]))
}

/// The day and minute of a number of seconds after 1970 began, UTC.
fn minute(seconds: u64) -> String {
    format!("{} {:02}:{:02}", date(seconds), seconds / 3600 % 24, seconds / 60 % 60)
}

/// The day of a number of seconds after 1970 began, UTC: years of 365.2425 days that begin in March (Howard Hinnant's
/// `civil_from_days`).
fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, civil) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{civil:02}-{day:02}", era * 400 + year + u64::from(civil <= 2))
}

#[cfg(test)]
mod tests {
    use super::{date, minute};

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(951_868_800), "2000-03-01");
        assert_eq!(date(1_798_761_599), "2026-12-31");
        assert_eq!(date(1_798_761_600), "2027-01-01");
        assert_eq!(minute(951_782_400 + 23 * 3600 + 7 * 60 + 59), "2000-02-29 23:07");
    }
}
