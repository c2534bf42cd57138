//! Where the parts of a chart lie: title, legend, frame with its two axes, colour bar.

use super::{
    chart::{Chart, Series, Style},
    colour_bar::Bar,
    legend::Legend,
    scale::Scale,
    theme::width,
};

/// What the labels and the title of the horizontal axis take, px.
const BELOW: f64 = 50.0;
/// From a tick to the next, px, about: along x in wide and in narrow charts, and along y.
const SPACING: [f64; 3] = [88.0, 62.0, 44.0];
/// A chart below this width is narrow, px.
const NARROW: f64 = 400.0;

/// A chart, laid out at a width.
pub struct Layout<'a> {
    /// Width and height, px.
    pub size: (f64, f64),
    /// The left end and the upper end of the frame, px.
    pub corner: (f64, f64),
    /// Width and height of the frame, px.
    pub frame: (f64, f64),
    /// The horizontal axis.
    pub x: Scale,
    /// The vertical axis.
    pub y: Scale,
    /// The names of the series.
    pub legend: Legend<'a>,
    /// What the colours mean.
    pub bar: Option<Bar<'a>>,
}

impl<'a> Layout<'a> {
    /// The chart in this size (px), which begins with a head of this height for the title.
    pub fn new(chart: &'a Chart, (full, height): (f64, f64), head: f64) -> Self {
        let pad_y = if chart.image.is_some() { 0.0 } else { 0.06 };
        let ys = || {
            let values = chart.series.iter().flat_map(|s| s.y.iter().copied());
            values.chain(chart.image.iter().flat_map(|i| [i.y.0, i.y.1]))
        };
        let vertical = |bottom: f64| Scale::new(&chart.y, ys(), (bottom, 0.0), SPACING[2], pad_y);
        let widest = vertical(height).labels.iter().map(|l| width(l)).fold(width("0.00"), f64::max);
        let left = 36.0 + widest;
        let legend = Legend::new(&chart.series, left, full - 8.0);
        let top = head + legend.height() + 10.0;
        let bar = |height: f64| chart.colours.as_ref().map(|colours| Bar::new(colours, height));
        let beside = bar(height - top - BELOW).map_or(20.0, |bar| bar.width);
        let across = full - left - beside;
        let down = chart.aspect.map_or((height - top - BELOW).max(40.0), |aspect| across * aspect);
        let pad_x = if chart.series.iter().all(only_goes_right) { 0.0 } else { 0.03 };
        let xs = chart.series.iter().flat_map(|s| s.x.iter().copied());
        let xs = xs.chain(chart.image.iter().flat_map(|i| [i.x.0, i.x.1]));
        Self {
            size: (full, top + down + BELOW),
            corner: (left, top),
            frame: (across, down),
            x: Scale::new(&chart.x, xs, (0.0, across), SPACING[usize::from(full < NARROW)], pad_x),
            y: vertical(down),
            legend,
            bar: bar(down),
        }
    }
}

/// Whether a series is a line from left to right, which may reach the frame.
pub fn only_goes_right(series: &Series) -> bool {
    !matches!(series.style, Style::Points | Style::LinePoints) && series.x.is_sorted()
}
