//! A chart as data: series over two labelled axes.

use super::units;

/// A chart: series over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, first at the bottom.
    pub series: Vec<Series>,
    /// Points that are labelled.
    pub marks: Vec<Mark>,
    /// A picture under the series, such as a spectrogram.
    pub image: Option<Image>,
    /// The colours of the picture, where these stand for values.
    pub colours: Option<ColourBar>,
    /// Width and height, px.
    pub size: (f64, f64),
    /// Height over width of the frame, where both axes have the same scale; it takes the place of the height.
    pub aspect: Option<f64>,
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity.
    pub label: String,
    /// Its unit, or `""`; SI units get a prefix that suits the range.
    pub unit: String,
    /// Whether the axis is logarithmic; it then shows positive values only.
    pub log: bool,
    /// The ends of the axis; those of the data where absent.
    pub range: Option<(f64, f64)>,
}

/// A named series of points (xᵢ, yᵢ). Points that are not finite leave a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend; `""` leaves it out and keeps the colour of the series before.
    pub name: String,
    /// Horizontal values.
    pub x: Vec<f64>,
    /// Vertical values, as many.
    pub y: Vec<f64>,
    /// How it is drawn.
    pub style: Style,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line.
    Line,
    /// A dashed line, for references.
    Dashed,
    /// Dots.
    Points,
    /// Dots joined by a line.
    LinePoints,
    /// A line with the area to the lower end of the axis tinted.
    Area,
}

/// A labelled point.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
    /// What it says.
    pub text: String,
}

/// A picture that fills a rectangle of the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The picture as a `data:` address.
    pub data_uri: String,
    /// Its left and right ends on the x axis.
    pub x: (f64, f64),
    /// Its lower and upper ends on the y axis.
    pub y: (f64, f64),
}

/// Which value a colour stands for: a bar beside the chart, with ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourBar {
    /// The quantity, with its range.
    pub axis: Axis,
    /// The colours from the highest value down, as a `data:` address of a picture.
    pub data_uri: String,
}

impl Chart {
    /// An empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            series: Vec::new(),
            marks: Vec::new(),
            image: None,
            colours: None,
            size: (640.0, 360.0),
            aspect: None,
        }
    }

    /// The chart with one more series.
    #[must_use]
    pub fn with(mut self, style: Style, name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        self.series.push(Series { name: name.into(), x, y, style });
        self
    }

    /// The chart with one more line.
    #[must_use]
    pub fn line(self, name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        self.with(Style::Line, name, x, y)
    }

    /// The chart with one more set of dots.
    #[must_use]
    pub fn points(self, name: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        self.with(Style::Points, name, x, y)
    }

    /// The chart at this width and height, px.
    #[must_use]
    pub fn sized(mut self, width: f64, height: f64) -> Self {
        self.size = (width, height);
        self
    }
}

impl Axis {
    /// A linear axis of a quantity in a unit (`""` for a plain number).
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: units::typeset(&unit.into()), log: false, range: None }
    }

    /// The same axis, logarithmic.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// The same axis from `low` to `high`.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }
}
