//! The forces of all elements in one step: impulses of rigid contacts R and force laws Y(σ) at once.
//!
//!   0 ≤ F_R  ⊥  b + G_RR F_R + G_RY F_Y ≥ 0,     F_Y = Y(σ),   σ = σ_free − G_YY F_Y − G_YR F_R
//!
//! G = CCᵀ is the compliance of all rows, scaled like the modes. A compliant law pushes with its quotient over the span T
//! in which it moves by σ, F = (V(x + σ) − V(x))/σ (1 + μσ/T), a resistive one with f(σ/T; u).
//!
//! They are found in this order, each stage with the compliance that the one before leaves:
//!
//! 1. Where all that answers are dampers, the step is linear but for which contacts push: dampers are equations beside the contacts'
//!    inequalities ([`LcpSolver::set_equations`]), whose factors are kept while slopes and contacts stay the same. Laws evaluated at
//!    the σ that results tell whether that is the solution.
//! 2. Else curved laws: where the contacts S ⊂ R push, theirs is an equation, and they are eliminated (Schur's complement):
//!
//!      σ = σ_free + G_YS G_SS⁻¹ b_S − (G_YY − G_YS G_SS⁻¹ G_SY) F_Y
//!
//!    is the equation of the force laws alone, which Newton's iteration solves.
//! 3. The impulses for these forces show which contacts push. 2 and 3 are repeated until they are the same. At last the force laws
//!    are solved with the impulses as they are, so that energy is kept in any case, and what the impulses miss then is measured.
//!
//! Where S goes in a circle, impulses and force laws are solved in turn, each with the other's forces as they are.

use crate::{
    contact_solver::{MAX_ITERATIONS, MAX_SETS, MAX_TURNS},
    interaction::{ForceLaw, Interaction},
};
use hamiltone_core::{
    element::Element,
    ledger::{Effort, Fault},
    system::System,
};
use hamiltone_numerics::{
    lcp::{LcpSolver, Method},
    list::List,
    schur_newton::{Convergence, SchurNewton},
};
use std::sync::Arc;

/// A rigid contact among the elements of a system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigid {
    pub element: usize,
    pub restitution: f64,
}

impl Rigid {
    /// Those of `system`.
    pub fn of(system: &System) -> Vec<Self> {
        let rigid = |(element, given): (usize, &Element)| {
            Some(Self { element, restitution: given.law.restitution()? })
        };
        system.elements.iter().enumerate().filter_map(rigid).collect()
    }
}

/// The forces of elements numbered 0 to P − 1, some of them rigid and the others force laws.
#[derive(Clone)]
pub(crate) struct ElementForces {
    /// Those with force laws, and their numbers.
    pub interactions: Arc<[Interaction]>,
    pub soft: Arc<[usize]>,
    lcp: LcpSolver,
    newton: SchurNewton,
    /// The closed rigid contacts, and b of them.
    pub closed: List<usize>,
    pub b: Vec<f64>,
    /// b with the other elements' forces.
    pushed: Vec<f64>,
    /// The rigid contacts that push, and those that did in the turn before.
    pressed: List<usize>,
    pressed_before: List<usize>,
    /// x at the start of the span, and σ without forces, of those with force laws.
    pub x: Vec<f64>,
    pub free: Vec<f64>,
    /// σ with the rigid contacts' forces alone.
    moved: Vec<f64>,
    /// σ of the last solve.
    steps: Vec<f64>,
    /// The laws that are taken to be dampers in this step: (number, slope).
    lines: List<(usize, f64)>,
    /// The control values of those with force laws, and which of them are not idle at these, ascending.
    pub controls: Vec<f64>,
    answering: List<usize>,
    /// F of all, N.
    pub forces: Vec<f64>,
}

