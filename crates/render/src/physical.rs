//! The physical energy of a run whose scheme conserves another one.
//!
//!   E = ½vᵀMv + ½qᵀKq + ΣV,     supplied = Σ ½(uⁿ + uⁿ⁺¹) c·(qⁿ⁺¹ − qⁿ) over the forces u
//!
//! It is computed about once in an audit interval, at samples of the sound, and at the end. Where its own energy does not limit the physical one a scheme says so before the run:
//! vibrations near the rate of the steps then pass unseen between these, and the work in the scheme's own balance is another
//! than that of the forces. So it is computed after every step of such a run, and so is the work; and of a single coordinate,
//! where that costs little.

use hamiltone_core::{audit::AUDIT_INTERVAL, simulation::Simulation, state::Archive};
use hamiltone_plan::Plan;

/// The physical energy ½vᵀMv + ½qᵀKq + ΣV over a run, J, of a scheme whose discrete energy differs from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhysicalEnergy {
    /// At t = 0.
    pub initial: f64,
    /// Its largest value.
    pub peak: f64,
    /// At the end.
    pub last: f64,
    /// The most that forces had given by any time, computed from the displacements; 0 where that is not computed.
    pub supplied_max: f64,
}

/// Follows the physical energy of a run.
pub(crate) struct Physical {
    /// Every how many steps it is computed, and every how many it is shown, at samples.
    pub every: u64,
    pub shown: u64,
    /// Over the run so far; nothing before the first row.
    record: Option<PhysicalEnergy>,
    /// The work of the forces so far, J.
    supplied: f64,
    /// Whether forces do work that is computed, of the positions at the step before and now.
    works: bool,
    before: Vec<f64>,
    now: Vec<f64>,
}

impl Physical {
    /// Of a plan, unless the stored energy of its scheme is the physical one: the ledgers tell that already.
    pub fn of(plan: &Plan) -> Option<Self> {
        let differs = !plan.scheme.claims().physical_energy;
        // Of a single coordinate that costs little.
        let every_step = plan.advised || plan.system.size() == 1;
        let works = every_step && !plan.system.inputs.is_empty();
        let positions = || vec![0.0; if works { plan.system.size() } else { 0 }];
        let sample = plan.oversampling as u64;
        let shown = sample * AUDIT_INTERVAL.div_ceil(sample);
        differs.then(|| Self {
            every: if every_step { 1 } else { shown },
            shown,
            works,
            record: None,
            supplied: 0.0,
            before: positions(),
            now: positions(),
        })
    }

    /// Computes it now.
    pub fn observe(&mut self, stepper: &mut Simulation) -> f64 {
        let energy = stepper.physical_energy();
        let first = PhysicalEnergy { initial: energy, peak: energy, last: energy, supplied_max: 0.0 };
        let begun = self.record.is_some();
        let record = self.record.get_or_insert(first);
        // What is no number stays: no limit holds for it.
        if energy.is_nan() || energy > record.peak {
            record.peak = energy;
        }
        record.last = energy;
        if self.works {
            self.now.copy_from_slice(&stepper.motion().q);
            if begun {
                self.supplied += stepper.work_of_forces(&self.before, &self.now).unwrap_or(0.0);
                record.supplied_max = record.supplied_max.max(self.supplied);
            }
            std::mem::swap(&mut self.before, &mut self.now);
        }
        energy
    }

    /// Goes through what was observed, to write it into a checkpoint or to take it over from a run at the same step.
    pub fn archive(&mut self, archive: &mut Archive, stepper: &mut Simulation) {
        let mut known = self.record.is_some();
        archive.flag(&mut known);
        let mut record = self.record.unwrap_or_default();
        let PhysicalEnergy { initial, peak, last, supplied_max } = &mut record;
        [initial, peak, last, supplied_max, &mut self.supplied].into_iter().for_each(|x| archive.number(x));
        self.record = known.then_some(record);
        if self.works {
            self.before.copy_from_slice(&stepper.motion().q);
        }
    }

    /// Over the whole run.
    pub fn finish(self) -> Option<PhysicalEnergy> {
        self.record
    }
}
