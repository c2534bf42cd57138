//! How far the audible partials of a plan will sound from theory, known before the run.
//!
//!   cents = 1200 log₂(f′/f),   f′ = the scheme's frequency for an oscillator of f_grid
//!
//! f is the partial of the continuous body without losses, f_grid that of its grid or mode, and f′ what the time step makes
//! of it ([`hamiltone_schemes::dispersion`]). Links and contacts detune partials as they do those of real instruments, and are
//! left out. Audible is what lies below 20 kHz and 0.45 of the sample rate.

use crate::verdict::{Change, Verdict};
use hamiltone_bodies::{rigid_motions, suspension_of};
use hamiltone_core::{
    operator::Operator,
    system::{Block, System},
};
use hamiltone_numerics::math::log2;
use hamiltone_plan::{BodyPlan, Plan, audible as highest_audible};
use hamiltone_scene::units::plain;
use hamiltone_schemes::{dispersion::sounding, eigenfrequencies};
use std::f64::consts::TAU;

/// Partials that sound farther from theory are out of tune, cents: the least difference that is heard between two tones
/// of medium pitch, one after the other.
pub const MAX_CENTS: f64 = 5.0;
/// Where one of the first partials sounds farther from theory, the note is another one, cents: a quarter tone.
pub const WRONG_CENTS: f64 = 50.0;
/// The partials from which a listener takes the pitch (Ritsma 1967: the third to the fifth dominate).
const PITCH_PARTIALS: usize = 5;
/// Each of these partials is computed, and some of those above.
const FIRST_PARTIALS: usize = 16;
/// So many partials beyond what is looked for, one after the other, are the end: of thick bars each takes a search.
const BEYOND: usize = 32;
/// The most partials that are looked for.
const MAX_PARTIALS: usize = 1000;
/// Frequencies below this part of others are of rigid motions.
const RIGID: f64 = 1e-4;
/// The most rigid motions of a body.
const MOST_RIGID: usize = 2;
/// The most coordinates of a body whose eigenvalues are computed.
const MAX_COORDINATES: usize = 20_000;
/// The most coordinates times partials whose eigenvalues are computed: some tenths of a second.
const MAX_WORK: usize = 400_000;

/// One partial as it will sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The body.
    pub body: String,
    /// Its number, from 1.
    pub number: usize,
    /// Of the continuous body, Hz.
    pub theory: f64,
    /// Of its grid or mode, Hz.
    pub grid: f64,
    /// As it will sound, Hz.
    pub sounding: f64,
}

impl Tuned {
    /// How much too high it sounds, cents.
    pub fn cents(&self) -> f64 {
        cents(self.sounding, self.theory)
    }

    /// Whether the grid detunes it more than the time step.
    fn is_of_grid(&self) -> bool {
        cents(self.grid, self.theory).abs() > cents(self.sounding, self.grid).abs()
    }
}

/// f in cents above a reference.
pub fn cents(f: f64, reference: f64) -> f64 {
    1200.0 * log2(f / reference)
}

/// Modes that are faster than the step can represent, and are heard at other frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Aliased {
    /// The body.
    pub body: String,
    /// The frequency of its highest mode, Hz.
    pub highest: f64,
    /// As it will sound, Hz.
    pub sounding: f64,
    /// The highest frequency that the step represents, Hz.
    pub limit: f64,
}

/// The partials of a plan as they will sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Up to here partials are audible, Hz.
    pub audible: f64,
    /// How far the scene allows partials to sound from theory, cents, where it says so.
    pub tolerance: Option<f64>,
    /// The partials, by body, in ascending order.
    pub partials: Vec<Tuned>,
    /// The bodies of which modes alias.
    pub aliased: Vec<Aliased>,
    /// Bodies with partials by theory of which it is not known how they will sound: links join them to others, or
    /// their grid is too fine to find its eigenvalues in a short time.
    pub unknown: Vec<String>,
}

impl Tuning {
    /// Of a plan.
    pub fn of(plan: &Plan) -> Self {
        let audible = highest_audible(plan.sample_rate);
        let mut tuning = Self { audible, tolerance: plan.tuning_tolerance, ..Self::default() };
        for body in &plan.bodies {
            tuning.aliased.extend(aliased(plan, body));
            match partials(plan, body, audible) {
                Some(found) => tuning.partials.extend(found),
                None if body.placed.representation.partial(1).is_some() || linked(plan, body) => {
                    tuning.unknown.push(body.name.clone());
                }
                None => {}
            }
        }
        tuning
    }

