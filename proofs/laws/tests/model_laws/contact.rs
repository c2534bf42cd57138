//! The laws of a contact: force, curvature, quotient, loss.

use super::require;
use hamiltone_core::element::{Compliant, LossLaw};

/// Whether `low` ≤ x ≤ `high` but for `slack`.
fn within(x: f64, (low, high): (f64, f64), slack: f64) -> bool {
    x >= low.min(high) - slack && x <= low.max(high) + slack
}

/// V ≥ 0, f = V′ growing, V″ = f′ ≥ 0, loss ≥ 0.
///
/// For a convex V, difference quotients to the left and right bracket the derivative: the bounds need no
/// estimate of the truncation error, only of rounding, which is `known` of each end over the step.
fn force_is_minus_grad_v(law: &Compliant, x: f64, eps: f64) -> Result<(), String> {
    let h = 1e-6 * x.abs();
    let at = |x: f64| (law.energy(x), law.force(x), law.curvature(x));
    let ((below, f_below, _), (v, f, c), (above, f_above, _)) = (at(x - h), at(x), at(x + h));
    require(v >= 0.0, || format!("V({x}) = {v} < 0"))?;
    require(c >= 0.0, || format!("V″({x}) = {c} < 0"))?;
    require(f_below <= f + 4.0 * eps * f.abs() && f <= f_above + 4.0 * eps * f.abs(), || {
        format!("V′ falls at {x}: {f_below} {f} {f_above}")
    })?;
    // Each end rounds its energy by 4 eps and its argument by one.
    let reach = f_below.abs().max(f_above.abs());
    let known = 4.0 * eps * (v + below.max(above)) + 2.0 * eps * reach * x.abs();
    require(within(f, ((v - below) / h, (above - v) / h), known / h), || {
        format!("V′({x}) = {f}, but V has slopes {} and {}", (v - below) / h, (above - v) / h)
    })?;
    // V″ need not be monotone: beyond the bracket, the second-order term of a step of 1e-6.
    let (left, right) = ((f - f_below) / h, (f_above - f) / h);
    let known = 8.0 * eps * reach + 2.0 * eps * left.max(right) * x.abs();
    require(within(c, (left, right), known / h + 1e-4 * left.max(right)), || {
        format!("V″({x}) = {c}, but V′ has slopes {left} and {right}")
    })?;
    let loss = law.loss;
    require(loss.is_finite() && loss >= 0.0 && loss * f >= 0.0, || {
        format!("the loss {loss} gives energy where the force is {f}")
    })
}

/// F̄ with its loss over a step of any length never falls as σ grows, its slope is ≥ 0, and the loss (F̄ − D)σ takes energy: what is
/// booked as dissipated, also where the force is cut off at 0.
fn loss_takes(law: &Compliant, x: f64, s: f64, eps: f64) -> Result<(), String> {
    for time in [1e-6, 2e-5, 1e-3] {
        let (force, slope) = law.mean_force(x, s, time);
        let (mean, taken) = (law.quotient(x, s).0, law.dissipated(x, s, time));
        // Both forces at the ends are rounded, and their difference is taken times α/T; μσ/T adds to 1.
        let (reach, rate) = (law.force(x).abs().max(law.force(x + s).abs()), law.loss / time);
        let rate = if law.loss_law == LossLaw::Rate { rate * s.abs() } else { rate };
        let known = 8.0 * eps * reach * (1.0 + rate);
        require(taken >= -known * s.abs(), || format!("the loss gives {taken} J at x = {x}, s = {s}"))?;
        require((taken - (force - mean) * s).abs() <= known * s.abs(), || {
            format!("{taken} J are booked of a loss of {} at x = {x}, s = {s}", (force - mean) * s)
        })?;
        require(slope >= 0.0, || format!("∂F/∂σ = {slope} at x = {x}, s = {s}"))?;
        // A law that pulls, and is lossy, has no monotone F̄ by Hunt and Crossley; the solver takes none for such.
        if law.loss_law == LossLaw::Relaxation {
            let next = law.mean_force(x, s + 1e-3 * s.abs(), time).0;
            require(force >= 0.0 && next >= force - known, || {
                format!("F falls from {force} to {next} at x = {x}, s = {s}")
            })?;
        }
    }
    Ok(())
}

/// D·s = V(x+s) − V(x), D between the forces at both ends, and its slope ∂D/∂s ≥ 0 fit for Newton.
fn quotient_keeps_the_balance(law: &Compliant, x: f64, s: f64, eps: f64) -> Result<(), String> {
    let y = x + s;
    let (mean, slope) = law.quotient(x, s);
    let (v, w, from, to) = (law.energy(x), law.energy(y), law.force(x), law.force(y));
    let reach = from.abs().max(to.abs());
    // 4 eps of each energy and of the quotient, and an argument known to an eps.
    let known = 4.0 * eps * (v + w + (mean * s).abs()) + eps * reach * (x.abs() + s.abs());
    require((mean * s - (w - v)).abs() <= known, || {
        format!("D·s = {}, V(x+s) − V(x) = {} at x = {x}, s = {s}", mean * s, w - v)
    })?;
    require(within(mean, (from, to), 8.0 * eps * reach), || {
        format!("D = {mean} is not between the forces {from}, {to} at x = {x}, s = {s}")
    })?;
    let size = x.abs().max(s.abs());
    let h = 1e-6 * size;
    let (left, right) = (mean - law.quotient(x, s - h).0, law.quotient(x, s + h).0 - mean);
    // 8 eps of D, and of the argument, in each difference; Newton is content with one part in a thousand.
    let known = 16.0 * eps * reach + 4.0 * eps * size * slope;
    require(
        slope >= 0.0 && within(slope, (left / h, right / h), known / h + 1e-3 * left.max(right) / h),
        || format!("∂D/∂s = {slope}, but D has slopes {} and {} at x = {x}, s = {s}", left / h, right / h),
    )
}

/// D = V′ at s = 0, and nothing is stored up to the onset.
fn limits(law: &Compliant, x: f64, eps: f64) -> Result<(), String> {
    let (mean, force) = (law.quotient(x, 0.0).0, law.force(x));
    require((mean - force).abs() <= 8.0 * eps * force.abs(), || {
        format!("D = {mean} at s = 0, but V′({x}) = {force}")
    })?;
    let onset = law.onset();
    let stored = law.energy(onset.min(x)) + law.force(onset.min(x));
    require(!onset.is_finite() || stored == 0.0, || format!("{stored} is stored before the onset {onset}"))
}

pub fn laws(law: &Compliant, x: f64, s: f64, eps: f64) -> Result<(), String> {
    force_is_minus_grad_v(law, x, eps)?;
    quotient_keeps_the_balance(law, x, s, eps)?;
    loss_takes(law, x, s, eps)?;
    limits(law, x, eps)
}
