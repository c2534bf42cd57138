//! Energy, supplied work, losses and the work of rigid contacts of a run, recomputed from its states.
//!
//!   E = ½vᵀMv + ½qᵀKq + Σⱼ wⱼVⱼ(xⱼ)
//!   supplied  Σ ū c·Δq,  −Σ f̄ Δh_ref        dissipated  Σ ΔqᵀRΔq/Δt,  Σ μ f̄ Δx²/Δt,  Σ r̄ Δx²/Δt
//!   contact work of rigid contacts  Σ p Δx/Δt,  p being the impulse that the run reports
//!
//! M, K, R, rows and lengths are those of the assembled system; every law is this folder's own. A bar is the mean over a
//! step. Each sum has an uncertainty: what it differs by from the same sum with the velocities at the ends of the steps, and
//! by as much as the input or the force changes within a step. Both quadratures are of order 2, so that it is of the size of
//! their truncation error, and of all of the sum where a step does not resolve the motion.

use super::{law::Law, npz::Array, scene::Drawn};
use hamiltone_core::input::Action;
use hamiltone_scene::Plan;
use std::collections::BTreeMap;

/// A sum over the steps so far, J, and what it is uncertain by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// The sum.
    pub value: f64,
    /// What it is uncertain by.
    pub error: f64,
}

impl Sum {
    /// Adds the mean of two quadratures of one term, which differ by its uncertainty, and `more`.
    fn add(&mut self, a: f64, b: f64, more: f64) {
        self.value += 0.5 * (a + b);
        self.error += 0.5 * (a - b).abs() + more;
    }
}

/// The energies at one row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energies {
    /// E, J.
    pub energy: f64,
    /// The work of the inputs.
    pub supplied: Sum,
    /// What losses took.
    pub dissipated: Sum,
    /// The work of rigid contacts.
    pub contact_work: Sum,
    /// What a rounding of the positions is worth, over eps, J.
    pub leverage: f64,
}

/// The states of a run.
pub struct States<'a> {
    plan: &'a Plan,
    arrays: &'a BTreeMap<String, Array>,
    laws: Vec<Law>,
    losses: Vec<f64>,
    /// Δt between rows, s.
    dt: f64,
}

/// One row: q, v, and x, ẋ of each element, and the inputs.
struct Row {
    q: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
    rate: Vec<f64>,
    reference: Vec<f64>,
    inputs: Vec<f64>,
}

impl<'a> States<'a> {
    /// The states of the run of a scene.
    ///
    /// # Errors
    /// A contact law that [`Law`] does not know.
    pub fn new(scene: &Drawn, plan: &'a Plan, arrays: &'a BTreeMap<String, Array>) -> Result<Self, String> {
        let size = plan.system.elements.len();
        let (mut laws, mut losses) = (vec![Law::Rigid; size], vec![0.0; size]);
        for contact in &plan.contacts {
            let section = scene.section("contact", &contact.name);
            let law = section
                .and_then(Law::of)
                .ok_or_else(|| format!("the law `{}` has no energy here", contact.law))?;
            laws[contact.parts.clone()].fill(law);
            losses[contact.parts.clone()].fill(section.and_then(|s| s.number("loss")).unwrap_or(0.0));
        }
        let time = &arrays.get("time").ok_or("the states have no time")?.numbers;
        let dt = if time.len() > 1 { time[1] - time[0] } else { 1.0 / plan.internal_rate() };
        Ok(Self { plan, arrays, laws, losses, dt })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.arrays["time"].numbers.len()
    }

    /// Whether every number is finite.
    pub fn are_finite(&self) -> bool {
        let state = |name: &&String| name.ends_with(".q") || name.ends_with(".v");
        self.arrays.keys().filter(state).all(|name| self.arrays[name].numbers.iter().all(|x| x.is_finite()))
    }

    /// The energies of every row.
    pub fn energies(&self) -> Vec<Energies> {
        let mut row = self.row(0);
        let mut now = Energies::default();
        (now.energy, now.leverage) = self.energy(&row);
        let mut all = vec![now];
        for n in 1..self.rows() {
            let next = self.row(n);
            self.step(n, &row, &next, &mut now);
            (now.energy, now.leverage) = self.energy(&next);
            all.push(now);
            row = next;
        }
        all
    }

    /// The energy at the position that follows the last row, by its velocity (qⁿ⁺¹ − qⁿ⁻¹)/2Δt, J; none of one row. It is
    /// not finite where that position is not.
    pub fn ahead(&self) -> Option<f64> {
        let n = self.rows().checked_sub(2)?;
        let (before, mut last) = (self.row(n), self.row(n + 1));
        for (q, (p, v)) in last.q.iter_mut().zip(before.q.iter().zip(&last.v)) {
            *q = p + 2.0 * self.dt * v;
        }
        for (j, element) in self.plan.system.elements.iter().enumerate() {
            last.x[j] = element.row().dot(&last.q) - element.gap - last.reference[j];
        }
        Some(self.energy(&last).0)
    }

    fn row(&self, n: usize) -> Row {
        let (system, t) = (&self.plan.system, self.arrays["time"].numbers[n]);
        let mut row = Row {
            q: vec![0.0; system.size()],
            v: vec![0.0; system.size()],
            x: Vec::new(),
            rate: Vec::new(),
            reference: vec![0.0; system.elements.len()],
            inputs: self.plan.drives.iter().map(|drive| drive.signal.value(t)).collect(),
        };
        for body in &self.plan.bodies {
            let of = |what: &str| self.arrays[&format!("{}.{what}", body.name)].row(n);
            row.q[body.placed.dofs.clone()].copy_from_slice(of("q"));
            row.v[body.placed.dofs.clone()].copy_from_slice(of("v"));
        }
        for (input, u) in system.inputs.iter().zip(&row.inputs) {
            if let Action::Motion(elements) = &input.action {
                row.reference[elements.clone()].iter_mut().for_each(|h| *h += u);
            }
        }
        for (element, h) in system.elements.iter().zip(&row.reference) {
            row.x.push(element.row().dot(&row.q) - element.gap - h);
            row.rate.push(element.row().dot(&row.v));
        }
        row
    }

