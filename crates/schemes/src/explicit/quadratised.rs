//! Contacts with a quadratised energy: V = ½ψ², where ψ is a variable of its own that is carried from step to step.
//!
//! With σ = c·(d + d⁺)/2, the centred change of the penetration, and g at the instant between both increments,
//!
//!   F = gψ̄,   ψ⁺ − ψ = gσ,   ψ̄ = ½(ψ + ψ⁺),   so that Fσ = ½ψ⁺² − ½ψ²
//!   g = |V′(x)|/√(2V(x)),   √(K(α+1)/2) x^{(α−1)/2} of a power law
//!
//! whatever g is: the balance is exact, and the force of a step is linear in its increment,
//!
//!   F = g(ψ + ½gσ)
//!
//! Where V > 0 g has the sign of ψ, which keeps a contact from pulling where ψ has gone below zero. What is still stored where V = 0 is given back in
//! one step along the motion, ψ⁺ = 0: with the change σ₀ without its force and the compliance γ
//!
//!   g = −ψ/σ,   F = −ψ²/2σ,   σ = ½(σ₀ ± √(σ₀² + 2γψ²)),   the sign that of σ₀
//!
//! Where contacts share coordinates a part of it may remain for the next step. Laws that push both ways are refused: nothing gives back their ψ, and where
//! steps go past the rest of a stiff spring it is no longer near ±√(2V), so that the balance misses 10⁴ eps.

use crate::contact::{self, Contact};
use hamiltone_core::{ledger::Fault, refusal::Refusal, system::System};
use hamiltone_numerics::{schur_newton::SchurNewton, woodbury::Solver};
use std::sync::Arc;

/// The contacts of a system, with what they store.
#[derive(Clone)]
pub(crate) struct Quadratised {
    /// A, by which half an increment follows from forces times h = Δt²/2.
    matrix: Arc<Solver>,
    half: f64,
    /// c·A⁻¹c of each, 1/kg.
    compliance: Vec<f64>,
    /// The linear system of the contacts, where their steps depend on each other.
    coupled: Option<Box<SchurNewton>>,
    /// ψ, √(2 J).
    pub psi: Vec<f64>,
    gradient: Vec<f64>,
    penetration: Vec<f64>,
    /// σ.
    increments: Vec<f64>,
    /// h F, and what it lacks.
    multipliers: Vec<f64>,
    more: Vec<f64>,
    /// A⁻¹Cᵀh F.
    pull: Vec<f64>,
}

impl Quadratised {
    /// Of the `contacts` of `system`, half an increment following from `matrix`.
    pub fn new(
        scheme: &'static str,
        (system, contacts): (&System, &[Contact]),
        matrix: Solver,
        dt: f64,
    ) -> Result<Self, Refusal> {
        contact::few_enough(scheme, system, 0)?;
        if let Some(element) =
            system.elements.iter().zip(contacts).find(|(_, contact)| contact.onset == f64::NEG_INFINITY)
        {
            let what = vec![format!("the contact `{}`, which pushes both ways", element.0.name)];
            return Err(Refusal::NotCovered { scheme, what });
        }
        let count = contacts.len();
        let mut between = vec![0.0; count * count];
        let mut column = vec![0.0; system.size()];
        for (j, contact) in contacts.iter().enumerate() {
            column.fill(0.0);
            contact.row.add_scaled(1.0, &mut column);
            matrix.solve(&mut column);
            contacts
                .iter()
                .enumerate()
                .for_each(|(i, other)| between[i * count + j] = other.row.dot(&column));
        }
        let compliance = (0..count).map(|j| between[j * count + j]).collect();
        let is_coupled = between.iter().enumerate().any(|(k, g)| k % (count + 1) != 0 && *g != 0.0);
        let zero = || vec![0.0; count];
        Ok(Self {
            matrix: Arc::new(matrix),
            half: 0.5 * dt * dt,
            compliance,
            coupled: is_coupled.then(|| Box::new(SchurNewton::new(count, between))),
            psi: zero(),
            gradient: zero(),
            penetration: zero(),
            increments: zero(),
            multipliers: zero(),
            more: zero(),
            pull: column,
        })
    }

    /// Goes on from positions q and those behind the first increment: ½ψ² is V halfway, and 0 where the contact is open at q, since it acts on no
    /// step before that.
    pub fn start(&mut self, contacts: &[Contact], q: &[f64], ahead: &[f64]) {
        for (psi, contact) in self.psi.iter_mut().zip(contacts) {
            let [x, end] = [q, ahead].map(|q| contact.penetration(q));
            let energy = if contact.energy(x) > 0.0 { contact.energy(0.5 * (x + end)) } else { 0.0 };
            *psi = (2.0 * energy).sqrt();
        }
    }

