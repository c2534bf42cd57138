//! Whether the exit code of a run agrees with the energy that its states have.
//!
//! Faults:
//!
//! - a crash, or a run that hangs ([`super::program`]);
//! - exit 0, and a number is not finite, the physical energy exceeds [`MAX_PHYSICAL_ENERGY`] times what was put in, energy
//!   was gained (more than [`GAIN`] of what was put in, and the bound of the balance where that is only bounded), or the
//!   stored energy that the program states is not the one that its states have;
//! - exit 1, and the states do not show the failure that its message names, as far as they can;
//! - exit 2 without a correction, or of what the library accepts;
//! - a run of more than 8 s of processor time of which `check` predicts less than half;
//! - another sound, or exit code, where states are asked for.
//!
//! What was put in is the initial energy and the largest partial sum of the supplied work, both as recomputed. Every sum
//! counts with its uncertainty to the advantage of the program. Where that decides – with the uncertainty to its
//! disadvantage the run would be a fault, by more than [`RESOLUTION`] of what was put in – the run is not judged.
//!
//! Impulses of rigid contacts are stored at samples only: those of an oversampled scene are read from the same run with its
//! internal rate as that of the sound.

use super::{
    npz,
    npz::Array,
    options::Options,
    program,
    program::Ended,
    recompute::{Energies, States, impulses, is_above, largest, least},
    scene::Drawn,
    sustained,
};
use hamiltone_core::{
    audit::{AUDIT_INTERVAL, MAX_PHYSICAL_ENERGY, MAX_UNCERTAINTY, exact_tolerance},
    claims::Balance,
    element::Law,
    input::{Action, Input},
};
use hamiltone_scene::Plan;
use std::{collections::BTreeMap, fs, path::Path};
use toml::Value;

/// The largest net work of contacts, and the largest energy that may be gained, relative to what was put in.
pub const GAIN: f64 = 1e-2;
/// The largest gain that a judged run may hide in its uncertainty, relative to what was put in.
pub const RESOLUTION: f64 = 0.1;
/// A divergence is a growth to 10⁶ times what was put in, in the energy of the scheme; of the physical one less counts.
const DIVERGED: f64 = 1e3;
/// How far two sums of the same energies may differ, relative to it.
const ROUNDING: f64 = 1e-9;

/// What a run may take that `check` has not foreseen, s of processor time; the scenes last some 45 ms.
const LONG: f64 = 8.0;
/// How many times less `check` may predict: other programs do not change processor time, but the clock of the processor.
const FORESEEN: f64 = 2.0;
/// The same of an iteration on forms: 3.1 was measured of a plate that a growing force bends (seed 900185).
const FORESEEN_ITERATED: f64 = 8.0;

/// What came of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Exit 0, rightly.
    Good,
    /// Exit 1, rightly: why.
    Failed(String),
    /// Exit 2, rightly: what was refused.
    Refused(String),
    /// Not known: what is too uncertain.
    Unjudged(String),
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
    if ended.seconds > LONG {
        let told = program::predicted(program, folder, &arguments);
        // A scheme that iterates on forms does so more often the further they are strained, which its first steps do not tell.
        let iterates = plan.scheme.claims().physical_energy && !plan.system.forms.is_empty();
        let foreseen = if iterates { FORESEEN_ITERATED } else { FORESEEN };
        if told.is_none_or(|told| told < ended.seconds / foreseen) {
            let text = format!("{:.1} s of processor time, check: {told:?} s", ended.seconds);
            return Verdict::Fault("long without a word of check", text);
        }
    }
    let name = if code == 0 { "sound.wav" } else { "sound.failed.wav" };
    let sound = fs::read(folder.join(name));
    // The same run with its states at every step.
    // Where a run ends that diverged depends on its audit points.
    let audited = arguments.iter().position(|argument| argument == "--audit-every");
    let audited: Vec<String> = audited.map_or(Vec::new(), |at| arguments[at..at + 2].to_vec());
    arguments.truncate(changes);
    arguments.extend(audited);
    let more = ["-o", "sound.wav", "--states", "judge.npz", "--states-every", "1"];
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
    let sustained = plan.system.elements.iter().any(|element| matches!(element.law, Law::Port(_)));
    let judged = states(folder, "judge").and_then(|mut arrays| {
        if sustained {
            return sustained::verdict(&arrays, (code, &again.err));
        }
        if plan.oversampling > 1
            && !impulses(&plan).is_empty()
            && let Err(reason) = add_impulses(program, scene, &plan, folder, &mut arrays)
        {
            return Ok(Verdict::Unjudged(reason));
        }
        verdict(scene, &plan, &arrays, (code, &again.err))
    });
    judged.unwrap_or_else(|error| Verdict::Fault("states that cannot be judged", error))
}

