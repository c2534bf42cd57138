//! The results of a run: its energy balance, its sound, its contacts.

use crate::{
    drift::Drift,
    edges::{self, Edges},
    loudness,
    observe::{ContactSummary, Observer},
    passivity::Passivity,
    physical::PhysicalEnergy,
    sound::Sound,
    target::Ending,
    tuning::Tuning,
    verdict::Verdict,
};
use hamiltone_core::{audit::Audit, claims::Balance};
use hamiltone_scene::Plan;

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
    /// What the user should know though the run went on.
    pub warnings: Vec<String>,
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
    let (contacts, physical) = observer.finish();
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
    let tuning = Tuning::of(plan);
    // A failure is said once, as the verdict.
    warnings.extend(tuning.warning(plan).filter(|_| tuning.verdict() == Verdict::Amber));
    warnings.extend(loudness::warnings(plan, &sound));
    // What an interrupted or failed run lacks at its end is no fault of the scene.
    if !interrupted && audit.fault.is_none() {
        warnings.extend(edges::warnings(plan, &edges, &audit));
    }
    let verdict = match audit.ok(plan.balance_bound) && passivity.holds() && !interrupted {
        true => tuning.verdict(),
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
        warnings,
    }
}
