//! How fast the partials of a plan's bodies decay, known before the run.
//!
//!   T₆₀ = 3 ln 10/σ
//!
//! **Requested** is what the scene states: σ (1/s) of the body's `loss` for a partial of the continuous body, and where no theory
//! gives that, of the mode that represents it, φᵀRφ/2φᵀMφ with R of the losses of bodies and of links alone. **Of the
//! system** is σ of the mode with all that damps it, such as suspensions, on its grid or as it was found. What contacts take is in
//! neither.

use crate::tuning::{discrete, held, linked};
use hamiltone_core::{operator::Operator, system::Block};
use hamiltone_numerics::{math::square, pencil::Pencil};
use hamiltone_plan::{BodyPlan, Plan, ReducedMode, audible as highest_audible};
use std::f64::consts::{LN_10, TAU};

/// A decay time of the system that differs from the one that was asked for by more than this part gives a warning.
pub const DIFFERS: f64 = 0.05;
/// So many partials of a body are compared.
const COMPARED: usize = 16;
/// Modes of grids of more coordinates are not found again for their damping.
const MAX_COORDINATES: usize = 4000;
/// Steps of an inverse iteration, each of which takes all but the mode sought by 10⁵ and more.
const ITERATIONS: usize = 4;
/// How far from an eigenvalue it is shifted, as a part of it.
const SHIFT: f64 = 1e-6;

/// T₆₀ (s) of the partials 1 … `count` of a body as the scene asks for it, infinite without losses; `None` where it is not known.
pub fn requested(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<Option<f64>> {
    let found = plan.reduced.iter().find(|reduced| reduced.bodies.contains(&body.name));
    let of_found = found.map(|reduced| {
        let first = first(plan, body);
        let bends = |mode: &&ReducedMode| mode.omega > first && !mode.is_supported;
        reduced.modes.iter().filter(bends).map(|mode| mode.requested).collect()
    });
    let modes = of_found.or_else(|| of_modes(plan, body)).unwrap_or_default();
    let theory = |k: usize| body.placed.representation.decay(k).filter(|_| !linked(plan, body));
    let sigma = |k: usize| theory(k).or_else(|| modes.get(k - 1).copied());
    (1..=count).map(|k| sigma(k).map(t60)).collect()
}

/// The same as the system has it that the scheme steps.
pub fn of_system(plan: &Plan, body: &BodyPlan, count: usize) -> Vec<Option<f64>> {
    let sigma = of_modes(plan, body).or_else(|| of_grid(plan, body, count)).unwrap_or_default();
    (0..count).map(|k| sigma.get(k).copied().map(t60)).collect()
}

/// A warning for each body of which a partial decays otherwise than asked for.
pub fn warnings(plan: &Plan) -> Vec<String> {
    plan.bodies.iter().filter_map(|body| warning(plan, body)).collect()
}

fn warning(plan: &Plan, body: &BodyPlan) -> Option<String> {
    let audible = highest_audible(plan.sample_rate);
    let duration = plan.frames as f64 / plan.sample_rate;
    let frequencies = discrete(plan, body, COMPARED);
    let (asked, own) = (requested(plan, body, COMPARED), of_system(plan, body, COMPARED));
    let differs = |k: usize| {
        let (f, asked, own) = (frequencies[k], asked[k]?, own[k]?);
        // Of a body without losses, what takes DIFFERS of 60 dB, 3 dB, by the end.
        let differs =
            if asked.is_finite() { (own / asked - 1.0).abs() > DIFFERS } else { own * DIFFERS < duration };
        (f < audible && differs).then_some((k + 1, f, asked, own))
    };
    let (k, f, asked, own) = (0..frequencies.len()).find_map(differs)?;
    let name = &body.name;
    let reason = match (linked(plan, body), own < asked) {
        (true, _) => "what suspends the bodies that links join damps their common modes",
        (false, true) => "what holds it damps it as well",
        (false, false) => "its grid or its modes do not follow its law of losses",
    };
    let stated = match asked.is_finite() {
        true => format!("its losses ask for {asked:.2} s"),
        false => "it states no losses".into(),
    };
    Some(format!("partial {k} of `{name}` ({f:.0} Hz) decays in {own:.2} s, where {stated}: {reason}"))
}

fn t60(sigma: f64) -> f64 {
    3.0 * LN_10 / sigma
}

/// What is slower is no partial, rad/s: those are the ones of `discrete`, without motions on a suspension.
fn first(plan: &Plan, body: &BodyPlan) -> f64 {
    0.999 * TAU * discrete(plan, body, 1).first().copied().unwrap_or(0.0)
}

/// The blocks of a body alone, from its first coordinate on.
fn own<'a>(plan: &'a Plan, body: &BodyPlan) -> impl Iterator<Item = (usize, &'a Block)> {
    let dofs = body.placed.dofs.clone();
    let inside = move |block: &&Block| dofs.start <= block.dofs.start && block.dofs.end <= dofs.end;
    let start = body.placed.dofs.start;
    plan.system.blocks.iter().filter(inside).map(move |block| (block.dofs.start - start, block))
}

/// σ of the modes that are a body's coordinates, without rigid motions; `None` where its coordinates are no modes.
fn of_modes(plan: &Plan, body: &BodyPlan) -> Option<Vec<f64>> {
    let dofs = &body.placed.dofs;
    let (mut stiffness, mut damping) = (vec![0.0; dofs.len()], vec![0.0; dofs.len()]);
    for (at, block) in own(plan, body) {
        let range = at..at + block.dofs.len();
        block.stiffness.add_diagonal(&mut stiffness[range.clone()])?;
        block.damping.add_diagonal(&mut damping[range])?;
    }
    let mass = &plan.system.mass[dofs.clone()];
    let first = first(plan, body);
    let held = held(plan, body);
    let bends = |k: &usize| !held[*k] && (stiffness[*k] / mass[*k]).sqrt() > first.max(f64::MIN_POSITIVE);
    let modes = (0..mass.len()).filter(bends);
    Some(modes.map(|k| 0.5 * damping[k] / mass[k]).collect())
}

/// σ of the lowest modes of a grid that bend, by inverse iteration at their frequencies; `None` where it is too large.
fn of_grid(plan: &Plan, body: &BodyPlan, count: usize) -> Option<Vec<f64>> {
    let dofs = &body.placed.dofs;
    if dofs.len() > MAX_COORDINATES {
        return None;
    }
    let mass = &plan.system.mass[dofs.clone()];
    let blocks: Vec<(usize, &Block)> = own(plan, body).collect();
    if blocks.iter().all(|(_, block)| block.damping == Operator::Zero) {
        return Some(vec![0.0; count]);
    }
    let pencil = Pencil::new(mass, blocks.iter().map(|(at, block)| (*at, &block.stiffness)));
    let sigma = |f: f64| {
        let shifted = pencil.shifted(square(TAU * f) * (1.0 + SHIFT));
        // No mode is orthogonal to it.
        let mut y: Vec<f64> = (0..mass.len()).map(|i| 1.0 + (i as f64 * 0.618_034).fract()).collect();
        for _ in 0..ITERATIONS {
            shifted.solve(&mut y);
            let norm = y.iter().map(|y| y * y).sum::<f64>().sqrt();
            y.iter_mut().for_each(|y| *y /= norm);
        }
        let x = pencil.positions(&y);
        let form = |(at, block): &(usize, &Block)| block.damping.form(&x[*at..at + block.dofs.len()]);
        0.5 * blocks.iter().map(form).sum::<f64>()
    };
    Some(discrete(plan, body, count).into_iter().map(sigma).collect())
}
