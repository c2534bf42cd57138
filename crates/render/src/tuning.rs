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
pub const MAX_CENTS: f64 = 5.0;
/// The part of the sample rate below which partials are audible.
const AUDIBLE_PART: f64 = 0.45;
/// Each of these partials is computed, and some of those above.
const FIRST_PARTIALS: usize = 16;
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

/// The partials of a plan as they will sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Up to here partials are audible, Hz.
    pub audible: f64,
    /// The partials, by body, in ascending order.
    pub partials: Vec<Tuned>,
    /// Bodies with partials by theory of which it is not known how they will sound: links join them to others, or
    /// their grid is too fine to find its eigenvalues in a short time.
    pub unknown: Vec<String>,
}

impl Tuning {
    /// Of a plan.
    pub fn of(plan: &Plan) -> Self {
        let audible = HIGHEST_AUDIBLE.min(AUDIBLE_PART * plan.sample_rate);
        let mut tuning = Self { audible, ..Self::default() };
        for body in &plan.bodies {
            match partials(plan, body, audible) {
                Some(found) => tuning.partials.extend(found),
                None if body.placed.representation.partial(1).is_some() => {
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

    /// The lowest partial that is out of tune.
    pub fn first_off(&self) -> Option<&Tuned> {
        let off = |tuned: &&Tuned| tuned.cents().abs() > MAX_CENTS;
        self.partials.iter().filter(off).min_by(|a, b| a.theory.total_cmp(&b.theory))
    }

    /// In a sentence: the largest error, and the first partial that is out of tune.
    pub fn sentence(&self) -> String {
        let names: Vec<String> = self.unknown.iter().map(|name| format!("`{name}`")).collect();
        let unknown =
            if names.is_empty() { String::new() } else { format!("; not known of {}", names.join(", ")) };
        let Some(worst) = self.worst() else {
            return format!("no partial is compared with theory{unknown}");
        };
        let highest = self.partials.iter().map(|tuned| tuned.theory).fold(0.0, f64::max);
        match self.first_off() {
            None => format!(
                "partials up to {highest:.0} Hz are within {:.2} cents of theory (limit {MAX_CENTS}){unknown}",
                worst.cents().abs()
            ),
            Some(first) => format!(
                "partial {} of `{}` ({:.0} Hz) sounds {:+.1} cents from theory, partial {} ({:.0} Hz) {:+.1} cents (limit {MAX_CENTS}){unknown}",
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

    /// The word for it: ok, out of tune, or nothing where no partial is compared.
    pub fn verdict(&self) -> &'static str {
        match (self.partials.is_empty(), self.holds()) {
            (true, _) => "",
            (false, true) => ": ok",
            (false, false) => ": OUT OF TUNE",
        }
    }

    /// The warning where a partial is out of tune, with what to do.
    pub fn warning(&self, plan: &Plan) -> Option<String> {
        let first = self.first_off()?;
        let help = match (first.is_of_grid(), plan.choices.is_empty()) {
            (true, _) => format!("give `{}` more `intervals`", first.body),
            (false, true) => {
                "use more oversampling, or leave `scheme` and `method` out: modes are stepped exactly".into()
            }
            (false, false) => {
                "use more oversampling, or leave out what keeps a body on a grid, such as `accuracy`".into()
            }
        };
        Some(format!("out of tune: {}; {help}", self.sentence()))
    }

    /// Whether every partial that is compared is in tune.
    pub fn holds(&self) -> bool {
        self.first_off().is_none()
    }
}

/// Some of the audible partials of a body; `None` where it is not known how they will sound.
fn partials(plan: &Plan, body: &BodyPlan, audible: f64) -> Option<Vec<Tuned>> {
    let theory = |number: usize| body.placed.representation.partial(number);
    theory(1)?;
    // Modes that were found together with links are none of the body alone.
    if plan.reduced.iter().any(|reduced| reduced.linked && reduced.bodies.contains(&body.name)) {
        return None;
    }
    let audible = (1..=MAX_PARTIALS).take_while(|k| theory(*k).is_some_and(|f| f < audible)).count();
    // Of fine grids the lower partials alone are computed.
    let count = audible.min((MAX_WORK / body.placed.dofs.len().max(1)).max(1));
    let grid = discrete(plan, body, count);
    let compared = |number: &usize| *number <= FIRST_PARTIALS || *number == count || number.is_power_of_two();
    let dt = 1.0 / plan.internal_rate();
    let tuned = |number: usize| {
        let (theory, grid) = (theory(number)?, *grid.get(number - 1)?);
        let sounding = sounding(&*plan.scheme, TAU * grid, dt)? / TAU;
        Some(Tuned { body: body.name.clone(), number, theory, grid, sounding })
    };
    let found: Vec<Tuned> = (1..=count).filter(compared).filter_map(tuned).collect();
    (count == 0 || !found.is_empty()).then_some(found)
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
