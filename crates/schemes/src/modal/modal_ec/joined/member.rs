//! A bank among those that joints couple.

use super::links::{Lift, nonzero};
use crate::modal::modal_ec::stepper::ModalStepper;
use hamiltone_core::{
    element::Law,
    input::Action,
    islands::Island,
    refusal::Refusal,
    row::Row,
    state::{Motion, State},
    stepper::{Activity, Stepper},
};
use hamiltone_numerics::lcp::Method;
use std::sync::Arc;

/// A bank, and what it is of the whole.
#[derive(Clone)]
pub(super) struct Member {
    pub stepper: ModalStepper,
    pub part: Arc<Island>,
    /// The rows of joints that it has.
    pub rows: Arc<[usize]>,
    /// Where it is at rest on its supports.
    lifts: Arc<[Lift]>,
    /// Whether it can rest: it stands on supports, and nothing stands on it.
    pub can_rest: bool,
    /// Scratch: forces along these rows and the sizes of what they read, inputs at both ends of a step, elements.
    pub forces: Vec<f64>,
    pub sizes: Vec<f64>,
    pub inputs: Vec<f64>,
    /// Whether the stepper has not read them as they are.
    pub is_stale: bool,
    pub activity: Vec<Activity>,
    pub motion: Motion,
}

impl Member {
    pub fn new(
        scheme: &'static str,
        part: Island,
        (all, lifts): (&[Row], &[Lift]),
        dt: f64,
        solver: Method,
    ) -> Result<Self, Refusal> {
        let own = |row: &Row| {
            let here = nonzero(row).filter_map(|(i, w)| Some((part.dofs.binary_search(&i).ok()?, w)));
            Row::Sparse(here.collect())
        };
        let (numbers, rows): (Vec<usize>, Vec<Row>) =
            all.iter().map(own).enumerate().filter(|(_, row)| !row.is_zero()).unzip();
        let system = Arc::new(part.system.clone());
        Ok(Self {
            stepper: ModalStepper::new(scheme, &system, dt, (solver, &rows))?,
            forces: vec![0.0; rows.len()],
            sizes: vec![0.0; rows.len()],
            inputs: vec![0.0; 2 * part.inputs.len()],
            is_stale: true,
            activity: vec![Activity::NONE; part.elements.len()],
            motion: Motion::at_rest(part.dofs.len()),
            rows: numbers.into(),
            lifts: lifts.into(),
            can_rest: false,
            part: Arc::new(part),
        })
    }

    /// Whether any of its elements is a port.
    pub fn has_ports(&self) -> bool {
        self.part.system.elements.iter().any(|element| matches!(element.law, Law::Port(_)))
    }

    /// Takes its part of a motion.
    pub fn take(&mut self, motion: &Motion) {
        for (own, i) in self.part.dofs.iter().enumerate() {
            (self.motion.q[own], self.motion.v[own]) = (motion.q[*i], motion.v[*i]);
        }
    }

    /// Gives its part of a motion.
    pub fn give(&self, motion: &mut Motion) {
        for (own, i) in self.part.dofs.iter().enumerate() {
            (motion.q[*i], motion.v[*i]) = (self.motion.q[own], self.motion.v[own]);
        }
    }

    /// Takes its part of the inputs at the start of a step and, where `input` has them, at its end.
    pub fn take_inputs(&mut self, input: &[f64], count: usize) {
        let (start, end) = self.inputs.split_at_mut(self.part.inputs.len());
        let (mut differ, between) = (0, |a: f64, b: f64| a.to_bits() ^ b.to_bits());
        for ((start, end), k) in start.iter_mut().zip(end).zip(&self.part.inputs) {
            let new = (input[*k], input.get(count + k).copied().unwrap_or(input[*k]));
            // What moves is read in each step.
            differ |= between(*start, new.0) | between(*end, new.1) | between(new.0, new.1);
            (*start, *end) = new;
        }
        self.is_stale |= differ != 0;
    }

    /// Whether a damper lies on it, and nothing else acts or is about to change.
    pub fn is_held(&mut self, input: &[f64], count: usize) -> bool {
        self.take_inputs(input, count);
        let (start, end) = self.inputs.split_at(self.part.inputs.len());
        let inputs = &self.part.system.inputs;
        let value = |is: fn(&Action) -> bool| {
            let those = inputs.iter().zip(start).filter(move |(input, _)| is(&input.action));
            those.map(|(_, value)| *value)
        };
        start == end
            && value(|action| matches!(action, Action::Control(_))).any(|control| control > 0.0)
            && value(|action| matches!(action, Action::Force(_) | Action::Custom { .. }))
                .all(|force| force == 0.0)
    }

    /// Puts it at rest where nothing has lifted it, its inputs being those of the start of the step.
    pub fn rest(&mut self) {
        // All springs are at rest at 0; a start from initial conditions may be none from rest.
        self.motion.q.fill(0.0);
        self.motion.v.fill(0.0);
        self.stepper.state(State::Start(&self.motion, &self.inputs[..self.part.inputs.len()]));
        self.is_stale = true;
    }

    /// Puts it at rest on its supports, whose rows have these values of U and U⁻: X is half their sum, and Y half their difference.
    pub fn stand(&mut self, u: &[f64], before: &[f64]) {
        self.rest();
        for Lift { own, place, weight } in self.lifts.iter() {
            let (now, then) = (u[*place], before[*place]);
            self.stepper.lift(*own, [0.5 * weight * (now + then), 0.5 * weight * (now - then)]);
        }
        self.stepper.lifted();
    }
}