    /// The partial that is farthest from theory.
    pub fn worst(&self) -> Option<&Tuned> {
        self.partials.iter().max_by(|a, b| a.cents().abs().total_cmp(&b.cents().abs()))
    }

    /// How far partials may sound from theory, cents.
    pub fn limit(&self) -> f64 {
        self.tolerance.unwrap_or(MAX_CENTS)
    }

    /// The lowest partial that is out of tune.
    pub fn first_off(&self) -> Option<&Tuned> {
        let off = |tuned: &&Tuned| tuned.cents().abs() > self.limit();
        self.partials.iter().filter(off).min_by(|a, b| a.theory.total_cmp(&b.theory))
    }

    /// Whether one of the partials that make the pitch is another note.
    fn is_another_note(&self) -> bool {
        self.partials.iter().any(|tuned| tuned.number <= PITCH_PARTIALS && tuned.cents().abs() > WRONG_CENTS)
    }

    /// Green where all partials that are compared are in tune; red where modes alias, where the pitch is another note, or
    /// where the scene states a tolerance and it is exceeded; else amber.
    pub fn verdict(&self) -> Verdict {
        match self.first_off() {
            _ if !self.aliased.is_empty() => Verdict::Red,
            None => Verdict::Green,
            Some(_) if self.tolerance.is_some() || self.is_another_note() => Verdict::Red,
            Some(_) => Verdict::Amber,
        }
    }

    /// In a sentence: the largest error, and the first partial that is out of tune.
    pub fn sentence(&self) -> String {
        let names: Vec<String> = self.unknown.iter().map(|name| format!("`{name}`")).collect();
        let unknown =
            if names.is_empty() { String::new() } else { format!("; not known of {}", names.join(", ")) };
        let alias = |aliased: &Aliased| {
            let Aliased { body, highest, sounding, limit } = aliased;
            format!(
                "; modes of `{body}` alias: its highest, {highest:.0} Hz, sounds at {sounding:.0} Hz (limit {limit:.0} Hz)"
            )
        };
        let aliases: String = self.aliased.iter().map(alias).collect();
        let Some(worst) = self.worst() else {
            return format!("no partial is compared with theory{unknown}{aliases}");
        };
        let highest = self.partials.iter().map(|tuned| tuned.theory).fold(0.0, f64::max);
        let limit = plain(self.limit());
        match self.first_off() {
            None => format!(
                "partials up to {highest:.0} Hz are within {:.2} cents of theory (limit {limit}){unknown}{aliases}",
                worst.cents().abs()
            ),
            Some(first) if first == worst => format!(
                "partial {} of `{}` ({:.0} Hz) sounds {:+.1} cents from theory (limit {limit}){unknown}{aliases}",
                first.number,
                first.body,
                first.theory,
                first.cents(),
            )
            .replace('-', "−"),
            Some(first) => format!(
                "partial {} of `{}` ({:.0} Hz) sounds {:+.1} cents from theory, partial {} ({:.0} Hz) {:+.1} cents (limit {limit}){unknown}{aliases}",
                first.number,
                first.body,
                first.theory,
                first.cents(),
                worst.number,
                worst.theory,
                worst.cents(),
            )
            .replace('-', "−"),
        }
    }

    /// The word for it: ok, out of tune, failed, or nothing where no partial is compared.
    pub fn word(&self) -> &'static str {
        match self.verdict() {
            Verdict::Green if self.partials.is_empty() => "",
            Verdict::Green => ": ok",
            Verdict::Amber => ": OUT OF TUNE",
            Verdict::Red => ": FAILED",
        }
    }

    /// The warning where a partial is out of tune, with what to do.
    pub fn warning(&self, plan: &Plan) -> Option<String> {
        if self.verdict() == Verdict::Green {
            return None;
        }
        let changes: Vec<String> = self.changes(plan).iter().map(ToString::to_string).collect();
        let help = match self.first_off() {
            _ if !changes.is_empty() => changes.join(" "),
            None => "use fewer `modes`, or more oversampling".into(),
            Some(first) if plan.choices.is_empty() => {
                let more = if first.is_of_grid() {
                    format!("give `{}` more `intervals`", first.body)
                } else {
                    "use more oversampling".into()
                };
                format!(
                    "leave `scheme`, `method` and `intervals` out, so that modes are stepped exactly, or {more}"
                )
            }
            Some(first) if first.is_of_grid() => format!("give `{}` more `intervals`", first.body),
            Some(_) => {
                "use more oversampling, or leave out what keeps a body on a grid, such as `accuracy`".into()
            }
        };
        Some(format!("out of tune: {}; {help}", self.sentence()))
    }

    /// Changes of the scene after which the partials are in tune, where they are known: bodies whose modes were found
    /// numerically keep those that their grid resolves.
    pub fn changes(&self, plan: &Plan) -> Vec<Change> {
        let off = |tuned: &&Tuned| tuned.cents().abs() > self.limit();
        let change = |body: &BodyPlan| {
            let own = |tuned: &&Tuned| tuned.body == body.name;
            let first = self.partials.iter().filter(own).find(off)?;
            let reduced = plan.reduced.iter().find(|reduced| reduced.bodies == [body.name.clone()])?;
            // The partials below it that are compared are in tune, and those between rise towards it.
            let below = self.partials.iter().filter(own).take_while(|tuned| tuned.number < first.number);
            let resolved = below.map(|tuned| tuned.number).last().filter(|_| first.is_of_grid())?;
            let lowest = self.partials.iter().find(own)?.grid;
            let rigid = reduced.modes.iter().filter(|mode| mode.omega < 0.99 * TAU * lowest).count();
            Some(Change { key: format!("body.{}.modes", body.name), value: (rigid + resolved).to_string() })
        };
        plan.bodies.iter().filter_map(change).collect()
    }
}

