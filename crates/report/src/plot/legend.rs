//! The legend of a chart: the names of its series in rows above the frame.

use super::{
    chart::{Series, Style},
    theme::{COLOURS, text, width},
};
use std::fmt::Write as _;

/// The height of a row, px.
pub const ROW: f64 = 22.0;
/// What a name has beside it, px: its line, and the gap to the next.
const BESIDE: f64 = 44.0;

/// The number of each series' colour: a new one for each that has a name, or that is the first.
pub fn colours(series: &[Series]) -> Vec<usize> {
    let names = series.iter().enumerate().map(|(i, series)| i > 0 && !series.name.is_empty());
    names
        .scan(0, |number, named| {
            *number += usize::from(named);
            Some(*number % COLOURS.len())
        })
        .collect()
}

/// The series of a legend.
pub struct Legend<'a> {
    /// Row by row: the left end, the number of the colour, and the series.
    rows: Vec<Vec<(f64, usize, &'a Series)>>,
}

impl<'a> Legend<'a> {
    /// The legend between two ends, px; it is empty where there is one series only.
    pub fn new(series: &'a [Series], left: f64, right: f64) -> Self {
        let mut rows: Vec<Vec<(f64, usize, &Series)>> = Vec::new();
        let mut x = left;
        for (i, series) in colours(series).into_iter().zip(series).filter(|_| series.len() > 1) {
            if series.name.is_empty() {
                continue;
            }
            let end = x + BESIDE + width(&series.name);
            match rows.last_mut() {
                Some(row) if end - 16.0 <= right => row.push((x, i, series)),
                _ => rows.push(vec![(left, i, series)]),
            }
            x = rows.last().and_then(|row| row.last()).map_or(left, |(x, _, s)| x + BESIDE + width(&s.name));
        }
        Self { rows }
    }

    /// Its height, px.
    pub fn height(&self) -> f64 {
        ROW * self.rows.len() as f64
    }

    /// Draws it below `top`, px.
    pub fn draw(&self, out: &mut String, top: f64) {
        for (row, series) in self.rows.iter().enumerate() {
            let y = top + ROW * (row as f64 + 0.5);
            series.iter().for_each(|(x, i, series)| entry(out, (*x, y), *i, series));
        }
    }
}

fn entry(out: &mut String, (x, y): (f64, f64), i: usize, series: &Series) {
    let colour = COLOURS[i];
    if matches!(series.style, Style::Points) {
        let _ = write!(
            out,
            "<circle class=\"f{i}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.4\" fill=\"{colour}\"/>",
            x + 9.0
        );
    } else {
        let dash = if series.style == Style::Dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        let _ = write!(
            out,
            "<path class=\"s{i}\" d=\"M{x:.1} {y:.1}h18\" stroke=\"{colour}\" stroke-width=\"2.4\"{dash}/>"
        );
    }
    text(out, (x + 24.0, y + 5.0), "faint", "", &series.name);
}