/// The states of a run; the files of a failed one have names of their own.
fn states(folder: &Path, name: &str) -> Result<BTreeMap<String, Array>, String> {
    let paths = [format!("{name}.npz"), format!("{name}.failed.npz")].map(|name| folder.join(name));
    let path = paths.iter().find(|path| path.exists()).unwrap_or(&paths[0]);
    fs::read(path).map_err(|e| format!("{}: {e}", path.display())).and_then(npz::read)
}

/// The impulses of rigid contacts at every step: those of the same run, a sample longer, with its internal rate as that of
/// the sound.
///
/// # Errors
/// Where that is refused, or is another run.
fn add_impulses(
    program: &Path,
    scene: &Drawn,
    plan: &Plan,
    folder: &Path,
    arrays: &mut BTreeMap<String, Array>,
) -> Result<(), String> {
    let mut same = scene.clone();
    same.options = Options::default();
    let rate = plan.internal_rate();
    for (key, value) in [
        ("sample_rate", Value::Integer(rate as i64)),
        ("oversampling", Value::Integer(1)),
        ("duration", Value::Float((plan.steps() as f64 + 2.0) / rate)),
    ] {
        same.sections[0].keys.insert(key.into(), value);
    }
    let folder = folder.join("internal");
    let wrong = |e: &dyn std::fmt::Display| format!("impulses of an oversampled scene: {e}");
    fs::create_dir(&folder).and_then(|()| same.write(&folder)).map_err(|e| wrong(&e))?;
    let arguments = ["-o", "sound.wav", "--states", "judge.npz", "--states-every", "1"].map(String::from);
    let ended = program::render(program, &folder, &arguments).map_err(|e| wrong(&e))?;
    if !matches!(ended.code, Some(0 | 1)) {
        return Err(wrong(&"the scene at its internal rate is refused"));
    }
    let mut others = states(&folder, "judge")?;
    let rows = arrays.get("time").map_or(0, |time| time.numbers.len());
    let bits = |array: &Array| -> Vec<u64> {
        array.numbers[..rows * array.columns].iter().map(|x| x.to_bits()).collect()
    };
    for body in &plan.bodies {
        for name in ["q", "v"].map(|what| format!("{}.{what}", body.name)) {
            let both = [arrays.get(&name), others.get(&name)];
            let both = both.map(|array| array.filter(|a| a.numbers.len() >= rows * a.columns).map(bits));
            if both[0].is_none() || both[0] != both[1] {
                return Err(wrong(&"the scene at its internal rate is another"));
            }
        }
    }
    for (name, columns) in impulses(plan) {
        let mut array = others.remove(&name).ok_or_else(|| wrong(&name))?;
        array.numbers.truncate(rows * columns);
        arrays.insert(name, array);
    }
    Ok(())
}

/// The verdict on a run with its states at every step, and its impulses where contacts are rigid, that ended with exit code
/// 0 or 1 and printed errors.
///
/// # Errors
/// What is missing in the states, or a contact law that [`super::law::Law`] does not know.
pub fn verdict(
    scene: &Drawn,
    plan: &Plan,
    arrays: &BTreeMap<String, Array>,
    (code, errors): (i32, &str),
) -> Result<Verdict, String> {
    Ok(Case { plan, states: States::new(scene, plan, arrays)?, err: errors }.verdict(code))
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
    let fixes = ["; ", "must ", " use ", " takes ", " give ", "reaches from"];
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
    err: &'a str,
}

