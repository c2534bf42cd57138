//! Energy, supplied work, losses and the work of rigid contacts of a run, recomputed from its states at every step.
//!
//!   E = ½vᵀMv + ½qᵀKq + Σⱼ wⱼVⱼ(xⱼ)
//!   supplied  ∫ u c·q̇ dt,  −∫ f ḣ_ref dt,  ∫ ψ ė dt        dissipated  ∫ q̇ᵀRq̇ dt,  ∫ μ f ẋ² dt,  ∫ r ẋ² dt
//!   contact work of rigid contacts  Σ p Δx/Δt,  p being the impulse that the run reports
//!
//! M, K, R, rows and lengths are those of the assembled system; every law is this folder's own. Between the ends of a step a
//! signal is straight, as the schemes take it, and a position is the cubic with the velocities at both ends. Each integral is
//! taken by several quadratures:
//!
//! - the cubic: exact for a force, ½(u⁰ + u¹)Δs + (u¹ − u⁰)(ṡ¹ − ṡ⁰)Δt/12, else by Simpson's rule;
//! - the means of the step: ½(u⁰ + u¹)Δs, V's difference quotient, (Δx/Δt)²;
//! - the trapezoidal rule;
//! - of moving references, the mean force over two steps, ½F(hⁿ⁺¹ − hⁿ⁻¹), as two-step schemes take it: of contacts that open
//!   within a step the rules differ by as much as they give;
//! - of losses, what they take of the velocity at the left and at the right end alone, where a splitting takes them:
//!   E(1 − e^(−PΔt/E)) of a kinetic energy E and a power P, of each coordinate where damping does not couple them.
//!
//! Each is added up for itself, with its sign: truncation errors of a vibration cancel over a period, and those of the ends
//! are a difference of two steps. The true value is taken to lie between the least and the largest of the sums, widened by
//! `SHARE` of what the quadratures differ by in all single steps.

use super::{
    law::{Law, Loss},
    npz::Array,
    scene::Drawn,
};
use hamiltone_core::{
    element,
    form::Form,
    input::{Action, Input},
};
use hamiltone_scene::Plan;
use std::{collections::BTreeMap, ops::Range};

/// The part of the differences of all single steps that counts as uncertainty whatever cancels.
const SHARE: f64 = 1e-2;

/// A sum over the steps so far, J, by each quadrature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    sums: [f64; 5],
    spread: f64,
}

impl Sum {
    /// Adds the quadratures of one term: as many as it has, the last for those that it lacks.
    fn add<const N: usize>(&mut self, terms: [f64; N]) {
        for (i, sum) in self.sums.iter_mut().enumerate() {
            *sum += terms[i.min(N - 1)];
        }
        self.spread += largest(terms) - least(terms);
    }

    /// The least that it may be; no number where one of the sums is none.
    pub fn low(&self) -> f64 {
        least(self.sums) - SHARE * self.spread
    }

    /// The most that it may be; no number where one of the sums is none.
    pub fn high(&self) -> f64 {
        largest(self.sums) + SHARE * self.spread
    }

    /// One end of what it may be.
    pub fn end(&self, high: bool) -> f64 {
        if high { self.high() } else { self.low() }
    }
}

/// The largest number; no number where one of them is none; −∞ of none.
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

/// Whether a number is above a limit, or one of them is no number.
pub fn is_above(x: f64, limit: f64) -> bool {
    x > limit || x.is_nan() || limit.is_nan()
}

