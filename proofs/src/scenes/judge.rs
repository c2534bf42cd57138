//! Whether the exit code of a run agrees with the energy that its states have.
//!
//! Faults:
//!
//! - a crash, or a run that hangs ([`super::program`]);
//! - exit 0, and a number is not finite, the physical energy exceeds [`MAX_PHYSICAL_ENERGY`] times what was put in, energy
//!   came from nowhere (more than [`GAIN`] of what was put in, and the bound of the balance where that is only bounded), or
//!   the stored energy that the program states is not the one that its states have;
//! - exit 1 of a run whose recomputed energies show nothing of it;
//! - exit 2 without a correction, or of what the library accepts;
//! - another sound, or exit code, where states are asked for.
//!
//! What was put in is the initial energy and the largest partial sum of the supplied work, both as recomputed. Every sum
//! counts with its uncertainty to the advantage of the program.

use super::{
    npz,
    npz::Array,
    program,
    program::Ended,
    recompute::{Energies, States},
    scene::Drawn,
};
use hamiltone_core::{
    audit::{MAX_PHYSICAL_ENERGY, MAX_UNCERTAINTY, exact_tolerance},
    claims::Balance,
};
use hamiltone_scene::Plan;
use std::{collections::BTreeMap, fs, path::Path};

/// The largest net work of contacts, and the largest energy from nowhere, relative to what was put in.
pub const GAIN: f64 = 1e-2;
/// How far two sums of the same energies may differ, relative to it.
const ROUNDING: f64 = 1e-9;
/// The most numbers of states that are read: beyond, one row a sample.
const NUMBERS: u64 = 20_000_000;

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Exit 0, rightly.
    Good,
    /// Exit 1, rightly: why.
    Failed(String),
    /// Exit 2, rightly: what was refused.
    Refused(String),
    /// A fault of the program: its kind, and what was found.
    Fault(&'static str, String),
}

/// Renders a scene in an empty folder and judges the run.
///
/// # Panics
/// If the folder cannot be written, or the program not be started.
pub fn judge(program: &Path, scene: &Drawn, folder: &Path) -> Verdict {
    scene.write(folder).expect("a folder that can be written");
    let mut arguments = scene.written().1;
    let changes = arguments.len();
    arguments.extend(scene.options.arguments());
    let ended = program::render(program, folder, &arguments).expect("the program runs");
    let plan = scene.plan(folder);
    if let Some(fault) = stopped(&ended) {
        return fault;
    }
    let (plan, code) = match (plan, ended.code) {
        (Err(_), Some(2)) => return refused(&ended),
        (Ok(_), Some(2)) => return Verdict::Fault("refused by the program alone", ended.err),
        (Err(problems), _) => return Verdict::Fault("accepted by the program alone", problems.to_string()),
        (Ok(plan), Some(code @ (0 | 1))) => (plan, code),
        (Ok(_), code) => return Verdict::Fault("another exit code", format!("{code:?}: {}", ended.err)),
    };
    if let Some(fault) = files(folder, code) {
        return fault;
    }
    let name = if code == 0 { "sound.wav" } else { "sound.failed.wav" };
    let sound = fs::read(folder.join(name));
    // The same run with its states at every step.
    arguments.truncate(changes);
    let width = 2 * (plan.system.size() + plan.system.elements.len()) as u64 + 6;
    let every = if plan.steps() * width > NUMBERS { plan.oversampling as u64 } else { 1 };
    let more = ["-o", "sound.wav", "--states", "judge.npz", "--states-every", &every.to_string()];
    arguments.extend(more.map(String::from));
    let again = program::render(program, folder, &arguments).expect("the program runs");
    if let Some(fault) = stopped(&again) {
        return fault;
    }
    if again.code != Some(code) {
        return Verdict::Fault(
            "another exit code with states",
            format!("{code}, then {:?}: {}", again.code, again.err),
        );
    }
    match (sound, fs::read(folder.join(name))) {
        (Ok(one), Ok(other)) if one == other => {}
        (Err(error), _) | (_, Err(error)) => return Verdict::Fault("no sound", format!("{name}: {error}")),
        _ => return Verdict::Fault("another sound with states", String::new()),
    }
    // The files of a failed run have names of their own.
    let states = ["judge.npz", "judge.failed.npz"].map(|name| folder.join(name));
    let states = states.iter().find(|path| path.exists()).unwrap_or(&states[0]);
    let arrays = fs::read(states).map_err(|e| e.to_string()).and_then(npz::read);
    let judged = arrays.and_then(|arrays| verdict(scene, &plan, &arrays, every, (code, &again.err)));
    judged.unwrap_or_else(|error| Verdict::Fault("states that cannot be judged", error))
}

