//! How far the audible partials of a plan will sound from theory, known before the run.
//!
//!   cents = 1200 log₂(f′/f),   f′ = the scheme's frequency for an oscillator of f_grid
//!
//! f is the partial of the continuous body without losses, f_grid that of its grid or mode, and f′ what the time step makes
//! of it ([`hamiltone_schemes::dispersion`]). Links and contacts detune partials as they do those of real instruments, and are
//! left out. Audible is what lies below 20 kHz and 0.45 of the sample rate.

use hamiltone_bodies::reduction::HIGHEST_AUDIBLE;
use hamiltone_core::system::{Block, System};
use hamiltone_numerics::math::log2;
use hamiltone_scene::plan::{BodyPlan, Plan};
use hamiltone_schemes::{dispersion::sounding, eigenfrequencies};
use std::f64::consts::TAU;

/// Partials that sound farther from theory are out of tune, cents: the least difference that is heard between two tones
/// of medium pitch, one after the other.
pub const LIMIT: f64 = 5.0;
/// The part of the sample rate below which partials are audible.
const BAND: f64 = 0.45;
/// Of these partials and of some between those above them tuning is told.
const EACH: usize = 16;
/// The most partials that are looked for.
const MAX_PARTIALS: usize = 1000;
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
    /// As it will sound, Hz.
    pub sounding: f64,
}

impl Tuned {
    /// How much too high it sounds, cents.
    pub fn cents(&self) -> f64 {
        1200.0 * log2(self.sounding / self.theory)
    }
}

/// The partials of a plan as they will sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Up to here partials are audible, Hz.
    pub audible: f64,
    /// The partials, by body, in ascending order.
    pub partials: Vec<Tuned>,
    /// Bodies of which no partial is known, or whose eigenvalues would take long.
    pub unknown: Vec<String>,
}

impl Tuning {
    /// Of a plan.
    pub fn of(plan: &Plan) -> Self {
        let audible = HIGHEST_AUDIBLE.min(BAND * plan.sample_rate);
        let mut tuning = Self { audible, ..Self::default() };
        for body in &plan.bodies {
            match partials(plan, body, audible) {
                Some(found) => tuning.partials.extend(found),
                None => tuning.unknown.push(body.name.clone()),
            }
        }
        tuning
    }

    /// The partial that is farthest from theory.
    pub fn worst(&self) -> Option<&Tuned> {
        self.partials.iter().max_by(|a, b| a.cents().abs().total_cmp(&b.cents().abs()))
    }

    /// The lowest partial that is out of tune.
    pub fn first_off(&self) -> Option<&Tuned> {
        let off = |tuned: &&Tuned| tuned.cents().abs() > LIMIT;
        self.partials.iter().filter(off).min_by(|a, b| a.theory.total_cmp(&b.theory))
    }

    /// In a sentence: the largest error, and the first partial that is out of tune.
    pub fn sentence(&self) -> String {
        let Some(worst) = self.worst() else { return "no partial is known by theory".into() };
        let limit = format!("limit {LIMIT} cents, up to {:.0} Hz", self.audible);
        match self.first_off() {
            None => format!("partials within {:.2} cents of theory ({limit})", worst.cents().abs()),
            Some(first) => format!(
                "partial {} of `{}` ({:.0} Hz) sounds {:+.1} cents from theory, partial {} ({:.0} Hz) {:+.1} cents ({limit})",
                first.number,
                first.body,
                first.theory,
                first.cents(),
                worst.number,
                worst.theory,
                worst.cents(),
            )
            .replace("-", "−"),
        }
    }

    /// The warning where a partial is out of tune, with what to do.
    pub fn warning(&self, plan: &Plan) -> Option<String> {
        let help = if plan.choices.is_empty() {
            "leave `scheme` and `method` out: modes are exact"
        } else {
            "give the body more `intervals`"
        };
        (!self.holds()).then(|| format!("out of tune: {}; {help}", self.sentence()))
    }

    /// Whether every partial that is told is in tune.
    pub fn holds(&self) -> bool {
        self.first_off().is_none()
    }
}

/// Some of the audible partials of a body; `None` where they are not known.
fn partials(plan: &Plan, body: &BodyPlan, audible: f64) -> Option<Vec<Tuned>> {
    let theory = |number: usize| body.placed.representation.partial(number);
    let count = (1..=MAX_PARTIALS).take_while(|k| theory(*k).is_some_and(|f| f < audible)).count();
    theory(1)?;
    if count * body.placed.dofs.len() > MAX_WORK {
        return None;
    }
    let linked = plan.reduced.iter().any(|reduced| reduced.linked && reduced.bodies.contains(&body.name));
    let grid = if linked { Vec::new() } else { discrete(plan, body, count) };
    let told = |number: &usize| *number <= EACH || *number == count || number.is_power_of_two();
    let dt = 1.0 / plan.internal_rate();
    let tuned = |number: usize| {
        let theory = theory(number)?;
        // Modes that were found together with links are none of the body alone.
        let own = if grid.is_empty() { theory } else { *grid.get(number - 1)? };
        let sounding = sounding(&*plan.scheme, TAU * own, dt)? / TAU;
        Some(Tuned { body: body.name.clone(), number, theory, sounding })
    };
    Some((1..=count).filter(told).filter_map(tuned).collect())
}

/// The lowest eigenfrequencies of the spatial discretisation of a body that are not 0, Hz, without links unless its modes
/// were found together with them.
pub fn discrete(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<f64> {
    let dofs = &body.placed.dofs;
    if dofs.len() > MAX_COORDINATES {
        return Vec::new();
    }
    let own = |block: &&Block| dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
    let moved = |block: &Block| Block {
        dofs: block.dofs.start - dofs.start..block.dofs.end - dofs.start,
        ..block.clone()
    };
    let system = System {
        mass: plan.system.mass[dofs.clone()].to_vec(),
        blocks: plan.system.blocks.iter().filter(own).map(moved).collect(),
        ..System::default()
    };
    if system.blocks.is_empty() {
        return Vec::new();
    }
    // A free body has up to two rigid-body modes, whose computed frequencies are not exactly 0.
    let all = eigenfrequencies::lowest(&system, count + 2);
    let rigid = 1e-4 * all.last().copied().unwrap_or(0.0);
    all.into_iter().filter(|omega| *omega > rigid).take(count).map(|omega| omega / TAU).collect()
}
