//! The energies over time, and the residual of their balance.

use super::section::{HALF, Section, WIDE, time};
use crate::{
    history::energy::{Energy, Point},
    plot::{Axis, Chart, Style, quantity},
};
use hamiltone_core::audit::exact_tolerance;
use hamiltone_render::Outcome;
use hamiltone_scene::Plan;

/// Stored energy, energy budget, residual of the balance.
pub fn section(plan: &Plan, outcome: &Outcome, energy: &Energy, shown: Option<f64>) -> Section {
    let unit = plan.energy_unit();
    let scale = outcome.audit.scale();
    let points = &energy.points[..energy.points.partition_point(|p| shown.is_none_or(|end| p.time <= end))];
    let is_physical = |point: &Point| point.physical.0.is_finite();
    let both = match energy.points.iter().any(is_physical) {
        false => "",
        true => " The physical energy ½vᵀMv + ½qᵀKq + ΣV is shown for comparison.",
    };
    let note = format!(
        "Discrete energy of the scheme.{both} S = {} is the peak energy, including the rounding scale of contacts; \
         eps = 2⁻⁵² is machine epsilon.",
        quantity(scale, unit)
    );
    let charts = vec![
        stored(points, plan, shown),
        budget(points, outcome, unit, shown),
        residual(points, outcome, shown),
    ];
    Section { title: "Energy", note, charts, ..Section::default() }
}

/// Both ends of a range at every point that has one.
fn both(points: &[Point], range: impl Fn(&Point) -> (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    let of = |p: &Point| [(p.time, range(p).0), (p.time, range(p).1)];
    points.iter().filter(|p| range(p).0 <= range(p).1).flat_map(of).unzip()
}

fn stored(points: &[Point], plan: &Plan, shown: Option<f64>) -> Chart {
    let (t, stored) = both(points, |p| p.stored);
    let axis = Axis::new("energy", plan.energy_unit());
    let chart = Chart::new("Stored energy", time(shown), axis).sized(HALF.0, HALF.1);
    let (times, physical) = both(points, |p| p.physical);
    match physical.is_empty() {
        true => chart.with(Style::Area, "", t, stored),
        false => {
            chart.with(Style::Area, "discrete", t, stored).with(Style::Dashed, "physical", times, physical)
        }
    }
}

/// The parts of the balance one above the other: what is dissipated, what is stored above it, and as a dashed line what
/// they must add up to. A line beside another of nearly the same value would be hidden behind it.
fn budget(points: &[Point], outcome: &Outcome, unit: &str, shown: Option<f64>) -> Chart {
    let t: Vec<f64> = points.iter().map(|p| p.time).collect();
    let initial = outcome.audit.energy_initial;
    let of = |f: &dyn Fn(&Point) -> f64| points.iter().map(f).collect::<Vec<f64>>();
    let given = match outcome.audit.contact_work == 0.0 {
        true => "initial + supplied",
        false => "initial + supplied + contact work",
    };
    let axis = Axis::new("energy", unit);
    Chart::new("Energy budget: stored above dissipated", time(shown), axis)
        .sized(HALF.0, HALF.1)
        .with(Style::Area, "dissipated + stored", t.clone(), of(&|p| p.totals.dissipated + p.totals.stored))
        .with(Style::Area, "dissipated", t.clone(), of(&|p| p.totals.dissipated))
        .with(Style::Dashed, given, t, of(&|p| initial + p.totals.supplied + p.totals.contact_work))
}

fn residual(points: &[Point], outcome: &Outcome, shown: Option<f64>) -> Chart {
    let exact = outcome.balance.is_exact();
    let tolerance = |steps| exact_tolerance(steps, outcome.balance.drift());
    let (label, one) =
        if exact { ("Σ residual / (eps·S)", f64::EPSILON) } else { ("Σ residual / S", 1.0) };
    let allowed = outcome.tolerance / one;
    let title = match exact {
        true => format!(
            "Cumulative energy residual, in units of machine epsilon × S (tolerance ±{allowed:.0} at the end)"
        ),
        false => format!("Cumulative energy residual, relative to S (tolerance ±{allowed})"),
    };
    let mut chart = Chart::new(title, time(shown), Axis::new(label, "")).sized(WIDE.0, WIDE.1);
    let scale = outcome.audit.scale();
    if scale > 0.0 {
        let of = |x: f64| x / one / scale;
        let (t, values) = both(points, |p| (of(p.residual.0), of(p.residual.1)));
        chart = chart.line("residual", t, values);
        // A tolerance far above the residual would make the residual a flat line.
        if outcome.audit.residual_max_relative() > 0.02 * outcome.tolerance {
            // What the flows add is spread over the run.
            let (steps, whole) = (outcome.audit.steps.max(1), tolerance(outcome.audit.steps));
            let of_flows = |row: u64| (outcome.tolerance - whole) * row as f64 / steps as f64;
            let exact_bound = |row: u64| (tolerance(row) + of_flows(row)) / one;
            let bound = |p: &Point| if exact { exact_bound(p.row) } else { allowed };
            let t: Vec<f64> = points.iter().map(|p| p.time).collect();
            chart = chart
                .with(Style::Dashed, "tolerance", t.clone(), points.iter().map(bound).collect())
                .with(Style::Dashed, "", t, points.iter().map(|p| -bound(p)).collect());
        }
    }
    chart
}
