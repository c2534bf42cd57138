//! The trajectory of one body in its phase plane, and in the modified phase space of Chatziioannou 2019 (C19)
//!
//!   W = (ψ, ξ) = (e^(γt/2) y, e^(γt/2) p),   p = m v   (C19 (23)).

use super::section::{HALF, Section};
use crate::{
    history::orbit::Orbit,
    plot::{Axis, Chart, quantity},
};
use hamiltone_numerics::math::exp;
use hamiltone_scene::Plan;

/// The height of the charts, px.
const HEIGHT: f64 = 420.0;

/// The phase portrait, and for a damped oscillator the modified phase space.
pub fn section(plan: &Plan, orbit: &Orbit) -> Section {
    let mut charts = vec![portrait(orbit)];
    let mut note = "Displacement and velocity of the first body, at its middle.".to_string();
    if orbit.gamma > 0.0 {
        charts.push(modified(plan, orbit));
        note.push_str(
            " In W = (exp(γt/2) y, exp(γt/2) p) a free damped oscillator moves like an undamped one, if the phase-area \
             contraction of the scheme is exp(−γΔt) (Chatziioannou 2019, eq. 23).",
        );
    }
    Section { title: "Phase space", note, charts, ..Section::default() }
}

fn portrait(orbit: &Orbit) -> Chart {
    let (q, v) = (Axis::new("q", orbit.measure.position()), Axis::new("v", orbit.measure.velocity()));
    let mut chart = Chart::new(format!("Phase portrait of {}", orbit.body), q, v).sized(HALF.0, HEIGHT);
    let last: Vec<[f64; 3]> = orbit.last.iter().copied().collect();
    let reach = |points: &[[f64; 3]]| points.iter().fold(0.0_f64, |a, [_, _, v]| a.max(v.abs()));
    let decayed = reach(&last) < 0.01 * reach(&orbit.first);
    for (which, points) in [("first", &orbit.first), ("last", &last)] {
        if let ([first, .., end], false) = (points.as_slice(), which == "last" && decayed) {
            let name = format!("{which} {}", quantity(end[0] - first[0], "s"));
            let (q, v) = points.iter().map(|[_, q, v]| (*q, *v)).unzip();
            chart = chart.line(name, q, v);
        }
    }
    chart
}

fn modified(plan: &Plan, orbit: &Orbit) -> Chart {
    // Without a drive the factor exp(γt/2) cancels the decay until rounding errors dominate; a driven motion does not
    // decay, so that the factor soon hides everything else.
    let reach = if plan.drives.is_empty() { 30.0 } else { 3.0 };
    let (psi, xi) = orbit
        .first
        .iter()
        .map(|[t, q, v]| (0.5 * orbit.gamma * t, *q, orbit.mass * v))
        .take_while(|(growth, ..)| *growth <= reach)
        .map(|(growth, q, p)| (exp(growth) * q, exp(growth) * p))
        .unzip();
    let momentum = plan.measure().momentum();
    Chart::new(
        format!("Modified phase space W of {}", orbit.body),
        Axis::new("ψ = exp(γt/2) y", "m"),
        Axis::new("ξ = exp(γt/2) p", momentum),
    )
    .sized(HALF.0, HEIGHT)
    .line("", psi, xi)
}
