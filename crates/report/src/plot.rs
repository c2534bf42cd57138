//! Charts as scalable pictures: a few series over two labelled axes, drawn as SVG.
//!
//! A chart is data; [`svg`] and [`svg_grid`] draw it. Units take SI prefixes
//! ("mm", "kHz") so that ticks stay short, lines of more points than pixels keep
//! their extremes, and the colours follow the viewer's light or dark scheme.
//! Every number is written with a fixed number of digits, so that equal charts
//! are equal files.

mod chart;
mod draw;
mod scale;
mod thin;
mod units;

pub use chart::{Axis, Chart, Image, Mark, Series, Style};
pub(crate) use draw::{STYLE, escape, panel};
pub use units::quantity;

/// The chart as an SVG file.
pub fn svg(chart: &Chart) -> String {
    let (width, height) = chart.size;
    document(width, height, &panel(chart, 0.0, 0.0))
}

/// Several charts in rows of `columns` under a title, as one SVG file.
pub fn svg_grid(title: &str, charts: &[Chart], columns: usize) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    let head = if title.is_empty() { 0.0 } else { 44.0 };
    let (mut body, mut y, mut width) = (String::new(), head, 0.0_f64);
    for row in charts.chunks(columns) {
        let mut x = 0.0;
        for chart in row {
            body.push_str(&panel(chart, x, y));
            x += chart.size.0;
        }
        width = width.max(x);
        y += row.iter().map(|chart| chart.size.1).fold(0.0, f64::max);
    }
    if !title.is_empty() {
        body.push_str(&format!(
            "<text class=\"ink\" x=\"16\" y=\"29\" font-size=\"17\" font-weight=\"600\" fill=\"#1c2430\">{}</text>",
            escape(title)
        ));
    }
    document(width, y, &body)
}

fn document(width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{body}</svg>\n"
    )
}
