//! Instructions per step, which other programs on the machine do not change: counted by valgrind, the difference of two runs of
//! this program on one case that differ in their number of steps.
//!
//! Valgrind knows instructions up to AVX2, so that what it counts is what a processor with AVX2 executes.

use crate::{
    case::Case,
    measure::{AUDITED, Left, Measured, Ready},
};
use std::process::Command;

/// The steps of the shorter run, half of those of the longer one.
const STEPS: usize = 64;

/// Instructions per step.
pub struct Counts {
    /// With the energy balance as runs have it.
    pub full: f64,
    /// With flows alone.
    pub flows: f64,
    /// Of the plain loop.
    pub plain: f64,
}

/// That valgrind is there.
///
/// # Errors
/// Where it is not.
pub fn available() -> Result<(), String> {
    match Command::new("valgrind").arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("--count needs valgrind, which is not installed; without --count times are measured".into()),
    }
}

/// Those of a case.
///
/// # Errors
/// Where valgrind fails.
pub fn of(case: &Case, row: &Measured) -> Result<Counts, String> {
    let counted = |run| {
        Ok::<_, String>(
            (instructions(case, run, 2 * STEPS)? - instructions(case, run, STEPS)?) / STEPS as f64,
        )
    };
    // One run of the loop has all its stages.
    debug_assert!(row.stages > 0);
    Ok(Counts { full: counted("full")?, flows: counted("flows")?, plain: counted("loop")? })
}

/// Of a whole run.
fn instructions(case: &Case, run: &str, steps: usize) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .arg("--one")
        .args(case.words())
        .args([run.to_string(), steps.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, number)| number.trim().parse().ok());
    collected.ok_or_else(|| format!("valgrind counted nothing of {:?}:\n{said}", case.words()))
}

/// Steps one case without a clock.
///
/// # Errors
/// Where the words name none, or it is refused.
pub fn one(words: &[String]) -> Result<(), String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [case @ .., run, steps] = &words[..] else {
        return Err("--one needs a case, a run and a number".into());
    };
    let case = Case::read(case).ok_or_else(|| format!("{case:?} is no case"))?;
    let steps: usize = steps.parse().map_err(|_| format!("`{steps}` is no number of steps"))?;
    let mut ready = Ready::new(&case).map_err(|left| match left {
        Left::NotCovered => "the scheme does not cover it".to_string(),
        Left::Because(why) => why,
    })?;
    let result = match *run {
        "full" => ready.run(AUDITED, steps),
        "flows" => ready.run(usize::MAX, steps),
        "loop" => ready.plain.run(ready.stages * steps),
        _ => return Err(format!("`{run}` is no run: full, flows, loop")),
    };
    std::hint::black_box(result);
    Ok(())
}
