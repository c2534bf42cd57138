//! Whether a formula V(x) is the potential of a contact: V′(0) = 0 and V convex, so that implicit steps have one
//! solution (C15 §4).
//!
//! It is tested at x₀ = 0 and at 50 places a decade, from 10⁻¹² X to the reach X, on each side on which V counts; with
//! f = V′ and δ the rounding of f ([`crate::rounding`]):
//!
//!   V″(xₖ) ≥ 0,   f(xₖ) xₖ ≥ 0,   f(xₖ₋₁) ≤ V[xₖ₋₁, xₖ] ≤ f(xₖ),   |V′(0)| ≤ δ
//!
//! The divided difference V[xₖ₋₁, xₖ] is the mean force between two places: there it shows poles, kinks and ripples that
//! change V by more than the forces at the ends allow. What is narrower and weaker than that is not noticed. |f(X)| ≥ δ: of terms that cancel more there is
//! no law.

use crate::{
    places,
    program::Program,
    rounding::{Rounded, UNIT},
};
use hamiltone_core::parameter::Complaint;

/// The part of V″x that may be rounding, relative to the force; that of a force where the rounding of its terms overflows.
const RELATIVE: f64 = 1e-9;

/// The force at a place.
#[derive(Clone, Copy)]
struct Sample {
    x: f64,
    force: f64,
    /// V″.
    stiffness: f64,
    /// δ.
    rounding: f64,
}

impl Sample {
    fn new(program: &Program, x: f64) -> Self {
        let Rounded { at: slope, rate, .. } = program.on(x, 0.0);
        let rounding = UNIT * rate;
        let rounding = if rounding.is_finite() { rounding } else { RELATIVE * slope.mean.abs() };
        Self { x, force: slope.mean, stiffness: 2.0 * slope.bend, rounding }
    }

    fn is_finite(&self) -> bool {
        self.force.is_finite() && self.stiffness.is_finite()
    }
}

/// Tests a formula that counts on these sides, 1 and −1, up to this reach.
///
/// # Errors
/// A [`Complaint`] of `potential` where it is not convex, or its force is not finite or does not begin at 0.
pub(crate) fn check(program: &Program, sides: &[f64], reach: f64) -> Result<(), Complaint> {
    let origin = Sample::new(program, 0.0);
    if !origin.is_finite() {
        let message = format!("has V′ = {} and V″ = {} at x = 0", origin.force, origin.stiffness);
        let help = "both must be finite: write x^p or abs(x)^p with p ≥ 2 in place of roots of x and powers of powers, such as abs(x)^2.5 for (x^2)^1.25";
        return wrong(message, help);
    }
    // What the force is next to 0 may be rounding of constants.
    let nearest = places::fine(reach).next().unwrap_or(reach);
    let next = |side: &f64| Sample::new(program, side * nearest).force.abs();
    let next = sides.iter().map(next).fold(f64::INFINITY, f64::min);
    if origin.force.abs() > origin.rounding.max(RELATIVE * next) {
        let message = format!("has V′ = {:.3e} N at x = 0", origin.force);
        let help = "the force must begin at 0: subtract that times x; `gap` says where the contact begins";
        return wrong(message, help);
    }
    for side in sides {
        let mut last = origin;
        for (k, t) in places::fine(reach).enumerate() {
            let sample = Sample::new(program, side * t);
            if !sample.is_finite() {
                let message = format!("has no finite force at x = {:.3e} m", sample.x);
                return wrong(message, &no_force(program, *side, k));
            }
            step(program, &last, &sample)?;
            last = sample;
        }
        // Where its terms cancel, not even the sign of the force is known.
        if last.force.abs() < last.rounding {
            let message =
                format!("has a force of {:.1e} N at x = {:.3e} m, which is rounding", last.force, last.x);
            return wrong(message, "write a larger `reach`, or the formula without terms that cancel");
        }
    }
    Ok(())
}

/// Tests a place, and the way to it from the one before, which is nearer to 0.
fn step(program: &Program, last: &Sample, sample: &Sample) -> Result<(), Complaint> {
    let Sample { x, force, stiffness, rounding } = *sample;
    let help = "the force must never fall as x grows: give another formula, or a smaller `reach`";
    if stiffness * x.abs() < -RELATIVE * force.abs() - rounding {
        return wrong(format!("is not convex: V″ = {stiffness:.3e} N/m at x = {x:.3e} m"), help);
    }
    if force * x.signum() < -rounding {
        let help = "V must not be less than V(0): contacts repel; give another formula, or a smaller `reach`";
        return wrong(format!("is attractive: V′ = {force:.3e} N at x = {x:.3e} m"), help);
    }
    let (low, high) = if x < last.x { (sample, last) } else { (last, sample) };
    let rounding = rounding.max(last.rounding);
    if high.force < low.force - rounding {
        let (a, b) = (low.force, high.force);
        let message = format!(
            "is not convex: V′ falls from {a:.3e} N at x = {:.3e} m to {b:.3e} N at {:.3e} m",
            low.x, high.x
        );
        return wrong(message, help);
    }
    let mean = program.run(low.x, high.x - low.x).mean;
    let within = low.force - rounding <= mean && mean <= high.force + rounding;
    if !within {
        let message = format!(
            "is not convex between x = {:.3e} and {:.3e} m: V′ is {:.3e} and {:.3e} N there, but {mean:.3e} N in the mean",
            low.x, high.x, low.force, high.force
        );
        return wrong(message, "look for a pole, a kink or a ripple there, or give a smaller `reach`");
    }
    Ok(())
}

/// What to write where there is no finite force at the place k of a side.
fn no_force(program: &Program, side: f64, k: usize) -> String {
    match (program.power(), k == 0 && side < 0.0) {
        (Some(p), true) => format!("a negative x has no power {p}: write abs(x)^{p}, or sides = \"one\""),
        (None, true) => "the formula must have a value at x < 0 too: use abs(x), or sides = \"one\"".into(),
        (_, false) => "give a smaller `reach`, up to which the formula is used".into(),
    }
}

fn wrong(message: String, help: &str) -> Result<(), Complaint> {
    Err(Complaint::new("potential", message).help(help))
}
