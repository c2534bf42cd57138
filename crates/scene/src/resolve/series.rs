//! Bodies whose modes end below what can be heard.
//!
//! Modes are needed up to the limit of hearing or of the sample rate, unless all that sets a body in motion are soft blows: the
//! spectrum of a half sine of duration τ is 31 dB lower at 3/τ than at 0, and falls by 12 dB an octave. Where the scene
//! states a `bandwidth`, modes are needed up to that. How many modes that are is continued from the upper half of those that there are, f_k ∝ k^p.

use super::free::parameter_of;
use crate::document::{problem::Problem, section::Section};
use hamiltone_core::{input::Action, parameter::Takes, row::Row, system::System};
use hamiltone_numerics::math::{log, pow};
use hamiltone_plan::{BodyPlan, Plan, audible as highest_audible};
use hamiltone_schemes::contact_duration;
use std::f64::consts::TAU;

/// Blows of duration τ are heard up to this many times 1/τ.
const BLOW: f64 = 3.0;
/// The highest mode may lie below the limit by this part of it: the next one may be above.
const NEAR: f64 = 0.95;
/// The parameter that says how many.
const MODES: &str = "modes";

/// The bodies whose modes end below what they are heard at, up to `bandwidth` (Hz) where the scene states it: a warning where the scene
/// says how finely they are represented; else, where that is `chosen` for it, a sentence on what was chosen.
pub fn check(
    plan: &Plan,
    root: &Section<'_>,
    bandwidth: Option<f64>,
    chosen: bool,
) -> (Vec<Problem>, Vec<String>) {
    let (mut warnings, mut choices) = (Vec::new(), Vec::new());
    let audible = highest_audible(plan.sample_rate).min(bandwidth.unwrap_or(f64::INFINITY));
    for body in &plan.bodies {
        let Some(section) = root.named("body", &body.name) else { continue };
        let parameter = parameter_of(&section, MODES).map(|parameter| parameter.takes);
        let Some(Takes::Number(_, allowed)) = parameter else { continue };
        let frequencies = mode_frequencies(plan, body);
        let Some(end) = next(&frequencies) else { continue };
        let heard = audible.min(up_to(&plan.system, body));
        let count = frequencies.len();
        if end >= NEAR * heard || count as f64 >= allowed.max {
            continue;
        }
        let wanted = count as f64 * pow(heard / frequencies[count - 1], 1.0 / growth(&frequencies));
        let highest = frequencies[count - 1];
        if chosen && !section.table.contains_key(MODES) {
            let wanted = rounded_up(wanted).min(allowed.max);
            choices.push(format!(
                "{count} modes of `{}`, up to {highest:.0} Hz; modes = {wanted} or more reach {heard:.0} Hz",
                body.name
            ));
            continue;
        }
        let message = format!(
            "its {count} modes end at {highest:.0} Hz, but it is set in motion up to {heard:.0} Hz: the sound is cut off there"
        );
        let help = format!("write modes = {}, or more", rounded_up(wanted).min(allowed.max));
        warnings.push(section.problem(MODES, message, "too few").help(help));
    }
    (warnings, choices)
}

/// The frequencies of the modes that represent a body, Hz, ascending, rigid motions left out; none of a grid, or of
/// modes that it shares with others.
fn mode_frequencies(plan: &Plan, body: &BodyPlan) -> Vec<f64> {
    if let Some(reduced) = plan.reduced.iter().find(|reduced| reduced.bodies.contains(&body.name)) {
        let own: Vec<f64> = reduced.modes.iter().map(|mode| mode.omega / TAU).collect();
        let highest = own.last().copied().unwrap_or(0.0);
        let alone = reduced.bodies.len() == 1;
        return own.into_iter().filter(|f| alone && *f > 1e-4 * highest).collect();
    }
    let representation = &body.placed.representation;
    let modes = if body.placed.modal.is_some() { representation.modes() } else { 0 };
    (1..=modes).filter_map(|k| representation.partial(k)).collect()
}

/// Up to which frequency the excitation of a body is heard, Hz.
fn up_to(system: &System, body: &BodyPlan) -> f64 {
    let dofs = &body.placed.dofs;
    let moves = |row: &Row| row.entries().any(|(dof, weight)| weight != 0.0 && dofs.contains(&dof));
    let forced = |action: &Action| matches!(action, Action::Force(row) if moves(row));
    let initial = [&system.initial.position, &system.initial.velocity];
    if initial.iter().any(|values| values[dofs.clone()].iter().any(|x| *x != 0.0))
        || system.inputs.iter().any(|input| forced(&input.action))
    {
        return f64::INFINITY;
    }
    let contacts = system.elements.iter().filter(|element| element.rows.iter().any(moves));
    let heard = contacts.map(|contact| match contact_duration::of(system, contact) {
        Some(seconds) => BLOW / seconds,
        None => f64::INFINITY,
    });
    heard.fold(0.0, f64::max)
}

/// p of f_k ∝ k^p between the middle and the last.
fn growth(frequencies: &[f64]) -> f64 {
    let last = frequencies.len();
    let middle = last.div_ceil(2);
    let ratio = frequencies[last - 1] / frequencies[middle - 1];
    if last > middle { log(ratio) / log(last as f64 / middle as f64) } else { 1.0 }
}

/// About where the mode behind the last one lies, Hz; `None` without a mode.
fn next(frequencies: &[f64]) -> Option<f64> {
    let last = frequencies.len() as f64;
    Some(frequencies.last()? * pow((last + 1.0) / last, growth(frequencies)))
}

/// In two significant digits, not less.
fn rounded_up(count: f64) -> f64 {
    let unit = pow(10.0, (log(count.max(1.0)) / std::f64::consts::LN_10).floor() - 1.0).max(1.0);
    (count / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_continued_as_they_grow() {
        // A string of 100 Hz, a bar ∝ (k + ½)², a membrane ∝ √k.
        let string: Vec<f64> = (1..=20).map(|k| 100.0 * f64::from(k)).collect();
        let bar: Vec<f64> = (1..=20).map(|k| pow(f64::from(k) + 0.5, 2.0)).collect();
        let drum: Vec<f64> = (1..=300).map(|k| f64::from(k).sqrt()).collect();
        assert!((next(&string).unwrap() / 2100.0 - 1.0).abs() < 1e-12);
        assert!((next(&bar).unwrap() / pow(21.5, 2.0) - 1.0).abs() < 0.01);
        assert!((growth(&drum) - 0.5).abs() < 1e-9);
        assert_eq!([312.0, 47_100.0, 8.2].map(rounded_up), [320.0, 48_000.0, 9.0]);
        assert_eq!((next(&[]), next(&[50.0])), (None, Some(100.0)));
    }
}