/// The verdict on a run with states `every` so many steps that ended with exit code 0 or 1 and printed errors.
///
/// # Errors
/// What is missing in the states, or a contact law that [`super::law::Law`] does not know.
pub fn verdict(
    scene: &Drawn,
    plan: &Plan,
    arrays: &BTreeMap<String, Array>,
    every: u64,
    (code, errors): (i32, &str),
) -> Result<Verdict, String> {
    let states = States::new(scene, plan, arrays)?;
    let resolved = every == 1 || plan.drives.is_empty();
    let stored = arrays.get("ledger.stored").map(|array| &array.numbers[..]).unwrap_or_default();
    Ok(Case { plan, states, stored, resolved, every, err: errors }.verdict(code))
}

/// A run that did not end, or crashed.
fn stopped(ended: &Ended) -> Option<Verdict> {
    match ended.code {
        None if ended.late => Some(Verdict::Fault("hang", ended.err.clone())),
        None | Some(101) => Some(Verdict::Fault("crash", ended.err.clone())),
        Some(_) => None,
    }
}

/// A refusal: each problem says what to write instead, or what is allowed.
fn refused(ended: &Ended) -> Verdict {
    let problems: Vec<&str> = ended.err.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
    let fixes = ["; ", "must ", " use ", " takes ", "reaches from"];
    let fixed = |line: &&str| fixes.iter().any(|fix| line.contains(fix));
    match problems.iter().find(|line| !fixed(line)) {
        Some(line) => Verdict::Fault("a refusal without a correction", line.to_string()),
        None if problems.is_empty() => Verdict::Fault("a refusal without a reason", ended.err.clone()),
        None => Verdict::Refused(reason(problems[0])),
    }
}

/// A message without its place and numbers.
fn reason(line: &str) -> String {
    let text = line.split_once(": ").map_or(line, |(_, text)| text);
    let text = text.split("; ").next().unwrap_or(text);
    text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(90).collect()
}

/// What the files of a run say beside its exit code.
fn files(folder: &Path, code: i32) -> Option<Verdict> {
    let audit = if code == 0 { "audit.json" } else { "audit.failed.json" };
    if let Ok(text) = fs::read_to_string(folder.join(audit)) {
        let audit: serde_json::Value = match serde_json::from_str(&text) {
            Ok(audit) => audit,
            Err(error) => return Some(Verdict::Fault("an audit that is no JSON", error.to_string())),
        };
        if audit["ok"] != (code == 0) {
            return Some(Verdict::Fault("audit and exit code differ", format!("{code}, {}", audit["ok"])));
        }
    }
    // Not the sound within the page, which is text of any letters.
    let report = fs::read_to_string(folder.join("report/index.html")).unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || "+/=_-".contains(c);
    let wrong = report.split(|c| !is_word(c)).find(|word| ["NaN", "inf", "-inf"].contains(word))?;
    (code == 0).then(|| Verdict::Fault("a report with numbers that are none", wrong.to_string()))
}

/// A run that ended with exit 0 or 1.
struct Case<'a> {
    plan: &'a Plan,
    states: States<'a>,
    /// The stored energy that the program states.
    stored: &'a [f64],
    /// Whether work and losses can be recomputed: rows are steps, or there are no inputs.
    resolved: bool,
    every: u64,
    err: &'a str,
}

