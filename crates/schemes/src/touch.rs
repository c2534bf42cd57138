//! The compliant contacts of a system, as explicit schemes and the books see them.

use hamiltone_core::{
    law::Potential,
    row::Row,
    scheme::Refusal,
    system::{Contact, System},
};
use std::sync::Arc;

/// One contact: its row c, gap h and potential V.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub row: Row,
    pub gap: f64,
    pub potential: Arc<dyn Potential>,
    /// Up to where V is 0.
    pub onset: f64,
}

impl Touch {
    /// x = c·q − h.
    pub fn penetration(&self, q: &[f64]) -> f64 {
        self.row.dot(q) - self.gap
    }

    /// V(c·q − h).
    pub fn energy(&self, q: &[f64]) -> f64 {
        let x = self.penetration(q);
        if x <= self.onset { 0.0 } else { self.potential.energy(x) }
    }

    /// Whether nothing is felt at x and x + σ, nor between.
    #[inline]
    pub fn silent(&self, x: f64, sigma: f64) -> bool {
        x <= self.onset && x + sigma <= self.onset
    }

    /// max(|f|, |V′(x)|(1 + μ|σ|/Δt))(Σ|cᵢqᵢ| + |σ| + |h|) behind a step of σ, with mu = μ/Δt: how much energy, stored or
    /// lost, a rounding of the penetration is worth, over eps.
    ///
    /// f is the force over the step, V′(x) that at its end: far more where a fast, light body is caught in one step.
    pub fn scale(&self, force: f64, sigma: f64, mu: f64, q: &[f64]) -> f64 {
        if force == 0.0 {
            return 0.0;
        }
        let size = self.row.magnitude(q) + sigma.abs() + self.gap.abs();
        self.strongest(force, self.penetration(q), sigma, mu) * size
    }

    /// max(|f|, |V′(x)|(1 + μ|σ|/Δt)) behind a step of σ that ended at x, N.
    pub fn strongest(&self, force: f64, x: f64, sigma: f64, mu: f64) -> f64 {
        let end = if x <= self.onset { 0.0 } else { self.potential.force(x).abs() };
        force.abs().max(end * (1.0 + mu * sigma.abs()))
    }
}

/// ΣV at q.
pub(crate) fn energy(touches: &[Touch], q: &[f64]) -> f64 {
    touches.iter().map(|t| t.energy(q)).sum()
}

/// The contacts' forces V′(1 + μẋ) at (q, v).
pub(crate) fn felt(touches: &[Touch], q: &[f64], v: &[f64], forces: &mut [f64]) {
    for (force, touch) in forces.iter_mut().zip(touches) {
        let x = touch.penetration(q);
        let lossless = if x <= touch.onset { 0.0 } else { touch.potential.force(x) };
        *force = lossless * (1.0 + touch.potential.loss() * touch.row.dot(v));
    }
}

/// The contact as schemes of forces see it; `None` where it is rigid.
pub(crate) fn compliant(contact: &Contact) -> Option<Touch> {
    let potential = contact.law.potential()?.clone();
    let (row, gap, onset) = (contact.row.clone(), contact.gap, potential.onset());
    Some(Touch { row, gap, potential, onset })
}

/// The contacts of `system` for a scheme of forces, which cannot take a rigid one.
pub(crate) fn all(scheme: &'static str, system: &System) -> Result<Vec<Touch>, Refusal> {
    let touch = |contact: &Contact| {
        compliant(contact).ok_or_else(|| Refusal::NotCovered {
            scheme,
            what: format!("the rigid contact `{}`: it stops what it meets within no time", contact.name),
            instead: "use `moreau-jean` or `modal-moreau-jean`, or a law with a stiffness such as `power`"
                .into(),
        })
    };
    system.contacts.iter().map(touch).collect()
}

/// The contacts of `system` for a scheme that cannot take a contact's loss.
pub(crate) fn lossless(scheme: &'static str, system: &System) -> Result<Vec<Touch>, Refusal> {
    let lossy = |c: &&Contact| c.law.potential().is_some_and(|potential| potential.loss() > 0.0);
    match system.contacts.iter().find(lossy) {
        None => all(scheme, system),
        Some(contact) => Err(Refusal::NotCovered {
            scheme,
            what: format!(
                "the loss of contact `{}`: it needs the velocity at the instant of the force",
                contact.name
            ),
            instead: "set its loss to 0, or use `sprk-4`, `position-verlet`, `ec`, `mr` or `tr`".into(),
        }),
    }
}

/// The most numbers that contacts may need among each other and with the coordinates: 1 GB.
const MOST: usize = 1 << 27;

/// Refuses more contacts than impulses can be solved for: each is kept with each other, and with `each` numbers more.
pub(crate) fn few_enough(scheme: &'static str, system: &System, each: usize) -> Result<(), Refusal> {
    let p = system.contacts.len();
    if p.saturating_mul(2 * p + each) <= MOST {
        return Ok(());
    }
    Err(Refusal::NotCovered {
        scheme,
        what: format!(
            "{p} contacts: their compliances would take {:.1} GB",
            (p * (2 * p + each)) as f64 * 8e-9
        ),
        instead: "take fewer intervals, a shorter profile, or frets".into(),
    })
}

/// The diagonal of R, or a refusal that names the link that couples velocities.
pub(crate) fn diagonal_damping(scheme: &'static str, system: &System) -> Result<Vec<f64>, Refusal> {
    system.diagonal_damping().map_err(|name| Refusal::NotCovered {
        scheme,
        what: format!(
            "the damping of `{name}`, which couples velocities: its exponential is no factor per coordinate"
        ),
        instead: "set its loss to 0, or use `ec`, `mr`, `tr`, `sprk-4`, `vv` or `leapfrog`".into(),
    })
}