/// The modes of a body that the scheme steps though they lie beyond its limit.
fn aliased(plan: &Plan, body: &BodyPlan) -> Option<Aliased> {
    let (limit, dt) = (plan.scheme.claims().limit?, 1.0 / plan.internal_rate());
    let omega = eigenfrequencies::highest(&alone(plan, body)?);
    let heard = (omega * dt > limit).then(|| sounding(&*plan.scheme, omega, dt))??;
    Some(Aliased {
        body: body.name.clone(),
        highest: omega / TAU,
        sounding: heard / TAU,
        limit: limit / dt / TAU,
    })
}

/// Some of the audible partials of a body; `None` where it is not known how they will sound.
fn partials(plan: &Plan, body: &BodyPlan, audible: f64) -> Option<Vec<Tuned>> {
    let theory = |number: usize| body.placed.representation.partial(number);
    if linked(plan, body) {
        return None;
    }
    // On its bridge a string is in tune with other modes than alone, which a body then moves to where they were asked for.
    if theory(1).is_none() || carried(plan, body) {
        return body.placed.geometry.length().map(|_| stepped_alone(plan, body, audible));
    }
    let theory = theoretical(body, audible);
    let audible = theory.len();
    // Of fine grids the lower partials alone are computed.
    let count = audible.min((MAX_WORK / body.placed.dofs.len().max(1)).max(1));
    let grid = discrete(plan, body, count);
    let compared = |number: &usize| *number <= FIRST_PARTIALS || *number == count || number.is_power_of_two();
    let tuned = |number: usize| {
        let (theory, grid) = (*theory.get(number - 1)?, *grid.get(number - 1)?);
        let sounding = stepped(plan, grid)?;
        Some(Tuned { body: body.name.clone(), number, theory, grid, sounding })
    };
    let found: Vec<Tuned> = (1..=count).filter(compared).filter_map(tuned).collect();
    (count == 0 || !found.is_empty()).then_some(found)
}

/// The partials of a body by theory below a frequency, Hz, ascending. A table of modes has them in any order.
fn theoretical(body: &BodyPlan, highest: f64) -> Vec<f64> {
    let mut above = 0;
    let near = |f: &f64| {
        above = if *f < highest { 0 } else { above + 1 };
        above < BEYOND
    };
    let all = (1..=MAX_PARTIALS).map_while(|k| body.placed.representation.partial(k)).take_while(near);
    let mut below: Vec<f64> = all.filter(|f| *f < highest).collect();
    below.sort_by(f64::total_cmp);
    below
}

/// Whether a body stands on others.
fn carried(plan: &Plan, body: &BodyPlan) -> bool {
    plan.system.joints.iter().any(|joint| joint.first == body.placed.dofs.start)
}

/// Some of the audible partials of a line that no formula gives, or that others carry: those of its grid stand for theory, so that the time step alone
/// is judged.
fn stepped_alone(plan: &Plan, body: &BodyPlan, audible: f64) -> Vec<Tuned> {
    let most = (MAX_WORK / body.placed.dofs.len().max(1)).clamp(1, MAX_PARTIALS);
    let grid = discrete(plan, body, most.min(body.placed.dofs.len()));
    let audible = grid.into_iter().filter(|f| *f < audible).enumerate();
    let tuned = |(i, grid): (usize, f64)| {
        Some(Tuned {
            body: body.name.clone(),
            number: i + 1,
            theory: grid,
            grid,
            sounding: stepped(plan, grid)?,
        })
    };
    audible.filter(|(i, _)| *i < FIRST_PARTIALS || (i + 1).is_power_of_two()).filter_map(tuned).collect()
}