impl ElementForces {
    /// The force laws `interactions` among elements of the compliance G (P × P, row-major); the others are rigid.
    pub fn new(compliance: Vec<f64>, interactions: Vec<Interaction>, method: Method) -> Self {
        let p = compliance.len().isqrt();
        let soft: Vec<usize> = interactions.iter().map(|i| i.element).collect();
        let (count, rigid) = (soft.len(), p - soft.len());
        let between = |rows: &[usize]| -> Vec<f64> {
            let columns = |i: &usize| soft.iter().map(|j| compliance[i * p + j]).collect::<Vec<_>>();
            rows.iter().flat_map(columns).collect()
        };
        let mut newton = SchurNewton::new(count, between(&soft));
        let cross = if rigid > 0 { between(&(0..p).collect::<Vec<_>>()) } else { Vec::new() };
        let mut lcp = LcpSolver::new(p, compliance, method);
        // Only an elimination of rigid contacts changes what the force laws feel.
        if rigid > 0 {
            newton.reserve_change();
            lcp.couple(cross);
        }
        let own_control = |interaction: &Interaction| match &interaction.law {
            ForceLaw::Resistive(law) => law.control,
            ForceLaw::Compliant(..) => 0.0,
        };
        let mut forces = Self {
            newton,
            lcp,
            closed: List::with_room(rigid),
            b: vec![0.0; p],
            pushed: vec![0.0; p],
            pressed: List::with_room(rigid),
            pressed_before: List::with_room(rigid),
            x: vec![0.0; count],
            free: vec![0.0; count],
            moved: vec![0.0; count],
            steps: vec![0.0; count],
            lines: List::with_room(count),
            controls: interactions.iter().map(own_control).collect(),
            answering: List::with_room(count),
            forces: vec![0.0; p],
            interactions: interactions.into(),
            soft: soft.into(),
        };
        forces.list_answering();
        forces
    }

    /// Gᵢⱼ.
    #[inline]
    pub fn compliance(&self, i: usize, j: usize) -> f64 {
        self.lcp.compliance(i, j)
    }

    /// Makes room for [`ElementForces::lower`].
    pub fn reserve_lower(&mut self) {
        self.lcp.reserve_lower();
        self.newton.reserve_lower();
    }

