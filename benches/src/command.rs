//! Other programs: what they say, and the processor time that they take.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Command,
};

/// What a program says, and its processor time, s, as bash tells it to the millisecond.
///
/// # Errors
/// Where there is no bash, or the program fails.
pub fn run(program: &Path, arguments: &[&OsStr]) -> Result<(String, f64), String> {
    let script = r#""$0" "$@" && times"#;
    let output = Command::new("bash").args(["-c", script]).arg(program).args(arguments).output();
    let output = output.map_err(|error| format!("bash: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!(
            "{} failed: {said}{}",
            program.display(),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    // The last line is that of the commands: minutes and seconds of the user's time, and the system's.
    let last = said.lines().next_back().unwrap_or_default();
    let seconds = last.split_whitespace().map(seconds).sum::<Option<f64>>();
    Ok((said.clone(), seconds.ok_or_else(|| format!("bash tells no times: {said}"))?))
}

/// Of a word such as `1m2.345s`.
fn seconds(word: &str) -> Option<f64> {
    let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
}

/// The program `hamiltone` that lies beside the benchmarks.
///
/// # Errors
/// Where it was not built.
pub fn hamiltone() -> Result<PathBuf, String> {
    let here = env::current_exe().map_err(|error| error.to_string())?;
    let folder = here.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    let program = folder.join(format!("hamiltone{}", env::consts::EXE_SUFFIX));
    match program.is_file() {
        true => Ok(program),
        false => Err("build the program first: cargo build --release -p hamiltone-cli".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_are_read() {
        assert_eq!(seconds("1m2.500s"), Some(62.5));
        assert_eq!(seconds("0m0.004s"), Some(0.004));
        assert_eq!(seconds("4"), None);
    }
}
