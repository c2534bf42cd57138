//! What an implicit stepper is prepared with: constant for a run, shared by its clones.

use super::{
    few::Few,
    method::{Damping, Method},
    rule::Rule,
    stiffness::{check_stiffness, largest_ratio},
};
use crate::{
    assembly::assemble,
    exact_damping, instructions,
    interaction::{self, ForceLaw, Inputs, Interaction},
    linear::Linear,
    separation::Separation,
};
use fearless_simd::{Level, Simd, dispatch};
use hamiltone_core::{refusal::Refusal, row::Row, system::System};
use hamiltone_numerics::woodbury::{Solver, UpdatedBand};
use std::sync::Arc;

/// A step is corrected (`correction.rs`) where A > 32M somewhere, or while a force law has such a slope: one solve leaves up to
/// 0.4 eps·A/M of the energy, as measured of bars in rough motion, of the 16 eps that a step may miss. With far couplings w cᵀc Woodbury's
/// formula leaves eps·g², g = w c·M⁻¹c: it is corrected where g² > 32.
pub(super) const STIFF: f64 = 32.0;
/// Beyond this g the step is corrected twice: the first solve leaves up to g² eps = 2·10⁻⁴ of it at worst.
const VERY_STIFF: f64 = 1e6;

/// The constants of a step.
pub(super) struct ImplicitConstants {
    pub system: Arc<System>,
    pub linear: Linear,
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
    /// The number of corrections of every step.
    pub corrections: u32,
    /// c·M⁻¹c of each interaction, 1/kg.
    pub mobilities: Vec<f64>,
}

impl ImplicitConstants {
    /// The constants of `method` for `system` at the step `dt`, and the matrix A that it solves with.
    pub fn new(method: Method, system: &Arc<System>, dt: f64) -> Result<(Self, UpdatedBand), Refusal> {
        let Method { name: scheme, rule, damping, theta, .. } = method;
        let factors = |tau| exact_damping::factors(scheme, system, tau);
        // The step between the factors is then undamped: R enters A only where it is inside.
        let (before, after) = match damping {
            Damping::Inside => (Vec::new(), Vec::new()),
            Damping::Before => (factors(dt)?, Vec::new()),
            Damping::Around => (factors(dt / 2.0)?, factors(dt / 2.0)?),
        };
        let inside = damping == Damping::Inside;
        let dt2 = dt * dt;
        // M + 2θR̂ + 4θ²K̂ with R̂ = ΔtR/2 and K̂ = Δt²K/4.
        let matrix = assemble(system, 1.0, if inside { theta * dt } else { 0.0 }, theta * theta * dt2);
        let ratio = largest_ratio(system, &matrix);
        check_stiffness(scheme, &matrix, ratio, dt)?;
        // A far coupling reads many coordinates: each may be soft, and all of them together stiff.
        let mobility = |row: &Row| row.sum(|i, c| c * c / system.mass[i]);
        let coupling = matrix.far.iter().map(|(w, row)| w * mobility(row)).fold(0.0, f64::max);
        let corrections =
            // A/M loses digits in proportion, and Woodbury's formula by the square of its coupling.
            u32::from(ratio.max(coupling * coupling) > STIFF) + u32::from(coupling > VERY_STIFF);
        let interactions = interaction::all(system);
        let mobilities = interactions.iter().map(|i| mobility(&i.row)).collect();
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
            // The short loops have neither a correction nor a second damping.
            few: Few::new(&linear, &solver).filter(|_| corrections == 0 && after.is_empty()),
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
            corrections,
            mobilities,
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
            // 0.5·Δt² is λ exactly, because halving does not round.
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
        // Added, not assigned: several inputs may move one reference.
        self.motions.iter().for_each(|&(input, j)| gaps[j] += values[input]);
    }

    /// Each interaction's control value in a step: its own, or that of the input that controls it.
    pub fn controls(&self, input: &[f64], values: &mut [f64]) {
        // Interactions without an input keep the values that `own_controls` set.
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
