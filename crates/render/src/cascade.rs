//! Whether the modes of a plate that stretches reach as high as its energy goes.
//!
//!   share = Σₙ Σ_top (½mq̇² + ½Kq²) / Σₙ Σ_all (½mq̇² + ½Kq²)
//!
//! over looks n at the run, the top being the highest tenth of its modes. Large amplitudes move energy from low to high modes, until their losses stop
//! it. Where the highest tenth holds more than a hundredth, modes that would have taken it up are missing: the sound is duller, and its lower modes hold too much.

use hamiltone_core::{operator::Operator, simulation::Simulation, state::Archive};
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;
use std::ops::Range;

/// Samples from one look to the next.
const EVERY: u64 = 64;
/// The part of the modes that is the top.
const TOP: f64 = 0.1;
/// The largest share that passes.
pub const CASCADE_LIMIT: f64 = 0.01;

/// How far up the energy of a plate went.
#[derive(Clone, Debug, PartialEq)]
pub struct Cascade {
    /// Its name, and how many modes it has.
    pub body: String,
    /// The number of its modes.
    pub modes: usize,
    /// The part of its energy that the highest tenth of its modes held, in the mean over the run.
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
            format!(
                "the highest tenth of the {} modes of `{}` held {} % of its energy (limit {} %): what goes on to higher ones is cut off; write modes = {}, or more, \
                 or excite it less",
                self.modes,
                self.body,
                plain((1000.0 * self.share).round() / 10.0),
                plain(100.0 * CASCADE_LIMIT),
                self.modes + self.modes / 2
            )
        })
    }
}

/// A plate that is followed.
struct Followed {
    body: String,
    dofs: Range<usize>,
    /// K of its modes.
    stiffness: Vec<f64>,
    /// The energies of the top and of all modes, added up.
    sums: [f64; 2],
}

/// Follows the plates of a run.
pub(crate) struct Cascades {
    plates: Vec<Followed>,
    /// Steps from one look to the next.
    every: u64,
}

impl Cascades {
    /// Of a plan, if any of its bodies is a plate that stretches.
    pub fn of(plan: &Plan) -> Option<Self> {
        // No input strains the forms of a plate.
        let stretches = |dofs: &Range<usize>| {
            plan.system
                .forms
                .iter()
                .any(|form| form.stretch == 0.0 && form.dofs().any(|dof| dofs.contains(&dof)))
        };
        let followed = plan.bodies.iter().filter_map(|body| {
            let dofs = body.placed.dofs.clone();
            let block = plan.system.blocks.iter().find(|block| block.dofs == dofs)?;
            let Operator::Diagonal(stiffness) = &block.stiffness else { return None };
            let plate = || Followed {
                body: body.name.clone(),
                stiffness: stiffness.clone(),
                sums: [0.0; 2],
                dofs: dofs.clone(),
            };
            stretches(&dofs).then(plate)
        });
        let plates: Vec<Followed> = followed.collect();
        (!plates.is_empty()).then(|| Self { plates, every: EVERY * plan.oversampling as u64 })
    }

    /// Looks at a step, where it is one of those.
    pub fn observe(&mut self, plan: &Plan, stepper: &mut Simulation, row: u64) {
        if !row.is_multiple_of(self.every) {
            return;
        }
        let motion = stepper.motion();
        for Followed { dofs, stiffness, sums, .. } in &mut self.plates {
            let count = dofs.len();
            let first = count - ((TOP * count as f64) as usize).max(1);
            for (k, (i, stiffness)) in dofs.clone().zip(stiffness).enumerate() {
                let (q, v) = (motion.q[i], motion.v[i]);
                let energy = 0.5 * (plan.system.mass[i] * v * v + *stiffness * q * q);
                sums[0] += if k >= first { energy } else { 0.0 };
                sums[1] += energy;
            }
        }
    }

    /// Goes through what was observed.
    pub fn archive(&mut self, archive: &mut Archive) {
        self.plates.iter_mut().flat_map(|plate| &mut plate.sums).for_each(|sum| archive.number(sum));
    }

    /// Over the whole run.
    pub fn finish(self) -> Vec<Cascade> {
        let of = |Followed { body, dofs, sums: [top, all], .. }| {
            let share = if all > 0.0 { top / all } else { 0.0 };
            Cascade { body, modes: dofs.len(), share }
        };
        self.plates.into_iter().map(of).collect()
    }
}
