//! Damping split off a step, exact for frozen positions: M v̇ = −(R + Σ μV′(xⱼ) cⱼcⱼᵀ) v for a time τ.
//!
//! Three flows, each exact, one after the other, and in reverse order behind the undamped step, so that the whole
//! is symmetric (Strang):
//!
//!   damping of single coordinates   vᵢ ← e^(−rᵢτ/mᵢ) vᵢ
//!   damping between coordinates     v ← p(τM⁻¹R) v,   p(x) = Σ_{k≤d} (−x)ᵏ/k!,   d odd
//!   the loss of a contact           ρ = c·v decays by e^(−μV′(x)gτ), g = cᵀM⁻¹c;   v ← v − M⁻¹c (1 − e^…)ρ/g
//!
//! The alternating sum p is taken in so many sub-steps that x ≤ ½, and so long that what is left out is below half
//! a rounding; ending at an odd degree it lies between 0 and e^(−x), so that no mode can grow. Each flow accounts for the
//! kinetic energy before less after.

use crate::{
    accelerations::{self, Accelerations},
    contact::Contact,
    exact_damping,
};
use hamiltone_core::{operator::Operator, refusal::Refusal, system::System};
use hamiltone_numerics::{lanes, math};
use std::sync::Arc;

/// More sub-steps than this are refused: an implicit scheme does the same in one.
const MAX_SUBSTEPS: f64 = 64.0;

/// The flows of a time τ.
#[derive(Clone, Debug)]
pub(crate) struct DampingFlow {
    tau: f64,
    /// e^(−rτ/m), a factor a coordinate; empty without.
    factors: Arc<[f64]>,
    coupled: Option<Polynomial>,
    /// Contacts with a loss: (number, μ, g).
    lossy: Vec<(usize, f64, f64)>,
    mass: Arc<[f64]>,
    before: Vec<f64>,
    work: [Vec<f64>; 2],
}

/// p(τM⁻¹R) in sub-steps.
#[derive(Clone, Debug)]
struct Polynomial {
    /// M⁻¹R as accelerations.
    rows: Arc<Accelerations>,
    substeps: usize,
    degree: u32,
    /// τ over the number of sub-steps.
    part: f64,
}

impl DampingFlow {
    /// The damping of `system` and its contacts for the time `tau`, s.
    pub fn new(
        scheme: &'static str,
        system: &System,
        contacts: &[Contact],
        tau: f64,
    ) -> Result<Self, Refusal> {
        let (mut single, mut between) = (system.clone(), system.clone());
        for (alone, joined) in single.blocks.iter_mut().zip(&mut between.blocks) {
            match alone.damping {
                Operator::Zero | Operator::Diagonal(_) => joined.damping = Operator::Zero,
                Operator::Strains(_) | Operator::Stencils(_) => alone.damping = Operator::Zero,
            }
            joined.stiffness = std::mem::replace(&mut joined.damping, Operator::Zero);
        }
        let factors = exact_damping::factors(scheme, &single, tau)?;
        let rows = Accelerations::new(&between, true, false);
        let lossy = contacts.iter().enumerate().filter(|(_, t)| t.law.loss > 0.0);
        let lossy = lossy.map(|(j, t)| (j, t.law.loss, rows.mobility(&t.row))).collect();
        let n = system.size();
        Ok(Self {
            tau,
            factors: if factors.iter().all(|f| *f == 1.0) { Arc::from([]) } else { factors.into() },
            coupled: Polynomial::new(scheme, rows, tau)?,
            lossy,
            mass: system.mass.clone().into(),
            before: vec![0.0; n],
            work: [vec![0.0; n], vec![0.0; n]],
        })
    }

    /// The flows in order; returns what they took.
    pub fn forwards(&mut self, contacts: &[Contact], q: &[f64], v: &mut Vec<f64>) -> f64 {
        let mut dissipated = self.single(v) + self.between(v);
        for k in 0..self.lossy.len() {
            dissipated += self.contact(k, contacts, q, v);
        }
        dissipated
    }

    /// The flows in reverse order; returns what they took.
    pub fn backwards(&mut self, contacts: &[Contact], q: &[f64], v: &mut Vec<f64>) -> f64 {
        let mut dissipated = 0.0;
        for k in (0..self.lossy.len()).rev() {
            dissipated += self.contact(k, contacts, q, v);
        }
        dissipated += self.between(v);
        dissipated + self.single(v)
    }

    fn single(&self, v: &mut [f64]) -> f64 {
        0.5 * exact_damping::apply(&self.factors, &self.mass, v)
    }

    fn between(&mut self, v: &mut Vec<f64>) -> f64 {
        let Some(polynomial) = &self.coupled else { return 0.0 };
        self.before.copy_from_slice(v);
        polynomial.apply(v, &mut self.work);
        let (mass, before) = (&self.mass, &self.before);
        0.5 * lanes::sum(v.len(), |i| mass[i] * ((before[i] - v[i]) * (before[i] + v[i])))
    }

    fn contact(&self, k: usize, contacts: &[Contact], q: &[f64], v: &mut [f64]) -> f64 {
        let (j, mu, g) = self.lossy[k];
        let contact = &contacts[j];
        let x = contact.penetration(q);
        if x <= contact.onset || g == 0.0 {
            return 0.0;
        }
        let speed = contact.row.dot(v);
        // 1 − e^(−μV′gτ), and the part of ½ρ²/g that goes: (1 − e²) = (1 − e)(2 − (1 − e)).
        let part = -math::expm1(-mu * contact.law.force(x) * g * self.tau);
        let impulse = part * speed / g;
        accelerations::pull(&self.mass, &contact.row, impulse, v);
        0.5 * speed * speed / g * part * (2.0 - part)
    }
}

impl Polynomial {
    fn new(scheme: &'static str, rows: Accelerations, tau: f64) -> Result<Option<Self>, Refusal> {
        let bound = (rows.bounds().0 * tau).abs();
        if bound == 0.0 {
            return Ok(None);
        }
        let substeps = (2.0 * bound).ceil();
        if substeps > MAX_SUBSTEPS {
            return Err(Refusal::OutOfRange {
                scheme,
                what: format!(
                    "damping between coordinates as strong as λ_max·Δt/2 = {bound:.3e} (at most {})",
                    MAX_SUBSTEPS / 2.0
                ),
                instead: "run at a higher rate, or use an implicit scheme".into(),
            });
        }
        let x = bound / substeps;
        // The first term left out, x^(d+1)/(d+1)!, below half a rounding of 1.
        let (mut degree, mut term) = (1, x * x / 2.0);
        while term > 0.25 * f64::EPSILON {
            degree += 2;
            let d = f64::from(degree);
            term *= x * x / (d * (d + 1.0));
        }
        Ok(Some(Self { rows: Arc::new(rows), substeps: substeps as usize, degree, part: tau / substeps }))
    }

    /// v ← p(τM⁻¹R) v by Horner's scheme: y ← v − (x/k) y, k = d … 1.
    fn apply(&self, v: &mut Vec<f64>, [y, next]: &mut [Vec<f64>; 2]) {
        for _ in 0..self.substeps {
            y.copy_from_slice(v);
            for k in (1..=self.degree).rev() {
                self.rows.kick(self.part / f64::from(k), y, v, next);
                std::mem::swap(y, next);
            }
            std::mem::swap(v, y);
        }
    }
}
