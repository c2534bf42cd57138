//! What an implicit stepper is prepared with: constant for a run, shared by its clones.

use super::{
    few::Few,
    lowest_frequency,
    method::{Damping, Method},
    rule::Rule,
    stiffness::{check_stiffness, largest_ratio, stiffest_element},
};
use crate::{
    assembly::assemble,
    exact_damping, instructions,
    interaction::{self, ForceLaw, Inputs, Interaction},
    linear::{ExactProduct, Linear},
    separation::Separation,
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{refusal::Refusal, row::Row, system::System};
use hamiltone_numerics::{
    double::Double,
    woodbury::{Solver, UpdatedBand},
};
use std::sync::Arc;

/// Where A > 2M somewhere, or a far coupling w cᵀc is w c·M⁻¹c > 2, thus 2θR̂ + 4θ²K̂ > M, or an element is as stiff, the step is taken to twice the digits (`exact.rs`) with one correction: up
/// to there e is rounded relative to itself by one solve alone. The solve that it corrects is not refined before: it leaves some
/// A/M·eps of e, and the correction (A/M·eps)², up to where a second one is made 10⁻¹⁹.
const REFINED: f64 = 2.0;
/// A second one where A is a million times M: each refinement gains a factor of some A/M·eps, and from here to the
/// largest ratio that is taken (`MAX_STIFFNESS_RATIO`, 1e10) one alone may leave more than a rounding. The first solve is refined
/// once there.
const REFINED_TWICE: f64 = 1e6;
/// The matrix of `split_product.rs` misses up to 2⁻⁷⁵|K̂||q| in the product with q, which does (2/Δt²)2⁻⁷⁵|K̂||q||s| of work. With
/// r = max|q|/max|s| that is some 2⁻⁷³r A/M of the energy in the worst case, and as measured so many r A/M eps a step.
const MISSED: f64 = 6.5e-9;
/// Where it may be more, in eps a step, strains are taken to twice the digits: those of q + 2θw by their r, those of w and e with r = 1.
const MISSED_MOST: f64 = 1.0;
/// The same beyond this r: motion so slow changes the last digits of q so little that the error keeps its sign from step to step. Bars of 3
/// to 100 masses with A/M of 3e2 to 1e7 and this r leave at most a fifth of the tolerance of the balance.
const SLOWEST: f64 = 5e3;

/// The parts of the equations of a step, for products to twice the digits.
pub(super) struct ExactTerms {
    /// −2K̂.
    pub stiffness: ExactProduct,
    /// −2R̂.
    pub damping: ExactProduct,
    /// −4θ²K̂ − 2θR̂.
    pub implicit: ExactProduct,
}

impl ExactTerms {
    /// With the strains of q, and of e, to twice the digits where asked to.
    fn new(linear: &Linear, (theta, dt, dt2): (f64, f64, f64), strains_q: bool, strains_e: bool) -> Self {
        let (zero, k, r) = (Double::default(), Double::from(-dt2), Double::from(-dt));
        let implicit = (Double::product(theta, theta).scaled(k), r.times(theta));
        Self {
            stiffness: linear.exact(k.halved(), zero, strains_q),
            damping: linear.exact(zero, r, strains_e),
            implicit: linear.exact(implicit.0, implicit.1, strains_e),
        }
    }
}

/// The constants of a step.
pub(super) struct Constants {
    pub system: Arc<System>,
    pub linear: Linear,
    /// −2K̂, −2R̂ and M − A, for products to twice the digits.
    pub exact: Option<ExactTerms>,
    pub level: Level,
    pub interactions: Vec<Interaction>,
    pub separation: Separation,
    pub inputs: Inputs,
    /// Moving references: (input, interaction).
    pub motions: Vec<(usize, usize)>,
    /// Controls: (input, interaction).
    pub controls: Vec<(usize, usize)>,
    pub rule: Rule,
    /// θ, and 2θ: what elements call their step is s/2θ, in which e counts once.
    pub theta: f64,
    pub twice: f64,
    pub dt: f64,
    /// Δt², rounded once: every other constant is a power of two times it.
    pub dt2: f64,
    /// Exact damping before and after the step, a factor a coordinate; empty without.
    pub before: Vec<f64>,
    pub after: Vec<f64>,
    pub solver: Solver,
    /// Of few coordinates that nothing couples, and that no damping follows: their step in short loops.
    pub few: Option<Few>,
    /// 0: steps are rounded. Else they are taken to twice the digits, with so many corrections, of so many solves before.
    pub refinements: u32,
}

impl Constants {
    /// The constants of `method` for `system` at the step `dt`, and the matrix A that it solves with.
    pub fn new(method: Method, system: &Arc<System>, dt: f64) -> Result<(Self, UpdatedBand), Refusal> {
        let Method { name: scheme, rule, damping, theta, .. } = method;
        let factors = |tau| exact_damping::factors(scheme, system, tau);
        let (before, after) = match damping {
            Damping::Inside => (Vec::new(), Vec::new()),
            Damping::Before => (factors(dt)?, Vec::new()),
            Damping::Around => (factors(dt / 2.0)?, factors(dt / 2.0)?),
        };
        let inside = damping == Damping::Inside;
        let dt2 = dt * dt;
        let matrix = assemble(system, 1.0, if inside { theta * dt } else { 0.0 }, theta * theta * dt2);
        let ratio = largest_ratio(system, &matrix);
        check_stiffness(scheme, &matrix, ratio, dt)?;
        // A far coupling reads many coordinates: each may be soft, and all of them together stiff.
        let coupling = |(w, row): &(f64, Row)| w * row.sum(|i, c| c * c / system.mass[i]);
        let coupling = matrix.far.iter().map(coupling).fold(0.0, f64::max);
        let elements = theta * theta * dt2 * stiffest_element(system);
        let refined = |factor: f64| u32::from(ratio.max(coupling).max(elements) > factor);
        let refinements = refined(REFINED) + refined(REFINED_TWICE);
        let most = MISSED_MOST / (MISSED * ratio);
        let strains_q = refinements > 0 && !lowest_frequency::exceeds(system, dt, 1.0 / most.min(SLOWEST));
        let interactions = interaction::all(system);
        let inputs = Inputs::of(system);
        // Elements that are no interactions (rigid ones) keep their own list.
        let mut numbers = vec![None; system.elements.len()];
        interactions.iter().enumerate().for_each(|(number, i)| numbers[i.element] = Some(number));
        let on_interactions = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
            pairs.iter().filter_map(|&(input, element)| Some((input, numbers[element]?))).collect()
        };
        let motions = on_interactions(&inputs.motions);
        let controls = on_interactions(&inputs.controls);
        let moved = inputs.moved(system.elements.len());
        let moving = |i: &Interaction| moved[i.element];
        let linear = Linear::new(system, inside);
        let solver = matrix.clone().factor();
        let constants = Self {
            system: system.clone(),
            exact: (refinements > 0)
                .then(|| ExactTerms::new(&linear, (theta, dt, dt2), strains_q, most < 1.0)),
            few: Few::new(&linear, &solver).filter(|_| refinements == 0 && after.is_empty()),
            linear,
            level: instructions::level_of(system.size()),
            separation: Separation::new(&interactions, moving),
            interactions,
            motions,
            controls,
            inputs,
            rule,
            theta,
            twice: 2.0 * theta,
            dt,
            dt2,
            before,
            after,
            solver,
            refinements,
        };
        Ok((constants, matrix))
    }

    /// x ← A⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        dispatch!(self.level, simd => simd.vectorize(#[inline(always)] || self.solver.solve_in_lanes(simd, x)));
    }

    /// λBū into `load`, which is cleared first: the forces among the inputs at θ between both ends of the step.
    pub fn load_forces(&self, input: &[f64], load: &mut [f64]) {
        load.fill(0.0);
        for (k, row) in &self.inputs.forces {
            row.add_scaled(0.5 * self.dt2 * self.mean(input, *k), load);
        }
    }

    /// What the forces among the inputs supply in a step of s, J.
    pub fn supplied(&self, input: &[f64], s: &[f64]) -> f64 {
        let power = |(k, row): &(usize, Row)| self.mean(input, *k) * row.dot(s);
        self.inputs.forces.iter().map(power).sum()
    }

    /// What damping takes, J, by s·Rs: with Δt/Δt² as the step has them, each rounded, and not 1/Δt.
    pub fn dissipated(&self, form: f64) -> f64 {
        form * self.dt / self.dt2
    }

    /// The value of input k at θ between both ends of the step.
    pub fn mean(&self, input: &[f64], k: usize) -> f64 {
        (1.0 - self.theta) * input[k] + self.theta * input[self.inputs.count + k]
    }

    /// Each interaction's gap with its moving reference, for these values of the inputs.
    pub fn gaps(&self, values: &[f64], gaps: &mut [f64]) {
        for (gap, interaction) in gaps.iter_mut().zip(&self.interactions) {
            *gap = interaction.gap;
        }
        self.motions.iter().for_each(|&(input, j)| gaps[j] += values[input]);
    }

    /// Each interaction's control value in a step: its own, or that of the input that controls it.
    pub fn controls(&self, input: &[f64], values: &mut [f64]) {
        self.controls.iter().for_each(|&(k, j)| values[j] = self.mean(input, k));
    }

    /// Each interaction's own control value.
    pub fn own_controls(&self) -> Vec<f64> {
        let own = |interaction: &Interaction| match &interaction.law {
            ForceLaw::Resistive(law) => law.control,
            ForceLaw::Compliant(..) => 0.0,
        };
        self.interactions.iter().map(own).collect()
    }
}
