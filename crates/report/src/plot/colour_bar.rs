//! The bar beside a chart that says which value a colour stands for.

use super::{
    chart::ColourBar,
    scale::Scale,
    theme::{line, picture, text, width},
};

/// The width of the colours, px, and their distance from the frame.
const WIDTH: f64 = 14.0;
const GAP: f64 = 16.0;
/// What the turned title takes, px.
const TITLE: f64 = 26.0;

/// From a tick to the next, px, about.
const SPACING: f64 = 28.0;
/// Ticks asked for at least: of a range from −a to a, three remain.
const LEAST: f64 = 6.0;

/// A colour bar, laid out.
pub struct Bar<'a> {
    colours: &'a ColourBar,
    scale: Scale,
    /// From the frame to its right end, px.
    pub width: f64,
}

impl<'a> Bar<'a> {
    /// The bar of a frame of this height, px.
    pub fn new(colours: &'a ColourBar, height: f64) -> Self {
        let none = std::iter::empty();
        let scale = Scale::new(&colours.axis, none, (height, 0.0), SPACING.min(height / LEAST), 0.0);
        let widest = scale.labels.iter().map(|label| width(label)).fold(0.0, f64::max);
        Self { colours, scale, width: GAP + WIDTH + 8.0 + widest + TITLE }
    }

    /// Draws it right of a frame that ends at `right` and begins at `top`, px.
    pub fn draw(&self, out: &mut String, right: f64, top: f64, height: f64) {
        let left = right + GAP;
        picture(out, (left, top), (WIDTH, height), &self.colours.data_uri);
        for (tick, label) in self.scale.ticks.iter().zip(&self.scale.labels) {
            let at = top + self.scale.at(*tick);
            line(out, "axis", "#9aa4b2", (left + WIDTH, at), (left + WIDTH + 4.0, at));
            text(out, (left + WIDTH + 8.0, at + 5.0), "faint", "", label);
        }
        let (x, y) = (right + self.width - 4.0, top + 0.5 * height);
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        text(out, (x, y), "ink", &turned, &self.scale.title);
    }
}