    /// An impulse at q has changed the increment of coordinate `i` by so much: halfway the penetration is another.
    pub fn pushed(&mut self, contacts: &[Contact], q: &[f64], i: usize, change: f64) {
        for (psi, contact) in self.psi.iter_mut().zip(contacts) {
            let (weight, x) = (contact.row.weight(i), contact.penetration(q));
            if weight != 0.0 && contact.energy(x) > 0.0 {
                *psi += 0.5 * slope(contact, x, *psi) * (weight * change);
            }
        }
    }

    /// Adds to the `change` of the increment `d` at q what the contacts change; the fault, if there is one.
    pub fn push(&mut self, contacts: &[Contact], q: &[f64], d: &[f64], change: &mut [f64]) -> Option<Fault> {
        self.set_increments(contacts, d, change);
        for (j, contact) in contacts.iter().enumerate() {
            self.penetration[j] = contact.penetration(q);
            let compliance = self.half * self.compliance[j];
            self.gradient[j] =
                gradient(contact, self.penetration[j], self.psi[j], self.increments[j], compliance);
        }
        if self.gradient.iter().all(|g| *g == 0.0) {
            return None;
        }
        self.multipliers.fill(0.0);
        // The compliances have a rounding error, the same in every step, that the second solve corrects: else the balance would drift.
        let excess = (0..2).map(|_| {
            let excess = self.solve(contacts, change);
            self.set_increments(contacts, d, change);
            excess
        });
        let excess = excess.fold(0.0, f64::max);
        for (psi, (g, sigma)) in self.psi.iter_mut().zip(self.gradient.iter().zip(&self.increments)) {
            let next = *psi + g * sigma;
            // What rounding leaves of all that was stored is less than eps of its energy.
            *psi = if next.abs() < f64::EPSILON.sqrt() * psi.abs() { 0.0 } else { next };
        }
        (excess > 1.0).then_some(Fault::NotConverged(excess))
    }

    /// σ of increments `d` that change by so much.
    fn set_increments(&mut self, contacts: &[Contact], d: &[f64], change: &[f64]) {
        for (sigma, Contact { row, .. }) in self.increments.iter_mut().zip(contacts) {
            *sigma = row.dot(d) + 0.5 * row.dot(change);
        }
    }

    /// Adds to the multipliers what they lack at σ, and to `change` what that changes; by how much the solver missed.
    fn solve(&mut self, contacts: &[Contact], change: &mut [f64]) -> f64 {
        let Self {
            matrix,
            half,
            compliance,
            coupled,
            psi,
            gradient,
            penetration,
            increments,
            multipliers,
            more,
            pull,
        } = self;
        // hg(ψ + ½gσ) − hF, and its slope.
        let law = |j: usize, sigma: f64| {
            let g = gradient[j];
            (*half * g * (psi[j] + 0.5 * g * sigma) - multipliers[j], 0.5 * *half * g * g)
        };
        let mut excess = 0.0;
        if let Some(coupled) = coupled {
            excess = coupled.solve(penetration, increments, law).excess;
            more.copy_from_slice(&coupled.multipliers);
        } else {
            for (j, more) in more.iter_mut().enumerate() {
                let (lacking, slope) = law(j, increments[j]);
                *more = lacking / (1.0 + slope * compliance[j]);
            }
        }
        pull.fill(0.0);
        for (contact, (multiplier, more)) in contacts.iter().zip(multipliers.iter_mut().zip(&*more)) {
            if *more != 0.0 {
                *multiplier += more;
                contact.row.add_scaled(*more, pull);
            }
        }
        matrix.solve(pull);
        change.iter_mut().zip(&*pull).for_each(|(change, pull)| *change -= 2.0 * pull);
        excess
    }

    /// Σ½ψ², J.
    pub fn stored(&self) -> f64 {
        0.5 * self.psi.iter().map(|psi| psi * psi).sum::<f64>()
    }
}

/// g where V > 0.
fn slope(contact: &Contact, x: f64, psi: f64) -> f64 {
    contact.law.force(x).copysign(psi) / (2.0 * contact.energy(x)).sqrt()
}

/// g at the penetration x, of a contact that stores ½ψ² and would move by `free` without its force.
fn gradient(contact: &Contact, x: f64, psi: f64, free: f64, compliance: f64) -> f64 {
    if contact.energy(x) > 0.0 {
        return slope(contact, x, psi);
    }
    // A body at rest is pushed away.
    let sign = if free > 0.0 { 1.0 } else { -1.0 };
    let twice = free + sign * (free * free + 2.0 * compliance * psi * psi).sqrt();
    // Where squares underflow nothing moves.
    if psi == 0.0 || twice == 0.0 { 0.0 } else { -2.0 * psi / twice }
}