/// Whether the modes of a body were found together with links, or the linear parts of forms couple them, as of a cap: its theory is not that of
/// the coordinates that are stepped.
pub fn linked(plan: &Plan, body: &BodyPlan) -> bool {
    let is_own = |(dof, weight): (usize, f64)| weight != 0.0 && body.placed.dofs.contains(&dof);
    plan.reduced.iter().any(|reduced| reduced.linked && reduced.bodies.contains(&body.name))
        || plan.system.forms.iter().any(|form| form.linear.entries().any(is_own))
}

/// The frequency at which the time step of a plan sounds a grid frequency f, both Hz; `None` where it is not known.
pub fn stepped(plan: &Plan, f: f64) -> Option<f64> {
    Some(sounding(&*plan.scheme, TAU * f, 1.0 / plan.internal_rate())? / TAU)
}

/// The lowest eigenfrequencies of the spatial discretisation of a body that are not 0, Hz, without links unless its modes
/// were found together with them.
pub fn discrete(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<f64> {
    let Some(system) = alone(plan, body) else { return Vec::new() };
    // A free body has up to two rigid motions, whose computed frequencies are not exactly 0.
    let all = eigenfrequencies::lowest(&system, count.max(1) + MOST_RIGID);
    let mut rigid = RIGID * all.last().copied().unwrap_or(0.0);
    if !linked(plan, body) {
        // They lie far below its first partial, which no grid lowers to a third.
        let partials = (1..=BEYOND).map_while(|k| body.placed.representation.partial(k));
        rigid = rigid.max(TAU * partials.min_by(f64::total_cmp).unwrap_or(0.0) / 3.0);
        let drifts = if body.placed.geometry.length().is_some() { rigid_motions(&all) } else { 0 };
        rigid = drifts.checked_sub(1).map_or(rigid, |last| rigid.max(all[last]));
    }
    all.into_iter().filter(|omega| *omega > rigid).take(count).map(|omega| omega / TAU).collect()
}

/// A body as a system of its own, without links to others and without what suspends it; `None` where it has no stiffness, or is
/// too large to find its eigenvalues.
fn alone(plan: &Plan, body: &BodyPlan) -> Option<System> {
    let dofs = &body.placed.dofs;
    if dofs.len() > MAX_COORDINATES {
        return None;
    }
    let (suspension, held) = (suspension_of(&body.name), held(plan, body));
    let own = |block: &&Block| dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
    let moved = |block: &Block| {
        let range = block.dofs.start - dofs.start..block.dofs.end - dofs.start;
        let free = |operator: &Operator| match operator {
            Operator::Diagonal(k) => {
                let free = |(k, held): (&f64, &bool)| if *held { 0.0 } else { *k };
                Operator::Diagonal(k.iter().zip(&held[range.clone()]).map(free).collect())
            }
            other => other.clone(),
        };
        let stiffness = free(&block.stiffness);
        Block { dofs: range, stiffness, ..block.clone() }
    };
    let blocks: Vec<Block> =
        plan.system.blocks.iter().filter(own).filter(|block| block.name != suspension).map(moved).collect();
    let mass = plan.system.mass[dofs.clone()].to_vec();
    (!blocks.is_empty()).then(|| System { mass, blocks, ..System::default() })
}

/// Which coordinates of a body are the amplitudes of rigid motions on its suspension.
pub(crate) fn held(plan: &Plan, body: &BodyPlan) -> Vec<bool> {
    let dofs = &body.placed.dofs;
    let mut held = vec![false; dofs.len()];
    let suspension = suspension_of(&body.name);
    for block in plan.system.blocks.iter().filter(|block| block.name == suspension) {
        if let Operator::Diagonal(k) = &block.stiffness {
            let own = k.iter().enumerate().filter(|(_, k)| **k > 0.0);
            own.for_each(|(i, _)| held[block.dofs.start + i - dofs.start] = true);
        }
    }
    let reduced = plan.reduced.iter().filter(|reduced| reduced.bodies.contains(&body.name));
    for reduced in reduced {
        let held = &mut held[reduced.dofs.start - dofs.start..];
        held.iter_mut().zip(&reduced.modes).for_each(|(held, mode)| *held |= mode.is_supported);
    }
    held
}
