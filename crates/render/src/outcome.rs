//! The results of a run: its energy balance, its sound, its contacts.

use crate::{
    cascade::Cascade,
    drift::Drift,
    edges::{self, Edges},
    loss, loudness,
    observe::{ContactSummary, Observer},
    passivity::Passivity,
    physical::PhysicalEnergy,
    sound::Sound,
    stretching::Stretched,
    target::Ending,
    tuning::Tuning,
    verdict::Verdict,
};
use hamiltone_core::{
    audit::{Audit, Imbalance, MAX_PHYSICAL_ENERGY},
    claims::Balance,
    system::System,
};
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;

/// The results of a run.
pub struct Outcome {
    /// The energy balance over the run.
    pub audit: Audit,
    /// The energy balance that the scheme claims for this system.
    pub balance: Balance,
    /// The largest relative energy residual that is accepted.
    pub tolerance: f64,
    /// How it ended, on which the names of its files depend.
    pub ending: Ending,
    /// Whether the verdict is not red: the run is complete and finite, its energy balance holds, it gained no energy, and
    /// it does not sound another note than the scene states.
    pub ok: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// How much energy it gained of what was put in.
    pub passivity: Passivity,
    /// How far the audible partials sound from theory.
    pub tuning: Tuning,
    /// The pickups at the sample rate, and how files mix them.
    pub sound: Sound,
    /// The contacts of the scene.
    pub contacts: Vec<ContactSummary>,
    /// How far bodies went that nothing holds.
    pub drifts: Vec<Drift>,
    /// How each channel begins and ends; `None` of one that is silent or too short to tell.
    pub edges: Vec<Option<Edges>>,
    /// The physical energy, where the discrete energy of the scheme differs from it.
    pub physical: Option<PhysicalEnergy>,
    /// How far the tension of bodies rose that stretch.
    pub stretched: Vec<Stretched>,
    /// How far up the energy of plates went that stretch.
    pub cascades: Vec<Cascade>,
    /// What the user should know though the run went on.
    pub warnings: Vec<String>,
}

impl Outcome {
    /// Why the verdict is not green: the failure, what is stretched too far, or what is out of tune; empty of a green one.
    pub fn reason(&self, plan: &Plan) -> String {
        let out_of_tune = || match self.verdict {
            Verdict::Green => String::new(),
            Verdict::Amber | Verdict::Red => {
                let stretched = self.stretched.iter().find_map(Stretched::warning);
                let cascade = || self.cascades.iter().find_map(Cascade::warning);
                stretched.or_else(cascade).unwrap_or_else(|| self.tuning.sentence())
            }
        };
        self.failure(plan).unwrap_or_else(out_of_tune)
    }

    /// What of the energy balance does not hold, with its limit: why the run ended early, or the imbalance.
    pub fn imbalance(&self) -> Option<String> {
        let ended = self.audit.fault.map(|(step, fault)| format!("step {step}: {fault}"));
        ended.or_else(|| self.audit.imbalance(self.tolerance).map(|imbalance| imbalance.to_string()))
    }

    /// Why the run failed; `None` of one that did not, or was interrupted.
    pub fn failure(&self, plan: &Plan) -> Option<String> {
        if self.ending != Ending::Failed {
            return None;
        }
        let (audit, scheme) = (&self.audit, plan.scheme.name());
        if let Some((step, fault)) = &audit.fault {
            let time = plain(*step as f64 / plan.internal_rate());
            return Some(format!("scheme `{scheme}`, step {step} (t = {time} s): {fault}"));
        }
        match audit.imbalance(self.tolerance) {
            Some(imbalance @ Imbalance::Unjudged { .. }) => {
                return Some(format!(
                    "scheme `{scheme}`: the energy balance cannot be judged: {imbalance}; softer contacts and links, smaller \
                     distances or a higher rate reduce it"
                ));
            }
            Some(imbalance) => {
                return Some(format!("scheme `{scheme}` violated its energy balance: {imbalance}"));
            }
            None => {}
        }
        let gain = self.passivity.gain(plan.energy_unit()).map(|gain| format!("scheme `{scheme}`: {gain}"));
        gain.or_else(|| self.tuning.warning(plan))
    }
}

