//! Charts as scalable pictures: a few series over two labelled axes, drawn as SVG.
//!
//! A chart is data; [`svg`] and [`svg_grid`] draw it. Units take SI prefixes
//! ("mm", "kHz") so that ticks stay short, lines of more points than pixels keep
//! their extremes, and the colours follow the viewer's light or dark scheme.
//! Every number is written with a fixed number of digits, so that equal charts
//! are equal files.

mod chart;
mod colour_bar;
mod draw;
mod figure;
mod fine;
mod layout;
mod legend;
mod scale;
mod theme;
mod thin;
mod units;

pub use chart::{Axis, Chart, ColourBar, Image, Mark, Series, Style};
pub(crate) use figure::figure;
pub(crate) use theme::{STYLE, escape};
pub use units::{decimals, quantity};

use draw::Extras;
use layout::Layout;

/// The height of a chart's title, px.
const TITLE: f64 = 30.0;

/// The chart as an SVG file.
pub fn svg(chart: &Chart) -> String {
    let ((width, height), body) = panel(chart, (0.0, 0.0));
    document(width, height, &body)
}

/// The chart with its title as an element at a place, and its size, px.
fn panel(chart: &Chart, (x, y): (f64, f64)) -> ((f64, f64), String) {
    let layout = Layout::new(chart, chart.size, TITLE);
    let (width, height) = layout.size;
    let mut out = format!(
        "<svg x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">"
    );
    theme::text(&mut out, (layout.corner.0, 22.0), "ink", "font-weight=\"600\"", &chart.title);
    draw::chart(&mut out, chart, &layout, TITLE, &Extras { picture: None, fine: &[] });
    out.push_str("</svg>");
    (layout.size, out)
}

/// Several charts in rows of `columns` under a title, as one SVG file.
pub fn svg_grid(title: &str, charts: &[Chart], columns: usize) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    let head = if title.is_empty() { 0.0 } else { 44.0 };
    let (mut body, mut y, mut width) = (String::new(), head, 0.0_f64);
    for row in charts.chunks(columns) {
        let (mut x, mut lowest) = (0.0, 0.0_f64);
        for chart in row {
            let (size, drawn) = panel(chart, (x, y));
            body.push_str(&drawn);
            x += size.0;
            lowest = lowest.max(size.1);
        }
        width = width.max(x);
        y += lowest;
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
