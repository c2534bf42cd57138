//! How far bodies went that nothing holds: the mean displacement at the end of a run, less that at its begin.
//!
//!   d = ū(T) − ū(0),   ū = Σ m_i u_i/Σ m_i

use hamiltone_core::simulation::Simulation;
use hamiltone_plan::Plan;
use hamiltone_scene::units::plain;

/// Shorter ways are not reported, m.
const SHORT: f64 = 1e-3;

/// A free body after a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// Its name.
    pub body: String,
    /// How far it is from where it began, m, with its sign.
    pub distance: f64,
}

/// Of all bodies of a plan that nothing holds, where they are now.
pub(crate) fn of(plan: &Plan, stepper: &mut Simulation) -> Vec<Drift> {
    if plan.free.is_empty() {
        return Vec::new();
    }
    let (begin, now) = (&plan.system.initial.position, &stepper.motion().q);
    let drift = |row: &hamiltone_core::row::Row| row.dot(now) - row.dot(begin);
    plan.free.iter().map(|free| Drift { body: free.name.clone(), distance: drift(&free.mean) }).collect()
}

/// The bodies that went far, in words; `None` where there are none.
pub fn sentence(drifts: &[Drift]) -> Option<String> {
    let far = drifts.iter().filter(|drift| drift.distance.abs() >= SHORT);
    let digits = |x: f64| format!("{x:.1e}").parse().map_or(String::new(), plain);
    let parts: Vec<String> = far
        .map(|drift| format!("`{}`, {} m from where it began", drift.body, digits(drift.distance.abs())))
        .collect();
    (!parts.is_empty()).then(|| format!("nothing holds {}", parts.join(" and ")))
}
