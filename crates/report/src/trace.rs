//! What the report keeps of a run while it lasts: energies over time, thinned, and one orbit.

use hamiltone_core::{body::Measure, row::Row};
use hamiltone_render::{Block, totals::Totals};
use hamiltone_scene::Plan;

/// About this many points over a run, each with the extremes of what it stands for.
const POINTS: u64 = 20_000;
/// The most points of a phase portrait.
const ORBIT: usize = 4096;

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

/// The path of one degree of freedom through its phase plane, at the rate of the sound:
/// that in the middle of the first body.
pub struct Orbit {
    /// The body's name.
    pub body: String,
    /// What it is measured in.
    pub measure: Measure,
    /// What is drawn of it: its middle.
    row: Row,
    /// γ = R/M, 1/s, where the body is a single oscillator.
    pub gamma: f64,
    /// M, kg or kg/m².
    pub mass: f64,
    /// The first points (t, q, v).
    pub first: Vec<[f64; 3]>,
    /// The last points, oldest first, where there are more than the first.
    pub last: std::collections::VecDeque<[f64; 3]>,
}

impl Orbit {
    /// For the first body, if there is one.
    pub fn new(plan: &Plan) -> Option<Self> {
        let body = plan.bodies.first().filter(|body| !body.placed.dofs.is_empty())?;
        let dofs = &body.placed.dofs;
        let mut points = body.placed.representation.samples();
        let middle = points.len() / 2;
        let middle = (middle < points.len()).then(|| points.swap_remove(middle).row);
        let row = middle.unwrap_or_else(|| Row::unit(dofs.start + dofs.len() / 2));
        let mass = 1.0 / row.sum(|i, w| w * w / plan.system.mass[i]);
        let damping = plan.system.diagonal_damping().map_or(0.0, |diagonal| diagonal[dofs.start]);
        let gamma = if dofs.len() == 1 { damping / mass } else { 0.0 };
        Some(Self {
            body: body.name.clone(),
            measure: body.placed.measure,
            row,
            gamma,
            mass,
            first: Vec::new(),
            last: std::collections::VecDeque::new(),
        })
    }

    /// Enters the state after a block.
    pub fn post(&mut self, block: &Block) {
        let point = [block.last() as f64 / block.rate, self.row.dot(block.q), self.row.dot(block.v)];
        if self.first.len() < ORBIT {
            self.first.push(point);
        } else {
            if self.last.len() == ORBIT {
                self.last.pop_front();
            }
            self.last.push_back(point);
        }
    }
}