impl Case<'_> {
    fn verdict(&self, code: i32) -> Verdict {
        let finite = self.states.are_finite();
        match code {
            0 if !finite => Verdict::Fault("exit 0, not finite", String::new()),
            0 => self.good(&self.states.energies()),
            _ if !finite => Verdict::Failed("not finite".into()),
            _ => self.failed(&self.states.energies()),
        }
    }

    /// The relative residual that passes where the balance is bounded, else 0.
    fn bound(&self) -> f64 {
        match self.balance() {
            Balance::Exact => 0.0,
            Balance::Bounded => self.plan.balance_bound,
        }
    }

    fn balance(&self) -> Balance {
        self.plan.scheme.claims().balance(&self.plan.system)
    }

    fn good(&self, all: &[Energies]) -> Verdict {
        if !self.resolved {
            return Verdict::Good;
        }
        let (peak, put_in) = (peak(all), put_in(all, 1.0));
        let rounding = rounding(all);
        if peak > MAX_PHYSICAL_ENERGY * put_in * (1.0 + ROUNDING) + rounding {
            let times = peak / put_in;
            return Verdict::Fault(
                "exit 0, energy from nowhere",
                format!("{peak:e} J, {times:.3} times {put_in:e} J"),
            );
        }
        let work = all.iter().map(|e| e.contact_work.value - e.contact_work.error).fold(0.0, f64::max);
        if work > GAIN * put_in + rounding {
            return Verdict::Fault("exit 0, work of contacts", format!("{work:e} J of {put_in:e} J"));
        }
        if !self.plan.scheme.claims().physical_energy {
            return Verdict::Good;
        }
        if let Some((n, e)) = all.iter().zip(self.stored).enumerate().find_map(|(n, (e, stored))| {
            let differs = (e.energy - stored).abs() > ROUNDING * peak + rounding;
            differs.then_some((n, (e.energy, stored)))
        }) {
            return Verdict::Fault(
                "exit 0, another stored energy",
                format!("row {n}: {:e} J, not {:e} J", e.0, e.1),
            );
        }
        let allowed = GAIN * put_in + self.bound() * (peak + put_in) + rounding;
        let (gain, n) = largest(all, -1.0);
        if self.every == 1 && gain > allowed {
            return Verdict::Fault(
                "exit 0, unexplained energy",
                format!("{gain:e} J of {put_in:e} J at row {n}"),
            );
        }
        Verdict::Good
    }

    fn failed(&self, all: &[Energies]) -> Verdict {
        let text =
            self.err.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_string();
        let (peak, put_in) = (peak(all), put_in(all, -1.0));
        // A velocity at half steps: the energy is already that of the next position.
        let ahead = self.plan.scheme.claims().staggered.then(|| self.states.ahead()).flatten().unwrap_or(0.0);
        let ahead = if ahead.is_finite() { ahead } else { f64::INFINITY };
        let grew = peak.max(ahead) > 0.9 * MAX_PHYSICAL_ENERGY * put_in || !self.resolved;
        let rounding = rounding(all);
        let explained = if text.contains("no real root") {
            Some("complex root")
        } else if text.contains("cannot be judged") {
            let tolerance =
                exact_tolerance(all.len() as u64 - 1) * rounding / (ROUNDING_SIZE * f64::EPSILON) / peak;
            (tolerance > MAX_UNCERTAINTY / 100.0).then_some("not judged")
        } else if text.contains("contacts gained") {
            let work = all.iter().map(|e| e.contact_work.value + e.contact_work.error).fold(0.0, f64::max);
            (work > 0.5 * GAIN * put_in).then_some("work of contacts")
        } else if text.contains("violated its energy balance") && self.balance() == Balance::Bounded {
            let (gain, _) = largest(all, 1.0);
            let (loss, _) = least(all);
            let physical = self.plan.scheme.claims().physical_energy;
            let wrong = gain.max(-loss) > 0.5 * self.bound() * peak;
            (wrong || !physical || self.every > 1).then_some("beyond its bound")
        } else if text.contains("violated its energy balance") {
            return Verdict::Fault("exit 1 of an exact balance", text);
        } else {
            grew.then_some("energy grew")
        };
        match explained {
            Some(reason) => Verdict::Failed(reason.into()),
            None => Verdict::Fault("exit 1, nothing wrong", format!("{text}; {peak:e} J of {put_in:e} J")),
        }
    }
}

/// Roundings of the positions that are not a fault, in eps.
const ROUNDING_SIZE: f64 = 1e3;

/// What roundings of the positions are worth, J.
fn rounding(all: &[Energies]) -> f64 {
    ROUNDING_SIZE * f64::EPSILON * all.iter().map(|e| e.leverage).fold(0.0, f64::max)
}

/// The largest energy, J.
fn peak(all: &[Energies]) -> f64 {
    all.iter().map(|e| e.energy).fold(0.0, f64::max)
}

/// The initial energy and the largest partial sum of the supplied work, with `side` of its uncertainty.
fn put_in(all: &[Energies], side: f64) -> f64 {
    let supplied = all.iter().map(|e| e.supplied.value + side * e.supplied.error).fold(0.0, f64::max);
    all[0].energy + supplied
}

/// The largest energy that no input, initial energy or loss explains, with `side` of the uncertainty, and its row.
fn largest(all: &[Energies], side: f64) -> (f64, usize) {
    let gains = all.iter().map(|e| gain(e, all[0].energy, side)).enumerate();
    gains.fold((0.0, 0), |most, (n, gain)| if gain > most.0 { (gain, n) } else { most })
}

/// The largest energy that disappears, negative.
fn least(all: &[Energies]) -> (f64, usize) {
    let gains = all.iter().map(|e| gain(e, all[0].energy, -1.0)).enumerate();
    gains.fold((0.0, 0), |most, (n, gain)| if gain < most.0 { (gain, n) } else { most })
}

fn gain(e: &Energies, initial: f64, side: f64) -> f64 {
    let error = e.supplied.error + e.dissipated.error;
    e.energy - initial + e.dissipated.value - e.supplied.value + side * error
}
