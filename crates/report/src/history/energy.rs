//! Energies over time, thinned to what a chart can show.

use hamiltone_core::state::Archive;
use hamiltone_render::{Block, totals::Totals};

/// The approximate number of points over a run; each has the extremes of the rows that it represents.
const POINTS: u64 = 20_000;

/// Energies over time.
#[derive(Default)]
pub struct Energy {
    /// Rows per point.
    every: u64,
    /// The row from which the next point may be taken.
    due: u64,
    totals: Totals,
    stored: (f64, f64),
    residual: (f64, f64),
    physical: (f64, f64),
    /// The points.
    pub points: Vec<Point>,
}

/// The rows since the previous point.
pub struct Point {
    /// Time of the last row, s.
    pub time: f64,
    /// The number of the last row.
    pub row: u64,
    /// The smallest and largest energy stored, J.
    pub stored: (f64, f64),
    /// The smallest and largest Σ r, J, and physical energy, J, where that differs from the discrete one of the scheme; no range of
    /// numbers where none was taken.
    pub residual: (f64, f64),
    pub physical: (f64, f64),
    /// The sums at the last row.
    pub totals: Totals,
}

impl Point {
    fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.time);
        archive.long(&mut self.row);
        extremes(archive, &mut self.stored);
        extremes(archive, &mut self.residual);
        extremes(archive, &mut self.physical);
        self.totals.archive(archive);
    }
}

fn extremes(archive: &mut Archive, (low, high): &mut (f64, f64)) {
    archive.number(low);
    archive.number(high);
}

/// A range without values.
const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

impl Energy {
    /// No points yet, of a run of `steps` steps.
    pub fn new(steps: u64) -> Self {
        Self {
            every: (steps / POINTS).max(1),
            stored: EMPTY,
            residual: EMPTY,
            physical: EMPTY,
            ..Self::default()
        }
    }

    /// Adds the rows of a block.
    pub fn post(&mut self, block: &Block) {
        for (row, ledger) in (block.first..).zip(block.ledgers) {
            self.totals.post(ledger);
            widen(&mut self.stored, self.totals.stored);
            if !ledger.partial {
                widen(&mut self.residual, self.totals.residual);
            }
            if row == block.last() {
                block.physical.iter().for_each(|energy| widen(&mut self.physical, *energy));
            }
            if row >= self.due {
                self.due = row + self.every;
                self.add_point(row, block.rate);
            }
        }
    }

    /// Goes through the energies, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.due);
        self.totals.archive(archive);
        extremes(archive, &mut self.stored);
        extremes(archive, &mut self.residual);
        extremes(archive, &mut self.physical);
        let mut count = self.points.len();
        archive.size(&mut count);
        // Each has several numbers: a count of more points than there are numbers leaves some of these, and is refused.
        if let Archive::Read(numbers) = archive {
            count = count.min(numbers.len());
        }
        let (stored, residual, physical) = (EMPTY, EMPTY, EMPTY);
        let empty = || Point { time: 0.0, row: 0, stored, residual, physical, totals: Totals::default() };
        self.points.resize_with(count, empty);
        self.points.iter_mut().for_each(|point| point.archive(archive));
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        self.points.is_sorted_by(|a, b| a.row < b.row)
    }

    /// Adds the last rows of a run that ended at `row`, between two points.
    pub fn close(&mut self, row: u64, rate: f64) {
        if self.points.last().is_none_or(|point| point.row < row) {
            self.add_point(row, rate);
        }
    }

    fn add_point(&mut self, row: u64, rate: f64) {
        self.points.push(Point {
            time: row as f64 / rate,
            row,
            stored: self.stored,
            residual: self.residual,
            physical: self.physical,
            totals: self.totals,
        });
        (self.stored, self.residual, self.physical) = (EMPTY, EMPTY, EMPTY);
    }
}

fn widen(range: &mut (f64, f64), x: f64) {
    *range = (range.0.min(x), range.1.max(x));
}
