//! The energy of a plate that stretches in each third of an octave over time.
//!
//!   E_k(t) = 2 ⟨Σ ½mq̇²⟩,   the sum over the modes of band k, |10 log₁₀(f/1 kHz) − k| ≤ ½   (IEC 61260-1, base ten)
//!
//! in the mean over a column of time: kinetic energy, of which a mode has half of its energy in the mean, whatever stiffens it.

use hamiltone_core::{operator::Operator, state::Archive};
use hamiltone_numerics::math::log10;
use hamiltone_render::{Block, cascade};
use hamiltone_scene::Plan;
use std::{f64::consts::TAU, ops::Range};

/// Samples of the sound from one look to the next.
const EVERY: u64 = 16;
/// A picture has at most twice as many columns.
const COLUMNS: usize = 300;

/// One plate.
pub struct Octaves {
    /// The body's name.
    pub body: String,
    /// The numbers k of the lowest and of the highest band, both with modes.
    pub bands: (i32, i32),
    /// Samples of the sound in a column.
    pub every: u64,
    /// Energies (J) added up over the looks of each column: columns × bands.
    pub sums: Vec<f64>,
    /// How often it was looked at.
    looks: u64,
    dofs: Range<usize>,
    /// The mass of each mode, and its band, counted from the lowest.
    modes: Vec<(f64, usize)>,
}

impl Octaves {
    /// The plates of a plan that stretch.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let of = |plate: cascade::Modes| {
            let block = plan.system.blocks.iter().find(|block| block.dofs.contains(&plate.dofs.start))?;
            let Operator::Diagonal(stiffness) = &block.stiffness else { return None };
            let band = |i: usize| {
                let frequency = (stiffness[i - block.dofs.start] / plan.system.mass[i]).sqrt() / TAU;
                (10.0 * log10(frequency / 1000.0)).round() as i32
            };
            let bands = (band(plate.dofs.start), band(plate.dofs.end - 1));
            let mode = |i: usize| (plan.system.mass[i], (band(i) - bands.0) as usize);
            let modes = plate.dofs.clone().map(mode).collect();
            let (body, dofs) = (plate.body, plate.dofs);
            Some(Self { body, bands, every: EVERY, sums: Vec::new(), looks: 0, dofs, modes })
        };
        cascade::plates(plan).into_iter().filter_map(of).collect()
    }

    /// The number of bands.
    pub fn count(&self) -> usize {
        (self.bands.1 - self.bands.0 + 1) as usize
    }

    /// The mean energies (J) of the bands, column by column, without one that is not full.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        let looks = self.every / EVERY;
        let full = (self.looks / looks) as usize * self.count();
        self.sums.iter().take(full).map(move |sum| sum / looks as f64)
    }

    /// Adds a sample of the sound, where it is one that is looked at.
    pub fn post(&mut self, plan: &Plan, block: &Block) {
        if !(block.last() / plan.oversampling as u64).is_multiple_of(EVERY) {
            return;
        }
        while self.looks * EVERY / self.every >= 2 * COLUMNS as u64 {
            self.halve();
        }
        let bands = self.count();
        let column = (self.looks * EVERY / self.every) as usize * bands;
        self.looks += 1;
        self.sums.resize(column + bands, 0.0);
        for ((mass, band), v) in self.modes.iter().zip(&block.v[self.dofs.clone()]) {
            self.sums[column + band] += mass * v * v;
        }
    }

    /// Joins columns in pairs.
    fn halve(&mut self) {
        let bands = self.count();
        let both = |pair: &[f64], band: usize| pair[band] + pair.get(bands + band).copied().unwrap_or(0.0);
        let pairs = self.sums.chunks(2 * bands);
        self.sums = pairs.flat_map(|pair| (0..bands).map(move |band| both(pair, band))).collect();
        self.every *= 2;
    }

    /// Goes through the columns, to write them into a checkpoint or to take them over.
    pub fn archive(&mut self, archive: &mut Archive) {
        archive.long(&mut self.every);
        archive.list(&mut self.sums);
        archive.long(&mut self.looks);
    }

    /// Whether the numbers of a checkpoint can be those of a run.
    pub fn fits(&self) -> bool {
        let bands = self.count();
        self.sums.len().is_multiple_of(bands)
            && self.sums.len() / bands <= 2 * COLUMNS
            && self.every.is_power_of_two()
            && (EVERY..1 << 48).contains(&self.every)
            && self.looks <= self.sums.len() as u64 / bands as u64 * (self.every / EVERY)
    }
}