/// The results of a run that ended, or was interrupted.
pub(crate) fn conclude(
    plan: &Plan,
    interrupted: bool,
    (mut audit, first_work): (Audit, f64),
    balance: Balance,
    (sound, edges, drifts): (Sound, Vec<Option<Edges>>, Vec<Drift>),
    observer: Observer,
) -> Outcome {
    let (contacts, physical, stretched, cascades) = observer.finish();
    audit.energy_physical = physical.map_or(0.0, |energy| energy.peak);
    let passivity = Passivity::new(&audit, physical.as_ref(), first_work);
    let mut warnings = plan.warnings.clone();
    if audit.unconverged > 0 {
        warnings
            .push(format!("the iteration did not converge to rounding error in {} steps", audit.unconverged));
    }
    if audit.controls_outside > 0 {
        warnings.push(format!(
            "a control was outside the range of its law in {} steps; the nearest value inside was taken",
            audit.controls_outside
        ));
    }
    warnings.extend(passivity.warning(plan.energy_unit()));
    warnings.extend(unseen_motion(plan, &audit));
    let tuning = Tuning::of(plan);
    // A failure is said once, as the verdict.
    warnings.extend(tuning.warning(plan).filter(|_| tuning.verdict() == Verdict::Amber));
    warnings.extend(stretched.iter().filter_map(Stretched::warning));
    warnings.extend(cascades.iter().filter_map(Cascade::warning));
    warnings.extend(loss::warnings(plan));
    warnings.extend(loudness::warnings(plan, &sound));
    // What an interrupted or failed run lacks at its end is no fault of the scene.
    if !interrupted && audit.fault.is_none() {
        warnings.extend(edges::warnings(plan, &edges, &audit));
    }
    let verdict = match audit.ok(plan.balance_bound) && passivity.holds() && !interrupted {
        true if stretched.iter().all(Stretched::holds) && cascades.iter().all(Cascade::holds) => {
            tuning.verdict()
        }
        true => tuning.verdict().max(Verdict::Amber),
        false => Verdict::Red,
    };
    let ending = match verdict {
        _ if interrupted => Ending::Interrupted,
        Verdict::Red => Ending::Failed,
        Verdict::Amber | Verdict::Green => Ending::Good,
    };
    Outcome {
        balance,
        tolerance: audit.tolerance(plan.balance_bound),
        ending,
        ok: ending == Ending::Good,
        verdict,
        passivity,
        tuning,
        audit,
        sound,
        contacts,
        drifts,
        edges,
        physical,
        stretched,
        cascades,
        warnings,
    }
}

/// The warning where modes with σΔt > 1 begin with motion that the first step takes: the balance has it nowhere.
fn unseen_motion(plan: &Plan, audit: &Audit) -> Option<String> {
    let System { mass, initial, blocks, .. } = &plan.system;
    let kinetic: f64 = mass.iter().zip(&initial.velocity).map(|(m, v)| 0.5 * m * v * v).sum();
    let (unit, own) = (plan.energy_unit(), audit.energy_initial);
    let mut damping = vec![0.0; mass.len()];
    for block in blocks {
        block.damping.add_diagonal(&mut damping[block.dofs.clone()])?;
    }
    // σ = R/2M.
    let decays = |(i, v): (usize, &f64)| *v != 0.0 && damping[i] > 2.0 * mass[i] * plan.internal_rate();
    let stops = initial.velocity.iter().enumerate().any(decays);
    (stops && !plan.scheme.claims().physical_energy && kinetic > MAX_PHYSICAL_ENERGY * own.abs()).then(|| {
        format!(
            "the initial velocities are worth {kinetic:.3e} {unit}, and the energy balance begins with {own:.3e} {unit} (at least \
             1/{MAX_PHYSICAL_ENERGY} of it is expected): what modes lose within one step is not counted; use less damping or a \
             higher rate (oversampling)"
        )
    })
}
