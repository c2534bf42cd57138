//! Forces of elements at the sample.
//!
//! The force of an element is what its law gives for the positions, velocities and inputs at the sample ([`crate::instant`]), so
//! that it is the same quantity for every scheme, and is there at t = 0. A scheme is asked for c·q and c·q̇ alone: the
//! system that it is prepared for has these [`Probes`] as outputs where the user's reads a force.
//!
//! What place and speed make together ([`Quantity::Motion`]) is the sum of two outputs of the stepper.
//!
//! A rigid law has impulses and no force at an instant, and a custom law is known to its scheme alone: of these the mean
//! force over the last step is read.

use crate::{
    element::Law,
    instant::{Inputs, Instant},
    system::{Output, Quantity, System},
};
use std::{borrow::Cow, ops::Range, sync::Arc};

/// How the outputs of a system are made of those of its stepper.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    readings: Arc<[Reading]>,
    /// The stepper's outputs.
    values: Vec<f64>,
}

#[derive(Debug)]
enum Reading {
    /// An output of the stepper.
    Direct(usize),
    /// The sum of two outputs of the stepper.
    Sum(usize, usize),
    /// The sum of the forces of these elements and of these outputs of the stepper.
    Force(Vec<Probe>, Vec<usize>),
}

/// Where the arguments of one law are read.
#[derive(Debug)]
struct Probe {
    at: Instant,
    /// The output that is c·q, m.
    place: Option<usize>,
    /// The output that is c·q̇, m/s.
    rate: Option<usize>,
}

impl Readings {
    /// What `system` needs of a stepper, and how its outputs are made of that; nothing where it has them all.
    pub fn of(system: &System) -> (Cow<'_, System>, Option<Self>) {
        let made = |output: &Output| matches!(output.quantity, Quantity::Force(_) | Quantity::Motion(..));
        if !system.outputs.iter().any(made) {
            return (Cow::Borrowed(system), None);
        }
        let mut probes = Probes { system, outputs: Vec::new() };
        let readings: Arc<[Reading]> = system.outputs.iter().map(|output| probes.reading(output)).collect();
        let outputs = probes.outputs;
        let values = vec![0.0; outputs.len()];
        (Cow::Owned(System { outputs, ..system.clone() }), Some(Self { readings, values }))
    }

    /// Writes the outputs of `system`; `read` writes those of the stepper.
    pub fn write(
        &mut self,
        system: &System,
        inputs: &Inputs,
        read: impl FnOnce(&mut [f64]),
        output: &mut [f64],
    ) {
        read(&mut self.values);
        let values = &self.values;
        for (reading, out) in self.readings.iter().zip(output) {
            *out = match reading {
                Reading::Direct(i) => values[*i],
                Reading::Sum(i, j) => values[*i] + values[*j],
                Reading::Force(probes, means) => {
                    let forces: f64 = probes.iter().map(|probe| probe.force(system, inputs, values)).sum();
                    means.iter().fold(forces, |sum, i| sum + values[*i])
                }
            };
        }
    }
}

impl Probe {
    /// The force of the law, N.
    fn force(&self, system: &System, inputs: &Inputs, values: &[f64]) -> f64 {
        let given = &system.elements[self.at.element()];
        let place = self.place.map_or(0.0, |i| values[i]);
        self.at.force(given, inputs, place, || self.rate.map_or(0.0, |i| values[i]))
    }
}

/// The outputs that a stepper is asked for.
struct Probes<'a> {
    system: &'a System,
    outputs: Vec<Output>,
}

impl Probes<'_> {
    /// Asks for what an output is made of.
    fn reading(&mut self, output: &Output) -> Reading {
        let elements = match &output.quantity {
            Quantity::Force(elements) => elements,
            Quantity::Motion(place, speed) => {
                let place = self.ask(&output.name, Quantity::Displacement(place.clone()));
                return Reading::Sum(place, self.ask(&output.name, Quantity::Velocity(speed.clone())));
            }
            other => return Reading::Direct(self.ask(&output.name, other.clone())),
        };
        let (mut probes, mut means) = (Vec::new(), Vec::<Range<usize>>::new());
        for j in elements.clone() {
            match self.system.elements[j].law {
                Law::Compliant(_) | Law::Resistive(_) => probes.push(self.probe(&output.name, j)),
                Law::Rigid { .. } | Law::Port(_) | Law::Custom(_) => match means.last_mut() {
                    Some(run) if run.end == j => run.end += 1,
                    _ => means.push(j..j + 1),
                },
            }
        }
        let means = means.into_iter().map(|run| self.ask(&output.name, Quantity::MeanForce(run))).collect();
        Reading::Force(probes, means)
    }

    fn probe(&mut self, name: &str, j: usize) -> Probe {
        let element = &self.system.elements[j];
        let (place, rate) = match &element.law {
            Law::Compliant(law) => (true, law.loss != 0.0),
            _ => (false, true),
        };
        Probe {
            at: Instant::of((j, element)),
            place: place.then(|| self.ask(name, Quantity::Displacement(element.row().clone()))),
            rate: rate.then(|| self.ask(name, Quantity::Velocity(element.row().clone()))),
        }
    }

    /// One more output of the stepper; its number.
    fn ask(&mut self, name: &str, quantity: Quantity) -> usize {
        self.outputs.push(Output { name: name.into(), quantity });
        self.outputs.len() - 1
    }
}
