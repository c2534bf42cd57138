//! What a paper's figure or table becomes: data, for any sink to draw or print.

use std::fmt;

/// A figure: panels that belong under one caption.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its file name, without extension: `fig1`.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What to look for in it.
    pub caption: String,
    /// Its panels, in reading order.
    pub panels: Vec<Panel>,
}

/// One pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Its curves.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its quantity.
    pub label: &'static str,
    /// Its SI unit, or `""`.
    pub unit: &'static str,
    /// Whether it is logarithmic.
    pub log: bool,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its entry in the legend.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Its points, in order.
    pub points: Vec<(f64, f64)>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line through the points.
    Line,
    /// A dashed line: the benchmark or the exact solution.
    Dashed,
    /// The points alone.
    Points,
}

/// A table, usually of printed against computed values.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of its columns.
    pub columns: Vec<String>,
    /// Its rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// What is printed differently, what is computed, and why.
    pub notes: Vec<String>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words, or a number as the paper prints it.
    Text(String),
    /// A computed number, printed to six digits.
    Number(f64),
    /// The paper says nothing here.
    Blank,
}

/// What an item makes.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Printed against computed.
    pub tables: Vec<Table>,
    /// The pictures.
    pub figures: Vec<Figure>,
}

/// How long an item may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A shorter run that shows the same thing.
    Short,
    /// The paper's own length.
    Full,
}

/// A figure or table of a paper that can be made again.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The paper's folder: `author_year`.
    pub paper: &'static str,
    /// Its name on the command line: `fig2`, `table1`, `orders`.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// About how long the full form takes on one core, s.
    pub seconds: f64,
    /// Makes it.
    pub make: fn(Effort) -> Result<Outcome, Unable>,
}

impl Item {
    /// The longest full form that is made without being asked for, s.
    pub const PATIENCE: f64 = 30.0;

    /// The effort to make it with: short only where the full form takes more than [`Item::PATIENCE`].
    pub fn effort(&self, full: bool) -> Effort {
        if full || self.seconds <= Self::PATIENCE { Effort::Full } else { Effort::Short }
    }
}

/// Why an item could not be made: a part refused its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Unable(pub String);

impl fmt::Display for Unable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unable {}

impl From<hamiltone_core::refusal::Refusal> for Unable {
    fn from(refusal: hamiltone_core::refusal::Refusal) -> Self {
        Self(refusal.to_string())
    }
}

impl From<hamiltone_core::parameter::Complaints> for Unable {
    fn from(complaints: hamiltone_core::parameter::Complaints) -> Self {
        Self(complaints.to_string())
    }
}

impl From<hamiltone_core::parameter::Complaint> for Unable {
    fn from(complaint: hamiltone_core::parameter::Complaint) -> Self {
        Self(complaint.to_string())
    }
}

impl Outcome {
    /// One table and one figure.
    pub fn new(table: Table, figure: Figure) -> Self {
        Self { tables: vec![table], figures: vec![figure] }
    }
}

impl Panel {
    /// A panel with linear axes, each a quantity and its SI unit.
    pub fn new(
        title: impl Into<String>,
        x: (&'static str, &'static str),
        y: (&'static str, &'static str),
        series: Vec<Series>,
    ) -> Self {
        let axis = |(label, unit)| Axis { label, unit, log: false };
        Self { title: title.into(), x: axis(x), y: axis(y), series }
    }

    /// The same panel with a logarithmic vertical axis.
    pub fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    /// The same panel with a logarithmic horizontal axis.
    pub fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }
}

impl Series {
    /// A line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), mark: Mark::Line, points: points.into_iter().collect() }
    }

    /// A dashed line.
    pub fn dashed(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { mark: Mark::Dashed, ..Self::line(name, points) }
    }

    /// The lowest and the highest of each of `groups` equal runs of points: what a
    /// picture of more points than pixels shows.
    pub fn extremes(name: impl Into<String>, points: &[(f64, f64)], groups: usize) -> Self {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends = points.chunks(points.len().div_ceil(groups).max(1)).flat_map(|run| {
            [run.iter().min_by(by_height), run.iter().max_by(by_height)].into_iter().flatten().copied()
        });
        Self::points(name, ends)
    }

    /// Points alone.
    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { mark: Mark::Points, ..Self::line(name, points) }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Cell::Number(number)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Blank, Into::into)
    }
}
