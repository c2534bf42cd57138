//! The inputs and outputs of a bank of modes, prepared against it: both are met in every step.

use super::{
    dense_rows::DenseRows,
    eights::{LANES, eights, zeros},
};
use crate::instructions;
use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};
use hamiltone_core::{
    input::Input,
    row::Row,
    system::{Quantity, System},
};
use hamiltone_numerics::{aligned::Aligned, lanes::fold};
use std::ops::Range;

/// The forces among the inputs of a system, and its outputs.
pub(crate) struct Terminals {
    level: Level,
    forces: DenseRows,
    /// Their numbers among the inputs.
    numbers: Vec<usize>,
    readouts: Vec<Readout>,
}

enum Readout {
    Displacement(ReadWeights),
    /// A row with its weights.
    Velocity(Row, ReadWeights),
    /// A mean force or a tension.
    Other(Quantity),
}

/// The weights of a row, padded like the bank, and by eights those outside of which all are 0: a row reads one of the bodies of a part.
pub(crate) struct ReadWeights {
    all: Aligned,
    eights: Range<usize>,
}

impl ReadWeights {
    fn new(all: Aligned) -> Self {
        // Whole eights, so that sums keep the lanes, and the bits, that they have over all modes.
        let is_read = |eight: &[f64; LANES]| *eight != [0.0; LANES];
        let first = eights(&all).position(is_read).unwrap_or(0);
        let end = all.as_chunks::<LANES>().0.iter().rposition(is_read).map_or(0, |last| last + 1);
        Self { all, eights: first..end }
    }

    /// The modes that it reads, whole eights, and their weights: a part of an instrument has many bodies, of which a row reads one.
    #[inline(always)]
    pub fn read(&self) -> (Range<usize>, &[f64]) {
        let read = self.eights.start * LANES..self.eights.end * LANES;
        (read.clone(), &self.all[read])
    }

    /// c·x.
    #[inline(always)]
    fn dot<S: Simd>(&self, simd: S, x: &[f64]) -> f64 {
        let (read, weights) = self.read();
        let mut sum = f64x8::splat(simd, 0.0);
        for (x, w) in eights(&x[read]).zip(eights(weights)) {
            sum += f64x8::from_slice(simd, x) * f64x8::from_slice(simd, w);
        }
        fold(sum.into())
    }
}

/// What an output reads of modes, with weights that are padded like the bank.
pub(crate) enum Reading<'a> {
    Displacement(&'a [f64]),
    Velocity(&'a [f64]),
}

impl Terminals {
    /// Those of `system`, whose coordinates are `scale` times those of the bank.
    pub fn new(system: &System, scale: &[f64]) -> Self {
        let readout = |quantity: &Quantity| match quantity {
            Quantity::Displacement(row) => {
                let mut weights = zeros(scale.len());
                row.entries().for_each(|(i, w)| weights[i] += w * scale[i]);
                Readout::Displacement(ReadWeights::new(weights))
            }
            Quantity::Velocity(row) => {
                let mut weights = zeros(scale.len());
                // The velocities of modes come in m/s: their scale is in what makes them of increments.
                row.add_scaled(1.0, &mut weights);
                Readout::Velocity(row.clone(), ReadWeights::new(weights))
            }
            // Forces at an instant, and what place and speed make together, are made of these before a stepper is asked.
            Quantity::Force(_) | Quantity::MeanForce(_) | Quantity::Motion(..) | Quantity::Tension(..) => {
                Readout::Other(quantity.clone())
            }
        };
        let inputs = system.inputs.iter().enumerate();
        Self {
            level: instructions::level(),
            forces: DenseRows::new(system.inputs.iter().filter_map(Input::row), scale),
            numbers: inputs.filter(|(_, input)| input.row().is_some()).map(|(k, _)| k).collect(),
            readouts: system.outputs.iter().map(|output| readout(&output.quantity)).collect(),
        }
    }

    /// Whether any input is a force.
    pub fn is_driven(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Bu, scaled, into `push`, which is zeros unless `pushed`; `value`(k) is that of input k. Returns whether any force is not 0.
    pub fn drive(&self, value: impl Fn(usize) -> f64, push: &mut [f64], pushed: bool) -> bool {
        // A bank that nothing drives does not read it, and most are not driven in most steps.
        if pushed {
            push.fill(0.0);
        }
        let mut driven = false;
        for (row, k) in self.numbers.iter().enumerate() {
            let force = value(*k);
            // Most inputs of an instrument are 0 most of the time; to add 0·w would change nothing.
            if force != 0.0 {
                self.forces.add(row, force, push);
                driven = true;
            }
        }
        driven
    }

    /// Gives the outputs of a bank at `place` to `set`, with their numbers; `other` tells mean forces and tensions, and `velocity` is that along a row
    /// with its weights.
    pub fn read(
        &self,
        place: &[f64],
        other: impl Fn(&Quantity) -> f64,
        velocity: impl Fn(&Row, &ReadWeights) -> f64,
        mut set: impl FnMut(usize, f64),
    ) {
        for (k, readout) in self.readouts.iter().enumerate() {
            let value = match readout {
                Readout::Displacement(weights) => dispatch!(self.level, simd => simd.vectorize(
                    #[inline(always)]
                    || weights.dot(simd, place)
                )),
                Readout::Velocity(row, weights) => velocity(row, weights),
                Readout::Other(quantity) => other(quantity),
            };
            set(k, value);
        }
    }

    /// The outputs that read any mode of these eight, with their numbers.
    pub fn readings(&self, eight: usize) -> impl Iterator<Item = (usize, Reading<'_>)> {
        self.readouts.iter().enumerate().filter_map(move |(k, readout)| match readout {
            Readout::Displacement(weights) if weights.eights.contains(&eight) => {
                Some((k, Reading::Displacement(&weights.all)))
            }
            Readout::Velocity(_, weights) if weights.eights.contains(&eight) => {
                Some((k, Reading::Velocity(&weights.all)))
            }
            _ => None,
        })
    }

    /// Whether each output reads both eights or none of them.
    pub fn read_alike(&self, eight: usize, other: usize) -> bool {
        self.readouts.iter().all(|readout| match readout {
            Readout::Displacement(weights) | Readout::Velocity(_, weights) => {
                weights.eights.contains(&eight) == weights.eights.contains(&other)
            }
            Readout::Other(_) => true,
        })
    }

    /// Whether all outputs read modes, none forces of elements or tensions.
    pub fn read_modes_only(&self) -> bool {
        !self.readouts.iter().any(|readout| matches!(readout, Readout::Other(_)))
    }
}