    /// In this step G is what it was made with less Σₖ uₖuₖᵀ, `of`(j) being the numbers u of element j.
    pub fn lower<'a>(&mut self, of: impl Fn(usize) -> &'a [f64]) {
        let Self { lcp, newton, soft, .. } = self;
        lcp.lower(&of, |k| of(soft[k]));
        newton.lower(|k| of(soft[k]));
    }

    /// Takes over the values of the inputs that control an element: (input, element).
    pub fn read_controls(&mut self, inputs: &[(usize, usize)], value: impl Fn(usize) -> f64) {
        let mut changes = false;
        for &(input, element) in inputs {
            let Ok(k) = self.soft.binary_search(&element) else { continue };
            let control = value(input);
            changes |= control.to_bits() != self.controls[k].to_bits();
            self.controls[k] = control;
        }
        // Each law tells whether it is idle by a call of its own, and most controls stay what they are.
        if changes {
            self.list_answering();
        }
    }

    fn list_answering(&mut self) {
        self.answering.clear();
        let (interactions, controls) = (&self.interactions, &self.controls);
        self.answering.extend((0..interactions.len()).filter(|k| !interactions[*k].is_idle(controls[*k])));
    }

    /// The force laws that are not idle: all but resistive ones that have no force at any rate.
    pub fn answering(&self) -> &[usize] {
        &self.answering
    }

    /// The forces of all elements; `size`(j) is the size of what b of contact j is added up from.
    pub fn solve(&mut self, span: f64, size: impl Fn(usize) -> f64) -> Effort {
        let mut effort = Effort::default();
        // A pressed string lies on the same frets for many steps.
        let pushing = self.closed.iter().copied().filter(|&j| self.forces[j] > 0.0);
        self.pressed.clear();
        self.pressed.extend(pushing);
        // Dampers and rigid contacts alone are one linear complementarity problem.
        if let Some(outcome) = self.solve_linear(span) {
            note(&mut effort, outcome);
            return effort;
        }
        // Contacts that pushed in the last step are likely to push in this one, so that elimination starts at once.
        let carried = !self.pressed.is_empty() && !self.soft.is_empty();
        // Where nothing has been solved yet, nothing is within its rounding.
        let mut worst = if carried { f64::INFINITY } else { 0.0 };
        self.forces.fill(0.0);
        if !self.closed.is_empty() && !carried {
            std::mem::swap(&mut self.pressed, &mut self.pressed_before);
            worst = note(&mut effort, self.solve_rigid());
        }
        if !self.soft.is_empty() && !carried {
            worst = note(&mut effort, self.solve_force_laws(span, false)).max(worst);
        }
        let pushed = || self.soft.iter().any(|&j| self.forces[j] != 0.0);
        // Where only one kind acts, its solution is that of all.
        let both = carried || !self.closed.is_empty() && pushed();
        let size = if both { self.closed.iter().map(|&j| size(j)).fold(0.0, f64::max) } else { 0.0 };
        let mut sets = MAX_SETS;
        for turn in 0..if both { MAX_SETS + MAX_TURNS } else { 0 } {
            if effort.iterations > MAX_ITERATIONS {
                break;
            }
            let eliminated = turn < sets && !self.pressed.is_empty();
            // The pushing contacts answer to every try of the force laws, so that stiff ones do not creep towards each other.
            if eliminated {
                note(&mut effort, self.solve_force_laws(span, true));
            }
            std::mem::swap(&mut self.pressed, &mut self.pressed_before);
            let rigid = note(&mut effort, self.solve_rigid());
            if self.pressed == self.pressed_before || !eliminated {
                // Once more with the impulses as they are: the force laws' energy fits their forces whatever the impulses miss.
                let soft = note(&mut effort, self.solve_force_laws(span, false));
                worst = rigid.max(soft).max(self.missed_by_rigid(size));
                if worst <= 1.0 {
                    break;
                }
                // The same contacts would give the same again.
                if eliminated {
                    sets = 0;
                }
            }
        }
        effort.fault = (worst > 1.0).then_some(Fault::NotConverged(worst));
        effort
    }

    /// b with the forces of the force laws.
    fn push_rigid(&mut self) {
        let Self { closed, soft, lcp, forces, b, pushed, .. } = self;
        for &i in closed.iter() {
            pushed[i] = b[i] + soft.iter().map(|&j| lcp.compliance(i, j) * forces[j]).sum::<f64>();
        }
    }

    /// The impulses, the forces of the force laws as they are; contacts that pushed before are tried first.
    fn solve_rigid(&mut self) -> Convergence {
        self.push_rigid();
        let outcome = self.lcp.solve_from(&self.pressed_before, &self.closed, &self.pushed);
        self.pressed.clear();
        for &j in &self.closed {
            self.forces[j] = self.lcp.impulses[j];
            if self.forces[j] > 0.0 {
                self.pressed.push(j);
            }
        }
        outcome
    }

    /// What the impulses miss with the forces of the force laws as they are, over its rounding, b being of this `size`.
    fn missed_by_rigid(&mut self, size: f64) -> f64 {
        self.push_rigid();
        self.lcp.excess(&self.closed, &self.pushed, size)
    }

    /// The forces of the force laws, the impulses as they are or, where `eliminated`, as the pushing contacts answer.
    fn solve_force_laws(&mut self, span: f64, eliminated: bool) -> Convergence {
        let Self { interactions, soft, lcp, newton, forces, free, moved, x, controls, .. } = self;
        if eliminated {
            // Where the contacts are those of the solve before, their Schur complement is still there.
            match lcp.hold(&self.pressed) {
                true => lcp.condense(newton.changed()),
                false => newton.change_again(),
            }
            lcp.shift(&self.b, moved);
            moved.iter_mut().zip(free).for_each(|(moved, free)| *moved += *free);
        } else {
            // The impulses are known forces here: they move the free way and leave the compliance as it is.
            newton.restore();
            for ((moved, free), soft) in moved.iter_mut().zip(free).zip(soft.iter()) {
                let pushed = self.closed.iter().map(|&j| lcp.compliance(*soft, j) * forces[j]).sum::<f64>();
                *moved = *free - pushed;
            }
        }
        let outcome =
            newton.solve(x, moved, |k, sigma| interactions[k].answer(x[k], sigma, span, controls[k]));
        // One place for σ, whichever solve has found it.
        self.steps.copy_from_slice(&newton.steps);
        for (j, y) in soft.iter().zip(&newton.multipliers) {
            forces[*j] = *y;
        }
        outcome
    }

    /// All forces, where the laws that answer are dampers: `None` where they are not, or nothing meets all conditions.
    fn solve_linear(&mut self, span: f64) -> Option<Convergence> {
        let Self { interactions, answering, soft, lcp, b, lines, x, free, controls, .. } = self;
        lines.clear();
        // A curved law ends the search below: no equation of the step before may stay among the contacts.
        lcp.set_equations(std::iter::empty());
        for (k, i) in answering.iter().map(|&k| (k, &interactions[k])) {
            let (force, slope) = i.answer(x[k], free[k], span, controls[k]);
            if force == 0.0 && slope == 0.0 {
                continue;
            }
            if !i.may_be_damper(free[k], (force, slope)) {
                return None;
            }
            lines.push((k, slope));
            b[soft[k]] = -force / slope;
        }
        lcp.set_equations(lines.iter().map(|&(k, slope)| (soft[k], 1.0 / slope)));
        let outcome = lcp.solve_from(&self.pressed, &self.closed, b);
        let known = if outcome.excess <= 1.0 { self.meet_laws(span) } else { false };
        if !known {
            self.lcp.set_equations(std::iter::empty());
            return None;
        }
        let Self { soft, lcp, lines, forces, closed, .. } = self;
        forces.fill(0.0);
        lines.iter().map(|(k, _)| &soft[*k]).chain(&*closed).for_each(|&j| forces[j] = lcp.impulses[j]);
        Some(outcome)
    }

    /// σ of all force laws, where they answer with the forces of the dampers; whether they do.
    fn meet_laws(&mut self, span: f64) -> bool {
        let Self { interactions, answering, soft, lcp, lines, x, free, controls, steps, closed, .. } = self;
        // What σ is added up from, of which the solver knows some eps.
        // A solution that rounding explains is not looked for again by Newton's iteration.
        let rounding = 64.0 * f64::EPSILON * lcp.largest(closed);
        let mut lines = lines.iter().peekable();
        for (k, i) in answering.iter().map(|&k| (k, &interactions[k])) {
            let j = soft[k];
            let pushed = |sum: f64, &i: &usize| sum + lcp.compliance(j, i) * lcp.impulses[i];
            steps[k] = free[k] - closed.iter().chain(lcp.equations()).fold(0.0, pushed);
            let (force, slope_there) = i.answer(x[k], steps[k], span, controls[k]);
            let is_met = match lines.next_if(|(line, _)| *line == k) {
                // What was taken to be open must not answer where the others have moved it.
                None => force == 0.0 && slope_there == 0.0,
                Some((_, slope)) => {
                    let taken = lcp.impulses[j];
                    (force - taken).abs() <= slope * rounding + 64.0 * f64::EPSILON * taken.abs()
                }
            };
            if !is_met {
                return false;
            }
        }
        true
    }

    /// Whether all force laws, moving by what is `free`, give no force at all.
    pub fn is_forceless(&self, span: f64) -> bool {
        self.answering.iter().all(|&k| {
            let (i, x, free) = (&self.interactions[k], self.x[k], self.free[k]);
            match &i.law {
                // A loss can make up for all of the force, and still takes energy.
                ForceLaw::Compliant(..) => i.separated(x, free),
                ForceLaw::Resistive(law) => law.force(free / span, self.controls[k]).0 == 0.0,
            }
        })
    }

    /// Whether a compliant law pushes: what it stores must fit its force to rounding, while a resistive one takes what it takes.
    pub fn any_compliant(&self) -> bool {
        let pushes =
            |i: &Interaction| matches!(i.law, ForceLaw::Compliant(..)) && self.forces[i.element] != 0.0;
        self.answering.iter().any(|k| pushes(&self.interactions[*k]))
    }

    /// σ of the force laws in the last solve.
    pub fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// Takes up what the step as it was made misses σ by, `miss` = σ − C s: calls `push`(j, f) with the force f of each
    /// element j that makes up for it.
    pub fn correct(&mut self, miss: &[f64], mut push: impl FnMut(usize, f64)) {
        let Self { soft, newton, forces, steps, .. } = self;
        // The slopes of the last solve do: what rounding left is far smaller than the way in which they change.
        newton.correct(miss);
        steps.copy_from_slice(&newton.steps);
        for (&j, response) in soft.iter().zip(&newton.response) {
            push(j, *response);
            forces[j] -= response;
        }
    }
}

/// Counts the iterations of a solve, and returns its excess.
fn note(effort: &mut Effort, outcome: Convergence) -> f64 {
    effort.iterations += outcome.iterations;
    outcome.excess
}
