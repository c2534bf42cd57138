//! A comparison as a chart: error against cost, one line a scheme. What is left and below is better.

use super::Comparison;
use hamiltone_report::plot::{Axis, Chart, Style};

/// The chart.
pub fn chart(comparison: &Comparison) -> Chart {
    let reference = comparison.reference.as_ref();
    let reference =
        reference.map_or(String::new(), |(scheme, rate)| format!(" (reference: {scheme} at {rate} Hz)"));
    let title = format!("{}: error against cost{reference}", comparison.title);
    let cost = Axis::new("processor time per second of sound", "s").log();
    let mut chart = Chart::new(title, cost, Axis::new("relative error", "").log()).sized(900.0, 520.0);
    for order in &comparison.orders {
        let runs = comparison.runs.iter().filter(|run| run.scheme == order.scheme);
        // What failed is no point of a line that is judged by its errors.
        let points = runs.filter_map(|run| {
            let figures = run.figures.as_ref().ok().filter(|figures| figures.ok)?;
            Some((figures.cost, figures.error.filter(|error| *error > 0.0)?))
        });
        let (x, y): (Vec<f64>, Vec<f64>) = points.unzip();
        if !x.is_empty() {
            chart = chart.with(Style::LinePoints, &order.scheme, x, y);
        }
    }
    chart
}