/// The least number; no number where one of them is none; ∞ of none.
pub fn least(numbers: impl IntoIterator<Item = f64>) -> f64 {
    -largest(numbers.into_iter().map(|x| -x))
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
    losses: Vec<Loss>,
    /// R of each coordinate, where it does not couple them.
    damping: Option<Vec<f64>>,
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
    /// A contact law that [`Law`] does not know, or an array that is missing, too short or of another shape. The impulses
    /// of rigid contacts are among them: [`impulses`] names their arrays.
    pub fn new(scene: &Drawn, plan: &'a Plan, arrays: &'a BTreeMap<String, Array>) -> Result<Self, String> {
        let size = plan.system.elements.len();
        let (mut laws, mut losses) = (vec![Law::Rigid; size], vec![Loss::default(); size]);
        for contact in &plan.contacts {
            let section = scene.section("contact", &contact.name);
            let law = section.and_then(|section| Law::of(section, &scene.files)).ok_or_else(|| {
                format!("the law `{}` has no energy here: add it to `Law::of` in law.rs", contact.law)
            })?;
            laws[contact.parts.clone()].fill(law);
            losses[contact.parts.clone()].fill(section.map(Loss::of).unwrap_or_default());
        }
        let time = &arrays.get("time").ok_or("the states have no time")?.numbers;
        let shaped = |name: String, columns: usize| match arrays.get(&name) {
            None => Err(format!("the states have no {name}")),
            Some(a) if a.columns != columns || a.numbers.len() != time.len() * columns => {
                Err(format!("{name}: {} numbers in {} columns", a.numbers.len(), a.columns))
            }
            Some(_) => Ok(()),
        };
        if time.is_empty() {
            return Err("the states have no rows".into());
        }
        shaped("ledger.stored".into(), 1)?;
        for (name, dofs) in owners(plan) {
            shaped(format!("{name}.q"), dofs.len())?;
            shaped(format!("{name}.v"), dofs.len())?;
        }
        for (name, columns) in impulses(plan) {
            shaped(name, columns)?;
        }
        let dt = 1.0 / plan.internal_rate();
        let ends = time.iter().enumerate().find(|(n, t)| is_above((**t - *n as f64 * dt).abs(), 1e-6 * dt));
        if let Some((n, t)) = ends {
            return Err(format!("row {n} is at t = {t} s, not at the end of step {n}"));
        }
        let damping = plan.system.diagonal_damping().ok();
        Ok(Self { plan, arrays, laws, losses, damping, dt })
    }

    /// The stored energy that the program states, row by row.
    pub fn stored(&self) -> &'a [f64] {
        &self.arrays["ledger.stored"].numbers
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
        let (mut earlier, mut row) = (self.row(0), self.row(0));
        let mut now = Energies::default();
        (now.energy, now.leverage) = self.energy(&row);
        let mut all = vec![now];
        for n in 1..self.rows() {
            let next = self.row(n);
            self.step(n, [&earlier, &row, &next], &mut now);
            (now.energy, now.leverage) = self.energy(&next);
            now.leverage += self.leverage_of_losses(&row, &next);
            all.push(now);
            (earlier, row) = (row, next);
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
        for (name, dofs) in owners(self.plan) {
            let of = |what: &str| self.arrays[&format!("{name}.{what}")].row(n);
            row.q[dofs.clone()].copy_from_slice(of("q"));
            row.v[dofs.clone()].copy_from_slice(of("v"));
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
        let joints: f64 = system.joints.iter().map(|joint| joint.energy(&row.q)).sum();
        for joint in &system.joints {
            // ½Kq² and ½K(q − bw)² are each known to a rounding of themselves.
            let own = row.q[joint.dofs()].iter().zip(&joint.springs);
            leverage += own.map(|(q, k)| k * q * q).sum::<f64>() + joints.abs();
        }
        let mut forms = 0.0;
        for (j, form) in system.forms.iter().enumerate() {
            let strains =
                |input: &Input| matches!(&input.action, Action::Strain(forms) if forms.contains(&j));
            let all = system.inputs.iter().zip(&row.inputs).filter(|(input, _)| strains(input));
            let (value, e) = (form.value(&row.q), form.stretch * all.map(|(_, u)| u).sum::<f64>());
            forms += form.energy(&row.q, e);
            leverage += (value + e).abs() * form.size(&row.q);
        }
        let mut contacts = 0.0;
        for (j, element) in system.elements.iter().enumerate() {
            let scale = self.scale(j);
            contacts += scale * self.laws[j].energy(row.x[j]);
            let size = element.row().magnitude(&row.q) + element.gap.abs() + row.reference[j].abs();
            leverage += scale * self.laws[j].force(row.x[j]).abs() * size;
        }
        (kinetic + springs + joints + forms + contacts, leverage)
    }

    /// What a rounding of the positions is worth to the losses of contacts in a step: the force that they add times the sizes.
    fn leverage_of_losses(&self, from: &Row, to: &Row) -> f64 {
        let mut leverage = 0.0;
        for (j, element) in self.plan.system.elements.iter().enumerate() {
            let size = element.row().magnitude(&to.q) + element.gap.abs() + to.reference[j].abs();
            leverage +=
                self.losses[j].leverage(&self.laws[j], [from.x[j], to.x[j]], self.dt) * self.scale(j) * size;
        }
        leverage
    }

    /// w of an element: the length that it stands for.
    fn scale(&self, j: usize) -> f64 {
        let law = &self.plan.system.elements[j].law;
        law.compliant().map(|law| law.scale).or(law.resistive().map(|law| law.scale)).unwrap_or(1.0)
    }

    /// Adds what the step to row n does, from the row before; `earlier` is the one before that.
    fn step(&self, n: usize, [earlier, from, to]: [&Row; 3], sums: &mut Energies) {
        let (system, dt) = (&self.plan.system, self.dt);
        let way: Vec<f64> = to.q.iter().zip(&from.q).map(|(b, a)| b - a).collect();
        for (i, input) in system.inputs.iter().enumerate() {
            if let Action::Strain(forms) = &input.action {
                let moved = to.inputs[i] - from.inputs[i];
                for form in &system.forms[forms.clone()] {
                    sums.supplied
                        .add(strained(form, [from, to], dt).map(|value| value * form.stretch * moved));
                }
            }
            let Action::Force(row) = &input.action else { continue };
            let (u, s) = ([from.inputs[i], to.inputs[i]], row.dot(&way));
            let rates = [row.dot(&from.v), row.dot(&to.v)];
            let means = 0.5 * (u[0] + u[1]) * s;
            let cubic = means + (u[1] - u[0]) * (rates[1] - rates[0]) * dt / 12.0;
            let ends = 0.5 * dt * (u[0] * rates[0] + u[1] * rates[1]);
            sums.supplied.add([cubic, means, ends]);
        }
        let middle: Vec<f64> = way
            .iter()
            .zip(from.v.iter().zip(&to.v))
            .map(|(d, (v, w))| middle_rate(d / dt, [*v, *w]))
            .collect();
        let powers = [&from.v, &middle, &to.v].map(|v| system.damping_form(v));
        let split = [&from.v, &to.v].map(|v| self.decay(v));
        sums.dissipated.add(losses(powers, system.damping_form(&way) / (dt * dt), split, dt));
        for (j, law) in self.laws.iter().enumerate() {
            let (x, y, scale) = (from.x[j], to.x[j], self.scale(j));
            let moved = to.reference[j] - from.reference[j];
            let rates = [from.rate[j], to.rate[j]].map(|rate| rate - moved / dt);
            let mean = (y - x) / dt;
            let rates = [rates[0], middle_rate(mean, rates), rates[1]];
            let mobility = system.elements[j].row().sum(|i, weight| weight * weight / system.mass[i]);
            // The force at the ends and in the middle, and over the step.
            let (forces, force) = match law {
                Law::Damper { .. } => {
                    let [r, s] = [from, to].map(|row| scale * self.resistance(j, row).max(0.0));
                    let r = [r, 0.5 * (r + s), s];
                    let powers = [0, 1, 2].map(|i| r[i] * rates[i] * rates[i]);
                    let split = [0, 2].map(|i| decayed(0.5 * rates[i] * rates[i] / mobility, powers[i], dt));
                    sums.dissipated.add(losses(powers, r[1] * mean * mean, split, dt));
                    ([0, 1, 2].map(|i| r[i] * rates[i]), r[1] * mean)
                }
                Law::Power { .. } | Law::Formula(_) | Law::Table(_) => {
                    let z = 0.5 * (x + y) + 0.125 * dt * (rates[0] - rates[2]);
                    let f = [x, z, y].map(|x| scale * law.force(x));
                    let (loss, force) = (self.losses[j], scale * law.mean_force(x, y));
                    let at = [x, z, y];
                    let parts = [0, 1, 2].map(|i| loss.part(law, at[i], f[i], scale, rates[i]));
                    let part = loss.mean_part(law, [x, y], force, scale, dt);
                    let powers = [0, 1, 2].map(|i| parts[i] * rates[i]);
                    let split = [0, 2].map(|i| decayed(0.5 * rates[i] * rates[i] / mobility, powers[i], dt));
                    sums.dissipated.add(losses(powers, part * mean, split, dt));
                    ([0, 1, 2].map(|i| f[i] + parts[i]), force + part)
                }
                Law::Rigid => {
                    let p = self.impulse(j, n);
                    // p pushes the penetration back.
                    sums.contact_work.add([-p * mean, -0.5 * p * (rates[0] + rates[2])]);
                    ([p / dt; 3], p / dt)
                }
            };
            if moved != 0.0 || to.reference[j] != earlier.reference[j] {
                let cubic = (forces[0] + 4.0 * forces[1] + forces[2]) / 6.0;
                let ends = 0.5 * (forces[0] + forces[2]);
                let two_steps = match law {
                    Law::Power { .. } | Law::Formula(_) | Law::Table(_) => {
                        let ends = [earlier.x[j], to.x[j]];
                        let force = scale * law.mean_force(ends[0], ends[1]);
                        force + self.losses[j].mean_part(law, ends, force, scale, 2.0 * dt)
                    }
                    Law::Damper { .. } | Law::Rigid => force,
                };
                let moved_twice = 0.5 * (to.reference[j] - earlier.reference[j]);
                let [cubic, force, ends] = [cubic, force, ends].map(|force| -force * moved);
                sums.supplied.add([cubic, force, ends, -two_steps * moved_twice]);
            }
        }
    }

    /// What the damping of the bodies alone takes of these velocities in a step.
    fn decay(&self, v: &[f64]) -> f64 {
        let mass = &self.plan.system.mass;
        let energy = |(m, v): (&f64, &f64)| 0.5 * m * v * v;
        match &self.damping {
            Some(damping) => {
                let each = mass.iter().zip(v).zip(damping);
                each.map(|((m, v), r)| decayed(energy((m, v)), r * v * v, self.dt)).sum()
            }
            None => {
                let all = mass.iter().zip(v).map(energy).sum();
                decayed(all, self.plan.system.damping_form(v), self.dt)
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
            Law::Power { .. } | Law::Formula(_) | Law::Table(_) | Law::Rigid => 0.0,
        }
    }

    /// The impulse of element j in the step to row n, N s.
    fn impulse(&self, j: usize, n: usize) -> f64 {
        let contact = self.plan.contacts.iter().find(|contact| contact.parts.contains(&j));
        let contact = contact.expect("the contact of an element");
        self.arrays[&impulse(&contact.name)].row(n)[j - contact.parts.start]
    }
}

/// Whose coordinates the states have, and which: those of bodies, and the modes within them.
fn owners(plan: &Plan) -> impl Iterator<Item = (&str, &Range<usize>)> {
    let bodies = plan.bodies.iter().map(|body| (&*body.name, &body.placed.dofs));
    bodies.chain(plan.longitudinal().map(|block| (&*block.name, &block.dofs)))
}

/// The arrays of the impulses of rigid contacts, and how many columns each has.
pub fn impulses(plan: &Plan) -> Vec<(String, usize)> {
    let is_rigid = |j: usize| matches!(plan.system.elements[j].law, element::Law::Rigid { .. });
    let rigid = plan.contacts.iter().filter(|contact| contact.parts.clone().any(is_rigid));
    rigid.map(|contact| (impulse(&contact.name), contact.parts.len())).collect()
}

fn impulse(contact: &str) -> String {
    format!("contact.{contact}.impulse")
}

/// The mean of ψ over a step: of the cubic by Simpson's rule, of the ends, and at the mean of the positions.
fn strained(form: &Form, [from, to]: [&Row; 2], dt: f64) -> [f64; 3] {
    let mean: Vec<f64> = from.q.iter().zip(&to.q).map(|(a, b)| 0.5 * (a + b)).collect();
    let turn = |((q, v), w): ((&f64, &f64), &f64)| q + 0.125 * dt * (v - w);
    let middle: Vec<f64> = mean.iter().zip(&from.v).zip(&to.v).map(turn).collect();
    let [a, m, b] = [&from.q, &middle, &to.q].map(|q| form.value(q));
    [(a + 4.0 * m + b) / 6.0, 0.5 * (a + b), form.value(&mean)]
}

/// The rate in the middle of a step of a cubic with this mean rate and these rates at the ends.
fn middle_rate(mean: f64, ends: [f64; 2]) -> f64 {
    1.5 * mean - 0.25 * (ends[0] + ends[1])
}

/// A loss by each quadrature: of the power at the left end, in the middle and at the right end, of that of the mean rate, and
/// what a splitting takes at the ends.
fn losses([left, middle, right]: [f64; 3], mean: f64, split: [f64; 2], dt: f64) -> [f64; 5] {
    let [cubic, mean, ends] =
        [(left + 4.0 * middle + right) / 6.0, mean, 0.5 * (left + right)].map(|power| power * dt);
    [cubic, mean, ends, split[0], split[1]]
}

/// What an exponential decay that begins with this power takes of a kinetic energy in a step; that is infinite where a
/// contact cannot move a body.
fn decayed(energy: f64, power: f64, dt: f64) -> f64 {
    if power == 0.0 || energy == 0.0 {
        0.0
    } else if energy.is_infinite() {
        power * dt
    } else {
        -energy * (-power * dt / energy).exp_m1()
    }
}
