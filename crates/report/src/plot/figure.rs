//! A chart as a figure of a page: drawn for wide screens and for narrow ones, of which the style sheet shows one, with
//! what a script needs to zoom.

use super::{
    chart::Chart,
    draw::{self, Extras},
    fine,
    layout::Layout,
    theme::{escape, picture},
};
use std::fmt::Write as _;

/// The width of a chart on a narrow screen, px: that of a phone of 360 px without margins.
const NARROW: f64 = 330.0;
/// The least and the greatest height of a chart on a narrow screen, px.
const HEIGHTS: (f64, f64) = (250.0, 330.0);

/// The figure of the number `number` on its page.
pub fn figure(chart: &Chart, number: usize) -> String {
    let wide = Layout::new(chart, chart.size, 0.0);
    let narrow = (NARROW, chart.size.1.clamp(HEIGHTS.0, HEIGHTS.1));
    let narrow = Layout::new(chart, narrow, 0.0);
    let class = if chart.size.0 > 800.0 { "chart wide" } else { "chart" };
    let mut out = format!("<figure class=\"{class}\"><figcaption>{}</figcaption>", escape(&chart.title));
    let id = format!("picture{number}");
    if let Some(image) = &chart.image {
        let mut unit = String::new();
        picture(&mut unit, (0.0, 0.0), (1.0, 1.0), &image.data_uri);
        let unit = unit.replacen("<image", &format!("<image id=\"{id}\""), 1);
        let _ = write!(
            out,
            "<svg class=\"store\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>{unit}</defs></svg>"
        );
    }
    let fine: Vec<Option<String>> = chart.series.iter().map(|series| fine::columns(series, &wide)).collect();
    for (class, layout, fine) in [("large", &wide, &fine[..]), ("small", &narrow, &[])] {
        let ((width, height), (left, top), (across, down)) = (layout.size, layout.corner, layout.frame);
        let _ = write!(
            out,
            "<svg class=\"{class}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\" \
             data-frame=\"{left:.1} {top:.1} {across:.1} {down:.1}\" data-x=\"{}\" data-y=\"{}\">",
            escape(&described(chart, layout)),
            layout.x.data(),
            layout.y.data()
        );
        draw::chart(&mut out, chart, layout, 0.0, &Extras { picture: Some(&id), fine });
        out.push_str("</svg>");
    }
    out.push_str("</figure>");
    out
}

/// The chart in words, for who does not see it.
fn described(chart: &Chart, layout: &Layout<'_>) -> String {
    let ends = |labels: &[String]| match labels {
        [first, .., last] => format!(" from {first} to {last}"),
        _ => String::new(),
    };
    let (x, y) = (&layout.x, &layout.y);
    let mut text =
        format!("{}: {}{} over {}{}", chart.title, y.title, ends(&y.labels), x.title, ends(&x.labels));
    let names: Vec<&str> =
        chart.series.iter().map(|series| series.name.as_str()).filter(|name| !name.is_empty()).collect();
    if !names.is_empty() {
        text += &format!("; {}", names.join(", "));
    }
    if let Some(colours) = &chart.colours {
        text += &format!("; colour: {}", colours.axis.label);
    }
    text
}
