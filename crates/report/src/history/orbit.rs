//! The phase-plane trajectory of one body.

use hamiltone_core::{body::Measure, row::Row, state::Archive};
use hamiltone_render::Block;
use hamiltone_scene::Plan;
use std::collections::VecDeque;

/// The largest number of points kept of the beginning, and of the end.
const MAX_POINTS: usize = 4096;

/// Displacement and velocity at the middle of the first body, at the samples of the sound.
pub struct Orbit {
    /// The body's name.
    pub body: String,
    /// The units of its coordinates.
    pub measure: Measure,
    /// Its middle.
    row: Row,
    /// γ = R/M, 1/s, of a body with one degree of freedom; 0 otherwise.
    pub gamma: f64,
    /// The mass at that point, kg or kg/m².
    pub mass: f64,
    /// The first points (t, q, v).
    pub first: Vec<[f64; 3]>,
    /// The last points, oldest first, where there are more.
    pub last: VecDeque<[f64; 3]>,
}

impl Orbit {
    /// That of the first body, if there is one.
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
            last: VecDeque::new(),
        })
    }

    /// Adds the state after a block.
    pub fn post(&mut self, block: &Block) {
        let point = [block.last() as f64 / block.rate, self.row.dot(block.q), self.row.dot(block.v)];
        if self.first.len() < MAX_POINTS {
            self.first.push(point);
        } else {
            if self.last.len() == MAX_POINTS {
                self.last.pop_front();
            }
            self.last.push_back(point);
        }
    }

    /// Goes through the points, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.groups(&mut self.first);
        let mut last: Vec<[f64; 3]> = self.last.iter().copied().collect();
        archive.groups(&mut last);
        self.last = last.into();
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        self.first.len().max(self.last.len()) <= MAX_POINTS
    }
}
