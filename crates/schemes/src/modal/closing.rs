//! Which rigid contacts are closed, halfway through a step: only those are read that can be by the energy ([`super::reach`]).

use super::{element_forces::Rigid, reach::Reach, rows::Rows};
use hamiltone_core::stepper::Activity;
use hamiltone_numerics::list::List;

/// More contacts at a time are worth a transform of all.
const SINGLE: usize = 4;

/// The rigid contacts of a bank, of which the first so many of a [`Reach`] tells when they matter.
#[derive(Clone)]
pub(crate) struct Closing {
    elements: Vec<usize>,
    /// Whether these follow on each other.
    is_run: bool,
    /// h + h_ref halfway.
    gaps: Vec<f64>,
    /// Those that can matter in this step, and their elements.
    near: List<usize>,
    near_elements: List<usize>,
}

impl Closing {
    /// Of these contacts among elements with these gaps.
    pub fn new(rigid: &[Rigid], gaps: &[f64]) -> Self {
        let elements: Vec<usize> = rigid.iter().map(|rigid| rigid.element).collect();
        Self {
            is_run: elements.windows(2).all(|pair| pair[1] == pair[0] + 1),
            gaps: elements.iter().map(|j| gaps[*j]).collect(),
            near: List::with_room(elements.len()),
            near_elements: List::with_room(elements.len()),
            elements,
        }
    }

    /// The gaps are now these, of the elements.
    pub fn move_to(&mut self, gap: impl Fn(usize) -> f64) {
        self.gaps.iter_mut().zip(&self.elements).for_each(|(h, j)| *h = gap(*j));
    }

    /// Lists the contacts that can matter in this step; whether there are any. Where a transform reads all of them at once, the list ends after
    /// one more than [`SINGLE`]: [`Closing::find`] then reads all, and does not use it.
    pub fn take(&mut self, reach: &Reach, rows: &Rows) -> bool {
        // A transform costs the same for two contacts and for all.
        let enough = if rows.any_transformed() { SINGLE + 1 } else { usize::MAX };
        self.near.clear();
        // As a loop: an extension by an iterator over blocks asks for one after the other.
        reach.due(0..self.elements.len()).take(enough).for_each(|k| self.near.push(k));
        !self.near.is_empty()
    }

    /// The least gaps of contacts that were met open, into what elements did.
    pub fn take_gaps(&self, reach: &Reach, activity: &mut [Activity]) {
        for (k, &j) in self.elements.iter().enumerate() {
            let gap = &mut activity[j].gap;
            *gap = gap.min(reach.least(k));
        }
    }

    /// What elements did since this was last asked: `activity`, which begins anew but for gaps that never do.
    pub fn take_activity(&self, reach: &mut Reach, activity: &mut [Activity], told: &mut [Activity]) {
        self.take_gaps(reach, activity);
        told.copy_from_slice(activity);
        if reach.watch() {
            activity.fill(Activity::NONE);
        } else {
            activity.iter_mut().for_each(|activity| activity.impulse = 0.0);
        }
    }

    /// The elements that are closed where the bank is at `x`, into `closed`; c·x of some into `read`.
    pub fn find(
        &mut self,
        reach: &mut Reach,
        rows: &mut Rows,
        (x, read): (&[f64], &mut [f64]),
        closed: &mut Vec<usize>,
    ) {
        let Self { elements, gaps, near, near_elements, .. } = self;
        let mut all = near.len() == elements.len();
        if rows.any_transformed() {
            // A transform, which tells what is closed, costs as much as a few single rows, which tell what is not.
            let mut is_off = |k: usize| reach.put_off(k, gaps[k] - rows.dot(elements[k], x));
            if near.len() <= SINGLE && near.iter().all(|&k| is_off(k)) {
                return;
            }
            all = true;
        }
        // Numbers that follow on each other are compared in lanes, without a list.
        if all && self.is_run {
            let first = elements[0];
            rows.some(elements, x, read);
            let places = &read[first..first + elements.len()];
            // Most steps close none: only then are they gone through one by one.
            if reach.meet_all(gaps, places) {
                let open = gaps.iter().zip(places).zip(elements.iter());
                closed.extend(open.filter(|((gap, place), _)| *gap - *place <= 0.0).map(|(_, j)| *j));
            }
            return;
        }
        if all {
            near.clear();
            near.extend(0..elements.len());
        }
        near_elements.clear();
        near_elements.extend(near.iter().map(|&k| elements[k]));
        rows.some(near_elements, x, read);
        for (&k, &j) in near.iter().zip(near_elements.iter()) {
            let open = gaps[k] - read[j];
            if open <= 0.0 {
                closed.push(j);
            }
            reach.meet(k, open);
        }
    }
}
