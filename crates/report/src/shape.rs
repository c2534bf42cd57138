//! The shapes of long bodies over the first periods of their lowest partial.

use crate::partials;
use hamiltone_core::{geometry::Place, row::Row};
use hamiltone_render::Block;
use hamiltone_scene::plan::{BodyPlan, Plan};

/// Places along a body.
const PLACES: usize = 160;
/// How many periods are kept.
pub const PERIODS: f64 = 4.0;
/// The most instants that are kept.
const INSTANTS: f64 = 4000.0;
/// The most bodies that are shown.
const BODIES: usize = 3;

/// The shape of one body over time.
pub struct Shape {
    /// The body's name.
    pub body: String,
    /// The quantity, and its unit.
    pub quantity: (&'static str, &'static str),
    /// Where, m from the left end.
    pub x: Vec<f64>,
    /// Its length, m.
    pub length: f64,
    /// The period of its lowest partial, s.
    pub period: f64,
    /// When, s.
    pub times: Vec<f64>,
    /// The displacements at every x, one instant after the other.
    pub values: Vec<f64>,
    rows: Vec<Row>,
    most: usize,
}

impl Shape {
    /// Those of a plan's long bodies.
    pub fn all(plan: &Plan) -> Vec<Self> {
        plan.bodies.iter().filter_map(|body| Self::new(plan, body)).take(BODIES).collect()
    }

    fn new(plan: &Plan, body: &BodyPlan) -> Option<Self> {
        let length = body.placed.geometry.length()?;
        let theory = body.placed.representation.partial(1);
        let lowest = theory.or_else(|| partials::discrete(plan, body, 1).first().copied())?;
        let fractions = || (0..=PLACES).map(|i| i as f64 / PLACES as f64);
        let x: Vec<f64> = fractions().map(|fraction| fraction * length).collect();
        let row = |fraction| body.placed.row(Place::Fraction(fraction)).ok();
        let rows = fractions().map(row).collect::<Option<Vec<Row>>>()?;
        let most = (PERIODS / lowest * plan.sample_rate).clamp(16.0, INSTANTS) as usize + 1;
        let unit = body.placed.measure.position();
        let quantity = if unit == "m" { ("displacement", unit) } else { ("volume displaced", unit) };
        Some(Self {
            body: body.name.clone(),
            quantity,
            x,
            length,
            period: 1.0 / lowest,
            times: Vec::new(),
            values: Vec::new(),
            rows,
            most,
        })
    }

    /// Enters the state after a block.
    pub fn post(&mut self, block: &Block) {
        if self.times.len() < self.most {
            self.times.push(block.last() as f64 / block.rate);
            self.values.extend(self.rows.iter().map(|row| row.dot(block.q)));
        }
    }

    /// The shape at the instant of this number.
    pub fn at(&self, instant: usize) -> &[f64] {
        &self.values[instant * self.x.len()..(instant + 1) * self.x.len()]
    }
}
