//! Drawing one chart: frame, grid, series, labels, legend, colour bar.

use super::{
    chart::{Chart, Mark, Series, Style},
    layout::Layout,
    legend::colours,
    theme::{COLOURS, line, picture, text, width},
    thin,
};
use std::fmt::Write as _;

/// Parts of a drawing that only a page with a script needs.
pub struct Extras<'a> {
    /// The `id` of an element that holds the picture as one of width and height 1, in place of the picture.
    pub picture: Option<&'a str>,
    /// Points of each series for who zooms in; `None` where the drawing has all.
    pub fine: &'a [Option<String>],
}

/// Draws the chart from its legend on.
pub fn chart(out: &mut String, chart: &Chart, layout: &Layout<'_>, head: f64, extras: &Extras<'_>) {
    let ((left, top), (across, down)) = (layout.corner, layout.frame);
    layout.legend.draw(out, head);
    axes(out, layout);
    let _ = write!(
        out,
        "<svg class=\"plot\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{across:.1}\" height=\"{down:.1}\"><g>"
    );
    image(out, chart, layout, extras.picture);
    for (n, (i, one)) in colours(&chart.series).into_iter().zip(&chart.series).enumerate() {
        series(out, one, i, layout, extras.fine.get(n).and_then(Option::as_deref));
    }
    out.push_str("</g></svg>");
    marks(out, &chart.marks, layout);
    if let Some(bar) = &layout.bar {
        bar.draw(out, left + across, top, down);
    }
}

fn axes(out: &mut String, layout: &Layout<'_>) {
    let ((left, top), (across, down)) = (layout.corner, layout.frame);
    let (right, bottom) = (left + across, top + down);
    out.push_str("<g class=\"ticks\">");
    for (tick, label) in layout.x.ticks.iter().zip(&layout.x.labels) {
        let at = left + layout.x.at(*tick);
        line(out, "grid", "#e3e7ed", (at, top), (at, bottom));
        text(out, (at, bottom + 19.0), "faint", "text-anchor=\"middle\"", label);
    }
    for (tick, label) in layout.y.ticks.iter().zip(&layout.y.labels) {
        let at = top + layout.y.at(*tick);
        line(out, "grid", "#e3e7ed", (left, at), (right, at));
        text(out, (left - 8.0, at + 5.0), "faint", "text-anchor=\"end\"", label);
    }
    out.push_str("</g>");
    line(out, "axis", "#9aa4b2", (left, bottom), (right, bottom));
    line(out, "axis", "#9aa4b2", (left, top), (left, bottom));
    let middle = "text-anchor=\"middle\"";
    text(out, (left + across / 2.0, bottom + 42.0), "ink", middle, &layout.x.title);
    let (at, turned) = (top + down / 2.0, 18.0);
    text(
        out,
        (turned, at),
        "ink",
        &format!("{middle} transform=\"rotate(-90 {turned} {at:.1})\""),
        &layout.y.title,
    );
}

fn image(out: &mut String, chart: &Chart, layout: &Layout<'_>, id: Option<&str>) {
    let Some(image) = &chart.image else { return };
    let (x0, x1) = (layout.x.at(image.x.0), layout.x.at(image.x.1));
    let (y0, y1) = (layout.y.at(image.y.1), layout.y.at(image.y.0));
    match id {
        Some(id) => {
            let _ = write!(
                out,
                "<use href=\"#{id}\" transform=\"translate({x0:.1} {y0:.1}) scale({:.1} {:.1})\"/>",
                x1 - x0,
                y1 - y0
            );
        }
        None => picture(out, (x0, y0), (x1 - x0, y1 - y0), &image.data_uri),
    }
}

fn series(out: &mut String, series: &Series, i: usize, layout: &Layout<'_>, fine: Option<&str>) {
    let colour = COLOURS[i];
    let points: Vec<_> =
        series.x.iter().zip(&series.y).map(|(x, y)| (layout.x.at(*x), layout.y.at(*y))).collect();
    let finite = |p: &&(f64, f64)| p.0.is_finite() && p.1.is_finite();
    let dash = if series.style == Style::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    if series.style == Style::Area {
        let shown: Vec<_> = points.iter().filter(finite).copied().collect();
        if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
            let _ = write!(
                out,
                "<path class=\"f{i}\" d=\"{}L{:.1} {2:.1} {3:.1} {2:.1}Z\" fill=\"{colour}\" fill-opacity=\"0.14\"/>",
                thin::path(&shown),
                last.0,
                layout.frame.1,
                first.0
            );
        }
    }
    if series.style != Style::Points {
        let fine = fine.map_or(String::new(), |fine| format!(" data-fine=\"{fine}\""));
        let _ = write!(
            out,
            "<path class=\"s{i}\" d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" stroke-linejoin=\"round\"{dash}{fine}/>",
            thin::path(&points)
        );
    }
    if matches!(series.style, Style::Points | Style::LinePoints) {
        // Lines of no length with round ends: dots that stay round where a chart is stretched.
        let dots =
            points.iter().filter(finite).map(|(x, y)| format!("M{} {}h0", thin::tenth(*x), thin::tenth(*y)));
        let _ = write!(
            out,
            "<path class=\"s{i}\" d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"5.2\" stroke-linecap=\"round\"/>",
            dots.collect::<String>()
        );
    }
}

/// Dots with labels; a label that would cover an earlier one is lifted, or left out.
fn marks(out: &mut String, marks: &[Mark], layout: &Layout<'_>) {
    let ((left, top), mut taken) = (layout.corner, Vec::<(f64, f64, f64)>::new());
    for mark in marks {
        let (x, y) = (left + layout.x.at(mark.x), top + layout.y.at(mark.y));
        if !(x.is_finite() && y.is_finite()) {
            continue;
        }
        let half = 0.5 * width(&mark.text) + 3.0;
        let inside = x - half > left - 20.0 && x + half < left + layout.frame.0 + 20.0;
        let free = |at: &f64| {
            let apart = |t: &(f64, f64, f64)| (t.0 - x).abs() > t.2 + half || (t.1 - at).abs() > 17.0;
            inside && *at > top + 11.0 && taken.iter().all(apart)
        };
        let _ = write!(
            out,
            "<g class=\"mark\" data-at=\"{:.1} {:.1}\"><circle class=\"ink\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"#1c2430\"/>",
            x - left,
            y - top
        );
        if let Some(at) = [8.0, 24.0].into_iter().map(|lift| y - lift).find(free) {
            text(out, (x, at), "ink", "text-anchor=\"middle\"", &mark.text);
            taken.push((x, at, half));
        }
        out.push_str("</g>");
    }
}