impl Case<'_> {
    fn verdict(&self, code: i32) -> Verdict {
        match (code, self.states.are_finite()) {
            (0, false) => Verdict::Fault("exit 0, not finite", String::new()),
            (0, true) => self.good(&self.states.energies()),
            (_, finite) => self.failed(finite),
        }
    }

    /// The relative residual that passes where the balance is bounded, else 0.
    fn bound(&self) -> f64 {
        match self.balance() {
            Balance::Exact { .. } => 0.0,
            Balance::Bounded => self.plan.balance_bound,
        }
    }

    fn balance(&self) -> Balance {
        self.plan.scheme.claims().balance(&self.plan.system)
    }

    /// The largest energy at the rows at which the program looks, J: where the energy of the scheme is another and forms act, the first, the
    /// last and one in an audit interval (`Physical` of the renderer). Between them the steps average the tension, and the positions do not.
    fn audited_peak(&self, all: &[Energies]) -> f64 {
        let plan = self.plan;
        let every_row = plan.scheme.claims().physical_energy || plan.advised || plan.system.size() == 1;
        if every_row || plan.system.forms.is_empty() {
            return peak(all);
        }
        let sample = plan.oversampling as u64;
        let interval = (sample * AUDIT_INTERVAL.div_ceil(sample)) as usize;
        largest(all.iter().step_by(interval).chain(all.last()).map(|e| e.energy))
    }

    fn good(&self, all: &[Energies]) -> Verdict {
        let (peak, rounding) = (self.audited_peak(all), rounding(all));
        let [least_in, put_in] = [false, true].map(|high| put_in(all, high));
        let most = |put_in: f64| MAX_PHYSICAL_ENERGY * put_in * (1.0 + ROUNDING) + rounding;
        if is_above(peak, most(put_in)) {
            let times = peak / put_in;
            return Verdict::Fault(
                "exit 0, gained energy",
                format!("{peak:e} J, {times:.3} times {put_in:e} J"),
            );
        }
        if is_above(self::peak(all), most(put_in)) {
            return Verdict::Unjudged("energy between audit points".into());
        }
        let work = largest(all.iter().map(|e| e.contact_work.low()));
        if is_above(work, GAIN * put_in + rounding) {
            return Verdict::Fault("exit 0, work of contacts", format!("{work:e} J of {put_in:e} J"));
        }
        if is_above(peak, most(least_in)) {
            return Verdict::Unjudged("supplied work".into());
        }
        if is_above(
            largest(all.iter().map(|e| e.contact_work.high())),
            (GAIN + RESOLUTION) * least_in + rounding,
        ) {
            return Verdict::Unjudged("work of contacts".into());
        }
        if !self.plan.scheme.claims().physical_energy {
            return Verdict::Good;
        }
        for (n, (e, stored)) in all.iter().zip(self.states.stored()).enumerate() {
            if is_above((e.energy - stored).abs(), ROUNDING * peak + rounding) {
                let text = format!("row {n}: {:e} J, not {stored:e} J", e.energy);
                return Verdict::Fault("exit 0, another stored energy", text);
            }
        }
        let bound = self.bound() * (peak + put_in) + rounding;
        let gains = gains(all, true);
        if let Some(n) = gains.iter().position(|gain| is_above(*gain, GAIN * put_in + bound)) {
            let text = format!("{:e} J of {put_in:e} J at row {n}", gains[n]);
            return Verdict::Fault("exit 0, unexplained energy", text);
        }
        let possible = largest(self::gains(all, false));
        if is_above(possible, (GAIN + RESOLUTION) * least_in + bound) {
            return Verdict::Unjudged("gained energy".into());
        }
        Verdict::Good
    }

    fn failed(&self, finite: bool) -> Verdict {
        let text = self.err.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default();
        let exact = self.balance().is_exact();
        let unbalanced = text.contains("violated its energy balance") && exact;
        if unbalanced && !(finite && self.is_beyond_forms()) {
            return Verdict::Fault("exit 1 of an exact balance", text.into());
        }
        let all = if finite { self.states.energies() } else { Vec::new() };
        // The energy of forms is of fourth order: it may overflow where the states do not.
        if !all.iter().all(|e| e.energy.is_finite()) {
            return Verdict::Unjudged("exit 1, energies overflow".into());
        }
        // Its energies are right, and must be.
        if text.starts_with("out of tune") && finite {
            return match self.good(&all) {
                Verdict::Good => Verdict::Failed("out of tune".into()),
                other => other,
            };
        }
        let failure = |sure: bool| match finite {
            true => self.failure(text, &all, sure),
            // A divergence is told at an audit point: by then numbers may have overflowed.
            false => ["infinite or not a number", "the stored energy grew"]
                .iter()
                .any(|what| text.contains(what))
                .then_some("not finite"),
        };
        match (failure(false), failure(true)) {
            (Some(reason), Some(_)) => Verdict::Failed(reason.into()),
            (Some(reason), None) => Verdict::Unjudged(format!("exit 1, {reason}")),
            (None, _) if !finite => Verdict::Fault("exit 1, not finite", text.into()),
            (None, _) => {
                let (peak, put_in) = (peak(&all), put_in(&all, true));
                Verdict::Fault("exit 1, nothing wrong", format!("{text}; {peak:e} J of {put_in:e} J"))
            }
        }
    }

    /// Whether forms act, and the states show a divergence, or the program says that its iteration did not end: a force that raises the
    /// tension of a string 10⁵ to 10²⁷ times leaves no digits for the balance.
    fn is_beyond_forms(&self) -> bool {
        let diverged = || {
            let all = self.states.energies();
            is_above(peak(&all), DIVERGED * put_in(&all, true))
        };
        let unsolved = self.err.contains("did not converge to rounding error");
        !self.plan.system.forms.is_empty() && (unsolved || diverged())
    }

    /// Whether the physical energy misses its balance by half of the bound: surely, or within their uncertainty.
    fn is_unbalanced(&self, all: &[Energies], sure: bool) -> bool {
        let (gain, loss) = (largest(gains(all, sure)), least(gains(all, !sure)));
        largest([gain, -loss]) > 0.5 * self.bound() * peak(all)
    }

    /// Whether the scheme continues the moving reference of a rigid contact beyond its last value, as two-step schemes do: that of a rapid
    /// motion is far from what the states hold, and what its impulses do cannot be recomputed.
    fn continues_a_reference(&self) -> bool {
        let system = &self.plan.system;
        let rigid = |element: usize| system.elements[element].law.restitution().is_some();
        let moves =
            |input: &Input| matches!(&input.action, Action::Motion(elements) if elements.clone().any(rigid));
        self.plan.scheme.claims().staggered && system.inputs.iter().any(moves)
    }

    /// Whether an input moves the reference of an element under a scheme whose energy is not the physical one. Its contact forces are not those of
    /// the law at the positions near Nyquist: work of references by the latter is up to 30 times what the scheme books (an oscillator at
    /// ωΔt = 1.7 on a spring of 10⁶ N/m that is shaken at 5 kHz), so that it excuses no growth of the energy for sure.
    fn moves_a_reference(&self) -> bool {
        let moves = |input: &Input| matches!(&input.action, Action::Motion(_));
        !self.plan.scheme.claims().physical_energy && self.plan.system.inputs.iter().any(moves)
    }

    /// The failure that a message names, if the states show it: surely, or within their uncertainty.
    fn failure(&self, text: &str, all: &[Energies], sure: bool) -> Option<&'static str> {
        let (peak, put_in) = (peak(all), put_in(all, sure));
        let physical = self.plan.scheme.claims().physical_energy;
        // A scheme with an energy of its own may have in it what the next position brings.
        let ahead = (!physical).then(|| self.states.ahead()).flatten().unwrap_or(0.0);
        let most = if ahead.is_finite() { largest([peak, ahead]) } else { f64::INFINITY };
        let rounding = rounding(all);
        if text.contains("no real root") {
            // No state shows the root of a quadratic.
            Some("complex root")
        } else if text.contains("infinite or not a number") {
            is_above(most, DIVERGED * put_in).then_some("not finite")
        } else if text.contains("cannot be judged") {
            let tolerance = exact_tolerance(all.len() as u64 - 1, self.balance().drift()) * rounding
                / (ROUNDING_SIZE * f64::EPSILON)
                / peak;
            // Where the energy grew the run is no result, whatever is said of it first.
            let grew = most > MAX_PHYSICAL_ENERGY * put_in;
            (grew || tolerance > MAX_UNCERTAINTY / 100.0).then_some("not judged")
        } else if text.contains("contacts gained") {
            let work = largest(all.iter().map(|e| e.contact_work.end(!sure)));
            (work > 0.5 * GAIN * put_in || !sure && self.continues_a_reference())
                .then_some("work of contacts")
        } else if text.contains("violated its energy balance") {
            // The balance of another energy is not recomputed.
            (self.is_unbalanced(all, sure) || !physical).then_some("beyond its bound")
        } else if text.contains("the stored energy grew") {
            // A bounded balance may be lost in the first step, before anything was put in.
            let lost = self.balance() == Balance::Bounded && self.is_unbalanced(all, sure);
            (lost || most > DIVERGED * put_in).then_some("diverged")
        } else {
            let named = text.contains("the physical energy reached");
            let grew = most > 0.9 * MAX_PHYSICAL_ENERGY * put_in || !sure && self.moves_a_reference();
            (named && grew).then_some("energy grew")
        }
    }
}

/// Roundings of the positions that are not a fault, in eps.
const ROUNDING_SIZE: f64 = 1e3;

/// What roundings of the positions are worth, J.
fn rounding(all: &[Energies]) -> f64 {
    ROUNDING_SIZE * f64::EPSILON * largest(all.iter().map(|e| e.leverage))
}

/// The largest energy, J.
fn peak(all: &[Energies]) -> f64 {
    largest(all.iter().map(|e| e.energy))
}

/// The initial energy and the largest partial sum of the supplied work, which has an end of its uncertainty, J.
fn put_in(all: &[Energies], high: bool) -> f64 {
    all[0].energy + largest(all.iter().map(|e| e.supplied.end(high)).chain([0.0]))
}

/// The energy that no input, initial energy or loss explains, J, row by row: what there surely is of it, or what there may be.
fn gains(all: &[Energies], sure: bool) -> Vec<f64> {
    let gain = |e: &Energies| {
        let lost = e.dissipated.end(!sure);
        // A loss takes energy.
        let lost = if lost < 0.0 { 0.0 } else { lost };
        e.energy - all[0].energy + lost - e.supplied.end(sure)
    };
    all.iter().map(gain).collect()
}
