//! The laws of a resistive element: it takes energy at every rate and control value, its slope is ∂f/∂ẋ, and its force
//! never falls with the rate.

use super::{EPS, require};
use hamiltone_core::element::Resistive;

/// f ẋ ≥ 0 at the rates ±`rate` for the control values ±`control`, and ∂f/∂ẋ between difference quotients.
pub fn laws(law: &Resistive, rate: f64, control: f64) -> Result<(), String> {
    require(!law.resistance.control().0.is_empty(), || "its control has no name".into())?;
    for (rate, control) in [(rate, control), (-rate, control), (rate, -control), (rate, law.control)] {
        let (force, slope) = law.force(rate, control);
        require(force.is_finite() && force * rate >= 0.0, || {
            format!("f = {force} gives energy at the rate {rate} and the control {control}")
        })?;
        let h = 1e-6 * rate.abs();
        let at = |rate: f64| law.force(rate, control).0;
        let (left, right) = ((force - at(rate - h)) / h, (at(rate + h) - force) / h);
        // 4 eps of each force over the step, and 1e-3 of its bend.
        let known = 8.0 * EPS * force.abs() / h + 1e-3 * left.abs().max(right.abs());
        require(slope >= left.min(right) - known && slope <= left.max(right) + known, || {
            format!("∂f/∂ẋ = {slope}, but f has slopes {left} and {right} at {rate}")
        })?;
        require(slope >= 0.0, || format!("f falls at {rate}, ∂f/∂ẋ = {slope}"))?;
    }
    Ok(())
}
