//! Drawing one chart: frame, grid, series, labels, legend.
//!
//! Colours are written as attributes, so that any viewer shows them, and as
//! classes, so that a dark scheme can replace them.

use super::{
    chart::{Chart, Mark, Series, Style},
    scale::Scale,
    thin,
};
use std::fmt::Write as _;

/// The colours of series in the light scheme, distinguishable for colour-blind readers.
const COLOURS: [&str; 7] = ["#2563c9", "#d9541e", "#12855f", "#8b46b5", "#b98500", "#0e8fa8", "#c2356f"];

/// What a dark scheme replaces, and what every chart's text looks like.
pub const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-variant-numeric:tabular-nums}\
@media(prefers-color-scheme:dark){\
.paper{fill:#14181f}.ink{fill:#e6e9ee}.faint{fill:#9aa4b2}.grid{stroke:#2a313c}.axis{stroke:#4b5563}\
.s0{stroke:#6ea8ff}.f0{fill:#6ea8ff}.s1{stroke:#ff9461}.f1{fill:#ff9461}.s2{stroke:#3fd0a0}.f2{fill:#3fd0a0}\
.s3{stroke:#c792ea}.f3{fill:#c792ea}.s4{stroke:#e8c15a}.f4{fill:#e8c15a}.s5{stroke:#4fc8de}.f5{fill:#4fc8de}\
.s6{stroke:#f283b0}.f6{fill:#f283b0}}";

/// Text with what XML and HTML reserve replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' && c != '\n' && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

/// The chart as a nested SVG element at (x, y).
pub fn panel(chart: &Chart, x: f64, y: f64) -> String {
    let (width, height) = chart.size;
    let colours = colours(&chart.series);
    let named = colours.iter().copied().zip(&chart.series).filter(|(_, series)| !series.name.is_empty());
    let legend: Vec<_> = named.filter(|_| chart.series.len() > 1).collect();
    let (top, bottom) = (if legend.is_empty() { 36.0 } else { 58.0 }, height - 46.0);
    let pad_x = if chart.series.iter().all(only_goes_right) { 0.0 } else { 0.03 };
    let ys = chart.series.iter().flat_map(|s| s.y.iter().copied());
    let ys = ys.chain(chart.image.iter().flat_map(|i| [i.y.0, i.y.1]));
    let pad_y = if chart.image.is_some() { 0.0 } else { 0.06 };
    let vertical = Scale::new(&chart.y, ys, (bottom - top, 0.0), 46.0, pad_y);
    let widest = vertical.labels.iter().map(|l| l.chars().count()).max().unwrap_or(0).max(5);
    let (left, right) = (42.0 + 6.6 * widest as f64, width - 22.0);
    let xs = chart.series.iter().flat_map(|s| s.x.iter().copied());
    let xs = xs.chain(chart.image.iter().flat_map(|i| [i.x.0, i.x.1]));
    let horizontal = Scale::new(&chart.x, xs, (0.0, right - left), 84.0, pad_x);

    let frame = Frame { left, top, width: right - left, height: bottom - top, x: horizontal, y: vertical };
    let mut out = format!(
        "<svg x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">"
    );
    text(&mut out, (left, 22.0), "ink", "font-size=\"14\" font-weight=\"600\"", &chart.title);
    key(&mut out, &legend, left);
    frame.axes(&mut out);
    let _ = write!(
        out,
        "<svg x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">",
        left, top, frame.width, frame.height
    );
    frame.image(&mut out, chart);
    colours.iter().zip(&chart.series).for_each(|(i, series)| frame.series(&mut out, series, *i));
    out.push_str("</svg>");
    frame.marks(&mut out, &chart.marks);
    out.push_str("</svg>");
    out
}

/// The inner rectangle of a chart, px, and its two axes.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn axes(&self, out: &mut String) {
        let (left, bottom) = (self.left, self.top + self.height);
        let small = "font-size=\"11.5\"";
        for (tick, label) in self.x.ticks.iter().zip(&self.x.labels) {
            let at = left + self.x.at(*tick);
            line(out, "grid", "#e3e7ed", (at, self.top), (at, bottom));
            text(out, (at, bottom + 17.0), "faint", &format!("{small} text-anchor=\"middle\""), label);
        }
        for (tick, label) in self.y.ticks.iter().zip(&self.y.labels) {
            let at = self.top + self.y.at(*tick);
            line(out, "grid", "#e3e7ed", (left, at), (left + self.width, at));
            text(out, (left - 8.0, at + 4.0), "faint", &format!("{small} text-anchor=\"end\""), label);
        }
        line(out, "axis", "#9aa4b2", (left, bottom), (left + self.width, bottom));
        line(out, "axis", "#9aa4b2", (left, self.top), (left, bottom));
        let middle = "font-size=\"12\" text-anchor=\"middle\"";
        text(out, (left + self.width / 2.0, bottom + 37.0), "ink", middle, &self.x.title);
        let (at, turned) = (self.top + self.height / 2.0, 18.0);
        text(
            out,
            (turned, at),
            "ink",
            &format!("{middle} transform=\"rotate(-90 {turned} {at:.1})\""),
            &self.y.title,
        );
    }

    fn image(&self, out: &mut String, chart: &Chart) {
        let Some(image) = &chart.image else { return };
        let (x0, x1) = (self.x.at(image.x.0), self.x.at(image.x.1));
        let (y0, y1) = (self.y.at(image.y.1), self.y.at(image.y.0));
        let _ = write!(
            out,
            "<image x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" preserveAspectRatio=\"none\" href=\"{}\"/>",
            x1 - x0,
            y1 - y0,
            escape(&image.data_uri)
        );
    }

    fn series(&self, out: &mut String, series: &Series, i: usize) {
        let colour = COLOURS[i];
        let points: Vec<_> =
            series.x.iter().zip(&series.y).map(|(x, y)| (self.x.at(*x), self.y.at(*y))).collect();
        let dash = if series.style == Style::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        if series.style == Style::Area {
            let shown: Vec<_> =
                points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite()).collect();
            if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
                let _ = write!(
                    out,
                    "<path class=\"f{i}\" d=\"{}L{:.1} {2:.1} {3:.1} {2:.1}Z\" fill=\"{colour}\" fill-opacity=\"0.14\"/>",
                    thin::path(&shown),
                    last.0,
                    self.height,
                    first.0
                );
            }
        }
        if series.style != Style::Points {
            let _ = write!(
                out,
                "<path class=\"s{i}\" d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" stroke-linejoin=\"round\"{dash}/>",
                thin::path(&points)
            );
        }
        if matches!(series.style, Style::Points | Style::LinePoints) {
            for (x, y) in points.iter().filter(|p| p.0.is_finite() && p.1.is_finite()) {
                let _ = write!(
                    out,
                    "<circle class=\"f{i}\" cx=\"{}\" cy=\"{}\" r=\"2.6\" fill=\"{colour}\"/>",
                    thin::tenth(*x),
                    thin::tenth(*y)
                );
            }
        }
    }

    /// Dots with labels; a label that would cover an earlier one is lifted, or left out.
    fn marks(&self, out: &mut String, marks: &[Mark]) {
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        for mark in marks {
            let (x, y) = (self.left + self.x.at(mark.x), self.top + self.y.at(mark.y));
            if !(x.is_finite() && y.is_finite()) {
                continue;
            }
            let half = 3.4 * mark.text.chars().count() as f64 + 3.0;
            let free = |at: &f64| {
                let apart = |t: &(f64, f64, f64)| (t.0 - x).abs() > t.2 + half || (t.1 - at).abs() > 12.0;
                *at > self.top + 9.0 && taken.iter().all(apart)
            };
            let _ =
                write!(out, "<circle class=\"ink\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"#1c2430\"/>");
            if let Some(at) = [8.0, 21.0].into_iter().map(|lift| y - lift).find(free) {
                text(out, (x, at), "ink", "font-size=\"11\" text-anchor=\"middle\"", &mark.text);
                taken.push((x, at, half));
            }
        }
    }
}

/// The number of each series' colour: a new one for each that has a name, or that is the first.
fn colours(series: &[Series]) -> Vec<usize> {
    let names = series.iter().enumerate().map(|(i, series)| i > 0 && !series.name.is_empty());
    names
        .scan(0, |number, named| {
            *number += usize::from(named);
            Some(*number % COLOURS.len())
        })
        .collect()
}

/// Whether a series is a line from left to right, which may reach the frame.
fn only_goes_right(series: &Series) -> bool {
    !matches!(series.style, Style::Points | Style::LinePoints) && series.x.is_sorted()
}

/// The legend, in one row under the title.
fn key(out: &mut String, legend: &[(usize, &Series)], left: f64) {
    let mut x = left;
    for (i, series) in legend {
        let dash = if series.style == Style::Dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        if series.style == Style::Points {
            let _ = write!(
                out,
                "<circle class=\"f{i}\" cx=\"{:.1}\" cy=\"42\" r=\"3.4\" fill=\"{}\"/>",
                x + 9.0,
                COLOURS[*i]
            );
        } else {
            let _ = write!(
                out,
                "<path class=\"s{i}\" d=\"M{x:.1} 42h18\" stroke=\"{}\" stroke-width=\"2.4\"{dash}/>",
                COLOURS[*i]
            );
        }
        text(out, (x + 24.0, 46.0), "faint", "font-size=\"12\"", &series.name);
        x += 40.0 + 6.4 * series.name.chars().count() as f64;
    }
}

fn line(out: &mut String, class: &str, colour: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(
        out,
        "<path class=\"{class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, at: (f64, f64), class: &str, attributes: &str, text: &str) {
    let colour = if class == "ink" { "#1c2430" } else { "#5b6675" };
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" {attributes}>{}</text>",
        at.0,
        at.1,
        escape(text)
    );
}
