//! Whether the modes of a plate that stretches reach as high as its energy goes.
//!
//!   share = Σₙ Σ_top ½mq̇² / Σₙ Σ_all ½mq̇²
//!
//! over looks n at the run, the top being the highest tenth of the modes that vibrate and are stepped: kinetic energy, of which every mode has half of its energy
//! in the mean, whatever stiffens it. Large amplitudes move energy from low to high modes, until their losses stop
//! it. Where the highest tenth holds more than a hundredth, modes that would have taken it up are missing: the sound is duller, and its lower modes hold too much.

use hamiltone_core::{form::Form, operator::Operator, simulation::Simulation, state::Archive};
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;
use std::{f64::consts::PI, ops::Range};

/// Samples from one look to the next.
const EVERY: u64 = 64;
/// Fewer modes have no top that tells anything.
const LEAST: usize = 20;
/// Modes beyond this part of Nyquist are left out.
const STEPPED: f64 = 0.98;
/// The part of the modes that is the top.
const TOP: f64 = 0.1;
/// The largest share that passes.
pub const CASCADE_LIMIT: f64 = 0.01;

/// How far up the energy of a plate went.
#[derive(Clone, Debug, PartialEq)]
pub struct Cascade {
    /// Its name, and how many modes it has.
    pub body: String,
    /// The number of its modes that are stepped, and whether others are not.
    pub modes: usize,
    /// Whether modes lie so high that they are left out.
    pub left_out: bool,
    /// The part of its kinetic energy that the highest tenth of its modes held, in the mean over the run.
    pub share: f64,
}

impl Cascade {
    /// Whether there are modes enough.
    pub fn holds(&self) -> bool {
        self.share <= CASCADE_LIMIT
    }

    /// What is wrong and what to change, where there are not.
    pub fn warning(&self) -> Option<String> {
        (!self.holds()).then(|| {
            let more = match self.left_out {
                true => "use a higher rate (oversampling), at which all modes are stepped",
                false => "give it more modes, or more loss at high frequencies",
            };
            format!(
                "the highest tenth of the {} modes of `{}` held {} % of its kinetic energy (limit {} %): what goes on to higher ones is cut off; {more}, or excite it \
                 less",
                self.modes,
                self.body,
                plain((1000.0 * self.share).round() / 10.0),
                plain(100.0 * CASCADE_LIMIT),
            )
        })
    }
}

/// The modes of a plate that stretches.
pub struct Modes {
    /// The plate's name.
    pub body: String,
    /// The coordinates that vibrate and are stepped.
    pub dofs: Range<usize>,
    /// Whether others lie so high that they are left out.
    pub left_out: bool,
}

/// The plates of a plan that stretch.
pub fn plates(plan: &Plan) -> Vec<Modes> {
    // No input strains the forms of a plate; those of cavities are linear.
    let stretches = |dofs: &Range<usize>| {
        let forms = &plan.system.forms;
        let of = |form: &Form| form.stretch == 0.0 && !form.quadratic.is_empty();
        forms.iter().any(|form| of(form) && form.dofs().any(|dof| dofs.contains(&dof)))
    };
    let followed = plan.bodies.iter().filter_map(|body| {
        let dofs = body.placed.dofs.clone();
        let block = plan.system.blocks.iter().find(|block| block.dofs == dofs)?;
        let Operator::Diagonal(stiffness) = &block.stiffness else { return None };
        // Modes of a plate ascend, rigid motions before them.
        let highest = STEPPED * PI * plan.internal_rate();
        let still = stiffness.iter().take_while(|k| **k == 0.0).count();
        let stepped = (dofs.clone().zip(stiffness))
            .take_while(|(i, k)| **k < plan.system.mass[*i] * highest * highest)
            .count();
        let modes = || Modes {
            body: body.name.clone(),
            dofs: dofs.start + still..dofs.start + stepped,
            left_out: stepped < dofs.len(),
        };
        (stepped > still && stretches(&dofs)).then(modes)
    });
    followed.collect()
}

/// Follows the plates of a run.
pub(crate) struct Cascades {
    /// The plates with the energies of the top and of all modes, added up.
    plates: Vec<(Modes, [f64; 2])>,
    /// Steps from one look to the next.
    every: u64,
}

impl Cascades {
    /// Of a plan, if any of its bodies is a plate that stretches and has modes enough.
    pub fn of(plan: &Plan) -> Option<Self> {
        let enough = |modes: &Modes| modes.dofs.len() >= LEAST;
        let plates: Vec<(Modes, [f64; 2])> =
            plates(plan).into_iter().filter(enough).map(|modes| (modes, [0.0; 2])).collect();
        (!plates.is_empty()).then(|| Self { plates, every: EVERY * plan.oversampling as u64 })
    }

    /// Looks at a step, where it is one of those.
    pub fn observe(&mut self, plan: &Plan, stepper: &mut Simulation, row: u64) {
        if !row.is_multiple_of(self.every) {
            return;
        }
        let motion = stepper.motion();
        for (Modes { dofs, .. }, sums) in &mut self.plates {
            let count = dofs.len();
            let first = count - ((TOP * count as f64) as usize).max(1);
            for (k, i) in dofs.clone().enumerate() {
                let energy = 0.5 * plan.system.mass[i] * motion.v[i] * motion.v[i];
                sums[0] += if k >= first { energy } else { 0.0 };
                sums[1] += energy;
            }
        }
    }

    /// Goes through what was observed.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.plates.iter_mut().flat_map(|(_, sums)| sums).for_each(|sum| archive.number(sum));
    }

    /// Over the whole run.
    pub fn finish(self) -> Vec<Cascade> {
        let of = |(Modes { body, dofs, left_out }, [top, all]): (Modes, [f64; 2])| {
            let share = if all > 0.0 { top / all } else { 0.0 };
            Cascade { body, modes: dofs.len(), left_out, share }
        };
        self.plates.into_iter().map(of).collect()
    }
}
