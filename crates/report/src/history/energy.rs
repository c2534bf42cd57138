//! Energies over time, thinned.

use hamiltone_render::{Block, totals::Totals};

/// About this many points over a run, each with the extremes of what it stands for.
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
    /// The points so far.
    pub points: Vec<Point>,
    /// The physical energy, J, at times, s, where the books keep another.
    pub physical: Vec<(f64, f64)>,
}

/// The rows up to a time, since the point before.
pub struct Point {
    /// t, s.
    pub time: f64,
    /// The number of the last row.
    pub row: u64,
    /// The smallest and largest energy stored, J.
    pub stored: (f64, f64),
    /// The smallest and largest Σ r, J.
    pub residual: (f64, f64),
    /// The sums at the last row.
    pub totals: Totals,
}

const NOTHING: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

impl Energy {
    /// For a run of so many steps.
    pub fn new(steps: u64) -> Self {
        Self { every: (steps / POINTS).max(1), stored: NOTHING, residual: NOTHING, ..Self::default() }
    }

    /// Enters the rows of a block.
    pub fn post(&mut self, block: &Block) {
        for (row, ledger) in (block.first..).zip(block.ledgers) {
            self.totals.post(ledger);
            if ledger.partial {
                continue;
            }
            widen(&mut self.stored, self.totals.stored);
            widen(&mut self.residual, self.totals.residual);
            if row >= self.due {
                self.due = row + self.every;
                self.keep(row, block.rate);
            }
        }
        let time = block.last() as f64 / block.rate;
        self.physical.extend(block.physical.map(|energy| (time, energy)));
    }

    /// Enters the last rows of a run that ended between two points.
    pub fn close(&mut self, row: u64, rate: f64) {
        if self.points.last().is_none_or(|point| point.row < row) {
            self.keep(row, rate);
        }
    }

    fn keep(&mut self, row: u64, rate: f64) {
        self.points.push(Point {
            time: row as f64 / rate,
            row,
            stored: self.stored,
            residual: self.residual,
            totals: self.totals,
        });
        (self.stored, self.residual) = (NOTHING, NOTHING);
    }
}

fn widen(range: &mut (f64, f64), x: f64) {
    *range = (range.0.min(x), range.1.max(x));
}
