//! Figures 5, 9 and 12: the gap between the discrete energy H_d (9) and its exact, constant value, undamped.
//!
//! Symplectic methods keep it within bounds; it falls with Δt as the order says. The felt's force (α = 2.56) is not smooth
//! enough for more than the order 3.56 as Δt → 0.

use super::setup::{METHODS, RATE, four_stage, hammered, printed, started, string};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
};
use hamiltone_core::system::System;

/// The gap of `system` over `duration` (s) at 44.1 kHz times `factor`, the energy taken at every step where `factor`
/// is small, else at 44.1 kHz.
///
/// # Errors
/// Where the scheme refuses.
pub fn gap(entry: (&str, &str), system: &System, factor: usize, duration: f64) -> Result<Course, Unable> {
    let every = if factor <= 20 { 1 } else { factor };
    let looks = (duration * RATE).round() as usize * factor / every;
    Course::run(&printed(entry)?, system, 1.0 / (RATE * factor as f64), (looks, every), &[])
}

fn panel(title: String, course: &Course) -> Panel {
    let gaps: Vec<_> =
        course.times.iter().zip(&course.energy).map(|(t, h)| (*t, h - course.energy[0])).collect();
    let series = vec![Series::extremes("", &gaps, 500)];
    Panel::new(title, ("time", "s"), ("H_d − H_d(0)", "J"), series)
}

/// A_m = B_m of figure 5, m.
pub const SMALL: f64 = 1e-5;

/// Makes figure 5: the free string, N = 100.
pub(super) fn fig5(_: Effort) -> Result<Outcome, Unable> {
    let columns = ["method", "1/Δt, Hz", "H_d(0) printed", "H_d(0), J", "max |H_d − H_d(0)|, J"];
    let mut table = Table::new("I18 fig. 5: energy gap of the free string over 0.1 s, N = 100", &columns);
    let mut panels = Vec::new();
    let system = started(&string(100), SMALL)?;
    for entry in METHODS {
        for factor in [5, 10, 20] {
            let course = gap(entry, &system, factor, 0.1)?;
            table.row([
                entry.0.into(),
                format!("44100·{factor}").into(),
                "0.110".into(),
                course.energy[0].into(),
                course.energy_gap().into(),
            ]);
            panels.push(panel(format!("{}, 1/Δt = 44100·{factor} Hz", entry.0), &course));
        }
    }
    let figure = Figure {
        name: "fig5",
        title: "I18 fig. 5: the energy gap of the free string".into(),
        caption: "The gap stays bounded and decreases with the step.".into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}

/// The hammered string's gap at several rates.
fn hammer(name: &'static str, n: usize, factors: &[usize], duration: f64) -> Result<Outcome, Unable> {
    let columns = ["1/Δt, Hz", "H_d(0) printed", "H_d(0), J", "max |H_d − H_d(0)|, J", "of H_d(0)"];
    let title = format!("I18 {name}: energy gap of the hammered string, 4-stage, N = {n}, {duration} s");
    let mut table = Table::new(title.clone(), &columns);
    let (system, mut panels) = (hammered(string(n), 0.0)?, Vec::new());
    for &factor in factors {
        let rate = format!("44100·{factor}");
        match gap(METHODS[0], &system, factor, duration) {
            Ok(course) => {
                let gap = course.energy_gap();
                table.row([
                    rate.clone().into(),
                    "4.5496e-2".into(),
                    course.energy[0].into(),
                    gap.into(),
                    (gap / course.energy[0]).into(),
                ]);
                panels.push(panel(format!("1/Δt = {rate} Hz"), &course));
            }
            Err(refusal) => table.note(format!("{rate} Hz: {refusal}")),
        }
    }
    let caption = "No drift: the gap made in the contact, some milliseconds, stays.".into();
    Ok(Outcome::new(table, Figure { name, title, caption, panels }))
}

/// Makes figure 9: N = 1000, the printed rates (which are refused) and two at which it runs.
pub(super) fn fig9(effort: Effort) -> Result<Outcome, Unable> {
    let duration = if effort == Effort::Full { 10.0 } else { 0.02 };
    let mut outcome = hammer("fig9", 1000, &[10, 100, 200, 400], duration)?;
    let system = hammered(string(1000), 0.0)?;
    let gap = gap(METHODS[0], &system, 200, 0.01)?.energy_gap();
    outcome.tables[0].note(format!(
        "In the first 10 ms at 44100·200 Hz the gap is {gap:.1e} J: the rounding of H_d. Forces are computed from differences of coordinates; from rows of K, whose entries are rounded, every ω² would differ by −3.9e-3 1/s², and the gap be 1.7e-12 J."
    ));
    Ok(outcome)
}

/// Makes figure 12: N = 50.
pub(super) fn fig12(effort: Effort) -> Result<Outcome, Unable> {
    let duration = if effort == Effort::Full { 1.0 } else { 0.1 };
    hammer("fig12", 50, &[1, 2, 10, 20], duration)
}

/// The largest stable step of the 4-stage method at N = 1000 is refused with both numbers beyond it.
///
/// # Errors
/// The refusal.
pub fn unstable(n: usize, factor: usize) -> Result<(), Unable> {
    four_stage()?.prepare(&hammered(string(n), 0.0)?, 1.0 / (RATE * factor as f64)).map(|_| ())
}
