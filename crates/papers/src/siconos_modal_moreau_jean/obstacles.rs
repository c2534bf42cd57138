//! Two strings on obstacles at rest height, in numbers.
//!
//! The ideal string (L = c = 1, N = 199 modes = points) on a flat obstacle: at T/4 all of it falls at once and turns
//! back, so that u = |u_free| with e = 1, and E/E₀ = e² after it. The guitar string on a point at its centre.

use super::{
    setup::modal,
    string::{GUITAR, IDEAL, Plucked},
};
use crate::{
    figure::{Effort, Figure, Outcome, Panel, Series, Table, Unable},
    line::Course,
};

/// Rate of the ideal string, Hz.
pub const IDEAL_RATE: f64 = 1000.0;
/// Rate of the guitar string, Hz.
pub const GUITAR_RATE: f64 = 88_200.0;

/// The ideal string over two periods: its middle first, then all points; `None` of an obstacle: free.
///
/// # Errors
/// Where the scheme refuses.
pub fn ideal(restitution: Option<f64>) -> Result<Course, Unable> {
    let points = IDEAL.everywhere(0.0);
    let system = match restitution {
        Some(e) => IDEAL.over(&points, e)?,
        None => IDEAL.over(&[], 0.0)?,
    };
    let mut rows = vec![IDEAL.ear(0.5 * IDEAL.length)?];
    for (x, _) in &points {
        rows.push(IDEAL.ear(*x)?);
    }
    let steps = (2.0 * IDEAL.period() * IDEAL_RATE).round() as usize;
    Course::run(&modal()?, &system, 1.0 / IDEAL_RATE, (steps, 1), &rows)
}

/// max |u − |u_free|| of the ideal string with e = 1, m.
///
/// # Errors
/// Where the scheme refuses.
pub fn mirrored() -> Result<f64, Unable> {
    let (free, in_contact) = (ideal(None)?, ideal(Some(1.0))?);
    let pairs = free.values.iter().flatten().zip(in_contact.values.iter().flatten());
    Ok(pairs.map(|(free, u)| (u - free.abs()).abs()).fold(0.0, f64::max))
}

/// The guitar string for `duration` (s), its middle read.
///
/// # Errors
/// Where the scheme refuses.
pub fn guitar(restitution: f64, duration: f64) -> Result<Course, Unable> {
    let middle = 0.5 * GUITAR.length;
    let system = GUITAR.over(&[(middle, 0.0)], restitution)?;
    let steps = (duration * GUITAR_RATE).round() as usize;
    Course::run(&modal()?, &system, 1.0 / GUITAR_RATE, (steps, 1), &[GUITAR.ear(middle)?])
}

fn panel(title: String, string: Plucked, e: f64, course: &Course) -> Panel {
    let t = string.period();
    let points = course.output(0).map(|(time, u)| (time / t, u));
    Panel::new(
        title,
        ("time, of a period T", ""),
        ("u(L/2)", "m"),
        vec![Series::line(format!("e = {e}"), points)],
    )
}

/// Makes the figure and the table.
pub(super) fn make(_: Effort) -> Result<Outcome, Unable> {
    let columns = ["string", "e", "quantity", "theory", "computed"];
    let mut table = Table::new("SIC: strings on obstacles at rest height", &columns);
    let mut panels = Vec::new();
    table.row([
        "ideal, flat obstacle".into(),
        "1".into(),
        "max |u − |u_free||, m".into(),
        "0".into(),
        mirrored()?.into(),
    ]);
    for e in [1.0, 0.5, 0.0] {
        let course = ideal(Some(e))?;
        let after = (0.3 * IDEAL.period() * IDEAL_RATE).round() as usize;
        table.row([
            "ideal, flat obstacle".into(),
            format!("{e}").into(),
            "E/E₀ after the first contact".into(),
            format!("{}", e * e).into(),
            (course.energy[after] / course.energy[0]).into(),
        ]);
        panels.push(panel(format!("ideal string, flat obstacle, e = {e}"), IDEAL, e, &course));
    }
    for e in [1.0, 0.9, 0.0] {
        let course = guitar(e, 0.05)?;
        let samples = course.values[0].len();
        for (quantity, theory, value) in [
            ("E₀/μ, J m/kg", None, course.energy[0] / GUITAR.density),
            ("E(50 ms)/E₀", (e == 1.0).then_some("1"), course.energy[samples - 1] / course.energy[0]),
            ("u(L/2, 10 ms), m", None, course.values[0][samples / 5]),
        ] {
            table.row([
                "guitar, point obstacle".into(),
                format!("{e}").into(),
                quantity.into(),
                theory.into(),
                value.into(),
            ]);
        }
        panels.push(panel(format!("guitar string, point obstacle, e = {e}"), GUITAR, e, &course));
    }
    table.note(format!(
        "Ideal: 199 modes and points, {IDEAL_RATE} Hz. Guitar: 100 modes, {GUITAR_RATE} Hz. Energies are the discrete ones."
    ));
    let figure = Figure {
        name: "obstacles",
        title: "SIC: the middle of strings on obstacles at rest height".into(),
        caption: "The flat obstacle reflects the string; the point obstacle leaves each half of the string free to vibrate."
            .into(),
        panels,
    };
    Ok(Outcome::new(table, figure))
}
