//! The deflection of one-dimensional bodies over the first periods of their lowest partial.

use hamiltone_core::{geometry::Place, row::Row, state::Archive};
use hamiltone_render::{Block, tuning};
use hamiltone_scene::plan::{BodyPlan, Plan};

/// The number of intervals between the points shown.
const INTERVALS: usize = 160;
/// The number of periods kept.
pub const PERIODS: f64 = 4.0;
/// The largest number of instants kept.
const MAX_INSTANTS: f64 = 4000.0;
/// The largest number of bodies shown.
const MAX_BODIES: usize = 3;

/// The deflection of one body over time.
pub struct Shape {
    /// The body's name.
    pub body: String,
    /// The quantity, and its unit.
    pub quantity: (&'static str, &'static str),
    /// Positions, m from the left end.
    pub x: Vec<f64>,
    /// Its length, m.
    pub length: f64,
    /// The period of its lowest partial, s.
    pub period: f64,
    /// Times, s.
    pub times: Vec<f64>,
    /// The displacements, instants × positions.
    pub values: Vec<f64>,
    rows: Vec<Row>,
    /// The number of instants to keep.
    count: usize,
}

impl Shape {
    /// Those of the one-dimensional bodies of a plan.
    pub fn all(plan: &Plan) -> Vec<Self> {
        plan.bodies.iter().filter_map(|body| Self::new(plan, body)).take(MAX_BODIES).collect()
    }

    fn new(plan: &Plan, body: &BodyPlan) -> Option<Self> {
        let length = body.placed.geometry.length()?;
        let theory = body.placed.representation.partial(1);
        let lowest = theory.or_else(|| tuning::discrete(plan, body, 1).first().copied())?;
        let fractions = || (0..=INTERVALS).map(|i| i as f64 / INTERVALS as f64);
        let x: Vec<f64> = fractions().map(|fraction| fraction * length).collect();
        let row = |fraction| body.placed.row(Place::Fraction(fraction)).ok();
        let rows = fractions().map(row).collect::<Option<Vec<Row>>>()?;
        let count = (PERIODS / lowest * plan.sample_rate).clamp(16.0, MAX_INSTANTS) as usize + 1;
        let measure = body.placed.measure;
        let quantity = (measure.position_name(), measure.position());
        Some(Self {
            body: body.name.clone(),
            quantity,
            x,
            length,
            period: 1.0 / lowest,
            times: Vec::new(),
            values: Vec::new(),
            rows,
            count,
        })
    }

    /// Adds the state after a block.
    pub fn post(&mut self, block: &Block) {
        if self.times.len() < self.count {
            self.times.push(block.last() as f64 / block.rate);
            self.values.extend(self.rows.iter().map(|row| row.dot(block.q)));
        }
    }

    /// The displacements at the instant of this number.
    pub fn at(&self, instant: usize) -> &[f64] {
        &self.values[instant * self.x.len()..(instant + 1) * self.x.len()]
    }

    /// Goes through the instants, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.list(&mut self.times);
        archive.list(&mut self.values);
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        self.times.len() <= self.count && self.values.len() == self.times.len() * self.x.len()
    }
}