    /// E and what a rounding of the positions is worth.
    fn energy(&self, row: &Row) -> (f64, f64) {
        let system = &self.plan.system;
        let kinetic: f64 = system.mass.iter().zip(&row.v).map(|(m, v)| 0.5 * m * v * v).sum();
        let springs = 0.5 * system.stiffness_form(&row.q, &row.q);
        let mut force = vec![0.0; row.q.len()];
        system.add_stiffness(1.0, &row.q, &mut force);
        let mut leverage: f64 = force.iter().zip(&row.q).map(|(f, q)| (f * q).abs()).sum();
        let mut contacts = 0.0;
        for (j, element) in system.elements.iter().enumerate() {
            let scale = self.scale(j);
            contacts += scale * self.laws[j].energy(row.x[j]);
            let size = element.row().magnitude(&row.q) + element.gap.abs() + row.reference[j].abs();
            leverage += scale * self.laws[j].force(row.x[j]).abs() * size;
        }
        (kinetic + springs + contacts, leverage)
    }

    /// w of an element: the length that it stands for.
    fn scale(&self, j: usize) -> f64 {
        let law = &self.plan.system.elements[j].law;
        law.compliant().map(|law| law.scale).or(law.resistive().map(|law| law.scale)).unwrap_or(1.0)
    }

    /// Adds what the step to row n does.
    fn step(&self, n: usize, from: &Row, to: &Row, sums: &mut Energies) {
        let (system, dt) = (&self.plan.system, self.dt);
        let way: Vec<f64> = to.q.iter().zip(&from.q).map(|(b, a)| b - a).collect();
        for (i, input) in system.inputs.iter().enumerate() {
            let Action::Force(row) = &input.action else { continue };
            let (u, w, s) = (from.inputs[i], to.inputs[i], row.dot(&way));
            let ends = 0.5 * dt * (u * row.dot(&from.v) + w * row.dot(&to.v));
            sums.supplied.add(0.5 * (u + w) * s, ends, 0.5 * ((w - u) * s).abs());
        }
        let ends = 0.5 * dt * (system.damping_form(&from.v) + system.damping_form(&to.v));
        sums.dissipated.add(system.damping_form(&way) / dt, ends, 0.0);
        for (j, law) in self.laws.iter().enumerate() {
            let (x, y, scale) = (from.x[j], to.x[j], self.scale(j));
            let moved = to.reference[j] - from.reference[j];
            let rates = [from.rate[j], to.rate[j]].map(|rate| rate - moved / dt);
            let square = |rate: f64| rate * rate;
            let mean = 0.5 * (square(rates[0]) + square(rates[1]));
            let (force, spread) = match law {
                Law::Damper { .. } => {
                    let r = [from, to].map(|row| scale * self.resistance(j, row).max(0.0));
                    sums.dissipated.add(
                        0.5 * (r[0] + r[1]) * square(y - x) / dt,
                        0.5 * (r[0] + r[1]) * mean * dt,
                        0.5 * ((r[1] - r[0]) * mean * dt).abs(),
                    );
                    (0.5 * (r[0] + r[1]) * (y - x) / dt, (r[0] * rates[0]).abs() + (r[1] * rates[1]).abs())
                }
                Law::Power { .. } => {
                    let (f, ends) = (scale * law.mean_force(x, y), [x, y].map(|x| scale * law.force(x)));
                    let (loss, change) = (self.losses[j], (ends[1] - ends[0]).abs());
                    sums.dissipated.add(
                        loss * f * square(y - x) / dt,
                        loss * f * mean * dt,
                        loss * change * mean * dt,
                    );
                    (f * (1.0 + loss * (y - x) / dt), change * (1.0 + loss * mean.sqrt()))
                }
                Law::Rigid => {
                    let Some(p) = self.impulse(j, n) else { continue };
                    let ends = 0.5 * p * (rates[0] + rates[1]);
                    // p pushes the penetration back.
                    sums.contact_work.add(-p * (y - x) / dt, -ends, 0.0);
                    (p / dt, 0.0)
                }
            };
            if moved != 0.0 {
                sums.supplied.add(-force * moved, -force * moved, 0.5 * spread * moved.abs());
            }
        }
    }

    /// r of a damper, N s/m: of its drive, or of the scene.
    fn resistance(&self, j: usize, row: &Row) -> f64 {
        let controls = |action: &Action| matches!(action, Action::Control(elements) if elements.contains(&j));
        let mut inputs = self.plan.system.inputs.iter().zip(&row.inputs);
        let control = inputs.find(|(input, _)| controls(&input.action)).map(|(_, u)| *u);
        match self.laws[j] {
            Law::Damper { resistance } => control.unwrap_or(resistance),
            Law::Power { .. } | Law::Rigid => 0.0,
        }
    }

    /// The impulse of element j in the step to row n, N s, where the states have it.
    fn impulse(&self, j: usize, n: usize) -> Option<f64> {
        let contact = self.plan.contacts.iter().find(|contact| contact.parts.contains(&j))?;
        let array = self.arrays.get(&format!("contact.{}.impulse", contact.name))?;
        array.row(n).get(j - contact.parts.start).copied()
    }
}
